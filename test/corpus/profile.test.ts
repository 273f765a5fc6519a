/**
 * Every row of the shared truth about sizing functions, from the releases' own files: each local
 * with its unit, what is returned, and what is raised.
 */
import { describe, expect, test } from 'vitest';
import { annotateRelease, fetchAll, givenValues, readTruth } from './release';
import type { TruthInput } from './release';
import { withShared } from './sharedFile';

interface Amount {
  readonly value: number;
  readonly unit: string;
}

interface Row {
  readonly release: string;
  readonly file: string;
  readonly function: string;
  readonly scenario: string;
  readonly inputs: Readonly<Record<string, TruthInput>>;
  readonly locals: Readonly<Record<string, Amount>>;
  readonly returns: Amount | null;
  readonly raises: string | null;
}

const complete = ['0.1.3', '0.1.17', '0.2.10', '0.4.6.post5', '0.5.9', '0.5.11', '0.5.18'];

const rows = readTruth('profile.json') as readonly Row[];
const folders = await fetchAll(new Set(rows.map(row => row.release)));

withShared(() => {
  describe('what the sizing functions of real releases compute', () => {
    let checked = 0;
    const here = rows.filter(row => folders.has(row.release));

    test.each(here.map(row => [`${row.release} ${row.scenario}`, row] as const))(
      'is the truth for %s',
      async (_name, row) => {
        const file = await annotateRelease(folders.get(row.release) ?? '', row.file, {
          settings: givenValues(row.inputs),
          function: row.function,
        });
        const [found] = file.functions;
        const amounts = Object.fromEntries(
          Object.keys(row.locals).map(name => {
            const quantity = found?.locals.get(name);
            return [name, { value: Number(quantity?.exact), unit: quantity?.unit.name }];
          }),
        );
        expect(found?.role).toBe('sizing');
        expect(amounts).toEqual(row.locals);
        const returned = found?.returns;
        expect(
          returned ? { value: Number(returned.exact), unit: returned.unit.name } : null,
        ).toEqual(row.returns);
        expect(found?.raises ?? null).toBe(row.raises);
        checked++;
      },
    );

    test('every row was checked, and all of the releases that must be complete', () => {
      expect(rows).toHaveLength(41);
      expect(checked).toBe(here.length);
      if (folders.size === new Set(rows.map(row => row.release)).size) {
        expect(checked).toBe(41);
      }
      for (const release of complete.filter(one => folders.has(one))) {
        expect(here.some(row => row.release === release)).toBe(true);
      }
    });
  });
});
