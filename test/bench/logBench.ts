/**
 * Reading a long log against `grep -c` for the same anchors, side by side in one run: the command
 * line as a process of its own, Node's start included.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lineForms } from '../../src/core/sglang/form/lineForms';
import { writeServingLog } from './servingLog';

/** A ratio with its target; figures in milliseconds. */
export interface Ratio {
  readonly what: string;
  readonly ours: number;
  readonly theirs: number;
  readonly target: number;
}

function fastest(rounds: number, run: () => void): number {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = process.hrtime.bigint();
    run();
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 1e6);
  }
  return best;
}

function must(command: string, args: readonly string[]): void {
  const result = spawnSync(command, args, {
    // A pipe, not the null device: into that grep stops at the first match.
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (result.status !== 0) {
    throw new Error(`${command} failed with ${String(result.status)}`);
  }
}

/** Measures on a log of `sizeMiB`; the start-up is the sample's baseline. */
export function benchLog(root: string, sizeMiB: number): Ratio[] {
  const path = join(tmpdir(), `kvlens-bench-${process.pid}.log`);
  const anchors = join(tmpdir(), `kvlens-bench-${process.pid}.anchors`);
  try {
    const startUp = readFileSync(join(root, 'sample/seed-baseline.log'), 'utf8');
    writeServingLog(path, startUp, sizeMiB * 2 ** 20);
    writeFileSync(anchors, pattern());
    const expression = readFileSync(anchors, 'utf8');
    const theirs = fastest(3, () => must('grep', ['-cE', expression, path]));
    const ours = fastest(3, () =>
      must(process.execPath, [join(root, 'dist/cli.js'), 'explain', '--json', path]),
    );
    const size = (statSync(path).size / 2 ** 20).toFixed(0);
    return [
      { what: `explain a ${size} MiB log / grep -cE of the anchors`, ours, theirs, target: 2 },
    ];
  } finally {
    rmSync(path, { force: true });
    rmSync(anchors, { force: true });
  }
}

function pattern(): string {
  const anchors = new Set(lineForms.flatMap(({ anchors: list }) => list));
  return [...anchors].map(anchor => anchor.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
}
