/**
 * Every row of the shared truth about sizing functions, from the releases' own files: each local
 * with its unit, what is returned, and what is raised.
 */
import { describe, expect, test } from 'vitest';
import { profileRows } from './profileTruth';
import { annotateRelease, fetchAll, givenValues } from './release';
import { withShared } from './sharedFile';

const complete = ['0.1.3', '0.1.17', '0.2.10', '0.4.6.post5', '0.5.9', '0.5.11', '0.5.18'];

const folders = await fetchAll(new Set(profileRows.map(row => row.release)));

withShared(() => {
  describe('what the sizing functions of real releases compute', () => {
    let checked = 0;
    const here = profileRows.filter(row => folders.has(row.release));

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
      expect(profileRows).toHaveLength(41);
      expect(checked).toBe(here.length);
      if (folders.size === new Set(profileRows.map(row => row.release)).size) {
        expect(checked).toBe(41);
      }
      for (const release of complete.filter(one => folders.has(one))) {
        expect(here.some(row => row.release === release)).toBe(true);
      }
    });
  });
});
