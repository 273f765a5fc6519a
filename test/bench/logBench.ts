/**
 * Reading a long log against `grep -c` for the same anchors, side by side in one run: the command
 * line as a process of its own, Node's start included.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LineForm } from '../../src/core/sglang/form/lineForm';
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

/** The most memory that the process of a command held, in MiB. */
function peakMiB(args: readonly string[], probe: string): number {
  const result = spawnSync(process.execPath, ['--require', probe, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  return Number(/peak (\d+)/.exec(result.stderr)?.[1] ?? NaN) / 1024;
}

/**
 * Measures on a log of `sizeMiB`; the start-up is the sample's baseline. What a reader needs for the
 * ledger and the events are the anchors of every form but the batch lines, of which it takes samples;
 * against all anchors `grep` has it easier, since most lines match at their start.
 */
export function benchLog(root: string, sizeMiB: number): Ratio[] {
  const path = join(tmpdir(), `kvlens-bench-${process.pid}.log`);
  const probe = join(tmpdir(), `kvlens-bench-${process.pid}.cjs`);
  const cli = join(root, 'dist/cli.js');
  try {
    const startUp = readFileSync(join(root, 'sample/seed-baseline.log'), 'utf8');
    writeServingLog(path, startUp, sizeMiB * 2 ** 20);
    writeFileSync(
      probe,
      "process.on('exit', () => process.stderr.write(`peak ${process.resourceUsage().maxRSS}\\n`));",
    );
    const size = (statSync(path).size / 2 ** 20).toFixed(0);
    const grep = (expression: string): number =>
      fastest(3, () => {
        must('grep', ['-cE', expression, path]);
      });
    const explain = (...options: readonly string[]): number =>
      fastest(3, () => {
        must(process.execPath, [cli, 'explain', '--json', ...options, path]);
      });
    const events = grep(pattern(form => !batchForms.has(form.id)));
    const all = grep(pattern(() => true));
    const plain = explain();
    const series = explain('--series');
    const idle = peakMiB([cli, '--version'], probe);
    const peak = peakMiB([cli, 'explain', '--json', '--series', path], probe);
    return [
      {
        what: `explain a ${size} MiB log / grep -cE of the anchors of ledger and events`,
        ours: plain,
        theirs: events,
        target: 2,
      },
      { what: '  the same / grep -cE of all anchors', ours: plain, theirs: all, target: 2 },
      {
        what: '  with --series / grep -cE of the anchors of ledger and events',
        ours: series,
        theirs: events,
        target: 3,
      },
      { what: '  with --series / grep -cE of all anchors', ours: series, theirs: all, target: 3 },
      {
        what: '  memory above the idle process, MiB / 64',
        ours: peak - idle,
        theirs: 64,
        target: 1,
      },
    ];
  } finally {
    rmSync(path, { force: true });
    rmSync(probe, { force: true });
  }
}

const batchForms: ReadonlySet<string> = new Set([
  'decode-batch',
  'decode-batch-old',
  'prefill-batch',
]);

/** The anchors of the chosen forms as one regular expression. */
function pattern(isChosen: (form: LineForm) => boolean): string {
  const anchors = new Set(lineForms.filter(isChosen).flatMap(({ anchors: list }) => list));
  return [...anchors].map(anchor => anchor.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
}
