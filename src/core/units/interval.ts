/**
 * Closed intervals of real numbers with float64 ends, rounded outward, so that the true value is
 * always inside, whether it was computed exactly or rounded to float64 as Python's floats are. An
 * operation that is exact in float64 is not widened. No units here, and no emptiness: functions
 * that can find nothing return undefined.
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

/** A number as an interval: an int that float64 cannot hold, or an infinity, lies between two floats. */
export function enclose(value: bigint | number): Interval {
  const near = Number(value);
  if (Number.isNaN(near)) {
    return everything;
  }
  return {
    lo: near > value || near === Infinity ? nextDown(near) : near,
    hi: near < value || near === -Infinity ? nextUp(near) : near,
  };
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
  // The bits of a float64 count up with its size: one more, or one less below zero, with carry.
  scratch.setFloat64(0, value);
  const low = scratch.getUint32(4);
  const step = value > 0 ? 1 : -1;
  scratch.setUint32(4, low + step);
  if (low + step < 0 || low + step > 0xffffffff) {
    scratch.setUint32(0, scratch.getUint32(0) + step);
  }
  return scratch.getFloat64(0);
}

/** The next float64 below (towards -Infinity). */
export function nextDown(value: number): number {
  return -nextUp(-value);
}

/** Beyond it not every int is a float64, so steps between floats say nothing of ints. */
const exactIntegers = 2 ** 53;

/** What is less than `bound`, where values are ints and float64s, is at most this. */
export function justBelow(bound: number): number {
  return Math.abs(bound) < exactIntegers ? nextDown(bound) : bound;
}

/** What is more than `bound`, where values are ints and float64s, is at least this. */
export function justAbove(bound: number): number {
  return -justBelow(-bound);
}

/** The exact results that float64 arithmetic rounds into the interval. */
export function beforeRounding(rounded: Interval): Interval {
  return { lo: nextDown(rounded.lo), hi: nextUp(rounded.hi) };
}

/** The ints and floats that become floats of the interval when float64 arithmetic takes them in. */
export function beforeConversion({ lo, hi }: Interval): Interval {
  return {
    lo: Math.abs(lo) < exactIntegers ? lo : nextDown(lo),
    hi: Math.abs(hi) < exactIntegers ? hi : nextUp(hi),
  };
}

/** A rounded result and what rounding lost, of which only the sign counts; NaN where it is not known. */
type Rounded = readonly [value: number, error: number];

/** Sum with what rounding lost: exact = value + error (Knuth). */
function twoSum(a: number, b: number): Rounded {
  const value = a + b;
  const shadow = value - a;
  return [value, a - (value - shadow) + (b - shadow)];
}

const splitter = 2 ** 27 + 1;

