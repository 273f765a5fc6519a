/** Intervals against exact ratios: they contain the truth, and not much more. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Interval } from '../../../src/core/units/interval';
import {
  addIntervals,
  beforeConversion,
  beforeRounding,
  contains,
  divideIntervals,
  enclose,
  everything,
  floorDivideIntervals,
  hull,
  intersect,
  isPoint,
  justAbove,
  justBelow,
  multiplyIntervals,
  negateInterval,
  nextDown,
  nextUp,
  point,
  quotientsWithFloor,
  subtractIntervals,
  tightenToIntegers,
  width,
} from '../../../src/core/units/interval';
import { anyFloat, intervalAround, usualFloat, usualInt } from './arbitrary';
import type { Rational } from './rational';
import { arithmetic, compare, exactly, floorOf } from './rational';

const operations = {
  '+': addIntervals,
  '-': subtractIntervals,
  '*': multiplyIntervals,
  '/': divideIntervals,
} as const;

type Operation = keyof typeof operations;

function holds(interval: Interval, value: Rational): boolean {
  return compare(value, interval.lo) >= 0 && compare(value, interval.hi) <= 0;
}

describe.each(Object.keys(operations) as Operation[])('%s of intervals', name => {
  const compute = operations[name];
  const divides = (b: number): boolean => name !== '/' || b !== 0;

  test('contains the exact result of every pair of members', () => {
    const operand = intervalAround(usualFloat);
    fc.assert(
      fc.property(operand, operand, (a, b) => {
        fc.pre(divides(b.member));
        const result = compute(a.interval, b.interval);
        expect(result).toBeDefined();
        expect(holds(result!, arithmetic[name](exactly(a.member), exactly(b.member)))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('contains the exact result at both ends of float64, subnormal numbers included', () => {
    fc.assert(
      fc.property(anyFloat, anyFloat, (a, b) => {
        fc.pre(divides(b));
        const result = compute(point(a), point(b));
        expect(holds(result!, arithmetic[name](exactly(a), exactly(b)))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('contains what float64 arithmetic makes of every pair of members', () => {
    const operand = intervalAround(usualFloat);
    const rounded = {
      '+': (a: number, b: number) => a + b,
      '-': (a: number, b: number) => a - b,
      '*': (a: number, b: number) => a * b,
      '/': (a: number, b: number) => a / b,
    }[name];
    fc.assert(
      fc.property(operand, operand, (a, b) => {
        fc.pre(divides(b.member));
        const result = compute(a.interval, b.interval)!;
        expect(contains(result, point(rounded(a.member, b.member)))).toBe(true);
      }),
    );
  });

  test('of two points is a point when float64 holds the result, else one float step wide', () => {
    fc.assert(
      fc.property(usualFloat, usualFloat, (a, b) => {
        fc.pre(divides(b));
        const { lo, hi } = compute(point(a), point(b))!;
        fc.pre(Number.isFinite(lo) && Number.isFinite(hi));
        const exact = arithmetic[name](exactly(a), exactly(b));
        if (compare(exact, lo) === 0) {
          expect(hi).toBe(lo);
        } else {
          expect(hi).toBe(nextUp(lo));
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('division', () => {
  test('by an interval that only touches zero bounds the result on one side', () => {
    expect(divideIntervals({ lo: 6, hi: 8 }, { lo: 0, hi: 2 })).toEqual({ lo: 3, hi: Infinity });
    expect(divideIntervals({ lo: -8, hi: -6 }, { lo: 0, hi: 2 })).toEqual({
      lo: -Infinity,
      hi: -3,
    });
    expect(divideIntervals({ lo: 6, hi: 8 }, { lo: -2, hi: 0 })).toEqual({ lo: -Infinity, hi: -3 });
  });

  test('by an interval with zero inside says nothing, and by zero alone has no result', () => {
    expect(divideIntervals({ lo: 6, hi: 8 }, { lo: -1, hi: 2 })).toEqual(everything);
    expect(divideIntervals({ lo: 6, hi: 8 }, point(0))).toBeUndefined();
    expect(floorDivideIntervals({ lo: 6, hi: 8 }, point(0))).toBeUndefined();
  });

  test('of or by something unbounded keeps the bounds that remain', () => {
    expect(divideIntervals({ lo: 6, hi: Infinity }, { lo: 2, hi: 3 })).toEqual({
      lo: 2,
      hi: Infinity,
    });
    expect(divideIntervals({ lo: 6, hi: 8 }, { lo: 2, hi: Infinity })).toEqual({ lo: 0, hi: 4 });
    expect(divideIntervals(everything, { lo: 2, hi: Infinity })).toEqual(everything);
  });

  test('with floor gives the one right integer where the rounded quotient gives the next', () => {
    expect(Math.floor(7247757312 / 44236.8)).toBe(163840);
    expect(floorDivideIntervals(point(7247757312), point(44236.8))).toEqual(point(163839));
  });

  test('with floor contains the floor of every exact quotient, and is a point for points', () => {
    const operand = intervalAround(usualFloat);
    fc.assert(
      fc.property(operand, operand, (a, b) => {
        fc.pre(b.member !== 0);
        const floor = floorOf(arithmetic['/'](exactly(a.member), exactly(b.member)));
        const result = floorDivideIntervals(a.interval, b.interval)!;
        expect(holds(result, { numerator: floor, denominator: 1n })).toBe(true);
        if (isPoint(a.interval) && isPoint(b.interval) && Math.abs(Number(floor)) < 2 ** 51) {
          expect(result).toEqual(point(Number(floor)));
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('with floor contains the floor of very large and subnormal quotients', () => {
    fc.assert(
      fc.property(anyFloat, anyFloat, (a, b) => {
        fc.pre(b !== 0);
        const floor = floorOf(arithmetic['/'](exactly(a), exactly(b)));
        const result = floorDivideIntervals(point(a), point(b))!;
        expect(holds(result, { numerator: floor, denominator: 1n })).toBe(true);
      }),
      { numRuns: 1000 },
    );
    expect(floorDivideIntervals(point(5e-324), point(5e-324))!.hi).toBe(1);
  });

  test('with floor goes back to exactly the quotients from n up to n + 1', () => {
    expect(quotientsWithFloor(point(3))).toEqual({ lo: 3, hi: 4 });
    expect(quotientsWithFloor({ lo: -2.5, hi: 1.5 })).toEqual({ lo: -2, hi: 2 });
    const { lo, hi } = quotientsWithFloor(point(2 ** 60));
    expect(lo).toBeLessThan(2 ** 60);
    expect(hi).toBeGreaterThan(2 ** 60);
  });
});

describe('float steps', () => {
  test('go to the next float64 and back', () => {
    fc.assert(
      fc.property(anyFloat, value => {
        const above = nextUp(value);
        expect(above).toBeGreaterThan(value);
        expect(nextDown(above)).toBe(value === 0 ? 0 : value);
        fc.pre(Number.isFinite(above));
        // Nothing lies between: the middle rounds to one of the two.
        expect([value, above]).toContain(value / 2 + above / 2 || value);
      }),
    );
  });

  test('stop at the ends of float64', () => {
    expect(nextUp(Number.MAX_VALUE)).toBe(Infinity);
    expect(nextUp(-Infinity)).toBe(-Number.MAX_VALUE);
    expect(nextUp(Infinity)).toBe(Infinity);
    expect(nextUp(0)).toBe(Number.MIN_VALUE);
    expect(nextDown(0)).toBe(-Number.MIN_VALUE);
  });

  test('exclude an end only where every int is a float64', () => {
    expect(justBelow(5)).toBe(nextDown(5));
    expect(justAbove(5)).toBe(nextUp(5));
    expect(justBelow(2 ** 60)).toBe(2 ** 60);
    expect(justAbove(-(2 ** 60))).toBe(-(2 ** 60));
    expect(justBelow(Infinity)).toBe(Infinity);
  });

  test('before rounding there is every exact sum that rounds into the interval', () => {
    fc.assert(
      fc.property(usualFloat, usualFloat, (a, b) => {
        const exact = arithmetic['+'](exactly(a), exactly(b));
        expect(holds(beforeRounding(point(a + b)), exact)).toBe(true);
      }),
    );
  });

  test('before conversion there is every int that becomes the float', () => {
    fc.assert(
      fc.property(usualInt, value => {
        const result = beforeConversion(point(Number(value)));
        expect(holds(result, { numerator: value, denominator: 1n })).toBe(true);
      }),
    );
    expect(beforeConversion({ lo: -3.5, hi: 7 })).toEqual({ lo: -3.5, hi: 7 });
  });
});

describe('an interval', () => {
  test('encloses any int, as a point where float64 holds it', () => {
    fc.assert(
      fc.property(usualInt, value => {
        const interval = enclose(value);
        expect(holds(interval, { numerator: value, denominator: 1n })).toBe(true);
        expect(isPoint(interval)).toBe(BigInt(Number(value)) === value);
        expect([interval.lo, nextUp(interval.lo)]).toContain(interval.hi);
      }),
    );
  });

  test('encloses infinities beyond the largest float, and nothing where there is no number', () => {
    expect(enclose(Infinity)).toEqual({ lo: Number.MAX_VALUE, hi: Infinity });
    expect(enclose(-Infinity)).toEqual({ lo: -Infinity, hi: -Number.MAX_VALUE });
    expect(enclose(10n ** 400n)).toEqual({ lo: Number.MAX_VALUE, hi: Infinity });
    expect(enclose(NaN)).toEqual(everything);
  });

  test('meets another where both allow, or nowhere', () => {
    const operand = intervalAround(usualFloat).map(({ interval }) => interval);
    fc.assert(
      fc.property(operand, operand, usualFloat, (a, b, value) => {
        const both = contains(a, point(value)) && contains(b, point(value));
        const common = intersect(a, b);
        expect(common !== undefined && contains(common, point(value))).toBe(both);
        expect(contains(hull(a, b), a) && contains(hull(a, b), b)).toBe(true);
      }),
    );
    expect(intersect({ lo: 0, hi: 1 }, { lo: 2, hi: 3 })).toBeUndefined();
  });

  test('negated has the negated members', () => {
    expect(negateInterval({ lo: -2, hi: 5 })).toEqual({ lo: -5, hi: 2 });
    expect(width(negateInterval({ lo: -2, hi: 5 }))).toBe(7);
  });

  test('tightened to integers keeps them all and ends in them', () => {
    expect(tightenToIntegers({ lo: -0.5, hi: 3.2 })).toEqual({ lo: -0, hi: 3 });
    expect(tightenToIntegers({ lo: 0.2, hi: 0.8 })).toBeUndefined();
    expect(tightenToIntegers(everything)).toEqual(everything);
  });
});
