/**
 * What is known of the numbers during a run: exact values by Python's rules where all inputs are
 * exact, intervals elsewhere. Decides conditions. Bounds here go upward only; the solver tightens
 * what is shown.
 */
import type { Evaluation } from '../terms/evaluate';
import { Evaluator } from '../terms/evaluate';
import { operators } from '../terms/operator';
import type { InputTerm, Term } from '../terms/term';
import { topologicalOrder } from '../terms/term';
import type { Interval } from '../units/interval';
import { everything, hull, point } from '../units/interval';
import type { PythonNumber } from '../units/pythonNumber';
import type { Quantity } from '../units/quantity';

/** Given values of input terms. Terms may be added while a run makes them. */
export class Valuation {
  readonly #exactValues = new Map<Term, PythonNumber>();
  readonly #quantities = new Map<InputTerm, Quantity>();
  readonly #evaluator = new Evaluator(this.#exactValues);
  readonly #intervals = new Map<Term, Interval>();

  /** Gives an input its quantity. Must come before the first question about the input. */
  give(term: InputTerm, quantity: Quantity): void {
    this.#quantities.set(term, quantity);
    if (quantity.exact !== undefined) {
      this.#exactValues.set(term, quantity.exact);
    }
  }

  /** The inputs that have a quantity. */
  get given(): ReadonlyMap<InputTerm, Quantity> {
    return this.#quantities;
  }

  evaluate(term: Term): Evaluation {
    return this.#evaluator.evaluate(term);
  }

  /** The exact value; undefined where it is not known or Python raises. */
  exact(term: Term): PythonNumber | undefined {
    return this.#evaluator.value(term);
  }

  /** An interval that contains the value. */
  interval(term: Term): Interval {
    const known = this.#intervals.get(term);
    if (known !== undefined) {
      return known;
    }
    for (const node of topologicalOrder([term], known => this.#intervals.has(known))) {
      this.#intervals.set(node, this.#intervalOf(node));
    }
    return this.#known(term);
  }

  /** Whether a condition holds; undefined where the inputs leave it open. */
  decide(condition: Term): boolean | undefined {
    const value = this.exact(condition);
    if (value !== undefined) {
      return value != 0;
    }
    const { lo, hi } = this.interval(condition);
    if (lo > 0 || hi < 0) {
      return true;
    }
    return lo === 0 && hi === 0 ? false : undefined;
  }

  #known(term: Term): Interval {
    return this.#intervals.get(term) ?? everything;
  }

  #intervalOf(term: Term): Interval {
    const exact = this.exact(term);
    const near = exact === undefined ? undefined : Number(exact);
    if (near !== undefined && near == exact) {
      return point(near);
    }
    switch (term.kind) {
      case 'input':
        return this.#quantities.get(term)?.interval ?? everything;
      case 'constant':
        return everything;
      case 'choice': {
        const holds = this.decide(term.condition);
        return holds === undefined
          ? hull(this.#known(term.whenTrue), this.#known(term.whenFalse))
          : this.#known(holds ? term.whenTrue : term.whenFalse);
      }
      case 'operator':
        return (
          operators[term.operator].interval(term.operands.map(operand => this.#known(operand))) ??
          everything
        );
    }
  }
}
