/**
 * Groups the records of a log into runs and ranks, and reads what a run says of itself: engine,
 * release, model, sizes, outcome. Leaves out every judgement on the numbers.
 */
import type { Engine, FormulaOwner, OwnerMark } from '../sglang/engine';
import { ownerMarks } from '../sglang/engine';
import type { ReleaseRange } from '../sglang/form/lineForm';
import { argumentReleases } from '../sglang/form/argumentRelease';
import { intersectReleases } from '../sglang/form/releaseInterval';
import { compareRanks, readParallelSizes } from './parallelSizes';
import type { LogRecord, RankKey } from './record';
import type { RankCourse } from './rankCourse';
import type { ParallelSizes, RankLog, Run, Shown } from './run';
import { joinMixed } from './mixedServers';
import { rankEvents } from './rankEvent';
import { OpenRun } from './runStart';

const deviceEvents: ReadonlySet<string> = new Set([...rankEvents, 'serving']);

/**
 * The runs of a log, by their first lines.
 * @param lineCount lines of the file; undefined for the records of several files.
 */
export function buildRuns(
  records: readonly LogRecord[],
  lineCount: number | undefined,
): readonly Run[] {
  const streams = separateStreams(withoutIdleFrames(records));
  const isAlone = streams.length === 1 && lineCount !== undefined;
  const runs = streams.flatMap(({ stream, members }) => {
    const opened = joinMixed(openRuns(members)).filter(run => !isChance(run.records));
    return opened.map((run, index) => {
      const [first, last] = recordLines(run.records);
      if (!isAlone) {
        return closeRun(run, stream, [first, last]);
      }
      // A run that has the file to itself also has the lines without a record.
      const next = opened[index + 1]?.records[0];
      const end = next === undefined ? lineCount : next.line - 1;
      return closeRun(run, stream, [index === 0 ? 1 : first, Math.max(end, last)]);
    });
  });
  return runs.sort((left, right) => left.lines[0] - right.lines[0]);
}

/** A count without a time, a rank or any other line: other programs print such a line too. */
function isChance([record, ...others]: readonly LogRecord[]): boolean {
  return (
    record?.form.id === 'summary' &&
    others.length === 0 &&
    record.time === undefined &&
    record.rank === '' &&
    Object.entries(record.fields).every(([name, field]) => name === 'tokens' || field === undefined)
  );
}

/** Frames of a traceback that no record of an error ends say nothing of a run. */
function withoutIdleFrames(records: readonly LogRecord[]): readonly LogRecord[] {
  const errors = new Set<string>();
  const kept: LogRecord[] = [];
  for (const record of [...records].reverse()) {
    const { event } = record.form;
    const place = `${record.file} ${record.stream} ${record.rank}`;
    if (event !== 'frame') {
      if (event === 'fatal' || event === 'fatal-if-raised') {
        errors.add(place);
      } else {
        errors.delete(place);
      }
    }
    if (event !== 'frame' || errors.has(place)) {
      kept.push(record);
    }
  }
  return kept.reverse();
}

/** First and last line of the records in the file of the first record. */
function recordLines(records: readonly LogRecord[]): readonly [first: number, last: number] {
  const [first] = records;
  const own = records.filter(record => record.file === first?.file);
  return [first?.line ?? 1, own.reduce((line, record) => Math.max(line, record.endLine), 1)];
}

/**
 * Splits a file that holds several servers side by side: where two origins print the same rank,
 * each is a server of its own; where they do not, they are nodes of one server.
 */
function separateStreams(
  records: readonly LogRecord[],
): readonly { readonly stream: string; readonly members: readonly LogRecord[] }[] {
  const streamsOfRank = new Map<RankKey, Set<string>>();
  const members = new Map<string, LogRecord[]>();
  for (const record of records) {
    const list = members.get(record.stream);
    if (list === undefined) {
      members.set(record.stream, [record]);
    } else {
      list.push(record);
    }
    if (deviceEvents.has(record.form.event) && record.form.level !== 'progress') {
      const known = streamsOfRank.get(record.rank) ?? new Set();
      streamsOfRank.set(record.rank, known.add(record.stream));
    }
  }
  const isShared = [...streamsOfRank.values()].some(streams => streams.size > 1);
  return isShared
    ? [...members].map(([stream, list]) => ({ stream, members: list }))
    : [{ stream: members.size === 1 ? (records[0]?.stream ?? '') : '', members: records }];
}

function openRuns(records: readonly LogRecord[]): readonly OpenRun[] {
  const runs: OpenRun[] = [];
  let current: OpenRun | undefined;
  for (const [index, record] of records.entries()) {
    const isForeignNote = record.form.owner === 'vllm' && record.form.event !== 'foreign-start';
    if (current === undefined && isForeignNote) {
      continue;
    }
    if (current === undefined || current.isEndedBy(record, after(records, index))) {
      current = new OpenRun();
      runs.push(current);
    }
    current.add(record);
  }
  return runs;
}

/** How far ahead a start looks for the memory that its worker finds free. */
const longestLookAhead = 4096;

function* after(records: readonly LogRecord[], index: number): Generator<LogRecord> {
  const end = Math.min(records.length, index + longestLookAhead);
  for (let next = index + 1; next < end; next += 1) {
    const record = records[next];
    if (record !== undefined) {
      yield record;
    }
  }
}

