/**
 * The one term graph: shared nodes of input, constant, operator and choice. The interpreter, the
 * release tables and the equations of the budget all produce these nodes; evaluating, solving,
 * what-if and receipts are walks over them, and the graph itself is the provenance.
 */
import type { PythonNumber } from '../units/pythonNumber';
import type { Provenance } from '../units/quantity';
import type { Unit } from '../units/unit';
import type { OperatorName } from './operator';

/** A value that comes from outside: an id of design section 4, or a missing value of the source. */
export interface InputTerm {
  readonly kind: 'input';
  readonly name: string;
  /** Undefined where the unit is not known. */
  readonly unit: Unit | undefined;
  /** True when every value is a Python int, so that bounds may be tightened to integers. */
  readonly integer: boolean;
  readonly origin?: Provenance;
}

/** A number that the formula itself contains. A plain literal has unit 1 and takes any unit in sums. */
export interface ConstantTerm {
  readonly kind: 'constant';
  readonly value: PythonNumber;
  readonly unit: Unit;
  readonly origin?: Provenance;
}

/** An operator of the table applied to its operands. */
export interface OperatorTerm {
  readonly kind: 'operator';
  readonly operator: OperatorName;
  readonly operands: readonly Term[];
  /** The name that the formula gives the result (`rest`), for receipts. */
  readonly name?: string;
  readonly origin?: Provenance;
}

/** One of two terms, by a condition (0 is false); undecided conditions leave both open. */
export interface ChoiceTerm {
  readonly kind: 'choice';
  readonly condition: Term;
  readonly whenTrue: Term;
  readonly whenFalse: Term;
  readonly name?: string;
  readonly origin?: Provenance;
}

export type Term = InputTerm | ConstantTerm | OperatorTerm | ChoiceTerm;

/** The terms directly below. */
export function operandsOf(term: Term): readonly Term[] {
  switch (term.kind) {
    case 'input':
    case 'constant':
      return [];
    case 'operator':
      return term.operands;
    case 'choice':
      return [term.condition, term.whenTrue, term.whenFalse];
  }
}

/**
 * Every node below and including the roots, operands before the terms that use them. Nodes that
 * `isKnown` accepts are left out, with all that only they reach.
 */
export function topologicalOrder(
  roots: Iterable<Term>,
  isKnown: (term: Term) => boolean = () => false,
): Term[] {
  const order: Term[] = [];
  const seen = new Set<Term>();
  const isDone = (term: Term): boolean => seen.has(term) || isKnown(term);
  const stack: { term: Term; next: number }[] = [];
  for (const root of roots) {
    stack.push({ term: root, next: 0 });
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const operand = isDone(top.term) ? undefined : operandsOf(top.term)[top.next++];
      if (operand !== undefined) {
        stack.push({ term: operand, next: 0 });
        continue;
      }
      stack.pop();
      if (!isDone(top.term)) {
        seen.add(top.term);
        order.push(top.term);
      }
    }
  }
  return order;
}
