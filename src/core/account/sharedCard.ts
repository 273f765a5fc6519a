/**
 * Signs that memory of the card was not this server's: free memory that rises after the pools were
 * sized, and a card of which much was taken before the start. Small rises are allocator noise.
 */
import type { LogRecord } from '../log/record';
import type { Run } from '../log/run';
import { derive } from '../terms/derive';
import { supposedQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { point } from '../units/interval';
import { units } from '../units/unit';
import { assumptions } from './assumption';
import { fieldQuantity } from './figure';
import type { PrintedPlace } from './ledger';
import type { RankFigures } from './rankFigures';
import { inGiB } from './scale';

/** Free memory that came back, and the line that shows it. */
export interface FreedMemory extends PrintedPlace {
  readonly amount: Quantity;
}

/** GiB from which a rise between samples that were taken alike is no noise. */
const leastRise = 1;

/** GiB from which a rise between samples with a filled allocator cache is none of that cache. */
const leastRiseOfCache = 8;

/** GiB beyond our own context from which a card was occupied. */
const leastOccupied = 2;

/** GiB that context and communication take at most where the log does not print it. */
const largestContext = 4;

const emptied: ReadonlySet<string> = new Set(['pool-end', 'capture-begin', 'capture-end']);

/** The largest rise of free memory after the pools of a rank were allocated. */
export function freedMemoryOf(run: Run): FreedMemory | undefined {
  if (run.records.some(({ form }) => form.id === 'post-capture-pool')) {
    return undefined;
  }
  const rises = run.ranks.flatMap(({ records }) => risesOf(records));
  return rises.reduce<FreedMemory | undefined>(
    (most, next) =>
      most === undefined || next.amount.interval.lo > most.amount.interval.lo ? next : most,
    undefined,
  );
}

function risesOf(records: readonly LogRecord[]): FreedMemory[] {
  const rises: FreedMemory[] = [];
  let least: Quantity | undefined;
  let progress: Quantity | undefined;
  for (const record of records) {
    const { event } = record.form;
    const free = freeAt(record);
    if (event === 'init-begin' || event === 'load-begin') {
      least = undefined;
      progress = undefined;
    }
    if (free === undefined) {
      continue;
    }
    if (event === 'capture-progress') {
      rises.push(...riseOf(progress, free, leastRiseOfCache, record));
      progress = free;
    } else if (emptied.has(event) || event === 'summary') {
      rises.push(...riseOf(least, free, leastRise, record));
    }
    if (emptied.has(event)) {
      least = least === undefined || free.interval.hi < least.interval.hi ? free : least;
      progress = undefined;
    }
  }
  return rises;
}

function freeAt(record: LogRecord): Quantity | undefined {
  const field = record.fields[record.form.event === 'summary' ? 'available' : 'avail'];
  return field && fieldQuantity(record, field);
}

function riseOf(
  before: Quantity | undefined,
  after: Quantity,
  least: number,
  record: LogRecord,
): FreedMemory[] {
  if (before === undefined || after.interval.lo - before.interval.hi < least) {
    return [];
  }
  const amount = derive('after - before', { after, before });
  return amount ? [{ amount, line: record.line, file: record.file }] : [];
}

/** What others held of the card before the start, and the rank that shows it. */
export interface OccupiedCard extends PrintedPlace {
  /** GiB; the least where `context` is an assumption. */
  readonly amount: Quantity;
  /** GiB that our own context takes at most; undefined where a line prints it. */
  readonly context: Quantity | undefined;
  readonly capacity: Quantity;
  readonly begin: Quantity;
}

/** Capacity less free memory less our own context, where the log shows the capacity. */
export function occupiedCardOf(
  capacity: Quantity | undefined,
  rank: RankFigures | undefined,
): OccupiedCard | undefined {
  const total = capacity && inGiB(capacity);
  const begin = rank?.loadBegin?.quantity;
  if (total === undefined || begin === undefined) {
    return undefined;
  }
  const printed = rank?.contextAndComm?.quantity;
  const supposed = supposedQuantity(
    point(largestContext),
    units.GiB,
    assumptions.contextAtMost,
    largestContext,
  );
  const context = printed ?? supposed;
  const amount = derive('total - begin - context', { total, begin, context });
  return amount && amount.interval.lo >= leastOccupied
    ? {
        amount: printed === undefined ? leastOf(amount) : amount,
        context: printed === undefined ? supposed : undefined,
        capacity: total,
        begin,
        line: rank?.loadBegin?.record.line ?? 1,
        file: rank?.loadBegin?.record.file,
      }
    : undefined;
}

/** Its lower end: the other one rests on a context that takes as much as it can. */
function leastOf({ interval, unit, basis, assumptions: named, provenance }: Quantity): Quantity {
  const { lo } = interval;
  return { interval: point(lo), nominal: lo, unit, basis, assumptions: named, provenance };
}

/** What the card holds, where a line of the run says it. */
export function cardCapacityOf(run: Run): Quantity | undefined {
  for (const record of run.records) {
    const name =
      record.form.id === 'card-capacity'
        ? 'minimum'
        : record.form.id === 'torch-out-of-memory' || record.form.id === 'graph-failed'
          ? 'total'
          : undefined;
    const field = name === undefined ? undefined : record.fields[name];
    const quantity = field && fieldQuantity(record, field);
    if (quantity !== undefined) {
      return quantity;
    }
  }
  return undefined;
}
