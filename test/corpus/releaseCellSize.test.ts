/** Bytes per token by the releases' own functions: every row of the shared truth. */
import { describe, expect, test } from 'vitest';
import { annotateRelease, fetchAll, givenValues, readTruth } from './release';
import type { TruthInput } from './release';
import { withShared } from './sharedFile';

interface Row {
  readonly release: string;
  readonly file: string;
  readonly function: string;
  readonly layout: string;
  readonly inputs: Readonly<Record<string, TruthInput>>;
  readonly returns: number;
}

const rows = readTruth('cell-size.json') as readonly Row[];
const folders = await fetchAll(new Set(rows.map(row => row.release)));

withShared(() => {
  const here = rows.filter(row => folders.has(row.release));

  describe('what the functions for bytes per token of real releases return', () => {
    test('covers all rows of the truth whose releases are here', () => {
      expect(rows).toHaveLength(34);
      expect(here.length).toBe(process.env['CI'] === 'true' ? 34 : here.length);
    });

    test.each(here.map(row => [`${row.release} ${row.layout}`, row] as const))(
      'is the truth for %s',
      async (_name, row) => {
        const file = await annotateRelease(folders.get(row.release) ?? '', row.file, {
          settings: givenValues(row.inputs),
          function: row.function,
        });
        const [found] = file.functions;
        expect(found?.role).toBe('cell-size');
        expect(found?.returns?.exact).toBe(BigInt(row.returns));
        expect(found?.returns?.unit.name).toBe('B/token');
      },
    );
  });
});
