/**
 * Two runs of one server that fail from opposite sides: below the floor of one nothing fits, above
 * the ceiling of the other its graphs do not. Where the floor is not below the ceiling no fraction
 * starts the server with these other flags.
 */
import type { Quantity } from '../units/quantity';
import { derive } from '../terms/derive';
import type { RunAccount } from './account';

/** The two bounds, where they stand, and whether a value lies between them. */
export interface BetweenErrors {
  /** Nothing fits below. */
  readonly floor: Quantity;
  /** Above it the failed allocation cannot fit. */
  readonly ceiling: Quantity;
  /** GiB of KV pool at the ceiling; not positive where nothing fits. */
  readonly room: Quantity | undefined;
  /** True where no value lies between the two. */
  readonly isStuck: boolean;
  /** First lines of the runs that show the floor and the ceiling. */
  readonly lines: readonly [floor: number, ceiling: number];
}

/** GiB of memory within which two starts of one server can differ. */
const driftGiB = 0.2;

/**
 * For each account what it and the others of the log say together; undefined for a run that failed
 * in neither way or has no counterpart.
 */
export function betweenErrors(accounts: readonly RunAccount[]): (BetweenErrors | undefined)[] {
  return accounts.map(account => {
    if (account.outcome.kind === 'not-enough-memory') {
      const other = accounts.findLast(next => ceilingOf(next) && isSameServer(account, next));
      return other && between(account, other);
    }
    if (ceilingOf(account) === undefined) {
      return undefined;
    }
    const other = accounts.findLast(
      next => next.outcome.kind === 'not-enough-memory' && isSameServer(account, next),
    );
    return between(other ?? account, account);
  });
}

function ceilingOf({ relief }: RunAccount): Quantity | undefined {
  return relief?.ceiling;
}

/** The same model on the same ranks with the same memory before and after loading. */
function isSameServer(a: RunAccount, b: RunAccount): boolean {
  const isClose = (id: 'totalBeforeLoad' | 'availableAfterLoad'): boolean => {
    const [left, right] = [a.quantities.get(id)?.interval, b.quantities.get(id)?.interval];
    return (
      left !== undefined &&
      right !== undefined &&
      left.lo <= right.hi + driftGiB &&
      right.lo <= left.hi + driftGiB
    );
  };
  return (
    a.run.modelClass === b.run.modelClass &&
    a.run.ranks.length === b.run.ranks.length &&
    isClose('totalBeforeLoad') &&
    isClose('availableAfterLoad')
  );
}

function between(low: RunAccount, high: RunAccount): BetweenErrors | undefined {
  const floor = low.fraction.minimum;
  const ceiling = ceilingOf(high);
  const total = high.quantities.get('totalBeforeLoad');
  if (!floor || !ceiling || !total || !Number.isFinite(floor.interval.hi)) {
    return undefined;
  }
  return {
    floor,
    ceiling,
    room: derive('(ceiling - floor) * total', { ceiling, floor, total }),
    isStuck: floor.interval.lo >= ceiling.interval.hi,
    lines: [low.run.lines[0], high.run.lines[0]],
  };
}
