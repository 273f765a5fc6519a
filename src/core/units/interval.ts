/**
 * Closed intervals of real numbers with float64 ends, rounded outward, so that the true value is
 * always inside. An operation that is exact in float64 is not widened. No units here, and no
 * emptiness: functions that can find nothing return undefined.
 */

/** All numbers from `lo` to `hi`, both included; -Infinity and Infinity stand for no bound. */
export interface Interval {
  readonly lo: number;
  readonly hi: number;
}

export const everything: Interval = { lo: -Infinity, hi: Infinity };

export function point(value: number): Interval {
  return { lo: value, hi: value };
}

export function isPoint(interval: Interval): boolean {
  return interval.lo === interval.hi;
}

export function contains(outer: Interval, inner: Interval): boolean {
  return outer.lo <= inner.lo && inner.hi <= outer.hi;
}

/** What both allow; undefined when there is nothing. */
export function intersect(a: Interval, b: Interval): Interval | undefined {
  const lo = Math.max(a.lo, b.lo);
  const hi = Math.min(a.hi, b.hi);
  return lo <= hi ? { lo, hi } : undefined;
}

/** The smallest interval around both. */
export function hull(a: Interval, b: Interval): Interval {
  return { lo: Math.min(a.lo, b.lo), hi: Math.max(a.hi, b.hi) };
}

export function width(interval: Interval): number {
  return interval.hi - interval.lo;
}

const scratch = new DataView(new ArrayBuffer(8));

/** The next float64 above (towards +Infinity). */
export function nextUp(value: number): number {
  if (!Number.isFinite(value)) {
    return value === -Infinity ? -Number.MAX_VALUE : value;
  }
  if (value === 0) {
    return Number.MIN_VALUE;
  }
  scratch.setFloat64(0, value);
  scratch.setBigInt64(0, scratch.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return scratch.getFloat64(0);
}

/** The next float64 below (towards -Infinity). */
export function nextDown(value: number): number {
  return -nextUp(-value);
}

/** Sum with the sign of what rounding lost: exact = value + error. */
function twoSum(a: number, b: number): readonly [value: number, error: number] {
  const value = a + b;
  const shadow = value - a;
  return [value, a - (value - shadow) + (b - shadow)];
}

const splitter = 2 ** 27 + 1;

/** Product with what rounding lost (Dekker); NaN error where the split would overflow. */
function twoProduct(a: number, b: number): readonly [value: number, error: number] {
  const value = a * b;
  if (value === 0) {
    // 0 is exact unless a tiny product vanished, which Dekker's split would miss as well.
    return [value, a === 0 || b === 0 ? 0 : NaN];
  }
  const ca = splitter * a;
  const aHigh = ca - (ca - a);
  const aLow = a - aHigh;
  const cb = splitter * b;
  const bHigh = cb - (cb - b);
  const bLow = b - bHigh;
  const error = aLow * bLow - (value - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
  return [value, Math.abs(value) < 1e-290 ? NaN : error];
}

function down([value, error]: readonly [number, number]): number {
  return error >= 0 || !Number.isFinite(value) ? value : nextDown(value);
}

function up([value, error]: readonly [number, number]): number {
  return error <= 0 || !Number.isFinite(value) ? value : nextUp(value);
}

export function addIntervals(a: Interval, b: Interval): Interval {
  return { lo: down(twoSum(a.lo, b.lo)), hi: up(twoSum(a.hi, b.hi)) };
}

export function negateInterval(a: Interval): Interval {
  return { lo: -a.hi, hi: -a.lo };
}

export function subtractIntervals(a: Interval, b: Interval): Interval {
  return addIntervals(a, negateInterval(b));
}

function product(a: number, b: number): readonly [number, number] {
  // An end at zero times an unbounded end is zero: the bound is a limit, not a member.
  return a === 0 || b === 0 ? [0, 0] : twoProduct(a, b);
}

export function multiplyIntervals(a: Interval, b: Interval): Interval {
  const ends = [product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo), product(a.hi, b.hi)];
  return { lo: Math.min(...ends.map(down)), hi: Math.max(...ends.map(up)) };
}

function quotient(a: number, b: number): readonly [number, number] {
  if (a === 0 || !Number.isFinite(b)) {
    return [Number.isFinite(a) ? 0 : NaN, 0];
  }
  const value = a / b;
  if (!Number.isFinite(value)) {
    return [value, 0];
  }
  const [back, lost] = twoProduct(value, b);
  const rest = a - back - lost;
  return [value, rest === 0 ? 0 : rest > 0 === b > 0 ? 1 : -1];
}

/**
 * All a/b with b not zero. A divisor that reaches zero gives one-sided bounds where the signs are
 * known, and everything where they are not; undefined when the divisor can only be zero.
 */
export function divideIntervals(a: Interval, b: Interval): Interval | undefined {
  if (b.lo === 0 && b.hi === 0) {
    return undefined;
  }
  if (b.lo < 0 && b.hi > 0) {
    return a.lo === 0 && a.hi === 0 ? point(0) : everything;
  }
  if (b.hi <= 0) {
    return divideIntervals(negateInterval(a), negateInterval(b));
  }
  if (b.lo === 0) {
    return {
      lo: a.lo >= 0 ? (a.lo === 0 ? 0 : down(quotient(a.lo, b.hi))) : -Infinity,
      hi: a.hi <= 0 ? (a.hi === 0 ? 0 : up(quotient(a.hi, b.hi))) : Infinity,
    };
  }
  const ends = [
    quotient(a.lo, b.lo),
    quotient(a.lo, b.hi),
    quotient(a.hi, b.lo),
    quotient(a.hi, b.hi),
  ].filter(([value]) => !Number.isNaN(value));
  return { lo: Math.min(...ends.map(down)), hi: Math.max(...ends.map(up)) };
}

/** The integers inside, as an interval that ends in integers; undefined when there is none. */
export function tightenToIntegers(a: Interval): Interval | undefined {
  const lo = Math.ceil(a.lo);
  const hi = Math.floor(a.hi);
  return lo <= hi ? { lo, hi } : undefined;
}
