/** The algebra of units, their spelling, and which constants change a scale. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScaleName } from '../../../src/core/units/unit';
import { Unit, bytesPer, changeScale, units } from '../../../src/core/units/unit';

const scales: readonly ScaleName[] = ['B', 'KiB', 'MiB', 'GiB', 'GB', 'token', 'request', 's'];

const anyUnit = fc
  .array(fc.tuple(fc.constantFrom(...scales), fc.integer({ min: -3, max: 3 })), { maxLength: 4 })
  .map(powers => Unit.from(new Map(powers)));

describe('units', () => {
  test('multiply associatively and commutatively, with 1 as the neutral unit', () => {
    fc.assert(
      fc.property(anyUnit, anyUnit, anyUnit, (a, b, c) => {
        expect(a.times(b).times(c)).toBe(a.times(b.times(c)));
        expect(a.times(b)).toBe(b.times(a));
        expect(a.times(units.one)).toBe(a);
        expect(a.per(units.one)).toBe(a);
      }),
    );
  });

  test('have an inverse, and dividing undoes multiplying', () => {
    fc.assert(
      fc.property(anyUnit, anyUnit, (a, b) => {
        expect(a.per(a)).toBe(units.one);
        expect(a.times(b).per(b)).toBe(a);
        expect(a.per(b)).toBe(a.times(units.one.per(b)));
      }),
    );
  });

  test('are read back from their names as the same object', () => {
    fc.assert(
      fc.property(anyUnit, unit => {
        expect(Unit.parse(unit.name)).toBe(unit);
        expect(String(unit)).toBe(unit.name);
      }),
    );
  });

  test('have the names of the JSON contract', () => {
    expect(Object.values(units).map(({ name }) => name)).toEqual([
      'B',
      'KiB',
      'MiB',
      'GiB',
      'GB',
      'token',
      'B/token',
      'request',
      's',
      '1',
    ]);
    expect(units.bytesPerToken).toBe(units.B.per(units.token));
  });

  test('add powers when a factor is written twice', () => {
    expect(Unit.parse('B*B/token')?.power('B')).toBe(2);
    expect(Unit.parse('B/token*token')).toBe(units.B);
    expect(Unit.parse('s^-1')).toBe(Unit.parse('1/s'));
  });

  test.each(['', 'GiBs', 'gib', 'B//token', '*B', 'B^x', 'TB', '2', 'toString', '__proto__'])(
    'cannot be read from %o',
    text => {
      expect(Unit.parse(text)).toBeUndefined();
    },
  );

  test('know the byte scale of an amount and of a rate, and no other', () => {
    expect(units.GiB.byteScale).toBe('GiB');
    expect(units.bytesPerToken.byteScale).toBe('B');
    expect(units.token.byteScale).toBeUndefined();
    expect(Unit.parse('B^2')?.byteScale).toBeUndefined();
    expect(Unit.parse('GiB/B')?.byteScale).toBeUndefined();
    expect(units.bytesPerToken.isMemory).toBe(false);
    expect(units.GB.isMemory).toBe(true);
  });
});

describe('a constant changes the scale', () => {
  const amounts = scales.filter(scale => bytesPer(scale) !== undefined);
  const pairs = amounts.flatMap(from => amounts.map(to => [from, to] as const));

  test.each(pairs)('of %s into %s exactly when it is their ratio', (from, to) => {
    const constants = [2n, 10n, 1000n, 1024n, 1n << 20n, 1n << 30n, 10n ** 6n, 10n ** 9n];
    const [bytesFrom, bytesTo] = [bytesPer(from) ?? 0n, bytesPer(to) ?? 0n];
    for (const constant of constants) {
      const isMultiplied = bytesFrom === bytesTo * constant;
      const isDivided = bytesFrom * constant === bytesTo;
      const target = Unit.parse(to);
      expect(changeScale(Unit.parse(from)!, constant, 1) === target).toBe(isMultiplied);
      expect(changeScale(Unit.parse(from)!, constant, -1) === target).toBe(isDivided);
    }
  });

  test('both ways between bytes and 2^10, 2^20, 2^30 and 10^9', () => {
    for (const [constant, unit] of [
      [1n << 10n, units.KiB],
      [1n << 20n, units.MiB],
      [1n << 30n, units.GiB],
      [10n ** 9n, units.GB],
    ] as const) {
      expect(changeScale(units.B, constant, -1)).toBe(unit);
      expect(changeScale(unit, constant, 1)).toBe(units.B);
    }
    expect(changeScale(units.MiB, 1024n, -1)).toBe(units.GiB);
  });

  test('of a rate, and leaves the other factors alone', () => {
    expect(changeScale(units.bytesPerToken, 1n << 30n, -1)).toBe(Unit.parse('GiB/token'));
    expect(changeScale(Unit.parse('GB/s')!, 10n ** 9n, 1)).toBe(Unit.parse('B/s'));
  });

  test('never of counts, of plain numbers or of products', () => {
    for (const name of ['token', '1', 's', 'request', 'B^2', 'token/B']) {
      expect(changeScale(Unit.parse(name)!, 1n << 30n, 1)).toBeUndefined();
      expect(changeScale(Unit.parse(name)!, 1n << 30n, -1)).toBeUndefined();
    }
  });

  test('never when the scale that would result does not exist', () => {
    expect(changeScale(units.B, 1024n, 1)).toBeUndefined();
    expect(changeScale(units.GiB, 1024n, -1)).toBeUndefined();
    expect(changeScale(units.GB, 1n << 30n, 1)).toBeUndefined();
    expect(changeScale(units.GiB, 10n ** 9n, 1)).toBeUndefined();
  });
});
