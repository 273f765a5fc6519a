/** The printed settings of captured graphs. */
import { describe, expect, test } from 'vitest';
import { readGraphConfig } from '../../../src/core/account/graphConfig';

describe('settings of captured graphs', () => {
  test('are read from a dataclass', () => {
    const text =
      "CudaGraphConfig(decode=PhaseConfig(backend='full', max_bs=256, bs=[1, 2, 4, 256], tc_compiler='eager'), prefill=PhaseConfig(backend='disabled', max_bs=8192, bs=[4, 8]))";
    expect(readGraphConfig(text)).toEqual({
      decode: { isOff: false, maxBatch: 256 },
      prefill: { isOff: true, maxBatch: 8192 },
    });
  });

  test('are read from a dict of what differs', () => {
    const text = "{'decode': {'max_bs': 64, 'bs': [1, 64]}, 'prefill': {'backend': 'disabled'}}";
    expect(readGraphConfig(text)).toEqual({
      decode: { isOff: false, maxBatch: 64 },
      prefill: { isOff: true },
    });
  });

  test.each(['', 'None', 'CudaGraphConfig(decode=PhaseConfig(backend=', '{'.repeat(5000)])(
    'are absent in %j',
    text => {
      expect(readGraphConfig(text)).toEqual({ decode: undefined, prefill: undefined });
    },
  );
});
