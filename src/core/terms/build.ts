/** Makers of terms. A term over constants alone stays a term; evaluation folds it. */
import type { PythonNumber } from '../units/pythonNumber';
import type { Provenance } from '../units/quantity';
import type { Unit } from '../units/unit';
import { units } from '../units/unit';
import type { OperatorName } from './operator';
import type { ChoiceTerm, ConstantTerm, InputTerm, OperatorTerm, Term } from './term';

/** Optional facts of a new term: the name of its result and the place it was read from. */
export interface TermNotes {
  readonly name?: string;
  readonly origin?: Provenance;
}

export function input(
  name: string,
  unit: Unit | undefined,
  options: { readonly integer?: boolean; readonly origin?: Provenance } = {},
): InputTerm {
  const { integer = false, origin } = options;
  return { kind: 'input', name, unit, integer, ...(origin && { origin }) };
}

export function constant(
  value: PythonNumber,
  unit: Unit = units.one,
  origin?: Provenance,
): ConstantTerm {
  return { kind: 'constant', value, unit, ...(origin && { origin }) };
}

export function apply(
  operator: OperatorName,
  operands: readonly Term[],
  notes: TermNotes = {},
): OperatorTerm {
  return { kind: 'operator', operator, operands, ...notes };
}

export function choose(
  condition: Term,
  whenTrue: Term,
  whenFalse: Term,
  notes: TermNotes = {},
): ChoiceTerm {
  return { kind: 'choice', condition, whenTrue, whenFalse, ...notes };
}
