/** Arithmetic over quantities: bounds, unit, basis and sources of a formula's result. */
import { describe, expect, test } from 'vitest';
import { input } from '../../../src/core/terms/build';
import { derive, factOf, sum } from '../../../src/core/terms/derive';
import { printedInterval } from '../../../src/core/units/printed';
import type { Quantity } from '../../../src/core/units/quantity';
import type { Unit } from '../../../src/core/units/unit';
import { units } from '../../../src/core/units/unit';

function printed(text: string, unit: Unit, line: number): Quantity {
  return {
    interval: printedInterval(text)!,
    unit,
    basis: 'proved',
    assumptions: [],
    provenance: [{ kind: 'printed', line }],
    printed: Number(text),
    nominal: Number(text),
  };
}

const begin = printed('93.99', units.GiB, 3);
const end = printed('21.71', units.GiB, 12);

describe('a derived quantity', () => {
  test('has bounds around the truth, its unit and every line that it rests on', () => {
    const weights = derive('begin - end', { begin, end });
    expect(weights?.interval.lo).toBeCloseTo(72.27, 12);
    expect(weights?.interval.hi).toBeCloseTo(72.29, 12);
    expect(weights?.unit).toBe(units.GiB);
    expect(weights?.basis).toBe('proved');
    expect(weights?.nominal).toBeCloseTo(72.28, 12);
    expect(weights?.printed).toBeUndefined();
    expect(weights?.provenance).toEqual([
      { kind: 'printed', line: 3 },
      { kind: 'printed', line: 12 },
    ]);
  });

  test('is assumed as soon as one of its inputs is', () => {
    const assumed: Quantity = { ...end, basis: 'assumed', assumptions: ['A = end'] };
    expect(derive('begin - end', { begin, end: assumed })).toMatchObject({
      basis: 'assumed',
      assumptions: ['A = end'],
    });
  });

  test('is exact where its inputs are', () => {
    const tokens: Quantity = { ...printed('159171', units.token, 5), exact: 159171n };
    const cell: Quantity = { ...printed('70272', units.bytesPerToken, 5), exact: 70272n };
    // 159171 * 70272 by python3.
    expect(derive('tokens * cell', { tokens, cell })).toMatchObject({
      exact: 11185264512n,
      unit: units.B,
    });
  });

  test('is absent where scales do not fit', () => {
    const bytes = printed('100', units.B, 1);
    expect(derive('begin - bytes', { begin, bytes })).toBeUndefined();
  });
});

describe('a sum', () => {
  test('of quantities adds their bounds, and of none is absent', () => {
    expect(sum([begin, end])?.interval.hi).toBeCloseTo(115.71, 12);
    expect(sum([begin])).toMatchObject({ interval: begin.interval, printed: 93.99 });
    expect(sum([])).toBeUndefined();
  });
});

test('a fact of a quantity keeps what it says, with the best single value that there is', () => {
  const term = input('begin', units.GiB);
  expect(factOf(term, begin)).toMatchObject({ term, interval: begin.interval, nominal: 93.99 });
  expect(factOf(term, { ...begin, exact: 94n }).nominal).toBe(94n);
});
