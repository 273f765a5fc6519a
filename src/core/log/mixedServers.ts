/**
 * Finds runs whose lines are of several servers side by side: two processes that write into one file,
 * or ranks whose names were cut away. A worker loads one model after the other and sizes its pools
 * between or after them, so the order of the lines of one rank gives it away; a restart or a draft
 * keeps that order. Where all print the same figures, these hold for each. Leaves out files where an
 * origin stands before every line.
 */
import type { FormEvent } from '../sglang/form/lineForm';
import type { LogRecord } from './record';
import { rankEvents } from './rankEvent';
import { OpenRun } from './runStart';

/** How far the loads of one rank have come. */
interface Loads {
  /** A load has begun and not ended. */
  isPending: boolean;
  /** A load has begun at all: then every end has its beginning. */
  hasBegun: boolean;
  /** Something that a worker does after a load stands inside of one. */
  hasWorked: boolean;
  /** The line that ends a start, once for a rank, has been printed. */
  hasSummary: boolean;
}

/** Lines that a worker prints after its load. */
const worked: ReadonlySet<string> = new Set(['kv-allocated', 'pool-end', 'summary']);

/** The runs, those that cannot be told apart made one that is mixed. */
export function joinMixed(runs: readonly OpenRun[]): readonly OpenRun[] {
  const joined: OpenRun[] = [];
  for (const run of runs) {
    const isMixed = readLoads(run.records).isMixed;
    const last = joined.at(-1);
    if (!isMixed && !(last && continues(last, run))) {
      joined.push(run);
      continue;
    }
    const parts: LogRecord[][] = [[...run.records]];
    for (let before = joined.at(-1); before !== undefined; before = joined.at(-1)) {
      // What has not come to an end may be one of them.
      if (!before.isMixed && (before.hasServed || before.hasFailed)) {
        break;
      }
      parts.unshift([...before.records]);
      joined.pop();
    }
    joined.push(mixedRun(parts.flat()));
  }
  return joined;
}

function mixedRun(records: readonly LogRecord[]): OpenRun {
  const alike = alikeRanks(records);
  const run = new OpenRun();
  for (const record of alike?.records ?? records) {
    run.add(record);
  }
  run.copies = alike?.copies;
  run.isMixed = alike === undefined;
  return run;
}

/** Lines that each rank prints for itself, with figures of its own. */
const ownEvents: ReadonlySet<FormEvent> = new Set([...rankEvents, 'fatal', 'fatal-if-raised']);

/**
 * The lines of one rank where all print the same figures: they hold for every rank, whichever wrote
 * them. Undefined where figures differ, or several servers show their arguments.
 */
function alikeRanks(
  records: readonly LogRecord[],
): { readonly records: readonly LogRecord[]; readonly copies: number } | undefined {
  const figures = new Map<string, { readonly text: string; count: number }>();
  const kept: LogRecord[] = [];
  for (const record of records) {
    if (!ownEvents.has(record.form.event)) {
      kept.push(record);
      continue;
    }
    const kind = kindOf(record);
    const known = figures.get(kind);
    const text = figureText(record);
    if (known === undefined) {
      figures.set(kind, { text, count: 1 });
      kept.push(record);
    } else if (known.text === text) {
      known.count += 1;
    } else {
      return undefined;
    }
  }
  const isOne = records.filter(({ form }) => form.event === 'server-arguments').length <= 1;
  const places = new Set(records.map(({ file, stream, rank }) => `${file} ${stream} ${rank}`));
  const countOf = (record: LogRecord): number => figures.get(kindOf(record))?.count ?? 0;
  const copies = Math.max(0, ...kept.filter(({ form }) => form.id === 'load-end').map(countOf));
  // An error of some is not one of all.
  const isShared = kept.every(
    record => !record.form.event.startsWith('fatal') || countOf(record) === copies,
  );
  return isOne && isShared && places.size === 1 && copies > 1
    ? { records: kept, copies }
    : undefined;
}

function kindOf({ form, words }: LogRecord): string {
  return `${form.id} ${JSON.stringify(words)}`;
}

/** What a line prints but for the time it took. */
function figureText({ fields }: LogRecord): string {
  return Object.entries(fields)
    .filter(([, field]) => field !== undefined && field.unit !== 's')
    .map(([name, field]) => `${name}=${field?.text ?? ''}`)
    .join();
}

/** Whether the lines of `next` may be those of servers that began in the run before it. */
function continues(run: OpenRun, next: OpenRun): boolean {
  if (run.isMixed) {
    return !next.records.some(({ form }) => form.event === 'server-arguments');
  }
  if (run.hasServed || run.hasFailed) {
    return false;
  }
  const { pending } = readLoads(run.records);
  const firstLoads = new Map<string, string>();
  for (const record of next.records) {
    const { id } = record.form;
    if ((id === 'load-begin' || id === 'load-end') && !firstLoads.has(placeOf(record))) {
      firstLoads.set(placeOf(record), id);
    }
  }
  return pending.some(place => firstLoads.get(place) === 'load-end');
}

/** Whether one worker a rank can have written the lines, and the ranks whose load has not ended. */
function readLoads(records: readonly LogRecord[]): {
  readonly isMixed: boolean;
  readonly pending: readonly string[];
} {
  const places = new Map<string, Loads>();
  let isMixed = false;
  for (const record of records) {
    const place = placeOf(record);
    const loads = places.get(place) ?? {
      isPending: false,
      hasBegun: false,
      hasWorked: false,
      hasSummary: false,
    };
    places.set(place, loads);
    if (record.form.id === 'summary') {
      isMixed ||= loads.hasBegun && loads.hasSummary;
      loads.hasSummary = true;
    }
    if (record.form.id === 'load-begin') {
      loads.isPending = true;
      loads.hasBegun = true;
      loads.hasWorked = false;
    } else if (record.form.id === 'load-end') {
      isMixed ||= loads.isPending ? loads.hasWorked : loads.hasBegun;
      loads.isPending = false;
    } else if (loads.isPending && worked.has(record.form.id)) {
      loads.hasWorked = true;
    }
  }
  return { isMixed, pending: [...places].flatMap(([place, own]) => (own.isPending ? place : [])) };
}

/** The file, origin and rank of a line. */
function placeOf({ file, stream, rank }: LogRecord): string {
  return `${file} ${stream} ${rank}`;
}
