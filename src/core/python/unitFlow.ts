/**
 * Units of a function's terms by data flow, forward and backward: an amount that is subtracted from
 * GiB is GiB, an unknown that is compared with tokens is tokens. What flows forward wins, then what the
 * leading results need, then other uses; a unit that only its use tells is marked. An unknown that
 * uses of one rank disagree about stays unknown. Names say nothing here.
 */
import type { GivenValues } from '../terms/evaluate';
import { Evaluator, UnitInferrer } from '../terms/evaluate';
import type { Term } from '../terms/term';
import { topologicalOrder } from '../terms/term';
import type { UnitMismatch } from '../terms/unitRule';
import { scaledUnit } from '../terms/unitRule';
import type { PythonNumber } from '../units/pythonNumber';
import type { Unit } from '../units/unit';
import { units } from '../units/unit';

const perToken = units.one.per(units.token);

/** Two scales that meet where one is needed. */
export interface MixedScales {
  readonly term: Term;
  readonly mismatch: UnitMismatch;
}

/** Infers once for all the terms below its roots. */
export class UnitFlow {
  readonly #declared = new Map<Term, Unit>();
  readonly #roots: readonly Term[];
  readonly #plain: GivenValues | undefined;
  readonly #constants: Evaluator;
  #inferrer: UnitInferrer;
  /** Numbers that something is multiplied or divided by: they scale, whatever else they meet. */
  readonly #scales = new Set<Term>();

  /** Unknowns that are needed in two scales. */
  readonly #disputed = new Set<Term>();
  /** What the leading results settled, which no other use can dispute. */
  #settled: ReadonlyMap<Term, Unit> = new Map();

  /**
   * `leading` are the results that the function is about; their needs outweigh other uses. `plain`
   * inputs fit any unit, as literals do.
   */
  constructor(roots: Iterable<Term>, leading: readonly Term[] = [], plain?: GivenValues) {
    this.#plain = plain;
    this.#constants = new Evaluator(plain);
    this.#inferrer = new UnitInferrer(this.#declared, plain);
    this.#roots = [...roots];
    const order = topologicalOrder(this.#roots).reverse();
    for (const term of order) {
      if (term.kind === 'operator' && ['*', '/', '//'].includes(term.operator)) {
        term.operands
          .filter(one => this.#isBare(one))
          .forEach(operand => this.#scales.add(operand));
      }
    }
    if (leading.length > 0) {
      this.#settle(topologicalOrder(leading).reverse());
    }
    this.#settled = new Map(this.#declared);
    this.#settle(order);
  }

  /** Declares until nothing is left to learn; what turns out disputed is left out of a new try. */
  #settle(order: readonly Term[]): void {
    for (let attempt = 0; attempt < 3; attempt++) {
      const disputed = this.#disputed.size;
      this.#declared.clear();
      this.#settled.forEach((unit, term) => this.#declared.set(term, unit));
      this.#restart();
      for (let round = 0; round < 4; round++) {
        const before = this.#declared.size;
        order.forEach(term => this.#lookBack(term));
        if (this.#declared.size === before) {
          break;
        }
        this.#restart();
      }
      if (this.#disputed.size === disputed) {
        break;
      }
    }
  }

  #restart(): void {
    this.#inferrer = new UnitInferrer(this.#declared, this.#plain);
  }

  unitOf(term: Term): Unit | undefined {
    return this.#inferrer.unitOf(term);
  }

  /** True where the unit comes from the use of the value, not from its making. */
  isByUse(term: Term): boolean {
    return this.#declared.has(term);
  }

  /** Places where scales of memory mix. Other dimensions are not reported. */
  get mixedScales(): MixedScales[] {
    const found = new Map<Term, MixedScales>();
    for (const root of this.#roots) {
      for (const { term, mismatch } of this.#inferrer.infer(root).mismatches) {
        const { left, right } = mismatch;
        if (left.isMemory && right.isMemory) {
          found.set(term, { term, mismatch });
        }
      }
    }
    return [...found.values()];
  }

  /** A number of the formula itself, or one that is set without a unit. */
  #isBare(term: Term): boolean {
    return (
      (this.#constants.value(term) !== undefined && this.#inferrer.unitOf(term) === units.one) ||
      this.#inferrer.isBare(term)
    );
  }

  #known(term: Term): Unit | undefined {
    return this.#declared.get(term) ?? this.#inferrer.unitOf(term);
  }

  #declare(term: Term | undefined, unit: Unit | undefined): void {
    if (term === undefined || unit === undefined || this.#disputed.has(term)) {
      return;
    }
    const declared = this.#declared.get(term);
    if (declared !== undefined) {
      if (term.kind === 'input' && isOtherScale(declared, unit) && !this.#settled.has(term)) {
        this.#disputed.add(term);
      }
      return;
    }
    const known = this.#inferrer.unitOf(term);
    if (this.#inferrer.isMixed(term)) {
      return;
    }
    const isBare = this.#isBare(term);
    if (isBare && this.#scales.has(term)) {
      return;
    }
    if (known === undefined || (isBare && known !== unit)) {
      this.#declared.set(term, unit);
    }
  }

