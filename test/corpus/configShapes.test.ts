/**
 * Shapes of real models' configs (keys and numbers that decide memory) against what SGLang 0.5.18
 * makes of them: configShapes.jsonl holds the bytes per token that its own ModelConfig and pool
 * configurators gave under python3 in bfloat16, and bytes of a state slot.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { slotBytes } from '../../src/core/model/statePool';
import { exactRelease } from '../../src/core/sglang/layout/eraTable';
import type { Config } from '../core/model/configText';
import { bytesOf, layoutOf, quantityOf, refusalOf } from '../core/model/configText';

interface Shape {
  readonly name: string;
  readonly config: Config;
  readonly bytesPerToken: Readonly<Record<'tp1' | 'tp4' | 'tp16', number>>;
  /** In FP8 E5M2 on one rank, where servers start with it. */
  readonly fp8: number;
  readonly slot?: Readonly<Record<'tp1' | 'tp4', number>>;
}

const release = '0.5.18';
const known = readFileSync(join(import.meta.dirname, 'configShapes.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as Shape);

function cell(config: Config, tp: number, kvDtype: string): number {
  const bytes = bytesOf(config, { release, parallel: { tp }, kvDtype, windowRatio: 0.8 });
  return Number(quantityOf(bytes, bytes.budgeted).exact);
}

/** Servers of sparse and of compressed attention do not start with it. */
function takesE5m2(config: Config): boolean {
  const { attention } = layoutOf(config);
  return (
    attention.kind === 'heads' || (attention.kind === 'latent' && attention.indexDim === undefined)
  );
}

describe('shapes of real configs', () => {
  test('are enough', () => {
    expect(known.length).toBeGreaterThan(85);
  });

  test.each(known.map(shape => [shape.name, shape] as const))(
    '%s has the bytes per token that SGLang gives it',
    (_name, { config, bytesPerToken, fp8 }) => {
      for (const tp of [1, 4, 16] as const) {
        expect(cell(config, tp, 'bfloat16')).toBeCloseTo(bytesPerToken[`tp${tp}`], 6);
      }
      if (takesE5m2(config)) {
        expect(cell(config, 1, 'fp8_e5m2')).toBeCloseTo(fp8, 6);
      }
    },
  );

  test.each(
    known.flatMap(({ name, config, slot }) => (slot ? [[name, config, slot] as const] : [])),
  )('%s has the bytes of a state slot that SGLang gives it', (_name, config, slot) => {
    for (const tp of [1, 4] as const) {
      const bytes = slotBytes(layoutOf(config), {
        release: exactRelease(release),
        parallel: { tp },
      });
      expect(bytes?.kind === 'known' && bytes.value.quantity.exact).toBe(BigInt(slot[`tp${tp}`]));
    }
  });
});

describe('shapes that are refused by a key', () => {
  test.each([
    ['attn_type_list', { num_hidden_layers: 80, attn_type_list: [0, 1] }],
    ['attn_layer_period', { num_hidden_layers: 32, attn_layer_period: 8 }],
    ['block_configs', { num_hidden_layers: 80, block_configs: [{}] }],
    ['local_layer_ids', { num_hidden_layers: 80, local_layer_ids: [0] }],
    ['swa_kv_lora_rank', { num_hidden_layers: 30, kv_lora_rank: 512, swa_kv_lora_rank: 256 }],
    ['indexer_n_heads', { num_hidden_layers: 30, indexer_n_heads: 8 }],
    [
      'text_config.num_key_value_heads',
      { text_config: { hidden_size: 2560, num_hidden_layers: 34 } },
    ],
    ['num_key_value_heads', { d_model: 1280, encoder_layers: 32, num_hidden_layers: 32 }],
    ['head_dim', { n_embed: 4096, num_attention_heads: 32, n_layer: 30 }],
    ['compress_ratios[1]', { num_hidden_layers: 2, compress_ratios: [4, 2] }],
    ['model_type', { model_type: 'deepseek_v41', num_hidden_layers: 1, compress_ratios: [4] }],
    ['layer_types[0]', { num_hidden_layers: 1, layer_types: ['rwkv'] }],
    ['num_hidden_layers', { hidden_size: 4096, num_attention_heads: 32 }],
  ])('%s', (key, config) => {
    expect(refusalOf(JSON.stringify(config))).toMatchObject({ key });
  });
});
