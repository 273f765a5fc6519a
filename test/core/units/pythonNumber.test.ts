/** Single operations against CPython, bit for bit, and the figures of the domain. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PythonNumber } from '../../../src/core/units/pythonNumber';
import {
  PythonArithmeticError,
  add,
  floorDivide,
  modulo,
  multiply,
  power,
  ratio,
  roundToDigits,
  roundToInt,
  shiftLeft,
  shiftRight,
  subtract,
  toFloat,
  toInt,
  trueDivide,
} from '../../../src/core/units/pythonNumber';
import { nextDown, nextUp } from '../../../src/core/units/interval';
import { anyFloat, usualFloat, usualInt } from './arbitrary';
import { isPythonMissing, runPython } from './python3';
import { evaluateProgram, outcomeOf, pythonLiteral } from './pythonText';

function outcomeOfRunning(run: () => PythonNumber): string {
  try {
    return outcomeOf(run());
  } catch (error) {
    if (error instanceof PythonArithmeticError) {
      return `raises ${error.exception}`;
    }
    throw error;
  }
}

const usualNumber: fc.Arbitrary<PythonNumber> = fc.oneof(usualInt, usualFloat);
const anyNumber: fc.Arbitrary<PythonNumber> = fc.oneof(
  usualNumber,
  anyFloat,
  fc.constantFrom<PythonNumber>(Infinity, -Infinity, NaN, 10n ** 400n, -(10n ** 309n), 3n ** 700n),
);

/** Our outcome and CPython's for many cases of `text` with operands in place of `a` and `b`. */
function compareWithPython(
  text: string,
  operands: fc.Arbitrary<readonly PythonNumber[]>,
  run: (...operands: PythonNumber[]) => PythonNumber,
  count = 1500,
): void {
  const cases = fc.sample(operands, { numRuns: count, seed: 42 });
  const texts = cases.map(([a = 0n, b = 0n]) =>
    text.replace(/\b[ab]\b/g, name => pythonLiteral(name === 'a' ? a : b)),
  );
  const expected = runPython(evaluateProgram, texts) as string[];
  const found = cases.map(values => outcomeOfRunning(() => run(...values)));
  const differences = texts.flatMap((expression, at) =>
    found[at] === expected[at] ? [] : [`${expression}: ${found[at]}, CPython ${expected[at]}`],
  );
  expect(differences).toEqual([]);
}

describe.skipIf(isPythonMissing)('arithmetic gives what CPython gives for', () => {
  const two = fc.tuple(anyNumber, anyNumber);

  test('a + b', () => compareWithPython('a + b', two, add));
  test('a - b', () => compareWithPython('a - b', two, subtract));
  test('a * b', () => compareWithPython('a * b', two, multiply));
  test('a / b', () => compareWithPython('a / b', two, trueDivide));
  test('a // b', () => compareWithPython('a // b', two, floorDivide));
  test('a % b', () => compareWithPython('a % b', two, modulo));
  test('int(a)', () => compareWithPython('int(a)', fc.tuple(anyNumber), toInt));
  test('float(a)', () => compareWithPython('float(a)', fc.tuple(anyNumber), toFloat));
  test('round(a)', () => compareWithPython('round(a)', fc.tuple(anyNumber), roundToInt));

  test('a / b of ints of every size, down to subnormal results', () => {
    const huge = fc.bigInt({ min: -(1n << 1100n), max: 1n << 1100n });
    const size = fc.bigInt({ min: 0n, max: 1200n });
    const scaled = fc.tuple(huge, size).map(([value, drop]) => value >> drop);
    const far = fc.tuple(usualInt, size).map(([value, rise]) => value << rise);
    compareWithPython('a / b', fc.tuple(fc.oneof(scaled, far), fc.oneof(scaled, far)), trueDivide);
  });

  test('a // b and a % b of quotients that nearly are whole', () => {
    const nearly = fc
      .tuple(fc.double({ min: 1, max: 1e6, noNaN: true }), fc.integer({ min: -1e6, max: 1e6 }))
      .chain(([divisor, count]) =>
        fc.constantFrom(
          [count * divisor, divisor] as const,
          [nextUp(count * divisor), divisor] as const,
          [nextDown(count * divisor), -divisor] as const,
        ),
      );
    compareWithPython('a // b', nearly, floorDivide);
    compareWithPython('a % b', nearly, modulo);
  });

  test('round(a, b)', () => {
    const digits = fc.bigInt({ min: -20n, max: 330n });
    const halves = fc.integer({ min: -100_000, max: 100_000 }).map(value => value / 1000 + 0.0005);
    const operands = fc.tuple(
      fc.oneof(anyNumber, halves),
      fc.oneof(digits, fc.bigInt({ min: -5n, max: 5n })),
    );
    compareWithPython('round(a, b)', operands, (a, b) => roundToDigits(a, toInt(b)));
  });

  test('round(a) of halves and their neighbours', () => {
    const halves = fc
      .integer({ min: -1000, max: 1000 })
      .chain(value =>
        fc.constantFrom(value + 0.5, nextUp(value + 0.5), nextDown(value + 0.5), 2 ** 52 + value),
      );
    compareWithPython('round(a)', fc.tuple(halves), roundToInt);
  });

  test('a << b and a >> b', () => {
    const operands = fc.tuple(usualInt, fc.bigInt({ min: -3n, max: 200n }));
    compareWithPython('a << b', operands, (a, b) => shiftLeft(toInt(a), toInt(b)));
    compareWithPython('a >> b', operands, (a, b) => shiftRight(toInt(a), toInt(b)));
  });

  test('a ** b of ints, exactly', () => {
    const operands = fc.tuple(usualInt, fc.bigInt({ min: 0n, max: 60n }));
    compareWithPython('a ** b', operands, power);
  });
});

