/**
 * Replaces what a followed call measured by the input that stands for the measurement. The unit is
 * that of the callee's own arithmetic; the given value is converted to it.
 */
import { apply, constant } from '../terms/build';
import type { Term } from '../terms/term';
import { bytesPer, units } from '../units/unit';
import type { Unit } from '../units/unit';
import { computesWithFraction } from './fractionUse';
import type { Frame, Machine } from './machine';
import { unitNamed } from './machine';
import { UnitFlow } from './unitFlow';
import type { Value } from './value';
import { fromTerm } from './value';

/**
 * The input in place of `result` of a call in a function that computes with the fraction; undefined where the result is no measured amount of memory. Without
 * a result (a call that could not be followed) the input has its own unit.
 */
export function measuredInput(
  machine: Machine,
  { definition }: Frame,
  result: Value | undefined,
): Value | undefined {
  const { measurement, fractionNames } = machine.facts;
  if (definition === undefined || !computesWithFraction(definition, fractionNames)) {
    return undefined;
  }
  const own = unitNamed(measurement.unit);
  if (result === undefined) {
    return fromTerm(machine.inputTerm(measurement.id, own, false));
  }
  if (result.kind !== 'number') {
    return undefined;
  }
  if (!machine.isMeasurement(result.term)) {
    return undefined;
  }
  // Branches for devices that no table knows take the unit of the ones beside them.
  const unit = new UnitFlow([result.term]).unitOf(result.term);
  if (unit?.isMemory !== true) {
    return undefined;
  }
  return fromTerm(inUnit(machine.inputTerm(measurement.id, own, false), own, unit));
}

/** The term of an amount given in one unit, in another unit of memory. */
export function inUnit(term: Term, from: Unit, to: Unit): Term {
  const [a, b] = [from.byteScale, to.byteScale].map(scale => scale && bytesPer(scale));
  if (from === to || a === undefined || b === undefined) {
    return term;
  }
  return a > b && a % b === 0n
    ? apply('*', [term, constant(a / b, units.one)])
    : apply('/', [apply('*', [term, constant(a)]), constant(b)]);
}
