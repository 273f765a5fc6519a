/** Layouts of few models: what SGLang's own configs of 0.5.23 make of such keys, and python3 of slots. */
import { describe, expect, test } from 'vitest';
import { slotBytes } from '../../../src/core/model/statePool';
import { exactRelease } from '../../../src/core/sglang/layout/eraTable';
import type { Config } from './configText';
import { cellsOf, layoutOf, refusalOf } from './configText';
import { compressed, gatedDelta, heads, latent, sparse } from './modelConfigs';

const release = '0.5.23';

function slotOf(config: Config, tp = 1): bigint | undefined {
  const found = slotBytes(layoutOf(config), { release: exactRelease(release), parallel: { tp } });
  return found?.kind === 'known' ? (found.value.quantity.exact as bigint) : undefined;
}

const cellOf = (config: Config, tp = 1): number =>
  cellsOf(config, { release, parallel: { tp }, kvDtype: 'bfloat16' }).budgeted;

const channels: Config = {
  cca: true,
  num_hidden_layers: 80,
  hidden_size: 2048,
  num_attention_heads: 16,
  num_query_groups: 4,
  num_key_value_heads: 4,
  kv_channels: 128,
  cca_time0: 2,
  cca_time1: 2,
  torch_dtype: 'bfloat16',
};

describe('attention over compressed channels', () => {
  const listed = { ...channels, zaya_layers: Array.from({ length: 40 }, () => ['a', 16]).flat() };

  test('is in the layers with a letter, else in every second', () => {
    expect(cellOf(listed)).toBe(40 * 4 * 256 * 2);
    expect(cellOf({ ...channels, num_hidden_layers: 81 })).toBe(41 * 4 * 256 * 2);
  });

  test('keeps inputs of two convolutions, and a hidden state that is whole on every rank', () => {
    expect(slotOf(listed)).toBe(BigInt(40 * (20 * 128 * 2 + 2048) * 2));
    expect(slotOf(listed, 4)).toBe(BigInt(40 * (5 * 128 * 2 + 2048) * 2));
  });
});

describe('layers by word', () => {
  const words = (kinds: readonly string[]): Config => ({
    ...heads(28, 2, 128),
    num_attention_heads: 12,
    layer_types: Array.from({ length: 28 }, (_, at) => kinds[at] ?? 'jet'),
    efficient_attention_config: { jet: { num_heads: 12, head_dim: 96, expand_v: 2, conv_size: 4 } },
  });
  const jet = words(['attn', 'swa', 'swa', 'attn', 'swa']);

  test('attend to all tokens but where they have a block of state', () => {
    expect(cellOf(jet)).toBe(5 * 2 * 256 * 2);
    expect(slotOf(jet)).toBe(20_984_832n);
    expect(refusalOf(JSON.stringify(words(['rwkv'])))).toMatchObject({ key: 'layer_types[0]' });
  });

  test('repeat until all layers have one', () => {
    const mixers = ['minicpm4', 'lightning-attn', 'lightning_attn', 'lightning'];
    const mixed = {
      ...heads(32, 2, 128),
      mixer_types: mixers,
      lightning_nkv: 32,
      lightning_head_dim: 128,
    };
    expect(cellOf(mixed)).toBe(8 * 2 * 256 * 2);
    expect(slotOf(mixed)).toBe(50_331_648n);
    // 20 layers with the heads of keys and values, 4,096 / 32 wide.
    const bare = {
      ...heads(30, 16, 128),
      head_dim: null,
      hidden_size: 4096,
      mixer_types: ['attention', 'lightning', 'lightning'],
    };
    expect(slotOf(bare)).toBe(BigInt(20 * 16 * 128 * 128 * 4));
  });

  test('of sparse attention all keep latents, and index keys where they do not share them', () => {
    const typed = {
      ...sparse(34),
      layer_types: new Array<string>(34).fill('deepseek_sparse_attention'),
      indexer_types: Array.from({ length: 34 }, (_, at) => (at < 4 ? 'full' : 'shared')),
    };
    expect(cellOf(typed)).toBe(34 * 1152 + 4 * 132);
  });
});

