/**
 * How units go through operators. A unit follows the data flow: a sum needs one scale, a product
 * multiplies units, and a product with a constant such as 2^30 changes the scale. A rule answers
 * with a unit, with undefined where it cannot know, or with the mix-up that it found.
 */
import type { PythonNumber } from '../units/pythonNumber';
import { isInt } from '../units/pythonNumber';
import type { Unit } from '../units/unit';
import { changeScale, scaleOfBytes, units } from '../units/unit';

/** What a unit rule sees of an operand. `constant` is set where the value is fixed by the formula. */
export interface UnitOperand {
  /** Undefined where the unit is not known. */
  readonly unit: Unit | undefined;
  /** The value of a term that has no inputs below it. */
  readonly constant: PythonNumber | undefined;
  /** True for one of several numbers that the formula writes: a choice between constants. */
  readonly isBare?: boolean;
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

/** The same, or one of several bare numbers: either fits any unit in a sum, none is a known scale. */
function fitsAny(operand: UnitOperand): boolean {
  return isBare(operand) || (operand.isBare === true && operand.unit === units.one);
}

export const keepUnit: UnitRule = operands => ({ unit: operands[0]?.unit });

/** Sums, differences, extremes and remainders: one scale for all. */
export const sameUnits: UnitRule = operands => {
  const measured = operands.filter(operand => !fitsAny(operand));
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

/** A constant by which a value is multiplied (1) or divided (-1), as a whole number. */
interface Factor {
  readonly size: bigint;
  readonly direction: 1 | -1;
}

/** The factor that a plain constant is: 1e-9 divides by 10^9. Undefined for other values. */
function factorOf({ unit, constant }: UnitOperand, direction: 1 | -1): Factor | undefined {
  if (unit !== units.one || constant === undefined) {
    return undefined;
  }
  if (isInt(constant) || Number.isInteger(constant)) {
    return { size: BigInt(constant), direction };
  }
  const inverse = Math.round(1 / constant);
  return Number.isFinite(inverse) && 1 / inverse === constant
    ? { size: BigInt(inverse), direction: direction === 1 ? -1 : 1 }
    : undefined;
}

/** A bare divisor from here on tells another scale or another thing: bytes / 10^6, bytes // 70272. */
const smallestScale = 1000;

/**
 * The unit of a measured value times (1) or divided by (-1) a constant: another scale of memory, the
 * same unit for a share or a multiple, unknown where memory is divided by what must mean something.
 */
export function scaledUnit(
  unit: Unit,
  constant: PythonNumber,
  direction: 1 | -1,
): Unit | undefined {
  const factor = factorOf({ unit: units.one, constant }, direction);
  const changed = factor && changeScale(unit, factor.size, factor.direction);
  if (changed !== undefined || unit.byteScale === undefined) {
    return changed ?? unit;
  }
  const growth = Math.abs(Number(constant)) ** direction;
  const isOther =
    growth <= 1 / smallestScale || (growth >= smallestScale && unit.byteScale !== 'B');
  return isOther && growth !== 0 ? undefined : unit;
}

/** An amount times the bytes of another scale than its own: GiB times 10^9 is no number of bytes. */
function mixedScales(left: Unit, constant: UnitOperand): UnitMismatch | undefined {
  const factor = left.isMemory && left !== units.B ? factorOf(constant, 1) : undefined;
  const scale = factor?.direction === 1 ? scaleOfBytes(factor.size) : undefined;
  const right = scale && left.withByteScale(scale);
  return right && right !== left ? { left, right } : undefined;
}

const absent: UnitOperand = { unit: undefined, constant: undefined };

export const productUnits: UnitRule = ([a = absent, b = absent]) => {
  for (const [measured, other] of [
    [a, b],
    [b, a],
  ] as const) {
    if (measured.unit !== undefined && !isBare(measured) && isBare(other)) {
      const unit = scaledUnit(measured.unit, other.constant ?? 1n, 1);
      const mismatch = unit === undefined ? mixedScales(measured.unit, other) : undefined;
      return mismatch === undefined ? { unit } : { unit: undefined, mismatch };
    }
  }
  return a.unit && b.unit ? { unit: a.unit.times(b.unit) } : unknown;
};

export const quotientUnits: UnitRule = ([a = absent, b = absent]) => {
  if (a.unit !== undefined && !isBare(a) && isBare(b)) {
    return { unit: scaledUnit(a.unit, b.constant ?? 1n, -1) };
  }
  return a.unit && b.unit ? { unit: a.unit.per(b.unit) } : unknown;
};

/** Only powers of plain numbers occur; anything else has no unit that we name. */
export const powerUnits: UnitRule = ([a = absent, b = absent]) =>
  a.unit === units.one && b.unit === units.one ? { unit: units.one } : unknown;

/** `x << 30` is a product with 2^30, `x >> 20` a quotient by 2^20. */
export function shiftUnits(direction: 1 | -1): UnitRule {
  return ([a = absent, b = absent]) => {
    const shift = b.constant;
    if (b.unit !== units.one || typeof shift !== 'bigint' || shift < 0n || shift > 64n) {
      return unknown;
    }
    const factor: UnitOperand = { unit: units.one, constant: 1n << shift };
    return direction === 1 ? productUnits([a, factor]) : quotientUnits([a, factor]);
  };
}
