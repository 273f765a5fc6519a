/** FP8 caches that checkpoints declare, by the keys that each release reads of each kind. */
import { describe, expect, test } from 'vitest';
import { cellsOf } from './configText';
import { heads } from './modelConfigs';

const float8 = { type: 'float', num_bits: 8 };
const fixed = { ...float8, strategy: 'tensor', symmetric: true, dynamic: false };

/** Bytes per token of 32 layers with 8 heads of 128 in a release, where this is declared. */
function cellWith(declared: object, release: string, key = 'quantization_config'): unknown {
  const { budgeted } = cellsOf({ ...heads(32, 8, 128), [key]: declared }, { release });
  return budgeted;
}
const [inFp8, inBf16] = [65_536, 131_072];

describe('an automatic dtype follows', () => {
  test.each([
    [
      'the scheme of ModelOpt’s FP8',
      { quant_method: 'modelopt', quant_algo: 'FP8', kv_cache_scheme: float8 },
      [
        ['0.5.3.post3', inBf16],
        ['0.5.4', inFp8],
        ['0.5.23', inFp8],
      ],
    ],
    [
      'the algorithm of ModelOpt’s FP8',
      { quant_algo: 'FP8', kv_cache_quant_algo: 'FP8' },
      [
        ['0.5.14', inBf16],
        ['0.5.15', inFp8],
      ],
    ],
    [
      'the algorithm of ModelOpt’s FP4, but for a while',
      { quant_method: 'modelopt', quant_algo: 'NVFP4', kv_cache_quant_algo: 'FP8' },
      [
        ['0.5.2', inBf16],
        ['0.5.8.post1', inFp8],
        ['0.5.9', inBf16],
        ['0.5.14', inBf16],
        ['0.5.15', inFp8],
      ],
    ],
    [
      'the word of ModelOpt’s FP4',
      { quant_method: 'modelopt_fp4', quant_algo: 'NVFP4', kv_cache_scheme: 'FP8' },
      [
        ['0.5.6.post2', inBf16],
        ['0.5.7', inFp8],
      ],
    ],
    [
      'layers of mixed precision',
      { quant_method: 'modelopt', quant_algo: 'MIXED_PRECISION', kv_cache_scheme: float8 },
      [
        ['0.5.9', inBf16],
        ['0.5.10', inFp8],
      ],
    ],
    [
      'the algorithm of plain FP8',
      { quant_method: 'fp8', kv_cache_quant_algo: 'FP8' },
      [
        ['0.5.17', inBf16],
        ['0.5.18', inFp8],
      ],
    ],
    [
      'one static scale of compressed tensors',
      { quant_method: 'compressed-tensors', kv_cache_scheme: fixed },
      [
        ['0.5.18', inBf16],
        ['0.5.19', inFp8],
      ],
    ],
  ] as const)('%s', (_, declared, expected) => {
    for (const [release, bytes] of expected) {
      expect(cellWith(declared, release), release).toBe(bytes);
    }
  });

  test.each([
    ['a scheme of plain FP8', { quant_method: 'fp8', kv_cache_scheme: fixed }],
    ['the algorithm alone', { kv_cache_quant_algo: 'FP8' }],
    [
      'scales that are made while it runs',
      { quant_method: 'compressed-tensors', kv_cache_scheme: { ...fixed, dynamic: true } },
    ],
    [
      'a scale for each head',
      { quant_method: 'compressed-tensors', kv_cache_scheme: { ...fixed, strategy: 'head' } },
    ],
    [
      'eight bits that are no floats',
      { quant_algo: 'FP8', kv_cache_scheme: { type: 'int', num_bits: 8 } },
    ],
    ['a kind that has no such key', { quant_method: 'awq', kv_cache_quant_algo: 'FP8' }],
  ])('not %s', (_, declared) => {
    expect(cellWith(declared, '0.5.23')).toBe(inBf16);
  });

  test('the older key where the other is absent', () => {
    const declared = { quant_method: 'compressed-tensors', kv_cache_scheme: fixed };
    expect(cellWith(declared, '0.5.23', 'compression_config')).toBe(inFp8);
  });
});
