/**
 * One row per operator: the exact Python rule, the interval rule, the backward rule (what a known
 * result says of each operand) and the unit rule. There is no other place where an operator means
 * something.
 */
import type { Interval } from '../units/interval';
import {
  addIntervals,
  beforeRounding,
  divideIntervals,
  everything,
  floorDivideIntervals,
  hull,
  intersect,
  isPoint,
  justAbove,
  justBelow,
  multiplyIntervals,
  negateInterval,
  point,
  subtractIntervals,
} from '../units/interval';
import type { PythonNumber } from '../units/pythonNumber';
import {
  PythonArithmeticError,
  add,
  floorDivide,
  isInt,
  modulo,
  multiply,
  power,
  roundToDigits,
  roundToInt,
  shiftLeft,
  shiftRight,
  subtract,
  toFloat,
  toInt,
  trueDivide,
} from '../units/pythonNumber';
import { floorDivisionPreimage, floorPreimage, reaches0, truncationPreimage } from './preimage';
import type { UnitRule } from './unitRule';
import {
  comparisonUnits,
  keepUnit,
  powerUnits,
  productUnits,
  quotientUnits,
  sameUnits,
  shiftUnits,
} from './unitRule';

/** Python's name of each operator or built-in; comparisons give 0 or 1. */
export type OperatorName =
  | '+'
  | '-'
  | '*'
  | '/'
  | '//'
  | '%'
  | '**'
  | '<<'
  | '>>'
  | 'neg'
  | 'abs'
  | 'int'
  | 'float'
  | 'round'
  | 'floor'
  | 'ceil'
  | 'min'
  | 'max'
  | '<'
  | '<='
  | '=='
  | '!='
  | 'not';

/** For each operand what the result allows; undefined at a place where it says nothing. */
type BackwardRule = (
  result: Interval,
  operands: readonly Interval[],
) => readonly (Interval | undefined)[];

/** The rules of one operator. */
export interface OperatorRow {
  /** CPython's result; throws PythonArithmeticError where CPython raises. */
  readonly exact: (operands: readonly PythonNumber[]) => PythonNumber;
  /** An interval that contains every result; undefined where every case raises. */
  readonly interval: (operands: readonly Interval[]) => Interval | undefined;
  readonly backward: BackwardRule;
  /** Set where the backward rule also looks at the bounds of the operand that it speaks of. */
  readonly looksAtOwn?: true;
  /** Whether the result is a whole number (of either type) when these operands are, or are not. */
  readonly integer: (operands: readonly boolean[]) => boolean;
  readonly unit: UnitRule;
}

const first = <T>(list: readonly T[]): T => {
  const [head] = list;
  if (head === undefined) {
    throw new RangeError('an operator without operands');
  }
  return head;
};

const pair = <T>(list: readonly T[]): readonly [T, T] => {
  const [a, b] = list;
  if (a === undefined || b === undefined) {
    throw new RangeError('an operator with one operand missing');
  }
  return [a, b];
};

const always = (): boolean => true;
const never = (): boolean => false;
const all = (operands: readonly boolean[]): boolean => operands.every(Boolean);
const silent = (): readonly undefined[] => [];

function mapEnds(rule: (end: number) => number): OperatorRow['interval'] {
  return operands => {
    const { lo, hi } = first(operands);
    return { lo: rule(lo), hi: rule(hi) };
  };
}

/** The rule of exact arithmetic, for an operation that Python rounds to float64. */
function throughRounding(rule: BackwardRule): BackwardRule {
  return (result, operands) => rule(beforeRounding(result), operands);
}

function comparison(
  exact: (a: PythonNumber, b: PythonNumber) => boolean,
  decide: (a: Interval, b: Interval) => boolean | undefined,
  backward: (holds: boolean, a: Interval, b: Interval) => ReturnType<BackwardRule>,
): OperatorRow {
  return {
    exact: operands => (exact(...pair(operands)) ? 1n : 0n),
    interval: operands => {
      const decided = decide(...pair(operands));
      return decided === undefined ? { lo: 0, hi: 1 } : point(decided ? 1 : 0);
    },
    backward: (result, operands) =>
      isPoint(result) ? backward(result.lo !== 0, ...pair(operands)) : [],
    integer: always,
    unit: comparisonUnits,
  };
}

const below = (bound: number): Interval => ({ lo: -Infinity, hi: bound });
const above = (bound: number): Interval => ({ lo: bound, hi: Infinity });

function extreme(sign: 1 | -1): OperatorRow {
  const best = (values: readonly number[]): number =>
    sign === 1 ? Math.max(...values) : Math.min(...values);
  return {
    exact: operands =>
      operands.reduce((kept, value) => ((sign === 1 ? value > kept : value < kept) ? value : kept)),
    interval: operands => ({
      lo: best(operands.map(({ lo }) => lo)),
      hi: best(operands.map(({ hi }) => hi)),
    }),
    backward: (result, operands) =>
      operands.map((_, at) => {
        const side = sign === 1 ? below(result.hi) : above(result.lo);
        const othersCannot = operands.every(
          (other, index) =>
            index === at || (sign === 1 ? other.hi < result.lo : other.lo > result.hi),
        );
        return othersCannot ? result : side;
      }),
    integer: all,
    unit: sameUnits,
  };
}

