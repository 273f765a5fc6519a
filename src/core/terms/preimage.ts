/**
 * What a result that was cut to a whole number says of the value before: a half-open interval, whose
 * open end is kept as far as ints and float64s allow.
 */
import type { Interval } from '../units/interval';
import {
  beforeConversion,
  divideIntervals,
  justAbove,
  justBelow,
  multiplyIntervals,
  negateInterval,
  quotientsWithFloor,
} from '../units/interval';

/** floor(x) = n says x is in [n, n + 1), half open. */
export function floorPreimage({ lo, hi }: Interval): Interval {
  return { lo: Math.ceil(lo), hi: justBelow(nextInteger(hi)) };
}

/** int(x) = n says x is in [n, n + 1) for positive n, in (n - 1, n] for negative n, in (-1, 1) for 0. */
export function truncationPreimage(result: Interval): Interval {
  const { lo, hi } = floorPreimage(result);
  return {
    lo: lo > 0 ? lo : -floorPreimage(negateInterval(result)).hi,
    hi: result.hi < 0 ? Math.floor(result.hi) : hi,
  };
}

/** The integer after the last one in reach; from 2^53 on the bound itself, where floats are whole. */
function nextInteger(bound: number): number {
  return Math.abs(bound) < 2 ** 53 ? Math.floor(bound) + 1 : bound;
}

/**
 * floor(a / b) in [lo, hi] says a / b is in [lo, hi + 1), half open. Where the signs are known, the
 * open end shows at one end of each operand.
 */
export function floorDivisionPreimage(
  result: Interval,
  [a, b]: readonly [Interval, Interval],
): readonly (Interval | undefined)[] {
  const quotient = quotientsWithFloor(result);
  const dividend = multiplyIntervals(quotient, b);
  const divisor = reaches0(a) && reaches0(quotient) ? undefined : divideIntervals(a, quotient);
  return [
    openAt(signOf(b), dividend),
    divisor && openAt(-signOf(divisor) * signOf(quotient), divisor),
  ].map(allowed => allowed && beforeConversion(allowed));
}

/** 1 or -1 where all values have one sign (or are 0), else 0. */
function signOf({ lo, hi }: Interval): number {
  return lo >= 0 ? 1 : hi <= 0 ? -1 : 0;
}

/** The interval without its upper end (1), without its lower end (-1), or as it is (0). */
function openAt(end: number, { lo, hi }: Interval): Interval {
  return { lo: end < 0 ? justAbove(lo) : lo, hi: end > 0 ? justBelow(hi) : hi };
}

/** Whether 0 is inside or an end. */
export function reaches0({ lo, hi }: Interval): boolean {
  return lo <= 0 && hi >= 0;
}
