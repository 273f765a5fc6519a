/**
 * The device ran out of memory: what the allocator says (asked, free, missing), which capture was
 * on, and by how much the fraction has to fall at least. Leaves out what to set instead (relief.ts)
 * and pools that have no free token left, which is no shortage of memory.
 */
import type { LogRecord } from '../log/record';
import type { Run } from '../log/run';
import { derive } from '../terms/derive';
import type { Quantity } from '../units/quantity';
import { fieldQuantity } from './figure';
import type { GraphKind } from './graphKind';
import { graphKindOf } from './graphKind';
import { isSizedAfterCapture } from './resizedPool';
import { inGiB, inReadableScale } from './scale';
import type { Outcome } from './verdict';
import { framesBefore, phaseOfFrames } from './verdict';

/** Where the allocation failed, more closely than the phase of the verdict. */
export type ShortagePlace =
  | 'unknown'
  | 'start'
  | 'load'
  | 'load-draft'
  | 'pools'
  | 'after-pools'
  | 'capture'
  | 'warm-up'
  | 'serving';

/** An allocation that failed. Amounts are in the scale the error prints, `missing` in MiB or GiB. */
export interface Shortage {
  readonly place: ShortagePlace;
  readonly record: LogRecord;
  readonly graph: GraphKind | undefined;
  readonly asked: Quantity | undefined;
  readonly free: Quantity | undefined;
  /** Asked less free: at least this much has to become free for this one allocation. */
  readonly missing: Quantity | undefined;
  /** What the device holds in all. */
  readonly capacity: Quantity | undefined;
  /** GiB that other processes hold of it, as the error counts; undefined below 2 GiB. */
  readonly others: Quantity | undefined;
  /** GiB that others took after loading began, at least; undefined below 2 GiB. */
  readonly taken: Quantity | undefined;
  /** Number of the device, as the error prints it. */
  readonly device: Quantity | undefined;
  /** Held by graphs that were captured before, as the allocator counts it. */
  readonly graphs: Quantity | undefined;
  /** GiB that the allocator keeps and nothing uses, as it counts them. */
  readonly unused: Quantity | undefined;
  /** True where the pool is sized after the capture: a lower fraction frees nothing then. */
  readonly isSizedLater: boolean;
}

/** The shortage behind the outcome; undefined where none of the device's memory is behind it. */
export function shortageOf(run: Run, outcome: Outcome): Shortage | undefined {
  const { cause, kind } = outcome;
  const place = cause && placeOf(run, cause, outcome);
  if (cause === undefined || place === undefined || !deviceKinds.has(kind)) {
    return undefined;
  }
  const asked = amount(cause, 'asked');
  const free = amount(cause, 'free');
  const [askedGiB, freeGiB] = [asked && inGiB(asked), free && inGiB(free)];
  const missing = askedGiB && freeGiB && derive('asked - free', { asked: askedGiB, free: freeGiB });
  return {
    place,
    record: cause,
    graph: place === 'capture' ? captureBefore(run, cause) : undefined,
    asked,
    free,
    // More free than asked for: the memory is in pieces, and the difference says nothing.
    missing: missing && missing.interval.lo > 0 ? inReadableScale(missing) : undefined,
    capacity: amount(cause, 'total'),
    others: othersOn(cause),
    taken: takenSince(run, cause),
    device: amount(cause, 'gpu'),
    graphs: amount(cause, 'graphs'),
    unused: unusedOf(cause),
    isSizedLater: isSizedAfterCapture(run),
  };
}

/** As printed; older errors print what is reserved and what of it is allocated. */
function unusedOf(cause: LogRecord): Quantity | undefined {
  const [unallocated, reserved, allocated] = ['unallocated', 'reserved', 'allocated'].map(name => {
    const found = amount(cause, name);
    return found && inGiB(found);
  });
  return (
    unallocated ??
    (reserved && allocated && derive('reserved - allocated', { reserved, allocated }))
  );
}

/** GiB from which it is no driver and no context of ours. */
const leastOfOthers = 2;

/** What is neither free nor this process's. */
function othersOn(cause: LogRecord): Quantity | undefined {
  const [total, free, own] = ['total', 'free', 'process'].map(name => {
    const found = amount(cause, name);
    return found && inGiB(found);
  });
  const others = total && free && own && derive('total - free - own', { total, free, own });
  return others && others.interval.lo >= leastOfOthers ? others : undefined;
}

/** Others had no more than what was not free before loading; what they have beyond it is new. */
function takenSince(run: Run, cause: LogRecord): Quantity | undefined {
  const begin = ownBefore(run, cause).find(({ form }) => form.event === 'load-begin');
  const free = begin && amount(begin, 'avail');
  const capacity = amount(cause, 'total');
  const others = othersOn(cause);
  const total = capacity && inGiB(capacity);
  const taken =
    others && total && free && derive('others - (total - free)', { others, total, free });
  return taken && taken.interval.lo >= leastOfOthers ? taken : undefined;
}

const deviceKinds: ReadonlySet<Outcome['kind']> = new Set([
  'load-oom',
  'pool-oom',
  'graph-oom',
  'runtime-oom',
]);

function amount(record: LogRecord, name: string): Quantity | undefined {
  const field = record.fields[name];
  return field && fieldQuantity(record, field);
}

function placeOf(run: Run, cause: LogRecord, { phase }: Outcome): ShortagePlace {
  const isBare = ownBefore(run, cause).every(({ form }) => form.event === 'traceback');
  if (isBare && cause.form.phase !== 'capture') {
    return 'unknown';
  }
  switch (phase) {
    case 'init':
    case 'weights':
      if (isAtStart(run, cause)) {
        return 'start';
      }
      return ownBefore(run, cause).some(({ form }) => form.event === 'pool-end')
        ? 'load-draft'
        : 'load';
    case 'sizing':
    case 'pools': {
      const last = ownBefore(run, cause).findLast(
        ({ form }) => form.event === 'pool' || form.event === 'pool-end',
      );
      return last?.form.event === 'pool-end' ? 'after-pools' : 'pools';
    }
    default:
      return phase;
  }
}

/** True where the last that the rank began is its initialisation, the first of its process. */
function isAtStart(run: Run, cause: LogRecord): boolean {
  const before = ownBefore(run, cause).filter(
    ({ form }) => form.event !== 'traceback' && form.event !== 'frame' && form.event !== 'note',
  );
  return (
    before.at(-1)?.form.event === 'init-begin' &&
    !before.some(({ form }) => form.event === 'pool-end') &&
    phaseOfFrames(framesBefore(run, cause)) === undefined
  );
}

/** What the failing rank printed before; of the whole run where the error names no rank. */
function ownBefore(run: Run, cause: LogRecord): readonly LogRecord[] {
  const before = run.records.slice(0, run.records.indexOf(cause));
  return before.filter(({ rank }) => rank === '' || cause.rank === '' || rank === cause.rank);
}

/** The capture that began and did not end, else undefined: the next one had not been announced. */
function captureBefore(run: Run, cause: LogRecord): GraphKind | undefined {
  const last = ownBefore(run, cause).findLast(
    ({ form }) => form.event === 'capture-begin' || form.event === 'capture-end',
  );
  return last?.form.event === 'capture-begin' ? graphKindOf(last) : undefined;
}
