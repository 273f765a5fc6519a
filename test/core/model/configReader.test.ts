/** Reading config.json: nested and renamed keys, positions, odd and hostile files, refusals by key. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readConfigTree } from '../../../src/core/model/configTree';
import { readModelLayout } from '../../../src/core/model/modelLayout';
import { tokenBytes } from '../../../src/core/model/tokenBytes';
import { exactRelease } from '../../../src/core/sglang/layout/eraTable';
import type { Config } from './configText';
import { cellsOf, layoutOf, refusalOf } from './configText';
import { asymmetricWindows, compressed, gatedDelta, heads, latent, sparse } from './modelConfigs';

const text = (config: Config): string => JSON.stringify(config);

describe('a config is read', () => {
  test.each(['text_config', 'llm_config', 'language_config'])('with its model in %s', key => {
    expect(cellsOf({ [key]: heads(32, 8, 128) }).budgeted).toBe(131072);
  });

  test('with its model two levels deep', () => {
    const config = { thinker_config: { text_config: latent(61), vision_config: {} } };
    expect(cellsOf(config).budgeted).toBe(70272);
  });

  test('from the root where the nested part describes no layers', () => {
    expect(cellsOf({ ...heads(32, 8, 128), text_config: { vocab_size: 1 } }).budgeted).toBe(131072);
  });

  test.each([
    ['n_layer, n_head, n_embd', { n_layer: 12, n_head: 12, n_embd: 768 }, 12 * 12 * 64 * 4],
    [
      'num_kv_heads and kv_channels',
      { num_layers: 28, num_attention_heads: 32, num_kv_heads: 2, kv_channels: 128 },
      28 * 2 * 128 * 4,
    ],
    [
      'multi_query_group_num',
      { num_layers: 28, num_attention_heads: 32, multi_query_group_num: 2, head_dim: 128 },
      28 * 2 * 128 * 4,
    ],
    [
      'kv_n_heads of attn_config',
      { n_layers: 40, n_heads: 48, d_model: 6144, attn_config: { kv_n_heads: 8 } },
      40 * 8 * 128 * 4,
    ],
    ['multi_query', { n_layer: 32, n_head: 71, n_embd: 4544, multi_query: true }, 32 * 64 * 4],
    [
      'n_kv_heads and dim',
      { n_layers: 40, n_heads: 32, n_kv_heads: 8, dim: 5120, head_dim: 128 },
      40 * 8 * 128 * 4,
    ],
    ['null as an absent key', { ...heads(32, 8, 128), head_dim: null, hidden_size: 4096 }, 131072],
    ['use_mla false', { ...latent(32), ...heads(32, 8, 128), use_mla: false }, 131072],
  ] as const)('with %s', (_name, config, cell) => {
    expect(cellsOf(config).budgeted).toBe(cell);
  });

  test('with a list of attention types that are all alike', () => {
    const types = (last: number) => ({ ...heads(62, 8, 128), attn_type_list: [1, 1, 1, last] });
    expect(cellsOf(types(1)).budgeted).toBe(62 * 8 * 256 * 2);
    expect(refusalOf(text(types(0)))).toMatchObject({
      kind: 'unknown-attention',
      key: 'attn_type_list',
    });
  });

  // The releases pool every layer but each fourth, whatever list the config has.
  test.each([{}, { no_rope_layers: [] }, { no_rope_layer_interval: 4 }])(
    'with chunked attention and %o for its layers',
    more => {
      const config = {
        architectures: ['Llama4ForConditionalGeneration'],
        text_config: { ...heads(48, 8, 128), attention_chunk_size: 8192, ...more },
      };
      // 0.5.18: 4096 x 12 + 0.8 x 4096 x 36.
      expect(cellsOf(config, { release: '0.5.18', windowRatio: 0.8 }).budgeted).toBe(167116.8);
    },
  );

  test('with comments, trailing commas and a byte order mark', () => {
    const config = `\ufeff{ // a comment\n "num_hidden_layers": 61, /* , } */\n "kv_lora_rank": 512,
      "qk_rope_head_dim": 64, "rope": [1, 2,], }`;
    expect(refusalOf(config)).toBeUndefined();
  });

  test('of duplicate keys the last counts', () => {
    const config =
      '{"num_hidden_layers":1,"kv_lora_rank":512,"qk_rope_head_dim":64,"num_hidden_layers":61}';
    const read = readModelLayout(config);
    expect(read.kind === 'known' && read.value.layers.kinds.length).toBe(61);
  });

  test.each(['\n', '\r\n', '\r'])('and places count lines that end in %j', end => {
    const config = ['{', '  "a": 1,', '  "text_config": {', '    "head_dim": 128', '  }', '}'];
    const value = readConfigTree(config.join(end))?.child('text_config')?.get('head_dim');
    expect(value).toMatchObject({
      path: 'text_config.head_dim',
      text: '128',
      place: { line: 4, column: 17, length: 3 },
    });
  });

  test('without taking names of every object for keys of the file', () => {
    const tree = readConfigTree('{"a": 1}');
    expect([tree?.has('constructor'), tree?.get('toString')]).toEqual([false, undefined]);
    const own = readConfigTree('{"constructor": 7, "__proto__": 8}');
    expect([own?.get('constructor')?.value, own?.get('__proto__')?.value]).toEqual([7, 8]);
  });
});

describe('a config is refused', () => {
  test.each([
    ['nothing', ''],
    ['a list', '[1]'],
    ['a number', '7'],
    ['a cut object', '{"num_hidden_layers": 61, "kv_lora_rank": 5'],
    ['two values', '{} {}'],
    ['a missing comma', '{"a": 1 "b": 2}'],
    ['a bad escape', '{"a": "\\x"}'],
    ['brackets beyond any depth', `{"a": ${'['.repeat(100_000)}`],
    ['a depth that closes', `{"a": ${'['.repeat(70)}${']'.repeat(70)}}`],
    ['an open comment', '{"a": 1} /* '],
  ])('as no config: %s', (_name, config) => {
    expect(refusalOf(config)).toEqual({ kind: 'not-a-config' });
  });

  test('as no config above eight million characters, at once', () => {
    const start = performance.now();
    expect(refusalOf(`{"a": "${'x'.repeat(9_000_000)}"}`)).toEqual({ kind: 'not-a-config' });
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test.each([
    ['num_hidden_layers', {}],
    ['qk_rope_head_dim', { ...latent(61), qk_rope_head_dim: undefined }],
    ['index_head_dim', { ...sparse(61), index_head_dim: undefined }],
    ['num_key_value_heads', { num_hidden_layers: 32 }],
    ['head_dim', { num_hidden_layers: 32, num_key_value_heads: 8 }],
    [
      'text_config.num_key_value_heads',
      { text_config: { num_hidden_layers: 62, num_attention_heads: 32 } },
    ],
    [
      'text_config.layer_types',
      { text_config: { ...heads(48, 2, 256), linear_num_value_heads: 32 } },
    ],
    ['mamba_num_heads', { ...heads(2, 8, 64), layer_types: ['mamba', 'attention'] }],
    ['index_head_dim', { ...compressed, index_head_dim: undefined }],
    ['compress_ratios', { ...compressed, compress_ratios: [0, 4] }],
  ] as const)('for want of %s', (key, config) => {
    expect(refusalOf(text(config))).toMatchObject({ kind: 'missing-key', key });
  });

  test.each([
    ['num_hidden_layers', -1],
    ['num_hidden_layers', 0],
    ['num_hidden_layers', 61.5],
    ['num_hidden_layers', '61'],
    ['num_hidden_layers', [61]],
    ['num_hidden_layers', { value: 61 }],
    ['num_hidden_layers', true],
    ['num_hidden_layers', 1e9],
    ['kv_lora_rank', 1e300],
    ['kv_lora_rank', 'large'],
    ['qk_rope_head_dim', [[64]]],
  ] as const)('for a value of %s that is %j', (key, value) => {
    expect(refusalOf(text({ ...latent(61), [key]: value }))).toMatchObject({
      kind: 'unusable-value',
      key,
    });
  });

  test('for a whole number that is written as a float, where Python would not take it', () => {
    const config = '{"num_hidden_layers": 61.0, "kv_lora_rank": 512, "qk_rope_head_dim": 64}';
    expect(refusalOf(config)).toMatchObject({
      kind: 'unusable-value',
      key: 'num_hidden_layers',
      found: '61.0',
      place: { line: 1, column: 23 },
    });
  });

  test.each([
    ['layer_types[1]', { ...heads(2, 8, 64), layer_types: ['full_attention', 'novel_attention'] }],
    ['layer_types', { ...heads(4, 8, 64), layer_types: ['full_attention'] }],
    ['layer_types', { ...heads(4, 8, 64), layer_types: 'full_attention' }],
    ['hybrid_override_pattern', { ...heads(4, 8, 64), hybrid_override_pattern: 'M*X' }],
    ['hybrid_layer_pattern[0]', { ...heads(1, 8, 64), hybrid_layer_pattern: [2] }],
  ] as const)('for layers that are not known: %s', (key, config) => {
    expect(refusalOf(text(config))).toMatchObject({ kind: 'unusable-value', key });
  });

  test.each(['sparse_attention_config', 'block_configs'] as const)(
    'for the unknown attention that %s announces',
    key => {
      expect(refusalOf(text({ ...heads(32, 8, 128), [key]: [1] }))).toMatchObject({
        kind: 'unknown-attention',
        key,
      });
    },
  );

  test('for sparse heads beside packed experts, whose rows may have another layout from 0.5.23 on', () => {
    const config = {
      ...heads(2, 4, 128),
      architectures: ['MiniMaxM3SparseForCausalLM'],
      sparse_attention_config: {
        use_sparse_attention: true,
        sparse_attention_freq: [0, 1],
        sparse_index_dim: 128,
        sparse_num_index_heads: 4,
      },
    };
    const packed = { quant_method: 'mxfp8', moe_quant_algo: 'nvfp4' };
    expect(refusalOf(text({ ...config, quantization_config: { quant_method: 'mxfp8' } }))).toBe(
      undefined,
    );
    const layout = layoutOf({ ...config, quantization_config: packed });
    const on = (release: string) =>
      tokenBytes(layout, { release: exactRelease(release), parallel: { tp: 1 } });
    expect(on('0.5.22').kind).toBe('known');
    expect(on('0.5.23')).toMatchObject({
      refusal: { kind: 'unknown-attention', key: 'quantization_config.moe_quant_algo' },
    });
  });

  test('with a long odd value cut short', () => {
    const refusal = refusalOf(text({ ...latent(61), kv_lora_rank: 'x'.repeat(1000) }));
    expect(refusal?.kind === 'unusable-value' && refusal.found.length).toBe(81);
  });
});

describe('whatever the file says, the reader answers', () => {
  const sound = [
    heads(32, 8, 128),
    latent(61),
    sparse(78),
    compressed,
    asymmetricWindows,
    gatedDelta(40, 2, 32),
  ];

  test('for any JSON', () => {
    fc.assert(
      fc.property(fc.json(), json => {
        const read = readModelLayout(json);
        expect(['known', 'refused']).toContain(read.kind);
      }),
      { numRuns: 300 },
    );
  });

  test('for a sound config with any value in place of one', () => {
    const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.integer(), fc.double());
    fc.assert(
      fc.property(fc.constantFrom(...sound), fc.nat(), odd, (config, at, value) => {
        const keys = Object.keys(config);
        const changed = text({ ...config, [keys[at % keys.length]!]: value });
        const read = readModelLayout(changed);
        expect(['known', 'refused']).toContain(read.kind);
      }),
      { numRuns: 500 },
    );
  });

  test('for a text that is cut anywhere', () => {
    const whole = JSON.stringify(gatedDelta(40, 2, 32), undefined, 2);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), length => {
        expect(refusalOf(whole.slice(0, length))).toEqual({ kind: 'not-a-config' });
      }),
    );
  });
});

describe('what else the config says', () => {
  test('the context is stretched as the releases stretch it', () => {
    const of = (more: Config) => layoutOf({ ...latent(61), ...more }).contextLength?.value;
    expect(of({ max_position_embeddings: 163840 })).toBe(163840);
    expect(of({ max_position_embeddings: 4096, rope_scaling: { factor: 40 } })).toBe(163840);
    expect(
      of({
        max_position_embeddings: 163840,
        rope_scaling: { factor: 40, original_max_position_embeddings: 4096 },
      }),
    ).toBe(163840);
    expect(of({})).toBeUndefined();
  });

  test.each([
    [{ quantization_config: { quant_method: 'fp8' } }, 2],
    [{ torch_dtype: 'float32' }, 2],
  ] as const)('an automatic dtype with %o takes %i bytes', (more, size) => {
    const config = { ...heads(32, 8, 128), ...more };
    expect(cellsOf(config, { release: '0.5.9' }).budgeted).toBe(65536 * size);
  });
});
