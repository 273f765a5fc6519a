/**
 * One row per operator: the exact Python rule, the interval rule, the backward rule (what a known
 * result says of each operand) and the unit rule. There is no other place where an operator means
 * something.
 */
import type { Interval } from '../units/interval';
import {
  addIntervals,
  divideIntervals,
  everything,
  hull,
  intersect,
  isPoint,
  multiplyIntervals,
  negateInterval,
  nextDown,
  nextUp,
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

/** What is known of one value: bounds, and whether it is a Python int. */
export interface Range {
  readonly interval: Interval;
  readonly integer: boolean;
}

/** The rules of one operator. */
export interface OperatorRow {
  /** CPython's result; throws PythonArithmeticError where CPython raises. */
  readonly exact: (operands: readonly PythonNumber[]) => PythonNumber;
  /** An interval that contains every result; undefined where every case raises. */
  readonly interval: (operands: readonly Interval[]) => Interval | undefined;
  /** For each operand what the result allows; undefined at a place where it says nothing. */
  readonly backward: (
    result: Interval,
    operands: readonly Interval[],
  ) => readonly (Interval | undefined)[];
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

/** floor(x) = n says x is in [n, n + 1), half open. */
function floorPreimage(result: Interval): Interval {
  return { lo: Math.ceil(result.lo), hi: nextDown(Math.floor(result.hi) + 1) };
}

function truncationPreimage(result: Interval): Interval {
  const lo = Math.ceil(result.lo);
  const hi = Math.floor(result.hi);
  return { lo: lo > 0 ? lo : nextUp(lo - 1), hi: hi < 0 ? hi : nextDown(hi + 1) };
}

function comparison(
  exact: (a: PythonNumber, b: PythonNumber) => boolean,
  decide: (a: Interval, b: Interval) => boolean | undefined,
  backward: (holds: boolean, a: Interval, b: Interval) => readonly (Interval | undefined)[],
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
      operands.map((operand, at) => {
        const side = sign === 1 ? below(result.hi) : above(result.lo);
        const othersCannot = operands.every(
          (other, index) =>
            index === at || (sign === 1 ? other.hi < result.lo : other.lo > result.hi),
        );
        return othersCannot ? intersect(result, operand) : side;
      }),
    integer: all,
    unit: sameUnits,
  };
}

const integerPower = (exponent: Interval): number | undefined =>
  isPoint(exponent) && Number.isInteger(exponent.lo) ? exponent.lo : undefined;

/** All rows. */
export const operators: Readonly<Record<OperatorName, OperatorRow>> = {
  '+': {
    exact: operands => add(...pair(operands)),
    interval: operands => addIntervals(...pair(operands)),
    backward: (result, operands) => {
      const [a, b] = pair(operands);
      return [subtractIntervals(result, b), subtractIntervals(result, a)];
    },
    integer: all,
    unit: sameUnits,
  },
  '-': {
    exact: operands => subtract(...pair(operands)),
    interval: operands => subtractIntervals(...pair(operands)),
    backward: (result, operands) => {
      const [a, b] = pair(operands);
      return [addIntervals(result, b), subtractIntervals(a, result)];
    },
    integer: all,
    unit: sameUnits,
  },
  '*': {
    exact: operands => multiply(...pair(operands)),
    interval: operands => multiplyIntervals(...pair(operands)),
    backward: (result, operands) => {
      const [a, b] = pair(operands);
      const factor = (other: Interval): Interval | undefined =>
        other.lo <= 0 && other.hi >= 0 && result.lo <= 0 && result.hi >= 0
          ? undefined
          : divideIntervals(result, other);
      return [factor(b), factor(a)];
    },
    integer: all,
    unit: productUnits,
  },
  '/': {
    exact: operands => trueDivide(...pair(operands)),
    interval: operands => divideIntervals(...pair(operands)),
    backward: (result, operands) => {
      const [a, b] = pair(operands);
      const divisor =
        a.lo <= 0 && a.hi >= 0 && result.lo <= 0 && result.hi >= 0
          ? undefined
          : divideIntervals(a, result);
      return [multiplyIntervals(result, b), divisor];
    },
    integer: never,
    unit: quotientUnits,
  },
  '//': {
    exact: operands => floorDivide(...pair(operands)),
    interval: operands => {
      const quotient = divideIntervals(...pair(operands));
      return quotient && { lo: Math.floor(quotient.lo), hi: Math.floor(quotient.hi) };
    },
    backward: (result, operands) => operators['/'].backward(floorPreimage(result), operands),
    integer: always,
    unit: quotientUnits,
  },
  '%': {
    exact: operands => modulo(...pair(operands)),
    interval: operands => {
      const [a, b] = pair(operands);
      const quotient = divideIntervals(a, b);
      if (quotient && Math.floor(quotient.lo) === Math.floor(quotient.hi)) {
        const whole = multiplyIntervals(point(Math.floor(quotient.lo)), b);
        return intersect(subtractIntervals(a, whole), hull(point(0), b)) ?? hull(point(0), b);
      }
      return quotient && hull(point(0), b);
    },
    backward: silent,
    integer: all,
    unit: sameUnits,
  },
  '**': {
    exact: operands => power(...pair(operands)),
    interval: operands => {
      const [base, exponent] = pair(operands);
      const whole = integerPower(exponent);
      if (whole !== undefined && whole >= 0 && whole <= 64) {
        let result = point(1);
        for (let count = 0; count < whole; count++) {
          result = multiplyIntervals(result, base);
        }
        return whole % 2 === 0 && base.lo < 0
          ? { lo: Math.max(0, result.lo), hi: result.hi }
          : result;
      }
      return base.lo > 0 ? above(0) : everything;
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
      return multiplyIntervals(a, { lo: 2 ** b.lo, hi: 2 ** b.hi });
    },
    backward: (result, operands) => {
      const [, b] = pair(operands);
      return [divideIntervals(result, { lo: 2 ** b.lo, hi: 2 ** b.hi }), undefined];
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
      return operators['//'].interval([a, { lo: 2 ** b.lo, hi: 2 ** b.hi }]);
    },
    backward: (result, operands) => {
      const [a, b] = pair(operands);
      const [dividend] = operators['//'].backward(result, [a, { lo: 2 ** b.lo, hi: 2 ** b.hi }]);
      return [dividend, undefined];
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
      const reach = { lo: -result.hi, hi: result.hi };
      return [lo >= 0 ? result : hi <= 0 ? negateInterval(result) : reach];
    },
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
    backward: result => [result],
    integer: never,
    unit: keepUnit,
  },
  round: {
    exact: operands => {
      const [value, digits] = operands;
      return digits === undefined
        ? roundToInt(first(operands))
        : roundToDigits(value ?? 0n, toIndex(digits));
    },
    interval: operands => {
      const value = first(operands);
      const half = halfStep(operands);
      const ints = operands.length === 1;
      return ints
        ? { lo: Number(safeRound(value.lo)), hi: Number(safeRound(value.hi)) }
        : addIntervals(value, { lo: -half, hi: half });
    },
    backward: (result, operands) => {
      const half = halfStep(operands);
      return [addIntervals(result, { lo: -half, hi: half }), undefined];
    },
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
      holds ? [below(nextDown(b.hi)), above(nextUp(a.lo))] : [above(b.lo), below(a.hi)],
  ),
  '<=': comparison(
    (a, b) => a <= b,
    (a, b) => (a.hi <= b.lo ? true : a.lo > b.hi ? false : undefined),
    (holds, a, b) =>
      holds ? [below(b.hi), above(a.lo)] : [above(nextUp(b.lo)), below(nextDown(a.hi))],
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
    throw new PythonArithmeticError('ValueError', 'an int is needed, not a float');
  }
  return value;
}

function safeRound(value: number): PythonNumber {
  return Number.isFinite(value) ? roundToInt(value) : value;
}

/** Half of the last digit that `round(x, digits)` keeps, widened by a float step; 0.5 without digits. */
function halfStep(operands: readonly Interval[]): number {
  const digits = operands[1];
  return digits === undefined ? 0.5 : 0.5 * 10 ** -digits.lo * (1 + 2 ** -40);
}
