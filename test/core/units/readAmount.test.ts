/** Amounts as a person types them, and the simplest decimal back. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAmount } from '../../../src/core/units/readAmount';
import { simplestDecimal } from '../../../src/core/units/simplestDecimal';
import { units } from '../../../src/core/units/unit';

describe('an amount as typed', () => {
  test('without a unit is in the unit that is asked for', () => {
    expect(readAmount('0.88', units.one)).toBe(0.88);
    expect(readAmount('94', units.GiB)).toBe(94n);
    expect(readAmount(' 159,171 ', units.token)).toBe(159171n);
    expect(readAmount('-5e-1', units.one)).toBe(-0.5);
  });

  test('in another byte scale is converted', () => {
    expect(readAmount('97887 MiB', units.GiB)).toBe(97887 / 1024);
    expect(readAmount('1 GB', units.B)).toBe(1_000_000_000);
    expect(readAmount('70272 B/token', units.bytesPerToken)).toBe(70272n);
    expect(readAmount('1000 tokens', units.token)).toBe(1000n);
  });

  test.each(['', 'much', '5 parsecs', '5 token', '1.2.3', '0x10', '5 B/token'])(
    'is refused in GiB when it reads %o',
    text => {
      expect(readAmount(text, units.GiB)).toBeUndefined();
    },
  );
});

test('the simplest decimal is inside the interval and has as few digits as possible', () => {
  expect(simplestDecimal({ lo: 0.876, hi: 0.884 })).toBe(0.88);
  expect(simplestDecimal({ lo: 0.81, hi: 0.99 })).toBe(0.9);
  expect(simplestDecimal({ lo: 0.1234567891, hi: 0.1234567892 })).toBeUndefined();
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), value => {
      const found = simplestDecimal({ lo: value, hi: value + 0.001 });
      expect(found).toBeGreaterThanOrEqual(value);
      expect(found).toBeLessThanOrEqual(value + 0.001);
      expect(String(found).length).toBeLessThanOrEqual('0.123'.length);
    }),
  );
});
