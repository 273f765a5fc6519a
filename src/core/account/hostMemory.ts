/**
 * Host memory that the hierarchical cache pins: for each rank as printed, for all ranks of a node,
 * and what a refused pool could have had. Decimal gigabytes, as the flag and its lines count
 * (reference 5.8).
 */
import type { LogRecord } from '../log/record';
import type { Run } from '../log/run';
import { isWithin, mayBeWithin } from '../sglang/release';
import { derive, sum } from '../terms/derive';
import { givenQuantity } from '../units/givenQuantity';
import { hull } from '../units/interval';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { assumptions } from './assumption';
import { fieldQuantity } from './figure';

/** What the host gives to caches. */
export interface HostMemory {
  /** Of one rank, GB (10^9). */
  readonly each: Quantity;
  readonly ranks: number;
  /** Of all ranks of a node, GB. */
  readonly node: Quantity;
}

/** The host pools of a run; undefined where none is printed. */
export function hostMemoryOf(run: Run): HostMemory | undefined {
  const totals = run.ranks.flatMap(({ records }) => rankTotal(records) ?? []);
  const each = totals.reduce<Quantity | undefined>(
    (most, next) => (most === undefined || next.interval.hi > most.interval.hi ? next : most),
    undefined,
  );
  if (each === undefined) {
    return undefined;
  }
  const ranks = ranksOfNode(run);
  const node = derive('each * ranks', {
    each,
    ranks: givenQuantity(ranks, units.one, 'ranks'),
  });
  return (
    node && {
      each,
      ranks,
      node: {
        ...node,
        basis: 'assumed',
        assumptions: [...new Set([...node.assumptions, assumptions.ranksOfNode])],
      },
    }
  );
}

/** Ranks that share the memory of one host, at least those that the log needs. */
function ranksOfNode({ parallel }: Run): number {
  const { tp, pp, nnodes, ranksExpected, ranksSeen } = parallel;
  const all = ranksExpected ?? Math.max(1, ranksSeen, (tp ?? 1) * (pp ?? 1));
  return Math.ceil(all / Math.max(1, nnodes ?? 1));
}

/** What the arguments ask of the host for caches of a fixed size; undefined where they do not. */
export function askedHostCache(
  run: Run,
): { readonly eachGB: number; readonly ranks: number; readonly node: Quantity } | undefined {
  const values = run.serverArguments?.values;
  const size = values?.get('hicache_size')?.value;
  const eachGB = typeof size === 'bigint' ? Number(size) : 0;
  const ranks = ranksOfNode(run);
  return values?.get('enable_hierarchical_cache')?.value === true && eachGB > 0
    ? { eachGB, ranks, node: givenQuantity(eachGB * ranks, units.GB, '--hicache-size') }
    : undefined;
}

/** Host pools of one rank, GB: each kind once, the last line of it. */
export function rankTotal(records: readonly LogRecord[]): Quantity | undefined {
  const sizes = new Map<string, Quantity>();
  for (const record of records) {
    const field = record.form.id === 'host-pool' ? record.fields['size'] : undefined;
    const size = field && fieldQuantity(record, field);
    if (size !== undefined) {
      sizes.set(record.words['what'] ?? '', size);
    }
  }
  return sum([...sizes.values()]);
}

/** A host pool that was refused: asked for, printed as free, and what it could have had. */
export interface HostRefusal {
  readonly asked: Quantity;
  readonly free: Quantity;
  /** What of it a rank could have had while no other had any. */
  readonly usable: Quantity;
  /** True where the free value is printed after the reserve is taken out. */
  readonly isNet: boolean;
  /** The largest whole number of GB that fits on every rank of the host; undefined where none does. */
  readonly fits: number | undefined;
  /** Ranks that ask for it, each for itself. */
  readonly ranks: number;
}

/** 10 GiB are kept back, in GB. */
const reserve = givenQuantity(10.73741824, units.GB, 'reserve');

/**
 * The printed free value is after the reserve only from 0.4.9.post3 on; a value that is not below
 * what was asked for is before it, or the pool would not have been refused.
 */
export function hostRefusalOf(run: Run, record: LogRecord): HostRefusal | undefined {
  const [askedField, freeField] = [record.fields['asked'], record.fields['free']];
  const asked = askedField && fieldQuantity(record, askedField);
  const free = freeField && fieldQuantity(record, freeField);
  const less = free && derive('free - reserve', { free, reserve });
  if (!asked || !less) {
    return undefined;
  }
  const isBefore =
    free.interval.lo >= asked.interval.hi ||
    isWithin(run.release, { from: '0.1.0', to: '0.4.9.post2' });
  const isAfter = isWithin(run.release, { from: '0.4.9.post3' });
  const usable: Quantity = isBefore
    ? less
    : isAfter
      ? free
      : {
          unit: free.unit,
          basis: 'proved',
          assumptions: [],
          interval: hull(less.interval, free.interval),
          provenance: free.provenance,
        };
  const ranks = ranksOfNode(run);
  const whole = Math.floor(usable.interval.lo / ranks);
  const fits = whole > 0 ? whole : undefined;
  return { asked, free, usable, isNet: !isBefore && isAfter, fits, ranks };
}

/** Bytes of a GiB in those of a GB. */
const gbPerGiB = 2 ** 30 / 10 ** 9;

/**
 * True where the release starts with a host pool of this many GB on each rank. Up to 0.5.14 it has to
 * be larger than the device pool (HostKVCache), and `--hicache-size` exists from 0.4.5.post3 on.
 */
export function startsWithHostPool(
  run: Pick<Run, 'release'>,
  eachGB: number,
  devicePoolGiB: Quantity | undefined,
): boolean {
  const isAccepted = mayBeWithin(run.release, { from: '0.4.5.post3' });
  const mayRefuse = mayBeWithin(run.release, { from: '0.4.1.post5', to: '0.5.14' });
  return (
    isAccepted &&
    (!mayRefuse || devicePoolGiB === undefined || eachGB > devicePoolGiB.interval.hi * gbPerGiB)
  );
}