function closeRun(run: OpenRun, stream: string, lines: readonly [number, number]): Run {
  const { records, isMixed, copies } = run;
  const ranks = isMixed ? [] : rankLogs(run);
  const argumentLines = records.flatMap(record => record.serverArguments ?? []);
  const serverArguments = isMixed
    ? undefined
    : (argumentLines.find(args => args.isComplete) ?? argumentLines[0]);
  const release = intersectReleases(allowedReleases(records));
  const owners = readOwners(records);
  return {
    lines,
    byteOffset: lines[0] === 1 ? 0 : (records[0]?.byteOffset ?? 0),
    files: [...new Set(records.map(record => record.file))],
    ...owners,
    // Figures of different servers are in no equation.
    ...(isMixed && { formulaOwner: { ...owners.formulaOwner, value: 'unknown' as const } }),
    release,
    modelClass: firstWord(ranks, 'target'),
    draftModelClass: firstWord(ranks, 'draft'),
    serverArguments,
    parallel: withCopies(readParallelSizes(serverArguments, ranks, release), copies),
    ranks,
    records,
    isMixed,
    ...(copies !== undefined && { copies }),
    outcome: run.hasFailed ? 'failed' : run.hasServed ? 'ready' : 'open',
    stream,
    series: [],
  };
}

/** Ranks that print the same under no name are all there, as far as their lines are. */
function withCopies(sizes: ParallelSizes, copies: number | undefined): ParallelSizes {
  return copies === undefined ? sizes : { ...sizes, ranksSeen: Math.max(sizes.ranksSeen, copies) };
}

/**
 * What each spelling that the run prints allows, and each key of its launch arguments; cut and
 * abbreviated lines tell nothing.
 */
function allowedReleases(records: readonly LogRecord[]): readonly (readonly ReleaseRange[])[] {
  const unions = new Set<readonly ReleaseRange[]>();
  for (const { form, spelling, serverArguments } of records) {
    if (form.owner === 'sglang' && spelling !== undefined) {
      unions.add(spelling.releases);
      for (const key of serverArguments?.values.keys() ?? []) {
        const releases = argumentReleases.get(key);
        if (releases !== undefined) {
          unions.add(releases);
        }
      }
    }
  }
  return [...unions];
}

/** The ranks of a run; lines without a rank belong to the only rank, where there is only one. */
function rankLogs(run: OpenRun): readonly RankLog[] {
  const named = [...run.courses]
    .filter(([rank]) => rank !== '')
    .sort(([a], [b]) => compareRanks(a, b));
  const unnamed = run.courses.get('');
  const [only] = named;
  if (only === undefined) {
    return unnamed === undefined ? [] : [rankLog('', unnamed)];
  }
  if (named.length > 1 || unnamed === undefined) {
    return named.map(([rank, course]) => rankLog(rank, course));
  }
  const order = new Map(run.records.map((record, index) => [record, index]));
  const inOrder = (left: readonly LogRecord[], right: readonly LogRecord[]): readonly LogRecord[] =>
    [...left, ...right].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  const [rank, course] = only;
  return [
    {
      rank,
      records: inOrder(course.records, unnamed.records),
      target: inOrder(course.target, unnamed.target),
      draft: inOrder(course.draft, unnamed.draft),
    },
  ];
}

function rankLog(rank: RankKey, { records, target, draft }: RankCourse): RankLog {
  return { rank, records, target, draft };
}

function firstWord(ranks: readonly RankLog[], worker: 'target' | 'draft'): string | undefined {
  for (const rank of ranks) {
    for (const { form, words } of rank[worker]) {
      if ((form.id === 'load-end' || form.id === 'draft-loaded') && words['type'] !== undefined) {
        return words['type'];
      }
    }
  }
  return undefined;
}

function readOwners(records: readonly LogRecord[]): {
  readonly engine: Shown<Engine>;
  readonly formulaOwner: Shown<FormulaOwner>;
} {
  let engine: Shown<Engine> = { value: 'unknown', line: undefined, file: 0 };
  let formulaOwner: Shown<FormulaOwner> = { value: 'unknown', line: undefined, file: 0 };
  for (const { form, line, file } of records) {
    const mark: OwnerMark = ownerMarks[form.owner];
    if (form.owner === 'vllm' && form.event !== 'foreign-start') {
      continue;
    }
    if (mark.engine !== undefined && isStronger(mark.engine, engine.value)) {
      engine = { value: mark.engine, line, file };
    }
    if (mark.formulaOwner !== undefined && isStronger(mark.formulaOwner, formulaOwner.value)) {
      formulaOwner = { value: mark.formulaOwner, line, file };
    }
  }
  // Another engine prints lines like those of SGLang, and sizes its pool by a formula of its own.
  return foreignEngines.has(engine.value)
    ? { engine, formulaOwner: { ...engine, value: 'unknown' } }
    : { engine, formulaOwner };
}

const foreignEngines: ReadonlySet<Engine> = new Set<Engine>([
  'sglang-diffusion',
  'sglang-jax',
  'vllm',
]);

/** A particular mark replaces a general one, and the first particular mark stays. */
function isStronger(next: string, known: string): boolean {
  return known === 'unknown'
    ? next !== 'unknown'
    : known === 'sglang' && next !== 'sglang' && next !== 'unknown';
}
