/**
 * How units go through operators. A unit follows the data flow: a sum needs one scale, a product
 * multiplies units, and a product with a constant such as 2^30 changes the scale. A rule answers
 * with a unit, with undefined where it cannot know, or with the mix-up that it found.
 */
import type { PythonNumber } from '../units/pythonNumber';
import { isInt } from '../units/pythonNumber';
import type { Unit } from '../units/unit';
import { changeScale, units } from '../units/unit';

/** What a unit rule sees of an operand. `constant` is set where the value is fixed by the formula. */
export interface UnitOperand {
  /** Undefined where the unit is not known. */
  readonly unit: Unit | undefined;
  /** The value of a term that has no inputs below it. */
  readonly constant: PythonNumber | undefined;
}

/** Two scales of one dimension (or two dimensions) where the operator needs one. */
export interface UnitMismatch {
  readonly left: Unit;
  readonly right: Unit;
}

/** The unit of a result: known, not known, or impossible. */
type UnitAnswer =
  | { readonly unit: Unit | undefined; readonly mismatch?: undefined }
  | { readonly unit: undefined; readonly mismatch: UnitMismatch };

export type UnitRule = (operands: readonly UnitOperand[]) => UnitAnswer;

const unknown: UnitAnswer = { unit: undefined };

/** A bare number of the formula fits any unit in a sum: `max(0, rest)`, `tokens + 100`. */
function isBare({ unit, constant }: UnitOperand): boolean {
  return constant !== undefined && unit === units.one;
}

export const keepUnit: UnitRule = operands => ({ unit: operands[0]?.unit });

/** Sums, differences, extremes and remainders: one scale for all. */
export const sameUnits: UnitRule = operands => {
  const measured = operands.filter(operand => !isBare(operand));
  if (measured.length === 0) {
    return { unit: units.one };
  }
  const known = measured.flatMap(({ unit }) => unit ?? []);
  const [left] = known;
  const right = known.find(unit => unit !== left);
  if (left !== undefined && right !== undefined) {
    return { unit: undefined, mismatch: { left, right } };
  }
  return known.length === measured.length ? { unit: left } : unknown;
};

/** A comparison needs one scale as a sum does; its result is a plain 0 or 1. */
export const comparisonUnits: UnitRule = operands => {
  const answer = sameUnits(operands);
  return answer.mismatch === undefined ? { unit: units.one } : answer;
};

/** The whole number that a plain constant is; undefined for anything else. */
function scaleConstant({ unit, constant }: UnitOperand): bigint | undefined {
  if (unit !== units.one || constant === undefined) {
    return undefined;
  }
  return isInt(constant) ? constant : Number.isInteger(constant) ? BigInt(constant) : undefined;
}

const absent: UnitOperand = { unit: undefined, constant: undefined };

export const productUnits: UnitRule = ([a = absent, b = absent]) => {
  for (const [measured, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const constant = scaleConstant(other);
    const changed =
      measured.unit && constant !== undefined && changeScale(measured.unit, constant, 1);
    if (changed) {
      return { unit: changed };
    }
  }
  return a.unit && b.unit ? { unit: a.unit.times(b.unit) } : unknown;
};

export const quotientUnits: UnitRule = ([a = absent, b = absent]) => {
  const constant = scaleConstant(b);
  const changed = a.unit && constant !== undefined && changeScale(a.unit, constant, -1);
  if (changed) {
    return { unit: changed };
  }
  return a.unit && b.unit ? { unit: a.unit.per(b.unit) } : unknown;
};

/** Only powers of plain numbers occur; anything else has no unit that we name. */
export const powerUnits: UnitRule = ([a = absent, b = absent]) =>
  a.unit === units.one && b.unit === units.one ? { unit: units.one } : unknown;

/** `x << 30` is a product with 2^30, `x >> 20` a quotient by 2^20. */
export function shiftUnits(direction: 1 | -1): UnitRule {
  return ([a = absent, b = absent]) => {
    const shift = scaleConstant(b);
    if (shift === undefined || shift < 0n || shift > 64n) {
      return unknown;
    }
    const factor: UnitOperand = { unit: units.one, constant: 1n << shift };
    return direction === 1 ? productUnits([a, factor]) : quotientUnits([a, factor]);
  };
}
