/**
 * Walks that go up the graph: the exact value by Python's rules, and the unit by the data flow.
 * Bounds and inverses are the solver's work.
 */
import type { PythonNumber } from '../units/pythonNumber';
import { PythonArithmeticError } from '../units/pythonNumber';
import type { Unit } from '../units/unit';
import { units } from '../units/unit';
import { operators } from './operator';
import type { InputTerm, Term } from './term';
import { topologicalOrder } from './term';
import type { UnitMismatch, UnitOperand } from './unitRule';
import { sameUnits } from './unitRule';

/** What an exact evaluation gives: a number, the inputs it lacks, or the exception Python raises. */
export type Evaluation =
  | { readonly kind: 'value'; readonly value: PythonNumber }
  | { readonly kind: 'missing'; readonly inputs: readonly InputTerm[] }
  | { readonly kind: 'raises'; readonly error: PythonArithmeticError };

/** Values that are given for terms: of inputs, or of derived terms that are to be taken as they are. */
export type GivenValues = ReadonlyMap<Term, PythonNumber>;

const noValues: GivenValues = new Map();

/** Evaluates many terms over one memo; a choice evaluates the branch it takes and no other. */
export class Evaluator {
  readonly #given: GivenValues;
  readonly #memo = new Map<Term, Evaluation>();

  constructor(given: GivenValues = noValues) {
    this.#given = given;
  }

  evaluate(term: Term): Evaluation {
    const known = this.#memo.get(term);
    if (known !== undefined) {
      return known;
    }
    for (const node of topologicalOrder([term], known => this.#memo.has(known))) {
      this.#memo.set(node, this.#step(node));
    }
    return this.#known(term);
  }

  /** The value, or undefined where it is missing or raises. */
  value(term: Term): PythonNumber | undefined {
    const evaluation = this.evaluate(term);
    return evaluation.kind === 'value' ? evaluation.value : undefined;
  }

  #known(term: Term): Evaluation {
    return this.#memo.get(term) ?? { kind: 'missing', inputs: [] };
  }

  #step(term: Term): Evaluation {
    const given = this.#given.get(term);
    if (given !== undefined) {
      return { kind: 'value', value: given };
    }
    switch (term.kind) {
      case 'input':
        return { kind: 'missing', inputs: [term] };
      case 'constant':
        return { kind: 'value', value: term.value };
      case 'choice': {
        const condition = this.#known(term.condition);
        return condition.kind === 'value'
          ? this.#known(condition.value != 0 ? term.whenTrue : term.whenFalse)
          : condition;
      }
      case 'operator': {
        const operands = term.operands.map(operand => this.#known(operand));
        const raised = operands.find(operand => operand.kind === 'raises');
        if (raised !== undefined) {
          return raised;
        }
        const missing = operands.flatMap(operand =>
          operand.kind === 'missing' ? operand.inputs : [],
        );
        if (operands.some(operand => operand.kind === 'missing')) {
          return { kind: 'missing', inputs: [...new Set(missing)] };
        }
        const values = operands.flatMap(operand =>
          operand.kind === 'value' ? [operand.value] : [],
        );
        return applyExactly(() => operators[term.operator].exact(values));
      }
    }
  }
}

function applyExactly(operation: () => PythonNumber): Evaluation {
  try {
    return { kind: 'value', value: operation() };
  } catch (error) {
    if (error instanceof PythonArithmeticError) {
      return { kind: 'raises', error };
    }
    throw error;
  }
}

/** The inferred unit of a term, and the mix-ups met on the way to it. */
export interface UnitInference {
  readonly unit: Unit | undefined;
  readonly mismatches: readonly { readonly term: Term; readonly mismatch: UnitMismatch }[];
}

/** Infers units over one memo. A mix-up is reported once, at the term where the scales meet. */
export class UnitInferrer {
  readonly #units = new Map<Term, UnitOperand>();
  readonly #mismatches = new Map<Term, UnitMismatch>();
  readonly #constants: Evaluator;
  readonly #declared: ReadonlyMap<Term, Unit>;

  /**
   * `declared` units are taken as they are, whatever the flow says. `plain` inputs are numbers like
   * those that the formula writes itself.
   */
  constructor(declared: ReadonlyMap<Term, Unit> = new Map<Term, Unit>(), plain?: GivenValues) {
    this.#declared = declared;
    this.#constants = new Evaluator(plain);
  }

  /** True where scales meet in the term itself, so that no use of it can tell its unit. */
  isMixed(term: Term): boolean {
    this.unitOf(term);
    return this.#mismatches.has(term);
  }

  /** The unit alone; undefined where it is not known. */
  unitOf(term: Term): Unit | undefined {
    const known = this.#units.get(term);
    if (known !== undefined) {
      return known.unit;
    }
    for (const node of topologicalOrder([term], known => this.#units.has(known))) {
      const flow = this.#step(node);
      const unit = this.#declared.get(node) ?? flow;
      const constant = this.#constants.value(node);
      const isBare = constant !== undefined || this.#isMadeOfBare(node);
      this.#units.set(node, { unit, constant, isBare });
    }
    return this.#units.get(term)?.unit;
  }

  /** True for a number of the formula itself, or for one of several that a condition chooses from. */
  isBare(term: Term): boolean {
    return this.unitOf(term) === units.one && this.#units.get(term)?.isBare === true;
  }

  #isMadeOfBare(term: Term): boolean {
    const parts =
      term.kind === 'choice'
        ? [term.whenTrue, term.whenFalse]
        : term.kind === 'operator'
          ? term.operands
          : [];
    return parts.length > 0 && parts.every(part => this.#units.get(part)?.isBare === true);
  }

  infer(term: Term): UnitInference {
    const unit = this.unitOf(term);
    const mismatches = topologicalOrder([term]).flatMap(node => {
      const mismatch = this.#mismatches.get(node);
      return mismatch === undefined ? [] : [{ term: node, mismatch }];
    });
    return { unit, mismatches };
  }

  #step(term: Term): Unit | undefined {
    if (term.kind === 'input' || term.kind === 'constant') {
      return term.unit;
    }
    const rule = term.kind === 'choice' ? sameUnits : operators[term.operator].unit;
    const operands = term.kind === 'choice' ? [term.whenTrue, term.whenFalse] : term.operands;
    const answer = rule(
      operands.map(operand => this.#units.get(operand) ?? { unit: undefined, constant: undefined }),
    );
    if (answer.mismatch !== undefined) {
      this.#mismatches.set(term, answer.mismatch);
    }
    return answer.unit;
  }
}
