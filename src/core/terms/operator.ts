/**
 * One row per operator: the exact Python rule, the interval rule, the backward rule (what a known
 * result says of each operand) and the unit rule. There is no other place where an operator means
 * something; the shape of a row and what rows share is in operatorRow.
 */
import type { Interval } from '../units/interval';
import {
  addIntervals,
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
import type { OperatorRow } from './operatorRow';
import {
  above,
  all,
  always,
  below,
  comparison,
  extreme,
  first,
  mapEnds,
  never,
  pair,
  silent,
  throughRounding,
} from './operatorRow';
import { floorDivisionPreimage, floorPreimage, reaches0, truncationPreimage } from './preimage';
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