test.skipIf(isPythonMissing)(
  'a power of floats is what CPython gives to the last digit, and raises where CPython does',
  () => {
    const exponent = fc.oneof(fc.integer({ min: -70, max: 70 }), fc.double({ min: -9, max: 9 }));
    const cases = fc.sample(fc.tuple(usualNumber, fc.oneof(usualInt, exponent)), {
      numRuns: 3000,
      seed: 7,
    });
    const small = cases.filter(
      ([a, b]) => typeof a === 'number' || typeof b === 'number' || b < 0n,
    );
    const expected = runPython(
      evaluateProgram,
      small.map(([a, b]) => `${pythonLiteral(a)} ** ${pythonLiteral(b)}`),
    ) as string[];
    for (const [at, [a, b]] of small.entries()) {
      const found = outcomeOfRunning(() => power(a, b));
      if (a < 0 && !Number.isInteger(Number(b))) {
        // CPython's result is complex, or a complex overflow.
        expect(found).toBe('raises ValueError');
      } else if (found.startsWith('float') && expected[at] !== found) {
        const value = Number(power(a, b));
        expect([nextUp(value), nextDown(value)].map(outcomeOf), `${a} ** ${b}`).toContain(
          expected[at],
        );
      } else {
        expect(found, `${a} ** ${b}`).toBe(expected[at]);
      }
    }
  },
);

describe('numbers of the domain', () => {
  test('floor division follows the exact quotient, not the rounded one', () => {
    expect(floorDivide(7247757312n, 44236.8)).toBe(163839);
    expect(Math.floor(7247757312 / 44236.8)).toBe(163840);
  });

  test('an int divided by an int is rounded once', () => {
    // The nearest float64 of the exact quotient, by CPython; dividing the rounded ints gives …4.
    expect(trueDivide((1n << 53n) + 1n, 3n)).toBe(3002399751580331);
  });

  test('integers far beyond memory sizes are refused instead of filling memory', () => {
    expect(() => shiftLeft(1n, 1n << 40n)).toThrow(PythonArithmeticError);
    expect(() => power(10n, 1n << 40n)).toThrow(PythonArithmeticError);
    expect(() => roundToDigits(5n, -(1n << 40n))).toThrow(PythonArithmeticError);
    expect(power(-1n, (1n << 40n) + 1n)).toBe(-1n);
  });

  test('the exact ratio of a float gives the float back', () => {
    fc.assert(
      fc.property(anyFloat, value => {
        const [numerator, denominator] = ratio(value);
        expect(denominator > 0n).toBe(true);
        expect(trueDivide(numerator, denominator)).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});
