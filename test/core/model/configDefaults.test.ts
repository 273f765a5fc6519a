/**
 * Keys that stand for layers run through again, index keys shared by word, and what nested parts of a
 * config leave out. The expected numbers are products that python3 gives.
 */
import { describe, expect, test } from 'vitest';
import type { Config } from './configText';
import { bytesOf, cellsOf, layoutOf, quantityOf } from './configText';

function cell(config: Config, release: string): number {
  return cellsOf(config, { release, kvDtype: 'bfloat16' }).budgeted;
}

const small: Config = {
  num_hidden_layers: 5,
  num_attention_heads: 6,
  num_key_value_heads: 2,
  head_dim: 48,
};

describe('layers that are run through again', () => {
  test('have a cache for each time from the release on that reads the key', () => {
    const looped = { ...small, loop_num: 3 };
    expect([cell(looped, '0.5.7'), cell(looped, '0.5.8')]).toEqual([1920, 5760]);
    const renamed = { ...small, num_loops: 3 };
    expect([cell(renamed, '0.5.19'), cell(renamed, '0.5.20')]).toEqual([1920, 5760]);
  });

  test('are counted twice for a class whose model does not say where its layers end', () => {
    const looped = { ...small, loop_num: 3, architectures: ['IQuestLoopCoderForCausalLM'] };
    expect(cell(looped, '0.5.18')).toBe(17_280);
  });

  test('name their key in the receipt', () => {
    const { receipt } = bytesOf({ ...small, loop_num: 3 }, { release: '0.5.18' });
    const layers = receipt.find(({ name }) => name === 'num_layers');
    expect(layers?.sources).toContainEqual(expect.objectContaining({ key: 'loop_num' }));
  });
});

describe('index keys of sparse attention', () => {
  const sparse: Config = {
    architectures: ['GlmMoeDsaForCausalLM'],
    num_hidden_layers: 7,
    num_attention_heads: 8,
    kv_lora_rank: 384,
    qk_rope_head_dim: 32,
    index_topk: 64,
    index_head_dim: 128,
  };
  const words = ['full', 'shared', 'shared', 'full', 'shared', 'full', 'shared'];

  test('are those of the layers that a word says, from 0.5.20 on', () => {
    const typed = { ...sparse, indexer_types: words };
    expect([cell(typed, '0.5.18'), cell(typed, '0.5.20')]).toEqual([6748, 6220]);
  });

  test('follow the words before the factor, and the factor before the pattern', () => {
    const factor = { ...sparse, cli_factor: 4, index_topk_pattern: 'FFFFFFS' };
    expect(cell(factor, '0.5.18')).toBe(6088);
    expect(cell({ ...factor, indexer_types: words }, '0.5.23')).toBe(6220);
  });
});

describe('latent rows', () => {
  test('have no rotary part where the config says that positions are left out', () => {
    const config = {
      architectures: ['BailingMoeV3ForCausalLM'],
      num_hidden_layers: 7,
      num_attention_heads: 8,
      kv_lora_rank: 384,
      qk_rope_head_dim: 32,
      use_mla_nope: true,
    };
    expect(cell(config, '0.5.23')).toBe(5376);
    expect(cell({ ...config, use_mla_nope: false }, '0.5.23')).toBe(5824);
  });
});

describe('values of no dimension', () => {
  const config = { ...small, v_head_dim: 0 };

  test('count nothing up to 0.5.18 and as much as the keys since', () => {
    expect([cell(config, '0.5.18'), cell(config, '0.5.19')]).toEqual([960, 1920]);
  });

  test('count as much as the keys in classes where every release replaces them', () => {
    expect(cell({ ...config, architectures: ['DeepseekOCRForCausalLM'] }, '0.5.9')).toBe(1920);
  });
});

describe('a nested part', () => {
  const nested = (text: Config): Config => ({
    architectures: ['Gemma3ForConditionalGeneration'],
    text_config: text,
  });

  test('without a head dimension has that of its type, not hidden size over heads', () => {
    const text = {
      model_type: 'gemma3_text',
      hidden_size: 2500,
      num_hidden_layers: 7,
      num_attention_heads: 10,
      num_key_value_heads: 5,
    };
    expect(cell(nested(text), '0.5.23')).toBe(35_840);
  });

  test('without heads has those of its type, with the type as their source', () => {
    const text = { model_type: 'gemma3_text', hidden_size: 2500, num_hidden_layers: 7 };
    const bytes = bytesOf(nested(text), { release: '0.5.23', kvDtype: 'bfloat16' });
    expect(quantityOf(bytes, bytes.budgeted).exact).toBe(28_672n);
    const heads = bytes.receipt.find(({ name }) => name === 'num_key_value_heads');
    expect(heads?.sources).toEqual([expect.objectContaining({ key: 'text_config.model_type' })]);
  });

  test('without any size is a model of the usual size', () => {
    expect(cell(nested({ model_type: 'llama' }), '0.5.18')).toBe(524_288);
  });

  test('keeps windows as is usual for its type', () => {
    const { layers } = layoutOf(nested({ model_type: 'gemma3_text', sliding_window: 512 }));
    expect(layers.kinds.filter(kind => kind === 'full')).toHaveLength(4);
    expect(layers.kinds.slice(0, 6)).toEqual([...new Array<string>(5).fill('window'), 'full']);
  });

  test('with latent rows has the rank and the rotary part of its type', () => {
    const inner = { model_type: 'deepseek_v2', num_hidden_layers: 7, num_attention_heads: 8 };
    const latent = { ...inner, kv_lora_rank: 384 };
    expect(cell({ language_config: latent }, '0.5.18')).toBe(6272);
    expect(cell({ language_config: { ...latent, qk_rope_head_dim: 32 } }, '0.5.18')).toBe(5824);
    expect(cell({ language_config: { ...inner, hidden_size: 512 } }, '0.5.18')).toBe(8064);
  });

  test('of a type that is not known is refused by the key that is missing', () => {
    expect(() =>
      layoutOf(nested({ model_type: 'x', hidden_size: 8, num_hidden_layers: 2 })),
    ).toThrow('text_config.num_key_value_heads');
  });
});

test('a whole config is not completed by its type', () => {
  expect(() => layoutOf({ model_type: 'llama', hidden_size: 4096, num_hidden_layers: 2 })).toThrow(
    'num_key_value_heads',
  );
});
