/** Splits into pools by the releases' own functions: every row of the shared truth. */
import { describe, expect, test } from 'vitest';
import { annotateRelease, fetchAll, givenValues, readTruth } from './release';
import type { TruthInput } from './release';
import { withShared } from './sharedFile';

interface MambaRow {
  readonly kind: 'mamba';
  readonly returns: { readonly value: number; readonly unit: string };
  readonly max_mamba_cache_size: number;
}

interface WindowRow {
  readonly kind: 'swa';
  readonly returns: { readonly full: number; readonly swa: number };
}

type Row = (MambaRow | WindowRow) & {
  readonly release: string;
  readonly file: string;
  readonly function: string;
  readonly inputs: Readonly<Record<string, TruthInput>>;
};

/** Inputs of a row that say which case it is and are no values of the source. */
const labels = ['draft', 'speculative'];

const rows = readTruth('pools.json') as readonly Row[];
const folders = await fetchAll(new Set(rows.map(row => row.release)));

withShared(() => {
  const here = rows.filter(row => folders.has(row.release));

  const annotate = (row: Row) =>
    annotateRelease(folders.get(row.release) ?? '', row.file, {
      settings: givenValues(
        Object.fromEntries(Object.entries(row.inputs).filter(([name]) => !labels.includes(name))),
      ),
      function: row.function,
    });

  const named = here.map((row, at) => [`${row.release} ${row.kind} ${at}`, row] as const);

  describe('what the pool functions of real releases make of a budget', () => {
    test('covers all rows of the truth whose releases are here', () => {
      expect(rows).toHaveLength(20);
      expect(here.length).toBe(process.env['CI'] === 'true' ? 20 : here.length);
    });

    test.each(named.flatMap(([name, row]) => (row.kind === 'mamba' ? [[name, row] as const] : [])))(
      'is the truth for %s',
      async (_name, row) => {
        const [found] = (await annotate(row)).functions;
        expect(found?.role).toBe('pool-split');
        expect(found?.returns?.exact).toBe(row.returns.value);
        expect(found?.returns?.unit.name).toBe(row.returns.unit);
        const slots = found?.attributes.get('self.server_args.max_mamba_cache_size');
        expect(slots?.exact).toBe(BigInt(row.max_mamba_cache_size));
        expect(slots?.unit.name).toBe('request');
      },
    );

    test.each(named.flatMap(([name, row]) => (row.kind === 'swa' ? [[name, row] as const] : [])))(
      'is the truth for %s',
      async (_name, row) => {
        const [found] = (await annotate(row)).functions;
        expect(found?.role).toBe('pool-split');
        // Older releases leave the sizes in attributes of the runner, newer ones in a new object.
        const size = (name: string) =>
          found?.attributes.get(name) ?? found?.attributes.get(`self.${name}`);
        const full = size('full_max_total_num_tokens');
        const window = size('swa_max_total_num_tokens');
        expect([full?.exact, full?.unit.name]).toEqual([BigInt(row.returns.full), 'token']);
        expect([window?.exact, window?.unit.name]).toEqual([BigInt(row.returns.swa), 'token']);
      },
    );
  });
});
