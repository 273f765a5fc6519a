/** Every row of the shared truth about bytes per token, from a config that has the row's inputs. */
import { describe, expect, test } from 'vitest';
import type { Config } from '../core/model/configText';
import { cellsOf } from '../core/model/configText';
import { sharedFile, withShared } from './sharedFile';

interface Row {
  readonly release: string;
  readonly layout: string;
  readonly inputs: Readonly<Record<string, number | boolean>>;
  readonly returns: number;
}

/** Keys of the row that are flags of the server and not of the config. */
const flags = ['use_mla', 'kv_element_size', 'attn_tp_size', 'num_layers'];

function configOf({ inputs }: Row): Config {
  const dimensions = Object.entries(inputs).filter(([name]) => !flags.includes(name));
  const sparse = 'index_head_dim' in inputs ? { index_topk: 2048 } : {};
  return {
    ...Object.fromEntries(dimensions),
    ...sparse,
    num_attention_heads: 64,
    hidden_size: 8192,
    num_hidden_layers: inputs['num_layers'],
  };
}

withShared(() => {
  const rows = JSON.parse(sharedFile('truth/cell-size.json')) as readonly Row[];

  describe('bytes per token that the releases budget', () => {
    test('the truth has as many rows as these tests expect', () => {
      expect(rows).toHaveLength(34);
    });

    test.each(rows.map(row => [`${row.release} ${row.layout}`, row] as const))(
      'are those of %s',
      (_name, row) => {
        const kvDtype = row.inputs['kv_element_size'] === 1 ? 'fp8_e4m3' : 'bfloat16';
        const parallel = { tp: Number(row.inputs['attn_tp_size']) };
        const cells = cellsOf(configOf(row), { release: row.release, kvDtype, parallel });
        expect(cells.budgeted).toBe(row.returns);
      },
    );
  });

  describe('bytes per token that the releases allocate', () => {
    const sparse = rows.filter(row => row.layout === 'dsa-fp8');

    test.each(sparse.map(row => [row.release, row] as const))(
      'are 61,464 for FP8 rows of sparse attention in %s',
      (_release, row) => {
        const cells = cellsOf(configOf(row), {
          release: row.release,
          kvDtype: 'fp8_e4m3',
          parallel: { tp: 8 },
        });
        expect(cells).toEqual({ budgeted: 55_224, allocated: 61_464 });
      },
    );

    test('are budgeted in full from 0.5.17 on', () => {
      const [row] = sparse;
      const cells = cellsOf(configOf(row!), {
        release: '0.5.17',
        kvDtype: 'fp8_e4m3',
        parallel: { tp: 8 },
      });
      expect(cells).toEqual({ budgeted: 61_464, allocated: 61_464 });
    });
  });
});