function wholePower(base: Interval, exponent: number): Interval {
  let result = point(1);
  for (let count = 0; count < exponent; count++) {
    result = multiplyIntervals(result, base);
  }
  return exponent % 2 === 0 && base.lo < 0 ? { lo: Math.max(0, result.lo), hi: result.hi } : result;
}

/** 2^shift for the shifts that Python allows; undefined when all are negative. */
function powersOf2(shift: Interval): Interval | undefined {
  return shift.hi < 0 ? undefined : { lo: 2 ** Math.max(0, shift.lo), hi: 2 ** shift.hi };
}

/** All rows. */
export const operators: Readonly<Record<OperatorName, OperatorRow>> = {
  '+': {
    exact: operands => add(...pair(operands)),
    interval: operands => addIntervals(...pair(operands)),
    backward: throughRounding((result, operands) => {
      const [a, b] = pair(operands);
      return [subtractIntervals(result, b), subtractIntervals(result, a)];
    }),
    integer: all,
    unit: sameUnits,
  },
  '-': {
    exact: operands => subtract(...pair(operands)),
    interval: operands => subtractIntervals(...pair(operands)),
    backward: throughRounding((result, operands) => {
      const [a, b] = pair(operands);
      return [addIntervals(result, b), subtractIntervals(a, result)];
    }),
    integer: all,
    unit: sameUnits,
  },
  '*': {
    exact: operands => multiply(...pair(operands)),
    interval: operands => multiplyIntervals(...pair(operands)),
    backward: throughRounding((result, operands) => {
      const [a, b] = pair(operands);
      const factor = (other: Interval): Interval | undefined =>
        reaches0(other) && reaches0(result) ? undefined : divideIntervals(result, other);
      return [factor(b), factor(a)];
    }),
    integer: all,
    unit: productUnits,
  },
  '/': {
    exact: operands => trueDivide(...pair(operands)),
    interval: operands => divideIntervals(...pair(operands)),
    backward: throughRounding((result, operands) => {
      const [a, b] = pair(operands);
      const divisor = reaches0(a) && reaches0(result) ? undefined : divideIntervals(a, result);
      return [multiplyIntervals(result, b), divisor];
    }),
    integer: never,
    unit: quotientUnits,
  },
  '//': {
    exact: operands => floorDivide(...pair(operands)),
    interval: operands => floorDivideIntervals(...pair(operands)),
    backward: (result, operands) => floorDivisionPreimage(result, pair(operands)),
    integer: always,
    unit: quotientUnits,
  },
  '%': {
    exact: operands => modulo(...pair(operands)),
    interval: operands => {
      const [a, b] = pair(operands);
      const quotient = floorDivideIntervals(a, b);
      const anything = hull(point(0), b);
      return quotient && isPoint(quotient)
        ? (intersect(subtractIntervals(a, multiplyIntervals(quotient, b)), anything) ?? anything)
        : quotient && anything;
    },
    backward: silent,
    integer: all,
    unit: sameUnits,
  },
  '**': {
    exact: operands => power(...pair(operands)),
    interval: operands => {
      const [base, exponent] = pair(operands);
      const whole = isPoint(exponent) && Number.isInteger(exponent.lo) ? exponent.lo : Infinity;
      if (Math.abs(whole) > 64) {
        return base.lo > 0 ? above(0) : everything;
      }
      const power = wholePower(base, Math.abs(whole));
      return whole < 0 ? divideIntervals(point(1), power) : power;
    },
    backward: silent,
    integer: never,
    unit: powerUnits,
  },
  '<<': {
    exact: operands => {
      const [a, b] = pair(operands);
      return shiftLeft(toIndex(a), toIndex(b));
    },
    interval: operands => {
      const [a, b] = pair(operands);
      const factor = powersOf2(b);
      return factor && multiplyIntervals(a, factor);
    },
    backward: (result, operands) => {
      const factor = powersOf2(pair(operands)[1]);
      return [factor && divideIntervals(result, factor), undefined];
    },
    integer: always,
    unit: shiftUnits(1),
  },
  '>>': {
    exact: operands => {
      const [a, b] = pair(operands);
      return shiftRight(toIndex(a), toIndex(b));
    },
    interval: operands => {
      const [a, b] = pair(operands);
      const divisor = powersOf2(b);
      return divisor && floorDivideIntervals(a, divisor);
    },
    backward: (result, operands) => {
      const [a, b] = pair(operands);
      const divisor = powersOf2(b);
      return divisor ? [floorDivisionPreimage(result, [a, divisor])[0], undefined] : [];
    },
    integer: always,
    unit: shiftUnits(-1),
  },
  neg: {
    exact: operands => negate(first(operands)),
    interval: operands => negateInterval(first(operands)),
    backward: result => [negateInterval(result)],
    integer: all,
    unit: keepUnit,
  },
  abs: {
    exact: operands => {
      const value = first(operands);
      return value < 0 || Object.is(value, -0) ? negate(value) : value;
    },
    interval: operands => {
      const a = first(operands);
      const far = Math.max(Math.abs(a.lo), Math.abs(a.hi));
      return { lo: a.lo <= 0 && a.hi >= 0 ? 0 : Math.min(Math.abs(a.lo), Math.abs(a.hi)), hi: far };
    },
    backward: (result, operands) => {
      const { lo, hi } = first(operands);
      const isPositive = lo > -result.lo || lo >= 0;
      const isNegative = hi < result.lo || hi <= 0;
      return [
        isPositive
          ? result
          : isNegative
            ? negateInterval(result)
            : hull(negateInterval(result), result),
      ];
    },
    looksAtOwn: true,
    integer: all,
    unit: keepUnit,
  },
  int: {
    exact: operands => toInt(first(operands)),
    interval: mapEnds(Math.trunc),
    backward: result => [truncationPreimage(result)],
    integer: always,
    unit: keepUnit,
  },
  float: {
    exact: operands => toFloat(first(operands)),
    interval: first,
    backward: throughRounding(result => [result]),
    integer: all,
    unit: keepUnit,
  },
  round: {
    exact: operands => {
      const [value, digits] = operands;
      return digits === undefined
        ? roundToInt(first(operands))
        : roundToDigits(value ?? 0n, toIndex(digits));
    },
    interval: operands =>
      operands.length === 1
        ? mapEnds(roundEnd)(operands)
        : addIntervals(first(operands), plusOrMinus(halfStep(operands))),
    backward: throughRounding((result, operands) => [
      addIntervals(result, plusOrMinus(halfStep(operands))),
      undefined,
    ]),
    integer: operands => operands.length === 1 || first(operands),
    unit: keepUnit,
  },
  floor: {
    exact: operands => {
      const value = first(operands);
      return isInt(value) ? value : toInt(Math.floor(value));
    },
    interval: mapEnds(Math.floor),
    backward: result => [floorPreimage(result)],
    integer: always,
    unit: keepUnit,
  },
  ceil: {
    exact: operands => {
      const value = first(operands);
      return isInt(value) ? value : toInt(Math.ceil(value));
    },
    interval: mapEnds(Math.ceil),
    backward: result => [negateInterval(floorPreimage(negateInterval(result)))],
    integer: always,
    unit: keepUnit,
  },
  min: extreme(-1),
  max: extreme(1),
  '<': comparison(
    (a, b) => a < b,
    (a, b) => (a.hi < b.lo ? true : a.lo >= b.hi ? false : undefined),
    (holds, a, b) =>
      holds ? [below(justBelow(b.hi)), above(justAbove(a.lo))] : [above(b.lo), below(a.hi)],
  ),
  '<=': comparison(
    (a, b) => a <= b,
    (a, b) => (a.hi <= b.lo ? true : a.lo > b.hi ? false : undefined),
    (holds, a, b) =>
      holds ? [below(b.hi), above(a.lo)] : [above(justAbove(b.lo)), below(justBelow(a.hi))],
  ),
  '==': comparison(
    (a, b) => a == b,
    (a, b) =>
      isPoint(a) && isPoint(b) && a.lo === b.lo ? true : intersect(a, b) ? undefined : false,
    (holds, a, b) => (holds ? [b, a] : []),
  ),
  '!=': comparison(
    (a, b) => a != b,
    (a, b) =>
      isPoint(a) && isPoint(b) && a.lo === b.lo ? false : intersect(a, b) ? undefined : true,
    (holds, a, b) => (holds ? [] : [b, a]),
  ),
  not: {
    exact: operands => (first(operands) == 0 ? 1n : 0n),
    interval: operands => {
      const a = first(operands);
      return a.lo === 0 && a.hi === 0
        ? point(1)
        : a.lo > 0 || a.hi < 0
          ? point(0)
          : { lo: 0, hi: 1 };
    },
    backward: result => (isPoint(result) && result.lo === 1 ? [point(0)] : [undefined]),
    integer: always,
    unit: comparisonUnits,
  },
};

function negate(value: PythonNumber): PythonNumber {
  return isInt(value) ? -value : -value;
}

function toIndex(value: PythonNumber): bigint {
  if (!isInt(value)) {
    throw new PythonArithmeticError('TypeError', 'an int is needed, not a float');
  }
  return value;
}

function roundEnd(end: number): number {
  return Number.isFinite(end) ? Number(roundToInt(end)) : end;
}

function plusOrMinus(reach: number): Interval {
  return { lo: -reach, hi: reach };
}

/** Half of the last digit that `round(x, digits)` keeps, a little more than exactly; 0.5 without digits. */
function halfStep([, digits]: readonly Interval[]): number {
  return digits === undefined ? 0.5 : 0.5 * 10 ** -digits.lo * (1 + 2 ** -40);
}
