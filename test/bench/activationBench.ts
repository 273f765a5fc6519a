/** Loading and starting the extension in a fresh process, before any wasm: the least of several. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Ratio } from './logBench';

/** Milliseconds that the start may take (design section 7). */
const budget = 30;
/** Milliseconds until the features are there, which a person takes for at once. */
const budgetOfFeatures = 100;
const rounds = 15;

/** Measures the bundle in `dist`. */
export function benchActivation(root: string): Ratio[] {
  const times = Array.from({ length: rounds }, () =>
    String(
      execFileSync(process.execPath, [
        join(root, 'test', 'bench', 'startExtension.cjs'),
        join(root, 'dist', 'extension.node.js'),
      ]),
    )
      .split(' ')
      .map(Number),
  );
  const least = (at: number): number => Math.min(...times.map(one => one[at] ?? NaN));
  return [
    { what: 'start of the extension / 30 ms', ours: least(0), theirs: budget, target: 1 },
    {
      what: '  until its features are there / 100 ms',
      ours: least(1),
      theirs: budgetOfFeatures,
      target: 1,
    },
  ];
}
