/**
 * What batch lines say of the pools while the server serves: how many tokens a pool holds, from the
 * tokens in use and the printed usage, and whether it is full. Leaves out throughput.
 */
import type { LogRecord } from '../log/record';
import type { Run } from '../log/run';
import type { QuantityId } from '../sglang/quantityId';
import { derive } from '../terms/derive';
import { givenQuantity } from '../units/givenQuantity';
import { intersect } from '../units/interval';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { assumptions } from './assumption';
import { fieldQuantity } from './figure';

/** A pool that batch lines report the use of. */
export type ServedPool = 'tokens' | 'full' | 'swa';

/** The same, and slots of state, which hold no tokens. */
export type OccupiedPool = ServedPool | 'state';

const fieldsOfPool: Readonly<Record<OccupiedPool, readonly [used: string, usage: string]>> = {
  tokens: ['used', 'usage'],
  full: ['full', 'fullUsage'],
  swa: ['swa', 'swaUsage'],
  state: ['state', 'stateUsage'],
};

/** The quantity that the size of a pool is. */
export const quantityOfPool: Readonly<Record<ServedPool, QuantityId>> = {
  tokens: 'maxTotalTokens',
  full: 'fullTokens',
  swa: 'swaTokens',
};

/** The use of one pool on one batch line. */
export interface PoolUse {
  readonly pool: OccupiedPool;
  readonly used: Quantity;
  readonly usage: Quantity;
}

/** Busy lines that are looked at: further ones have little to add. */
const busiestLines = 8;

/**
 * Tokens that each pool holds, from the busiest batch lines of one rank: tokens in use over usage,
 * which is printed with two decimals, so that a busy line says most. Absent where usage is near
 * zero.
 */
export function servedPools(records: readonly LogRecord[]): ReadonlyMap<ServedPool, Quantity> {
  const sizes = new Map<ServedPool, Quantity>();
  for (const pool of Object.keys(quantityOfPool) as ServedPool[]) {
    const [, usageName] = fieldsOfPool[pool];
    const usageOf = ({ fields }: LogRecord): number => Number(fields[usageName]?.value ?? 0);
    const busiest = records
      .filter(record => usageOf(record) > 0)
      .sort((a, b) => usageOf(b) - usageOf(a))
      .slice(0, busiestLines);
    for (const record of busiest.sort((a, b) => a.line - b.line)) {
      const use = poolUses(record).find(found => found.pool === pool);
      const size = use && sizeOf(use.used, use.usage);
      const known = sizes.get(pool);
      if (size !== undefined) {
        sizes.set(pool, known === undefined ? size : closer(known, size));
      }
    }
  }
  return sizes;
}

/** What the record says of the use of pools; empty for other lines. */
export function poolUses(record: LogRecord): PoolUse[] {
  return (Object.keys(fieldsOfPool) as OccupiedPool[]).flatMap(pool => {
    const [usedName, usageName] = fieldsOfPool[pool];
    const used = record.fields[usedName] && fieldQuantity(record, record.fields[usedName]);
    const usage = record.fields[usageName] && fieldQuantity(record, record.fields[usageName]);
    return used && usage ? [{ pool, used, usage }] : [];
  });
}

function sizeOf(used: Quantity, usage: Quantity): Quantity | undefined {
  // No pool holds fewer than its tokens, and a usage that rounds to zero bounds nothing.
  const share = intersect(usage.interval, { lo: 0, hi: 1 });
  const tokens = used.interval.lo;
  if (share === undefined || usage.interval.lo <= 0 || tokens <= 0) {
    return undefined;
  }
  const size = derive('used / usage', {
    used: { ...used, nominal: tokens },
    usage: { ...usage, interval: share, nominal: Math.min(usage.nominal ?? share.hi, 1) },
  });
  return (
    size && {
      ...size,
      interval: { lo: Math.floor(size.interval.lo), hi: Math.ceil(size.interval.hi) },
      ...(size.nominal !== undefined && { nominal: Math.round(size.nominal) }),
      basis: 'assumed',
      assumptions: [assumptions.usageIsOfPool],
    }
  );
}

/** What both lines allow; lines that do not go together are of a pool that changed: the newer. */
function closer(known: Quantity, next: Quantity): Quantity {
  const both = intersect(known.interval, next.interval);
  if (both === undefined) {
    return next;
  }
  const sharper =
    next.interval.hi - next.interval.lo < known.interval.hi - known.interval.lo ? next : known;
  const { nominal } = sharper;
  return {
    ...sharper,
    interval: both,
    ...(nominal !== undefined && { nominal: Math.min(Math.max(nominal, both.lo), both.hi) }),
  };
}

/** A batch line that shows a pool in need: which pool, how full, how many run and wait. */
export interface FullPool {
  readonly pool: OccupiedPool;
  /** Tokens, or slots of state. */
  readonly used: Quantity;
  readonly running: Quantity | undefined;
  readonly waiting: Quantity | undefined;
  /** Tokens (slots) that a running request has in the pool on average. */
  readonly each: Quantity | undefined;
  /** The full pool of the same line, where another one is fuller. */
  readonly beside: PoolUse | undefined;
}

/** The fullest pool of the batch line; undefined for a record that is none. */
export function fullestPool(record: LogRecord): FullPool | undefined {
  const uses = poolUses(record);
  const fullest = uses.reduce<PoolUse | undefined>(
    (most, next) =>
      most === undefined || next.usage.interval.hi > most.usage.interval.hi ? next : most,
    undefined,
  );
  if (fullest === undefined) {
    return undefined;
  }
  const request = (name: string): Quantity | undefined => {
    const field = record.fields[name];
    return field && fieldQuantity(record, field);
  };
  const running = request('running');
  const count = running?.interval.lo ?? 0;
  return {
    pool: fullest.pool,
    used: fullest.used,
    beside: uses.find(use => use.pool === 'full' && use !== fullest),
    running,
    waiting: request('queue'),
    each:
      count > 0
        ? derive('used / running', {
            used: fullest.used,
            running: givenQuantity(count, units.one, 'running'),
          })
        : undefined,
  };
}

/** Batches that gave requests back because the pool was full; tests of it do not count. */
export function retractionsOf({ records }: Run): readonly LogRecord[] {
  return records.filter(
    ({ form, words }) => form.id === 'retraction' && words['testing'] === undefined,
  );
}

/** Share of the pool below which it is no longer in need. */
const easyShare = 0.5;

/**
 * What the pool holds at the end, where the cause is a retraction and the last batch line of its
 * rank shows every pool less than half full; undefined where it is still in need, or nothing tells.
 */
export function pastUse(run: Run, cause: LogRecord | undefined): PoolUse | undefined {
  const last = retractionsOf(run).at(-1);
  if (cause?.form.id !== 'retraction' || last?.rank !== cause.rank) {
    return undefined;
  }
  const later = run.records.slice(run.records.indexOf(last) + 1);
  const uses = later.filter(({ rank }) => rank === cause.rank).map(record => poolUses(record));
  const final = uses.findLast(each => each.length > 0);
  return final?.every(({ usage }) => usage.interval.hi < easyShare) === true
    ? final.find(({ pool }) => pool === 'tokens' || pool === 'full')
    : undefined;
}
