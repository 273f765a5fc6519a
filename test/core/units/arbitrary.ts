/** Generators of numbers and intervals as they occur, with the edges that hurt. */
import fc from 'fast-check';
import type { Interval } from '../../../src/core/units/interval';

const edges = [0, -0, 1, -1, 0.1, 0.5, 1e-3, 2 ** 30, 2 ** 53, -(2 ** 53), 2 ** 53 + 2, 44236.8];

/** Floats of all sizes up to 10^140 that keep away from subnormals, and short decimals. */
export const usualFloat = fc.oneof(
  fc.constantFrom(...edges),
  fc.double({ min: -1e140, max: 1e140, noNaN: true }).map(awayFromSubnormals),
  fc.double({ min: -200, max: 200, noNaN: true }).map(awayFromSubnormals),
  fc.integer({ min: -10_000_000, max: 10_000_000 }).map(digits => digits / 1000),
  fc.integer({ min: -1000, max: 1000 }),
);

/** Zero for what is so small that products of it lose digits. */
export function awayFromSubnormals(value: number): number {
  return Math.abs(value) < 1e-140 ? 0 : value;
}

/** Any finite float64, subnormal ones included. */
export const anyFloat = fc.double({ noNaN: true, noDefaultInfinity: true });

/** Ints up to 2^80 in size, small ones more often. */
export const usualInt = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map(BigInt),
  fc.integer().map(BigInt),
  fc.bigInt({ min: -(1n << 80n), max: 1n << 80n }),
  fc.constantFrom(7247757312n, 163840n, 1n << 30n, (1n << 53n) + 1n, -(1n << 64n)),
);

/** An interval and a float inside it. */
export function intervalAround(
  member: fc.Arbitrary<number>,
): fc.Arbitrary<{ interval: Interval; member: number }> {
  return fc
    .tuple(member, fc.option(member, { nil: undefined }), fc.option(member, { nil: undefined }))
    .map(([value, below, above]) => ({
      member: value,
      interval: { lo: Math.min(value, below ?? value), hi: Math.max(value, above ?? value) },
    }));
}