  #lookBack(term: Term): void {
    if (term.kind === 'choice') {
      this.#share([term.whenTrue, term.whenFalse], this.#known(term));
    } else if (term.kind === 'operator') {
      const { operands } = term;
      const [a, b] = operands;
      switch (term.operator) {
        case '+':
        case '-':
        case '%':
        case 'min':
        case 'max':
          this.#share(operands, this.#known(term));
          break;
        case '<':
        case '<=':
        case '==':
        case '!=':
          this.#share(operands, undefined);
          break;
        case 'neg':
        case 'abs':
        case 'int':
        case 'float':
        case 'round':
        case 'floor':
        case 'ceil':
          this.#declare(a, this.#known(term));
          break;
        case '*':
          this.#factor(a, b, this.#known(term));
          this.#factor(b, a, this.#known(term));
          break;
        case '/':
        case '//':
          this.#quotient(a, b, this.#known(term));
          break;
        default:
          break;
      }
    }
  }

  /** Terms that need one unit: the known one goes to those without. */
  #share(terms: readonly Term[], result: Unit | undefined): void {
    const measured = terms.filter(term => !this.#isBare(term));
    const known =
      result ?? measured.map(term => this.#known(term)).find(unit => unit !== undefined);
    terms.forEach(term => this.#declare(term, known));
  }

  #factor(term: Term | undefined, other: Term | undefined, result: Unit | undefined): void {
    if (term === undefined || other === undefined || result === undefined) {
      return;
    }
    if (this.#known(term) !== undefined) {
      return;
    }
    const constant = constantOf(other);
    const unit = this.#known(other);
    this.#declare(
      term,
      constant === undefined ? unit && result.per(unit) : scaledUnit(result, constant, -1),
    );
  }

  #quotient(a: Term | undefined, b: Term | undefined, result: Unit | undefined): void {
    if (a === undefined || b === undefined) {
      return;
    }
    const [above, below] = [this.#known(a), this.#known(b)];
    if (above?.isMemory === true && below === perToken && !this.#isBare(b)) {
      // Memory divided by a count per token: the count is of bytes, whose size is a literal.
      this.#declared.set(b, above.per(units.token));
      return;
    }
    if (result === undefined) {
      return;
    }
    if (above === undefined && below !== undefined) {
      const constant = constantOf(b);
      this.#declare(
        a,
        constant === undefined ? result.times(below) : scaledUnit(result, constant, 1),
      );
    } else if (above !== undefined && below === undefined) {
      this.#declare(b, above.per(result));
    }
  }
}

/**
 * Units that follow from how values are made alone, whatever they are used for. An alternative that
 * nothing is known of takes the unit of the other one.
 */
export function unitsByMaking(roots: readonly Term[]): UnitInferrer {
  const alternatives = new Map<Term, Unit>();
  const inferrer = new UnitInferrer(alternatives);
  for (const term of topologicalOrder(roots)) {
    if (term.kind === 'choice') {
      const made = [term.whenTrue, term.whenFalse].flatMap(one => inferrer.unitOf(one) ?? []);
      const [unit, ...others] = made;
      if (unit !== undefined && others.length === 0) {
        alternatives.set(term, unit);
      }
    }
  }
  return inferrer;
}

function isOtherScale(a: Unit, b: Unit): boolean {
  return a !== b && a.isMemory && b.isMemory;
}

/** A number that the source writes as such; folded and set ones are treated by their unit. */
function constantOf(term: Term): PythonNumber | undefined {
  return term.kind === 'constant' && term.unit === units.one ? term.value : undefined;
}
