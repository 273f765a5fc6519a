/**
 * Random settings and what the releases' own functions make of them, which python3 runs: one JSON
 * object a trial. Leaves out what is tried (the scripts) and what is compared (the tests).
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fetchAll } from './release';

/** The trials of a script, and the releases that could be fetched. */
export interface Trials<T> {
  readonly trials: readonly T[];
  readonly here: readonly string[];
  /** Releases that must be here: all of them in CI. */
  readonly needed: number;
}

const late = Array.from({ length: 14 }, (_, step) => `0.5.${10 + step}`);

/** The releases from 0.5.10, or a later one, to 0.5.23. */
export function releasesFrom(first: string): readonly string[] {
  return late.slice(late.indexOf(first));
}

/** Runs a script of this folder over releases, `count` trials of a kind for each. */
export async function runTrials<T>(
  script: string,
  releases: readonly string[],
  seed: number,
  count: number,
): Promise<Trials<T>> {
  const folders = await fetchAll(new Set(releases));
  const here = releases.filter(release => folders.has(release));
  const output = execFileSync(
    'python3',
    [
      join(import.meta.dirname, script),
      String(seed),
      String(count),
      ...here.map(release => `${folders.get(release) ?? ''}=${release}`),
    ],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const lines = output.split('\n').filter(line => line !== '');
  return {
    trials: lines.map(line => JSON.parse(line) as T),
    here,
    needed: process.env['CI'] === 'true' ? releases.length : here.length,
  };
}