describe('groups of linear layers', () => {
  const ling = { ...latent(20), num_attention_heads: 16, head_dim: 128 };

  test('have three convolutions where the config says their length', () => {
    const grouped = { ...ling, layer_group_size: 4 };
    expect(slotOf(grouped)).toBe(BigInt(15 * 16 * 128 * 128 * 4));
    expect(slotOf({ ...grouped, short_conv_kernel_size: 4 })).toBe(16_281_600n);
  });

  test('may be a list with 1 for each of them', () => {
    const listed = {
      ...ling,
      num_hidden_layers: 7,
      layer_group_size: [1, 1, 1, 0, 1, 1, 0],
      short_conv_kernel_size: 4,
    };
    expect([cellOf(listed), slotOf(listed)]).toEqual([2 * 576 * 2, 5_427_200n]);
  });
});

describe('blocks of attention heads', () => {
  const blocks = (sizes: readonly (number | null)[]): Config => ({
    ...heads(80, 8, 128),
    model_type: 'nemotron-nas',
    num_attention_heads: 64,
    num_key_value_heads: null,
    block_configs: sizes.map(size => ({
      attention: { n_heads_in_group: size, no_op: size === null },
    })),
  });

  test('share their heads, and those without attention have a pool nonetheless', () => {
    expect(cellOf(blocks([8, null, 8]))).toBe(80 * 8 * 256 * 2);
    expect(cellOf(blocks([8, null, 8]), 16)).toBe(80 * 256 * 2);
  });

  test('of different groups are refused', () => {
    expect(refusalOf(JSON.stringify(blocks([8, 4])))).toMatchObject({ key: 'block_configs' });
  });
});

test.each([
  ['model_type', { ...compressed, model_type: 'deepseek_v41' }],
  ['model_type', { ...latent(61), model_type: 'deepseek_v41' }],
  ['text_config.model_type', { text_config: { ...compressed, model_type: 'deepseek_v41_text' } }],
  ['kv_source_layer_ids', { ...compressed, kv_source_layer_ids: [0, 1] }],
] as const)('a later kind of compressed attention is refused by %s (%#)', (key, config) => {
  expect(refusalOf(JSON.stringify(config))).toMatchObject({ kind: 'unknown-attention', key });
});

test.each([
  ['hybrid_layer_ids', { ...heads(54, 32, 80), hybrid_layer_ids: [6, 12] }],
  ['mamba_d_state', { ...heads(54, 32, 80), mamba_d_state: 64 }],
] as const)('layers of state that no list tells apart are refused by %s', (key, config) => {
  expect(refusalOf(JSON.stringify(config))).toMatchObject({ kind: 'unknown-attention', key });
});

test('dimensions of a state do not stand against a list of layers without any', () => {
  const layers = Array.from({ length: 40 }, () => 'attention');
  expect(cellOf({ ...heads(40, 8, 64), layer_types: layers, mamba_d_state: 256 })).toBe(81_920);
});

test('a rank of a pipeline keeps state for the layers of its stage from 0.5.10 on', () => {
  const on = (since: string, pp: number): readonly (number | undefined)[] => {
    const found = slotBytes(layoutOf(gatedDelta(48, 2, 32)), {
      release: exactRelease(since),
      parallel: { tp: 1, pp },
    });
    const bytes = found?.kind === 'known' ? found.value : undefined;
    return [Number(bytes?.quantity.exact), Number(bytes?.onRank.exact)];
  };
  // 36 state layers, 18 in each of two stages.
  expect(on('0.5.18', 1)).toEqual([77_266_944, 77_266_944]);
  expect(on('0.5.18', 2)).toEqual([77_266_944, 38_633_472]);
  expect(on('0.5.9', 2)).toEqual([77_266_944, 77_266_944]);
});
