/**
 * Whatever a fork moves into helpers, properties, objects or lambdas, the function in which the
 * measurement, the free memory of before and the fraction meet is the one that sizes, and it shows what
 * python3 computes from the changed text.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inputAmount, profileRows } from './profileTruth';
import type { ProfileRow } from './profileTruth';
import { annotateRelease, fetchAll, givenValues } from './release';
import { withShared } from './sharedFile';

interface Fork {
  /** How the formula was moved. */
  readonly fork: string;
  readonly text: string;
  /** The plain name of the function that sizes. */
  readonly function: string;
  readonly returns: number | null;
  readonly raises: string | null;
}

/** The rows of the profileRows that are tried, and releases between them that have the same inputs. */
const tried: readonly (readonly [
  release: string,
  scenario: string,
  like?: string,
  file?: string,
])[] = [
  ['0.1.3', 'gqa-0.88'],
  ['0.2.6', 'gqa-0.88', '0.2.10', 'sglang/srt/managers/controller/model_runner.py'],
  ['0.2.10', 'mla-0.55'],
  ['0.4.7.post1', 'gqa-0.88', '0.4.6.post5'],
  ['0.5.9', 'gqa-0.88'],
  ['0.5.11', 'gqa-0.88'],
  ['0.5.16', 'gqa-0.88'],
  ['0.5.18', 'mla-0.55'],
  ['0.5.23', 'gqa-0.88', '0.5.18'],
];

const folders = await fetchAll(tried.map(([release]) => release));
const here = tried.flatMap(([release, scenario, like, file]): ProfileRow[] => {
  const row = profileRows.find(
    one => one.release === (like ?? release) && one.scenario === scenario && folders.has(release),
  );
  return row === undefined ? [] : [{ ...row, release, file: file ?? row.file }];
});

function forkAll(): readonly (readonly Fork[])[] {
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
  const output = execFileSync('python3', [join(import.meta.dirname, 'forkSizing.py')], {
    input: JSON.stringify(requests),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return JSON.parse(output) as readonly (readonly Fork[])[];
}

withShared(() => {
  const forks = here.length === 0 ? [] : forkAll();
  let checked = 0;

  describe.each(here.map((row, at) => [row.release, row, forks[at] ?? []] as const))(
    'a fork of %s',
    (_release, row, own) => {
      test.each(own.map(one => [one.fork, one] as const))(
        'has its sizing function and the value of python3 with %s',
        async (_name, fork) => {
          const name = row.function.replace(/\w+$/, fork.function);
          // A file as a whole takes long: one release stands for all.
          const isWhole = row.release === '0.5.9';
          const file = await annotateRelease(folders.get(row.release) ?? '', row.file, {
            inputs: givenValues(row.inputs),
            text: fork.text,
            ...(!isWhole && { function: name }),
          });
          const sizing = file.functions.filter(({ role }) => role === 'sizing');
          expect(sizing.map(one => one.name)).toEqual([name]);
          const [found] = sizing;
          expect(found?.returns === undefined ? null : Number(found.returns.exact)).toBe(
            fork.returns,
          );
          expect(found?.raises ?? null).toBe(fork.raises);
          checked++;
        },
      );
    },
  );

  test('every way was tried on every release that is here', () => {
    expect(here).toHaveLength(folders.size);
    expect(checked).toBe(forks.flat().length);
    for (const own of forks) {
      expect(own.length).toBeGreaterThanOrEqual(30);
    }
    // The unlike profileRows of some forks shows that the values are not those of the release itself.
    const unlike = forks.flatMap(own => {
      const usual = own.find(({ fork }) => fork === 'method_slack');
      return own.filter(one => one.returns !== usual?.returns || one.raises !== usual.raises);
    });
    expect(unlike.length).toBeGreaterThanOrEqual(here.length);
  });
});
