/** Every row of the operator table: bounds go up and down without losing what CPython computes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OperatorName } from '../../../src/core/terms/operator';
import { operators } from '../../../src/core/terms/operator';
import type { Interval } from '../../../src/core/units/interval';
import { enclose, everything, point } from '../../../src/core/units/interval';
import type { PythonNumber } from '../../../src/core/units/pythonNumber';
import { PythonArithmeticError } from '../../../src/core/units/pythonNumber';
import { usualFloat, usualInt } from '../units/arbitrary';

const anyNumber: fc.Arbitrary<PythonNumber> = fc.oneof(usualInt, usualFloat);
const small = fc.bigInt({ min: -4n, max: 70n });

const operandsOf: Readonly<Record<OperatorName, fc.Arbitrary<PythonNumber[]>>> = {
  '+': fc.tuple(anyNumber, anyNumber),
  '-': fc.tuple(anyNumber, anyNumber),
  '*': fc.tuple(anyNumber, anyNumber),
  '/': fc.tuple(anyNumber, anyNumber),
  '//': fc.tuple(anyNumber, anyNumber),
  '%': fc.tuple(anyNumber, anyNumber),
  '**': fc.tuple(anyNumber, fc.oneof(small, fc.double({ min: -3, max: 3, noNaN: true }))),
  '<<': fc.tuple(usualInt, small),
  '>>': fc.tuple(usualInt, small),
  neg: fc.tuple(anyNumber),
  abs: fc.tuple(anyNumber),
  int: fc.tuple(anyNumber),
  float: fc.tuple(anyNumber),
  round: fc.oneof(
    fc.tuple(anyNumber),
    fc.tuple(anyNumber, fc.bigInt({ min: -4n, max: 12n })),
    fc.tuple(
      fc.integer({ min: -9999, max: 9999 }).map(value => value / 1000 + 0.0005),
      fc.bigInt({ min: 0n, max: 4n }),
    ),
  ),
  floor: fc.tuple(anyNumber),
  ceil: fc.tuple(anyNumber),
  min: fc.array(anyNumber, { minLength: 1, maxLength: 4 }),
  max: fc.array(anyNumber, { minLength: 1, maxLength: 4 }),
  '<': fc.tuple(anyNumber, anyNumber),
  '<=': fc.tuple(anyNumber, anyNumber),
  '==': fc.tuple(anyNumber, anyNumber),
  '!=': fc.tuple(anyNumber, anyNumber),
  not: fc.tuple(anyNumber),
};

/** How far an end is moved out: not at all, a little, far, or without end. */
const reach = fc.oneof(
  fc.constant(0),
  fc.double({ min: 0, max: 3, noNaN: true }),
  fc.double({ min: 0, max: 1e12, noNaN: true }),
  fc.constant(Infinity),
);

interface Around {
  readonly below: number;
  readonly above: number;
}

function widened(value: PythonNumber, { below, above }: Around): Interval {
  const { lo, hi } = enclose(value);
  return { lo: lo - below, hi: hi + above };
}

function has({ lo, hi }: Interval, value: PythonNumber): boolean {
  return lo <= value && value <= hi;
}

function exactly(name: OperatorName, operands: readonly PythonNumber[]): PythonNumber | undefined {
  try {
    const value = operators[name].exact(operands);
    // What leaves float64 is no amount of memory.
    return typeof value === 'bigint' || Number.isFinite(value) ? value : undefined;
  } catch (error) {
    if (error instanceof PythonArithmeticError) {
      return undefined;
    }
    throw error;
  }
}

const isWhole = (value: PythonNumber): boolean =>
  typeof value === 'bigint' || Number.isInteger(value);

const around = fc.record({ below: reach, above: reach });
const many = fc.array(around, { minLength: 5, maxLength: 5 });

