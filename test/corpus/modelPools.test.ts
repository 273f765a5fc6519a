/** Every row of the shared truth about pools: state slots and the split of window hybrids. */
import { describe, expect, test } from 'vitest';
import { splitState } from '../../src/core/model/statePool';
import { splitWindow } from '../../src/core/model/tokenPools';
import { exactRelease } from '../../src/core/sglang/layout/eraTable';
import type { Quantity } from '../../src/core/units/quantity';
import { point } from '../../src/core/units/interval';
import type { Unit } from '../../src/core/units/unit';
import { units } from '../../src/core/units/unit';
import { bytesOf, quantityOf } from '../core/model/configText';
import { sharedFile, withShared } from './sharedFile';

interface StateRow {
  readonly kind: 'mamba';
  readonly release: string;
  readonly inputs: {
    readonly total_rest_memory: string;
    readonly mamba_cache_per_req: string;
    readonly mamba_full_memory_ratio: number;
    readonly max_mamba_cache_size: number | null;
  };
  readonly returns: { readonly value: number };
  readonly max_mamba_cache_size: number;
}

interface WindowRow {
  readonly kind: 'swa';
  readonly release: string;
  readonly inputs: Readonly<Record<string, number>>;
  readonly returns: {
    readonly full: number;
    readonly swa: number;
    readonly bytes_per_token?: number;
  };
}

function given(value: number | bigint, unit: Unit): Quantity {
  return {
    interval: point(Number(value)),
    unit,
    basis: 'proved',
    assumptions: [],
    provenance: [],
    exact: value,
    nominal: Number(value),
  };
}

function bytesOfRow({ release, inputs }: WindowRow) {
  const { full_layers: full = 0, swa_layers: window = 0 } = inputs;
  const config = {
    architectures: ['GptOssForCausalLM'],
    num_hidden_layers: full + window,
    num_key_value_heads: inputs['num_key_value_heads'],
    head_dim: inputs['head_dim'],
    layer_types: [
      ...new Array<string>(full).fill('full_attention'),
      ...new Array<string>(window).fill('sliding_attention'),
    ],
    sliding_window: 128,
    swa_num_key_value_heads: inputs['swa_num_key_value_heads'],
    swa_head_dim: inputs['swa_head_dim'],
  };
  return bytesOf(config, {
    release,
    parallel: { tp: inputs['attn_tp_size'] ?? 1 },
    windowRatio: inputs['swa_full_tokens_ratio'] ?? 1,
  });
}

withShared(() => {
  const rows = JSON.parse(sharedFile('truth/pools.json')) as readonly (StateRow | WindowRow)[];
  const stateRows = rows.filter((row): row is StateRow => row.kind === 'mamba');
  const windowRows = rows.filter((row): row is WindowRow => row.kind === 'swa');

  test('the truth about pools has as many rows as these tests expect', () => {
    expect([rows.length, stateRows.length, windowRows.length]).toEqual([20, 12, 8]);
  });

  describe('slots of state and what is left for keys and values', () => {
    test.each(
      stateRows.map(row => [`${row.release}, ${row.inputs.total_rest_memory}`, row] as const),
    )('are those of %s', (_name, { release, inputs, returns, max_mamba_cache_size: slots }) => {
      const split = splitState(
        given(BigInt(parseInt(inputs.mamba_cache_per_req)), units.B),
        given(parseFloat(inputs.total_rest_memory), units.GiB),
        {
          release: exactRelease(release),
          parallel: { tp: 1 },
          fullMemoryRatio: inputs.mamba_full_memory_ratio,
          ...(inputs.max_mamba_cache_size !== null && { maxSlots: inputs.max_mamba_cache_size }),
        },
      );
      expect(split?.slots?.exact).toEqual(BigInt(slots));
      expect(split?.rest?.exact).toBe(returns.value);
    });
  });

  describe('tokens of the full pool and the window pool', () => {
    test.each(
      windowRows.map(
        row => [`${row.release}, ${row.inputs['full_layers']} full layers`, row] as const,
      ),
    )('are those of %s', (_name, row) => {
      const { available_bytes: bytes, profiled_tokens: profiled, page_size: page = 1 } = row.inputs;
      const cells = bytesOfRow(row);
      const tokens = splitWindow(
        cells,
        bytes === undefined
          ? { kind: 'tokens', tokens: given(BigInt(profiled ?? 0), units.token) }
          : { kind: 'bytes', bytes: given(BigInt(bytes), units.B) },
        page,
      );
      expect(tokens.full?.exact).toEqual(BigInt(row.returns.full));
      expect(tokens.window?.exact).toEqual(BigInt(row.returns.swa));
      if (row.returns.bytes_per_token !== undefined) {
        expect(quantityOf(cells, cells.budgeted).exact).toBe(row.returns.bytes_per_token);
      }
    });
  });
});
