/**
 * A place where formula texts meet their values: inputs by name, facts about them, and the terms
 * that tables of eras add. The same condition decides every formula of one release boundary, so
 * alternatives of a log without a release go together.
 */
import { choose, constant, input } from '../../terms/build';
import { factOf } from '../../terms/derive';
import type { Fact } from '../../terms/fact';
import { readFormulas } from '../../terms/formula';
import type { InputTerm, Term } from '../../terms/term';
import { point } from '../../units/interval';
import type { Interval } from '../../units/interval';
import type { PythonNumber } from '../../units/pythonNumber';
import type { Provenance, Quantity } from '../../units/quantity';
import { Unit, units } from '../../units/unit';
import type { ReleaseInterval } from '../form/releaseInterval';
import type { EraTable } from './eraTable';
import { possibleEras } from './eraTable';
import type { LayoutInputName } from './layoutInput';
import { layoutInputs } from './layoutInput';

/** Constants of the texts that carry a unit. */
const unitConstants: Readonly<Record<string, Term>> = {
  byte: constant(1n, units.B),
  half: constant(2n, units.B),
  int32: constant(4n, units.B),
  mib: constant(1n, units.MiB),
  /** A GiB in the unit of the heuristics. */
  gib: constant(1024n, units.MiB),
  token: constant(1n, units.token),
};

/** How a value is known, for its fact. */
export interface Knowledge {
  readonly provenance: readonly Provenance[];
  /** Names of assumptions; none for what a file or a flag says. */
  readonly assumptions?: readonly string[];
}

/** Named terms and the facts about their inputs, for one release. */
export class FormulaScope {
  readonly release: ReleaseInterval;
  readonly #terms = new Map<string, Term>(Object.entries(unitConstants));
  readonly #inputs = new Map<LayoutInputName, InputTerm>();
  readonly #conditions = new Map<string, InputTerm>();
  readonly #facts: Fact[] = [];

  constructor(release: ReleaseInterval) {
    this.release = release;
    for (const [name, { unit, ...kind }] of Object.entries(layoutInputs)) {
      const term = input(name, Unit.parse(unit), { integer: !('float' in kind) });
      this.#inputs.set(name as LayoutInputName, term);
      this.#terms.set(name, term);
    }
  }

  /** A copy to go on from; the terms are shared, what is added to the copy stays there. */
  fork(): FormulaScope {
    const copy = new FormulaScope(this.release);
    copy.#terms.clear();
    this.#terms.forEach((term, name) => copy.#terms.set(name, term));
    this.#inputs.forEach((term, name) => copy.#inputs.set(name, term));
    this.#conditions.forEach((term, from) => copy.#conditions.set(from, term));
    copy.#facts.push(...this.#facts);
    return copy;
  }

  get facts(): readonly Fact[] {
    return this.#facts;
  }

  /** A value as it stands. */
  know(name: LayoutInputName, value: PythonNumber, knowledge: Knowledge): void {
    this.#state(name, point(Number(value)), knowledge, value);
  }

  /** Bounds of a value that is not known better. */
  bound(name: LayoutInputName, interval: Interval, knowledge: Knowledge): void {
    this.#state(name, interval, knowledge, undefined);
  }

  /** What is known elsewhere of a value. Throws for another unit: a mistake of ours. */
  take(name: LayoutInputName, quantity: Quantity): void {
    const term = this.#inputs.get(name);
    if (term?.unit !== quantity.unit) {
      throw new Error(`${name} is not in ${quantity.unit.name}`);
    }
    this.#facts.push(factOf(term, quantity));
  }

  /** What is known of a result: it decides between releases that stay possible. */
  observe(fact: Fact): void {
    this.#facts.push(fact);
  }

  /** Gives a name to a term from elsewhere; it hides an input of that name. */
  define(name: string, term: Term): void {
    this.#terms.set(name, term);
  }

  /** Adds the results of one text that holds for all releases. */
  read(text: string): void {
    for (const [name, term] of readFormulas(text, Object.fromEntries(this.#terms))) {
      this.#terms.set(name, term);
    }
  }

  /**
   * Adds the results of the rows that the release may be in; where several may be, each result is a
   * choice by `release >= x`. False where no row holds.
   */
  lower(table: EraTable): boolean {
    const [first, ...later] = possibleEras(table, this.release);
    if (first === undefined) {
      return false;
    }
    const before = Object.fromEntries(this.#terms);
    let results = readFormulas(first.text, before);
    for (const { from, text } of later) {
      const earlier = results;
      results = new Map(
        [...readFormulas(text, before)].map(([name, term]) => [
          name,
          choose(this.#since(from), term, earlier.get(name) ?? term, { name }),
        ]),
      );
    }
    for (const [name, term] of results) {
      this.#terms.set(name, term);
    }
    return true;
  }

  /** The term of a name; throws for a name that no text has made: a mistake of ours. */
  term(name: string): Term {
    const term = this.#terms.get(name);
    if (term === undefined) {
      throw new Error(`no formula has named ${name}`);
    }
    return term;
  }

  /** The fact about an input; undefined where nothing is known. */
  factOf(name: LayoutInputName): Fact | undefined {
    return this.#facts.find(({ term }) => term === this.#inputs.get(name));
  }

  #state(
    name: LayoutInputName,
    interval: Interval,
    { provenance, assumptions = [] }: Knowledge,
    nominal: PythonNumber | undefined,
  ): void {
    const term = this.#inputs.get(name);
    if (term !== undefined) {
      this.#facts.push({
        term,
        interval,
        basis: assumptions.length > 0 ? 'assumed' : 'proved',
        assumptions,
        provenance,
        ...(nominal !== undefined && { nominal }),
      });
    }
  }

  #since(from: string): Term {
    const known = this.#conditions.get(from);
    if (known !== undefined) {
      return known;
    }
    const made = input(`release >= ${from}`, units.one, { integer: true });
    this.#conditions.set(from, made);
    this.#facts.push({ term: made, interval: { lo: 0, hi: 1 }, basis: 'proved', provenance: [] });
    return made;
  }
}
