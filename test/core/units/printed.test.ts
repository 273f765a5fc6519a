/** Printed numbers against CPython's formatting. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contains, nextDown, nextUp, point } from '../../../src/core/units/interval';
import { printedInterval } from '../../../src/core/units/printed';
import { usualFloat } from './arbitrary';
import { isPythonMissing, runPython } from './python3';

const program = `
import json, sys
print(json.dumps([['%.2f' % x, '%.3f' % x, '%.1f' % x] for x in json.load(sys.stdin)]))
`;

/** Amounts, and floats right at and beside the decimal ends where printing changes over. */
const printable = fc.oneof(
  usualFloat.filter(value => Math.abs(value) < 1e15),
  fc
    .integer({ min: -200_000, max: 200_000 })
    .map(digits => digits / 1000 + 0.0005)
    .chain(end => fc.constantFrom(end, nextUp(end), nextDown(end))),
  fc.integer({ min: -50_000, max: 50_000 }).map(digits => digits / 1000),
);

describe.skipIf(isPythonMissing)('a number that CPython printed', () => {
  const values = fc.sample(printable, { numRuns: 6000, seed: 11 });
  const texts = runPython(program, values) as string[][];

  test.each([
    [0, 0.01],
    [1, 0.001],
    [2, 0.1],
  ])('lies in the interval of its text, which is one last digit wide (%#)', (place, unit) => {
    for (const [at, value] of values.entries()) {
      const text = texts[at]![place]!;
      const interval = printedInterval(text)!;
      expect(contains(interval, point(value)), `${value} printed as ${text}`).toBe(true);
      const slack = 4 * (nextUp(Math.abs(value) + 1) - (Math.abs(value) + 1));
      expect(interval.hi - interval.lo, text).toBeLessThanOrEqual(unit + slack);
    }
  });

  test('and no float outside the interval prints as that text', () => {
    const outside = values.flatMap((_, at) => {
      const text = texts[at]![0]!;
      const { lo, hi } = printedInterval(text)!;
      return [lo, hi].map(end => ({ text, end, beyond: end === lo ? nextDown(lo) : nextUp(hi) }));
    });
    const printed = runPython(
      program,
      outside.map(({ beyond }) => beyond),
    ) as string[][];
    for (const [at, { text, beyond }] of outside.entries()) {
      expect(printed[at]![0], `${beyond}`).not.toBe(text);
    }
  });
});

describe('a printed number', () => {
  test('with decimals is an interval around it', () => {
    expect(printedInterval('21.71')).toEqual({ lo: 21.705, hi: 21.715 });
    expect(printedInterval(' -20.603 ')).toEqual({ lo: -20.6035, hi: -20.6025 });
    expect(printedInterval('93.999')).toEqual({ lo: 93.9985, hi: 93.9995 });
  });

  test('without a point is itself', () => {
    expect(printedInterval('70272')).toEqual(point(70272));
    expect(printedInterval('-314811')).toEqual(point(-314811));
    expect(printedInterval('9007199254740993')).toEqual({ lo: 2 ** 53, hi: 2 ** 53 + 2 });
  });

  test('near zero has the sign that was printed', () => {
    expect(printedInterval('0.00')).toEqual({ lo: 0, hi: 0.005 });
    expect(printedInterval('-0.00')).toEqual({ lo: -0.005, hi: -0 });
  });

  test.each(['', 'nan', 'inf', '1e5', '1,180', '0x10', '1.2.3', '--1', 'GB', '1_000'])(
    'is none when the text is %o',
    text => {
      expect(printedInterval(text)).toBeUndefined();
    },
  );
});
