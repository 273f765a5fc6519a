/** Loading and starting the extension in a fresh process, before any wasm: the least of several. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Ratio } from './logBench';

/** Milliseconds that the start may take (design section 7). */
const budget = 30;
const rounds = 15;

/** Measures the bundle in `dist`. */
export function benchActivation(root: string): Ratio[] {
  const times = Array.from({ length: rounds }, () =>
    Number(
      execFileSync(process.execPath, [
        join(root, 'test', 'bench', 'startExtension.cjs'),
        join(root, 'dist', 'extension.node.js'),
      ]),
    ),
  );
  const ours = Math.min(...times);
  return [{ what: 'start of the extension / 30 ms', ours, theirs: budget, target: 1 }];
}
