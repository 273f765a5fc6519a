/**
 * Replaces what a function measured by the input that stands for the measurement, in the function that
 * sizes and in what that calls. The unit is that of the measuring function's own arithmetic; the given
 * value is converted to it. What the function takes from the measurement, or adds, stays.
 */
import { apply, choose, constant } from '../terms/build';
import type { OperatorTerm, Term } from '../terms/term';
import { bytesPer, units } from '../units/unit';
import type { Unit } from '../units/unit';
import { computesWithFraction } from './fractionUse';
import type { Frame, Machine } from './machine';
import { unitNamed } from './machine';
import { UnitFlow } from './unitFlow';
import type { FunctionValue, Value } from './value';
import { fromTerm } from './value';

/** What a call measured. */
export interface Measured {
  readonly value: Value;
  /** False where the value is computed from the measurement. */
  readonly isWhole: boolean;
}

/**
 * The result of a followed call with the input in it; undefined where the call measures nothing, or
 * where it is not known to be part of sizing. Then it is noted, for another run.
 */
export function measuredInput(
  machine: Machine,
  frame: Frame,
  { definition }: FunctionValue,
  result: Value,
): Measured | undefined {
  const isMeasured =
    result.kind === 'number' &&
    !result.isBoolean &&
    machine.sizing.isMeasuring(definition) &&
    machine.isMeasurement(result.term);
  if (!isMeasured) {
    return undefined;
  }
  const owner = sizingAround(machine, frame);
  if (owner === undefined) {
    machine.sizing.noteMeasured(result.term);
    return undefined;
  }
  const replacing = new Replacing(machine);
  const term = replacing.replaced(result.term);
  if (term === undefined) {
    return undefined;
  }
  machine.sizing.noteReplaced(owner);
  return { value: fromTerm(term), isWhole: replacing.isWhole(result.term) };
}

/**
 * The same for a call whose definition cannot be found: the input has its own unit. Where the call is
 * not known to be part of sizing, `result` is what stands for it.
 */
export function unfollowedInput(
  machine: Machine,
  frame: Frame,
  result: Term,
  assumption: string,
): Value | undefined {
  const owner = sizingAround(machine, frame);
  if (owner === undefined) {
    machine.sizing.noteMeasured(result);
    return undefined;
  }
  machine.assumptions.add(assumption);
  machine.sizing.noteReplaced(owner);
  return fromTerm(measurementTerm(machine));
}

function sizingAround(machine: Machine, { definition }: Frame): Frame['definition'] {
  const { facts, options, sizing } = machine;
  return definition !== undefined && computesWithFraction(definition, facts.fractionNames)
    ? definition
    : options.sizing && sizing.runningOneOf(options.sizing);
}

function measurementTerm(machine: Machine): Term {
  const { id, unit } = machine.facts.measurement;
  return machine.inputTerm(id, unitNamed(unit), false);
}

/** One measured result, and the input that takes the place of the measurement in it. */
class Replacing {
  readonly #machine: Machine;
  readonly #wholes = new Map<Term, boolean>();
  readonly #made = new Map<Term, Term | undefined>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Undefined where no measured amount of memory is in the term. */
  replaced(term: Term): Term | undefined {
    if (!this.#made.has(term)) {
      this.#made.set(term, this.#replace(term));
    }
    return this.#made.get(term);
  }

  #replace(term: Term): Term | undefined {
    if (this.isWhole(term)) {
      // Branches for devices that no table knows take the unit of the ones beside them.
      const unit = new UnitFlow([term]).unitOf(term);
      const own = unitNamed(this.#machine.facts.measurement.unit);
      return unit?.isMemory === true
        ? inUnit(measurementTerm(this.#machine), own, unit)
        : undefined;
    }
    switch (term.kind) {
      case 'input': {
        const source = this.#machine.derived.get(term);
        return source && this.replaced(source);
      }
      case 'constant':
        return undefined;
      case 'choice': {
        const [whenTrue, whenFalse] = [term.whenTrue, term.whenFalse].map(one =>
          this.replaced(one),
        );
        return whenTrue === undefined && whenFalse === undefined
          ? undefined
          : choose(term.condition, whenTrue ?? term.whenTrue, whenFalse ?? term.whenFalse);
      }
      case 'operator': {
        const made = term.operands.map(one => this.replaced(one));
        const { origin } = term;
        return made.every(one => one === undefined)
          ? undefined
          : apply(
              term.operator,
              term.operands.map((one, at) => made[at] ?? one),
              origin && { origin },
            );
      }
    }
  }

  /** True for what was measured itself: rounded, in any unit, of whatever device. */
  isWhole(term: Term): boolean {
    const known = this.#wholes.get(term);
    if (known !== undefined) {
      return known;
    }
    this.#wholes.set(term, false);
    const found = this.#looksWhole(term);
    this.#wholes.set(term, found);
    return found;
  }

  #looksWhole(term: Term): boolean {
    const { measured, derived, facts, inputTerms } = this.#machine;
    switch (term.kind) {
      case 'input': {
        const source = derived.get(term);
        return (
          measured.get(term) === 'free-memory' ||
          inputTerms.get(facts.measurement.id) === term ||
          (source !== undefined && this.isWhole(source))
        );
      }
      case 'constant':
        return false;
      case 'choice': {
        const branches = [term.whenTrue, term.whenFalse];
        return (
          branches.some(one => this.isWhole(one)) &&
          branches.every(
            one => this.isWhole(one) || (one.kind !== 'constant' && !this.#isChanged(one)),
          )
        );
      }
      case 'operator': {
        const scaled = unscaled(term);
        return scaled === undefined ? this.#machine.isWhatIsLeft(term) : this.isWhole(scaled);
      }
    }
  }

  /** True for a measurement that something was taken from, or that was multiplied. */
  #isChanged(term: Term): boolean {
    if (term.kind === 'choice') {
      return this.#isChanged(term.whenTrue) || this.#isChanged(term.whenFalse);
    }
    if (term.kind !== 'operator') {
      return false;
    }
    const scaled = unscaled(term);
    if (scaled !== undefined) {
      return this.#isChanged(scaled);
    }
    const [first, second] = term.operands;
    switch (term.operator) {
      case '+':
      case '-':
        return !this.isWhole(term) && term.operands.some(one => this.isWhole(one));
      case '*':
      case '/':
      case '//':
        return (
          first !== undefined &&
          second !== undefined &&
          ((this.isWhole(first) && second.kind === 'constant') ||
            (first.kind === 'constant' && this.isWhole(second)))
        );
      default:
        return false;
    }
  }
}

const roundings: ReadonlySet<string> = new Set(['int', 'float', 'round', 'floor', 'ceil']);
const scalings: ReadonlySet<string> = new Set(['*', '/', '//', '<<', '>>']);

/** What is rounded or brought to another unit of memory; undefined for other operations. */
function unscaled({ operator, operands }: OperatorTerm): Term | undefined {
  const [first, second] = operands;
  if (roundings.has(operator)) {
    return first;
  }
  if (!scalings.has(operator)) {
    return undefined;
  }
  if (isScale(operator, second)) {
    return first;
  }
  return operator === '*' && isScale(operator, first) ? second : undefined;
}

/** A power of 1024 or of 1000. */
function isScale(operator: string, term: Term | undefined): boolean {
  if (term?.kind !== 'constant' || Number(term.value) <= 0) {
    return false;
  }
  const value = operator.length === 2 && operator !== '//' ? 2 ** Number(term.value) : term.value;
  return [1000, 1024].some(base => {
    const steps = Math.round(Math.log(Number(value)) / Math.log(base));
    return Number(value) === base ** steps;
  });
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
