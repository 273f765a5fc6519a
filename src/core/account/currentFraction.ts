/** The fraction that a person would name as the present one, or start from. */
import { simplestDecimal } from '../units/simplestDecimal';
import { intersect } from '../units/interval';
import type { Quantity } from '../units/quantity';
import type { Fractions } from './fraction';

/**
 * The value in force as it was typed or printed; undefined where nothing tells, or where the pools
 * say that it was another one.
 */
export function currentFraction({ effective, implied, claimed }: Fractions): number | undefined {
  const typed = (effective ?? claimed)?.nominal;
  const isDenied =
    effective === undefined &&
    typed !== undefined &&
    implied !== undefined &&
    (typed < implied.interval.lo || typed > implied.interval.hi);
  return isDenied ? undefined : typed;
}

/**
 * The fraction that a shortage is counted from: as pools and lines say it, or as it was typed where the
 * pools bound it on one side only and allow that.
 */
export function fractionOfShortage({
  effective,
  implied,
  claimed,
}: Fractions): Quantity | undefined {
  const isOpen =
    implied !== undefined &&
    !(Number.isFinite(implied.interval.lo) && Number.isFinite(implied.interval.hi));
  const isAllowed = isOpen && claimed && intersect(claimed.interval, implied.interval);
  return effective ?? (isAllowed ? claimed : implied);
}

/** The value in force, else a round one that the pools allow: one to start from, not to be named. */
export function nearFraction(fraction: Fractions): number | undefined {
  const { implied } = fraction;
  const isClosed = implied !== undefined && implied.interval.lo > 0 && implied.interval.hi < 1;
  return currentFraction(fraction) ?? (isClosed ? simplestDecimal(implied.interval) : undefined);
}
