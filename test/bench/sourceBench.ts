/**
 * The source that is open, on a full checkout of SGLang: binding a run to it against `grep -rl` of the
 * seed names, by processor time; hovers and a typed line on its largest files that size memory.
 * Measures nothing where no unpacked release is in the folder that SGLANG_RELEASES names.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GivenValue } from '../../src/core/annotate/python/pythonBindings';
import { PythonAnnotator } from '../../src/core/annotate/python/pythonAnnotator';
import { PythonParser } from '../../src/core/python/parser';
import { librarySeeds } from '../../src/core/sglang/source/librarySeed';
import { point } from '../../src/core/units/interval';
import type { Unit } from '../../src/core/units/unit';
import { units } from '../../src/core/units/unit';
import { diskFiles, wasmFilesIn } from '../../src/node/pythonFiles';
import type { Ratio } from './logBench';

const releases = ['0.5.9', '0.5.23', '0.5.18'];
const sizing = [
  'sglang/srt/model_executor/model_runner_kv_cache_mixin.py',
  'sglang/srt/mem_cache/kv_cache_configurator.py',
];
/** Milliseconds that a hover, or the notes of a file after a typed line, may take (section 7). */
const budget = 20;

function given(exact: number, unit: Unit): GivenValue {
  const quantity = { interval: point(exact), unit, exact, assumptions: [], provenance: [] };
  return { kind: 'quantity', quantity: { ...quantity, basis: 'proved' } };
}

/** Processor time of this process, in milliseconds: its own and the system's for it. */
function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The same of a command; the files are in the page cache after a first run. */
function commandTime(command: string): number {
  const run = (): number => {
    const { stdout } = spawnSync('bash', ['-c', `${command} >/dev/null; times`], {
      encoding: 'utf8',
    });
    const children = stdout.trim().split('\n').at(-1) ?? '';
    return [...children.matchAll(/(\d+)m([\d.]+)s/g)]
      .map(([, minutes, seconds]) => (Number(minutes) * 60 + Number(seconds)) * 1000)
      .reduce((sum, time) => sum + time, 0);
  };
  run();
  return Math.min(run(), run(), run());
}

/** The names that only memory arithmetic has, as a person would grep for them. */
function seedNames(): string {
  const names = librarySeeds.flatMap(({ reach, measures }) =>
    measures === undefined ? [] : reach.flatMap(one => /(\w{6,})[()]*$/.exec(one)?.[1] ?? []),
  );
  return [...new Set(names)].join('|');
}

export async function benchSource(root: string): Promise<Ratio[]> {
  const ratios: Ratio[] = [];
  for (const release of releases.slice(0, 2)) {
    const folder = join(process.env['SGLANG_RELEASES'] ?? '', release);
    const file = sizing.map(one => join(folder, one)).find(existsSync);
    if (file !== undefined) {
      ratios.push(...(await benchRelease(root, release, folder, file)));
    }
  }
  return ratios;
}

async function benchRelease(
  root: string,
  release: string,
  folder: string,
  path: string,
): Promise<Ratio[]> {
  const parser = await PythonParser.load(() => wasmFilesIn(join(root, 'dist')));
  const text = readFileSync(path, 'utf8');
  const inputs = new Map([
    ['totalBeforeLoad', given(78.5, units.GiB)],
    ['availableAfterLoad', given(63.5, units.GiB)],
    ['memFractionStatic', given(0.88, units.one)],
  ]);
  const bind = async (): Promise<PythonAnnotator> => {
    const annotator = new PythonAnnotator(parser, diskFiles);
    const found = await annotator.annotate({ path, text, inputs });
    for (const { name, role } of found?.functions ?? []) {
      if (role === 'sizing') {
        await annotator.chainOf(path, name, 'pre_model_load_memory');
      }
    }
    return annotator;
  };
  (await bind()).dispose();
  const start = processorMilliseconds();
  const annotator = await bind();
  const ours = processorMilliseconds() - start;
  const scan = await scanTime(join(folder, 'sglang'));
  const theirs = commandTime(`grep -rlE --include=*.py '${seedNames()}' ${folder}/sglang`);
  const hovers = await hoverTimes(annotator, path, text, inputs);
  const comments = await typedTimes(annotator, { path, text, inputs }, round => `# ${round}`);
  const statements = await typedTimes(
    annotator,
    { path, text, inputs },
    round => `typed_${round} = ${round}`,
  );
  annotator.dispose();
  return [
    {
      what: `finding the memory arithmetic of SGLang ${release} / grep -rl of the seed names`,
      ours: scan,
      theirs,
      target: 3,
    },
    {
      what: `first look at the sizing file of ${release} with its call chain / grep -rl`,
      ours,
      theirs,
      target: 3,
    },
    {
      what: `hover on Python of ${release}, p95 / 20 ms`,
      ours: p95(hovers),
      theirs: budget,
      target: 1,
    },
    {
      what: `notes after a typed comment in ${release}, p95 / 20 ms`,
      ours: p95(comments),
      theirs: budget,
      target: 1,
    },
    {
      what: `notes after a typed statement in ${release}, p95 / 20 ms`,
      ours: p95(statements),
      theirs: budget,
      target: 1,
    },
  ];
}

/** Milliseconds of reading every Python file of a folder and looking for words of memory; the best of three. */
async function scanTime(folder: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    const start = processorMilliseconds();
    const paths = await diskFiles.list?.(folder);
    for (const path of paths ?? []) {
      PythonAnnotator.mayHaveMemoryArithmetic((await diskFiles.read(path)) ?? '');
    }
    times.push(processorMilliseconds() - start);
  }
  return Math.min(...times);
}

type Request = Parameters<PythonAnnotator['annotate']>[0];

/** Milliseconds of a hover at every eighth column of every line. */
async function hoverTimes(
  annotator: PythonAnnotator,
  path: string,
  text: string,
  inputs: Request['inputs'],
): Promise<number[]> {
  const found = await annotator.annotate({ path, text, ...(inputs && { inputs }) });
  const times: number[] = [];
  for (const [row, line] of text.split('\n').entries()) {
    for (let column = 8; column < line.length; column += 8) {
      const start = performance.now();
      const hover = found?.hoverAt(row, column);
      if (hover !== undefined) {
        times.push(performance.now() - start);
      }
    }
  }
  return times;
}

/** Milliseconds until the notes are there after one more line before a return of the sizing function. */
async function typedTimes(
  annotator: PythonAnnotator,
  { path, text, inputs }: Pick<Request, 'path' | 'text' | 'inputs'>,
  lineOf: (round: number) => string,
): Promise<number[]> {
  const times: number[] = [];
  const from = text.search(/rest_memory|available_bytes/);
  const [found = '', indent = ''] = /\n( +)return\b/.exec(text.slice(from)) ?? [];
  const at = text.indexOf(found, from) + 1;
  // What an earlier run has typed is gone again, and looked at.
  annotator.update(path, text);
  await annotator.annotate({ path, text, ...(inputs && { inputs }) });
  let now = text;
  for (let round = 0; round < 12; round++) {
    const inserted = `${indent}${lineOf(round)}\n`;
    now = now.slice(0, at) + inserted + now.slice(at);
    const start = performance.now();
    annotator.update(path, now, [{ start: at, oldEnd: at, inserted }]);
    await annotator.annotate({ path, text: now, ...(inputs && { inputs }) });
    times.push(performance.now() - start);
  }
  return times;
}

function p95(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
}