/** Product with what rounding lost (Dekker); not known for very large and very small numbers. */
function twoProduct(a: number, b: number): Rounded {
  const value = a * b;
  if (value === 0) {
    return [value, a === 0 || b === 0 ? 0 : NaN];
  }
  const ca = splitter * a;
  const aHigh = ca - (ca - a);
  const aLow = a - aHigh;
  const cb = splitter * b;
  const bHigh = cb - (cb - b);
  const bLow = b - bHigh;
  const error = aLow * bLow - (value - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
  const size = Math.abs(value);
  return [value, size > 1e-290 && size < 1e300 ? error : NaN];
}

/** The largest float64 that is not above the exact result. */
function down([value, error]: Rounded): number {
  return error >= 0 && value < Infinity ? value : nextDown(value);
}

/** The smallest float64 that is not below the exact result. */
function up([value, error]: Rounded): number {
  return error <= 0 && value > -Infinity ? value : nextUp(value);
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

function product(a: number, b: number): Rounded {
  // An end at zero times an unbounded end is zero: the bound is a limit, not a member.
  return a === 0 || b === 0 ? [0, 0] : twoProduct(a, b);
}

export function multiplyIntervals(a: Interval, b: Interval): Interval {
  const ends = [product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo), product(a.hi, b.hi)];
  return { lo: Math.min(...ends.map(down)), hi: Math.max(...ends.map(up)) };
}

/** a / b with the sign of what rounding lost; a NaN value where both are unbounded. */
function quotient(a: number, b: number): Rounded {
  if (a === 0 || !Number.isFinite(b)) {
    return [Number.isFinite(a) ? 0 : NaN, 0];
  }
  const value = a / b;
  if (!Number.isFinite(value)) {
    return [value, 0];
  }
  const [back, lost] = twoProduct(value, b);
  return [value, Math.sign(a - back - lost) * Math.sign(b)];
}

/** As down, but rather above than below the exact result where that is not known. */
function downOrNotBelow(exact: Rounded): number {
  const [value, error] = exact;
  return Number.isFinite(value) && !Number.isNaN(error) ? down(exact) : up(exact);
}

type Round = (exact: Rounded) => number;

/** All a/b with b not zero, the ends rounded by `atLow` and `atHigh`. */
function divide(a: Interval, b: Interval, atLow: Round, atHigh: Round): Interval | undefined {
  if (b.lo === 0 && b.hi === 0) {
    return undefined;
  }
  if (b.lo < 0 && b.hi > 0) {
    return a.lo === 0 && a.hi === 0 ? point(0) : everything;
  }
  if (b.hi <= 0) {
    return divide(negateInterval(a), negateInterval(b), atLow, atHigh);
  }
  if (b.lo === 0) {
    return {
      lo: a.lo < 0 ? -Infinity : atLow(quotient(a.lo, b.hi)),
      hi: a.hi > 0 ? Infinity : atHigh(quotient(a.hi, b.hi)),
    };
  }
  const ends = [
    quotient(a.lo, b.lo),
    quotient(a.lo, b.hi),
    quotient(a.hi, b.lo),
    quotient(a.hi, b.hi),
  ].filter(([value]) => !Number.isNaN(value));
  return { lo: Math.min(...ends.map(atLow)), hi: Math.max(...ends.map(atHigh)) };
}

/**
 * All a/b with b not zero. A divisor that reaches zero gives one-sided bounds where the signs are
 * known, and everything where they are not; undefined when the divisor can only be zero.
 */
export function divideIntervals(a: Interval, b: Interval): Interval | undefined {
  return divide(a, b, down, up);
}

/** From here on Python's float `//` is itself a few units off. */
const inexactFloors = 2 ** 51;

/**
 * All floors of a/b, as divideIntervals. The floor of an exact quotient is the floor of the float
 * below it, at both ends.
 */
export function floorDivideIntervals(a: Interval, b: Interval): Interval | undefined {
  const quotients = divide(a, b, down, downOrNotBelow);
  if (quotients === undefined) {
    return undefined;
  }
  const { lo, hi } = quotients;
  return {
    lo: Math.abs(lo) < inexactFloors ? Math.floor(lo) : lo - Math.abs(lo) * 2 ** -50,
    hi: Math.abs(hi) < inexactFloors ? Math.floor(hi) : hi + Math.abs(hi) * 2 ** -50,
  };
}

/** The quotients whose floor is in the interval: up to the upper end, which is not one of them. */
export function quotientsWithFloor({ lo, hi }: Interval): Interval {
  return {
    lo: Math.abs(lo) < inexactFloors ? Math.ceil(lo) : lo - Math.abs(lo) * 2 ** -50,
    hi: Math.abs(hi) < inexactFloors ? Math.floor(hi) + 1 : hi + Math.abs(hi) * 2 ** -50,
  };
}

/** The integers inside, as an interval that ends in integers; undefined when there is none. */
export function tightenToIntegers(a: Interval): Interval | undefined {
  const lo = Math.ceil(a.lo);
  const hi = Math.floor(a.hi);
  return lo <= hi ? { lo, hi } : undefined;
}