describe.each(Object.keys(operators) as OperatorName[])('the operator %s', name => {
  const row = operators[name];

  test('has bounds that contain what CPython computes of every choice of members', () => {
    fc.assert(
      fc.property(operandsOf[name], many, (operands, moves) => {
        const result = exactly(name, operands);
        fc.pre(result !== undefined);
        const bounds = row.interval(operands.map((value, at) => widened(value, moves[at]!)));
        expect(bounds && has(bounds, result)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('leaves of each operand what a known result allows', () => {
    fc.assert(
      fc.property(operandsOf[name], many, (operands, moves) => {
        const result = exactly(name, operands);
        fc.pre(result !== undefined);
        const known = operands.map((value, at) => widened(value, moves[at]!));
        const allowed = row.backward(widened(result, moves[4]!), known);
        for (const [at, value] of operands.entries()) {
          const left = allowed[at];
          expect(left === undefined || has(left, value), `${left?.lo} ${value} ${left?.hi}`).toBe(
            true,
          );
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('says that a result is whole only where it is', () => {
    fc.assert(
      fc.property(operandsOf[name], operands => {
        const result = exactly(name, operands);
        const isSaid = row.integer(operands.map(isWhole));
        expect(result === undefined || !isSaid || isWhole(result)).toBe(true);
      }),
    );
  });
});

describe('bounds are no wider than they need be', () => {
  const exactOnPoints: readonly OperatorName[] = [
    '+',
    '-',
    '*',
    '//',
    '%',
    '<<',
    '>>',
    'neg',
    'abs',
    'int',
    'round',
    'floor',
    'ceil',
    'min',
    'max',
    '<',
    '<=',
    '==',
    '!=',
    'not',
  ];

  test.each(exactOnPoints)('%s of small whole numbers is a point', name => {
    const whole = fc.bigInt({ min: -1000n, max: 1000n });
    const operands = operandsOf[name].chain(({ length }) =>
      name === '<<' || name === '>>'
        ? fc.tuple(whole, fc.bigInt({ min: 0n, max: 20n }))
        : fc.array(whole, { minLength: length, maxLength: length }),
    );
    fc.assert(
      fc.property(operands, values => {
        fc.pre(name !== 'round' || values.length === 1);
        const result = exactly(name, values);
        fc.pre(result !== undefined);
        const bounds = operators[name].interval(values.map(value => point(Number(value))));
        expect(bounds!.lo).toBe(bounds!.hi);
      }),
    );
  });

  test.each([
    ['floor', { lo: 3, hi: 3 }, { lo: 3, hi: 4 - 2 ** -51 }],
    ['ceil', { lo: 3, hi: 3 }, { lo: 2 + 2 ** -51, hi: 3 }],
    ['int', { lo: 3, hi: 3 }, { lo: 3, hi: 4 - 2 ** -51 }],
    ['int', { lo: -3, hi: -3 }, { lo: -4 + 2 ** -51, hi: -3 }],
    ['int', { lo: 0, hi: 0 }, { lo: -1 + 2 ** -53, hi: 1 - 2 ** -53 }],
  ] as const)('%s of %o comes from a half-open interval', (name, result, operand) => {
    expect(operators[name].backward(result, [everything])[0]).toEqual(operand);
  });

  test('a floored quotient keeps its open end at either operand', () => {
    const { backward } = operators['//'];
    const [dividend] = backward(point(3), [everything, point(5)]);
    expect(dividend!.lo).toBe(15);
    expect(dividend!.hi).toBeLessThan(20);
    const [, divisor] = backward(point(3), [point(12), everything]);
    expect(divisor!.lo).toBeGreaterThan(3);
    expect(divisor!.hi).toBe(4);
  });

  test('a floored quotient allows every int that Python turns into the same float', () => {
    const dividend = 2n ** 60n - 1n;
    expect(operators['//'].exact([dividend, 2 ** 50])).toBe(1024);
    const [left] = operators['//'].backward(point(1024), [everything, point(2 ** 50)]);
    expect(has(left!, dividend)).toBe(true);
  });

  test('an unknown sign or a zero divisor gives the side that is known', () => {
    const { backward } = operators['/'];
    expect(operators['/'].interval([point(6), { lo: 0, hi: 3 }])).toEqual({ lo: 2, hi: Infinity });
    expect(backward({ lo: -1, hi: 1 }, [{ lo: -1, hi: 1 }, everything])[1]).toBeUndefined();
    expect(operators['*'].backward(point(0), [everything, { lo: -1, hi: 1 }])).toEqual([
      undefined,
      undefined,
    ]);
    const [factor] = operators['*'].backward(point(6), [everything, { lo: 0, hi: 3 }]);
    expect(factor!.lo).toBeCloseTo(2, 12);
    expect(factor!.hi).toBe(Infinity);
  });

  test('an extreme that only one operand can reach is that operand', () => {
    const operands = [
      { lo: 0, hi: 100 },
      { lo: 0, hi: 5 },
    ];
    expect(operators.max.backward({ lo: 10, hi: 12 }, operands)).toEqual([
      { lo: 10, hi: 12 },
      { lo: -Infinity, hi: 12 },
    ]);
    expect(operators.min.backward({ lo: 10, hi: 12 }, operands)).toEqual([
      { lo: 10, hi: Infinity },
      { lo: 10, hi: Infinity },
    ]);
  });

  test('where every case raises there is nothing', () => {
    expect(operators['/'].interval([point(6), point(0)])).toBeUndefined();
    expect(operators['%'].interval([point(6), point(0)])).toBeUndefined();
    expect(operators['<<'].interval([point(6), point(-1)])).toBeUndefined();
    expect(operators['**'].interval([point(0), point(-1)])).toBeUndefined();
  });
});
