/**
 * What the rows of the operator table are made of: the shape of a row, operands by number, and the rules
 * that several operators share. Leaves out what any one operator means (operator).
 */
import type { Interval } from '../units/interval';
import { beforeRounding, isPoint, point } from '../units/interval';
import type { PythonNumber } from '../units/pythonNumber';
import type { UnitRule } from './unitRule';
import { comparisonUnits, sameUnits } from './unitRule';

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

/** The first operand. */
export const first = <T>(list: readonly T[]): T => {
  const [head] = list;
  if (head === undefined) {
    throw new RangeError('an operator without operands');
  }
  return head;
};

/** The two operands of a binary operator. */
export const pair = <T>(list: readonly T[]): readonly [T, T] => {
  const [a, b] = list;
  if (a === undefined || b === undefined) {
    throw new RangeError('an operator with one operand missing');
  }
  return [a, b];
};

/** Whole whatever the operands are. */
export const always = (): boolean => true;
/** Not known to be whole, whatever the operands are. */
export const never = (): boolean => false;
/** Whole where all operands are. */
export const all = (operands: readonly boolean[]): boolean => operands.every(Boolean);
/** A result that says nothing of its operands. */
export const silent = (): readonly undefined[] => [];

/** The interval rule of a function that never falls. */
export function mapEnds(rule: (end: number) => number): OperatorRow['interval'] {
  return operands => {
    const { lo, hi } = first(operands);
    return { lo: rule(lo), hi: rule(hi) };
  };
}

/** The rule of exact arithmetic, for an operation that Python rounds to float64. */
export function throughRounding(rule: BackwardRule): BackwardRule {
  return (result, operands) => rule(beforeRounding(result), operands);
}

/** A row that answers 0 or 1; `backward` is asked where the answer is known. */
export function comparison(
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

/** Everything up to a bound. */
export const below = (bound: number): Interval => ({ lo: -Infinity, hi: bound });
/** Everything from a bound on. */
export const above = (bound: number): Interval => ({ lo: bound, hi: Infinity });

/** `max` (1) or `min` (-1). */
export function extreme(sign: 1 | -1): OperatorRow {
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
