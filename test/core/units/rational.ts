/** Exact ratios of BigInts, to judge rounded arithmetic by. */

/** numerator / denominator, the denominator positive; not reduced. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

function rational(numerator: bigint, denominator: bigint): Rational {
  return denominator < 0n
    ? { numerator: -numerator, denominator: -denominator }
    : { numerator, denominator };
}

/** The exact value of a finite float: doubled until whole, or taken as the integer it is. */
export function exactly(value: number): Rational {
  let denominator = 1n;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    denominator *= 2n;
  }
  return { numerator: BigInt(scaled), denominator };
}

export const arithmetic = {
  '+': (a: Rational, b: Rational) =>
    rational(
      a.numerator * b.denominator + b.numerator * a.denominator,
      a.denominator * b.denominator,
    ),
  '-': (a: Rational, b: Rational) =>
    rational(
      a.numerator * b.denominator - b.numerator * a.denominator,
      a.denominator * b.denominator,
    ),
  '*': (a: Rational, b: Rational) =>
    rational(a.numerator * b.numerator, a.denominator * b.denominator),
  '/': (a: Rational, b: Rational) =>
    rational(a.numerator * b.denominator, a.denominator * b.numerator),
} as const;

/** Negative, zero or positive as a is below, at or above b. Infinite floats are beyond everything. */
export function compare(a: Rational, b: number): number {
  if (!Number.isFinite(b)) {
    return b > 0 ? -1 : 1;
  }
  const { numerator, denominator } = exactly(b);
  const difference = a.numerator * denominator - numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The largest integer that is not above the ratio. */
export function floorOf({ numerator, denominator }: Rational): bigint {
  const quotient = numerator / denominator;
  return numerator < 0n && numerator % denominator !== 0n ? quotient - 1n : quotient;
}
