/**
 * Nothing rests on names: in each release every local of the sizing function is renamed, one constant
 * and one term are changed, and the shown values are those that python3 computes from the changed
 * text.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inputAmount, profileRows } from './profileTruth';
import { annotateRelease, fetchAll, givenValues } from './release';
import { withShared } from './sharedFile';

interface Changed {
  readonly text: string;
  /** New names by old ones. */
  readonly names: Readonly<Record<string, string>>;
  readonly locals: Readonly<Record<string, number>>;
  readonly returns: number | null;
  readonly raises: string | null;
}

const folders = await fetchAll(new Set(profileRows.map(row => row.release)));
const here = profileRows.filter(row => folders.has(row.release));

function changeAll(): readonly Changed[] {
  const requests = here.map(row => ({
    path: join(folders.get(row.release) ?? '', row.file),
    function: row.function,
    bytes: Object.values(row.locals).some(({ unit }) => unit === 'B'),
    values: {
      ...row.inputs,
      availableAfterLoad: inputAmount(row.inputs['availableAfterLoad']),
      totalBeforeLoad: inputAmount(row.inputs['totalBeforeLoad']),
    },
  }));
  const script = join(import.meta.dirname, 'mutateSizing.py');
  const output = execFileSync('python3', [script], {
    input: JSON.stringify(requests),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return JSON.parse(output) as readonly Changed[];
}

withShared(() => {
  const changed = here.length === 0 ? [] : changeAll();

  describe('a sizing function with other names, another constant and another term', () => {
    test.each(here.map((row, at) => [`${row.release} ${row.scenario}`, row, changed[at]] as const))(
      'shows the values of its own text in %s',
      async (_name, row, change) => {
        const file = await annotateRelease(folders.get(row.release) ?? '', row.file, {
          inputs: givenValues(row.inputs),
          function: row.function,
          text: change?.text ?? '',
        });
        const [found] = file.functions;
        const values = Object.fromEntries(
          Object.keys(row.locals).map(name => {
            const renamed = change?.names[name] ?? '';
            const quantity = found?.locals.get(renamed);
            return [renamed, [Number(quantity?.exact), quantity?.unit.name]];
          }),
        );
        const expected = Object.fromEntries(
          Object.entries(row.locals).flatMap(([name, { unit }]) => {
            const renamed = change?.names[name] ?? '';
            const value = change?.locals[renamed];
            return value === undefined ? [] : [[renamed, [value, unit]]];
          }),
        );
        const known = Object.keys(expected);
        expect(Object.fromEntries(known.map(name => [name, values[name]]))).toEqual(expected);
        expect(known.length).toBeGreaterThan(2);
        expect(found?.returns === undefined ? null : Number(found.returns.exact)).toBe(
          change?.returns,
        );
        expect(found?.raises ?? null).toBe(change?.raises);
        expect(found?.role).toBe('sizing');
      },
    );

    test('was tried on every release that is here', () => {
      expect(new Set(here.map(row => row.release)).size).toBe(folders.size);
      expect(folders.size).toBe(process.env['CI'] === 'true' ? 15 : folders.size);
    });
  });
});
