/** How amounts are written: digits that the interval supports, and the unit beside the number. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bytesOf,
  defaultFormat,
  formatAmount,
  formatNumber,
  formatQuantity,
  formatShort,
  formatSpread,
} from '../../../src/core/units/format';
import type { Interval } from '../../../src/core/units/interval';
import { point } from '../../../src/core/units/interval';
import type { Quantity } from '../../../src/core/units/quantity';
import { singleValue } from '../../../src/core/units/quantity';
import type { Unit } from '../../../src/core/units/unit';
import { units } from '../../../src/core/units/unit';

function quantity(interval: Interval, unit: Unit, more: Partial<Quantity> = {}): Quantity {
  return { interval, unit, basis: 'proved', assumptions: [], provenance: [], ...more };
}

describe('a quantity is written', () => {
  test('as the one number where there is one, with its unit', () => {
    expect(
      formatQuantity(quantity({ lo: 21.705, hi: 21.715 }, units.GiB, { printed: 21.71 })),
    ).toBe('21.71 GiB');
    expect(formatQuantity(quantity(point(-314811), units.token))).toBe('-314,811 tokens');
    expect(formatQuantity(quantity(point(70272), units.bytesPerToken, { exact: 70272n }))).toBe(
      '70,272 B/token',
    );
  });

  test('as an interval rounded outward where there is none', () => {
    expect(formatAmount(quantity({ lo: 0.76914, hi: 0.76918 }, units.one))).toBe('0.7691…0.7692');
    expect(formatAmount(quantity({ lo: 10.411, hi: 10.429 }, units.GiB))).toBe('10.41…10.43');
  });

  test('as one number where the digits shown cannot tell the ends apart', () => {
    expect(formatAmount(quantity({ lo: 10.4111, hi: 10.4112 }, units.GiB))).toBe('10.41');
  });

  test('as a one-sided bound where the other end is not known', () => {
    expect(formatQuantity(quantity({ lo: 10.41, hi: Infinity }, units.GiB))).toBe('≥ 10.41 GiB');
    expect(formatQuantity(quantity({ lo: -Infinity, hi: 3 }, units.request))).toBe('≤ 3 requests');
  });

  test('with exact bytes or decimal gigabytes beside it on demand', () => {
    const amount = quantity(point(2), units.GiB);
    expect(formatQuantity(amount, { ...defaultFormat, alsoShow: 'bytes' })).toBe(
      '2.00 GiB (2,147,483,648 B)',
    );
    expect(formatQuantity(amount, { ...defaultFormat, alsoShow: 'decimal' })).toBe(
      '2.00 GiB (2.15 GB)',
    );
    expect(
      formatQuantity(quantity(point(2), units.token), { ...defaultFormat, alsoShow: 'bytes' }),
    ).toBe('2 tokens');
  });

  test('by the rules of the locale', () => {
    expect(formatAmount(quantity(point(0.88), units.one), { ...defaultFormat, locale: 'de' })).toBe(
      '0,88',
    );
    expect(formatNumber(1234567.5, 1, { ...defaultFormat, locale: 'de' })).toBe('1.234.567,5');
  });

  test('without a sign when it rounds to zero', () => {
    expect(formatAmount(quantity(point(-0), units.token))).toBe('0');
    expect(formatNumber(-0.001, 2, defaultFormat)).toBe('0.00');
  });

  test('with the nominal value and how far the truth may be from it', () => {
    const tokens = quantity({ lo: 159162, hi: 159180 }, units.token, { nominal: 159171 });
    expect(formatSpread(tokens)).toBe('≈ 159,171 tokens (±9)');
    const fraction = quantity({ lo: 0.8797, hi: 0.8802 }, units.one, { nominal: 0.88 });
    expect(formatSpread(fraction)).toBe('≈ 0.88 (±0.0003)');
    const lopsided = quantity({ lo: 93.995, hi: 94.105 }, units.GiB, { nominal: 94 });
    expect(formatSpread(lopsided)).toBe('≈ 94.00 GiB (93.99…94.11)');
    expect(formatSpread({ ...tokens, exact: 159171n })).toBe('159,171 tokens');
    expect(formatSpread(quantity({ lo: 1, hi: 9 }, units.token))).toBe('1…9 tokens');
  });

  test('shortly with the nominal value, marked where the digits are not certain', () => {
    const amount = quantity({ lo: -314814, hi: -314792 }, units.token, { nominal: -314803 });
    expect(formatShort(amount)).toBe('≈ -314,803 tokens');
    expect(formatShort({ ...amount, exact: -314811n })).toBe('-314,811 tokens');
  });
});

describe('bytes of an amount', () => {
  test('are counted by its scale, and absent for what is no memory or has no end', () => {
    expect(bytesOf(quantity(point(2), units.KiB))).toEqual(point(2048));
    expect(bytesOf(quantity(point(0.1), units.GiB))).toEqual({ lo: 107374182, hi: 107374183 });
    expect(bytesOf(quantity(point(2), units.GB))).toEqual(point(2_000_000_000));
    expect(bytesOf(quantity(point(2), units.B))).toBeUndefined();
    expect(bytesOf(quantity(point(2), units.bytesPerToken))).toBeUndefined();
    expect(bytesOf(quantity({ lo: 2, hi: Infinity }, units.GiB))).toBeUndefined();
  });
});

test('the single value of a quantity is exact, a point or printed, in this order', () => {
  const interval = { lo: 1.5, hi: 2.5 };
  expect(singleValue(quantity(interval, units.GiB, { printed: 2, exact: 1n }))).toBe(1);
  expect(singleValue(quantity(point(3), units.GiB, { printed: 2 }))).toBe(3);
  expect(singleValue(quantity(interval, units.GiB, { printed: 2 }))).toBe(2);
  expect(singleValue(quantity(interval, units.GiB, { nominal: 2 }))).toBeUndefined();
});

test('the interval as written never excludes a member', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -100_000_000, max: 100_000_000 }),
      fc.integer({ min: 20_000, max: 1_000_000 }),
      (start, size) => {
        const interval = { lo: start / 1e6, hi: (start + size) / 1e6 };
        const [lo, hi] = formatAmount(quantity(interval, units.GiB), defaultFormat)
          .replaceAll(',', '')
          .split('…')
          .map(Number);
        expect(lo!).toBeLessThanOrEqual(interval.lo + 1e-9);
        expect(hi ?? lo!).toBeGreaterThanOrEqual(interval.hi - 1e-9);
      },
    ),
  );
});
