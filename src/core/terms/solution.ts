/**
 * The answer of the solver: bounds of every term with what they rest on. Leaves out how they were
 * found.
 */
import type { Interval } from '../units/interval';
import { enclose, hull, isPoint } from '../units/interval';
import type { PythonNumber } from '../units/pythonNumber';
import type { Quantity } from '../units/quantity';
import type { Bounds } from './bounds';
import { factsBehind } from './bounds';
import { Evaluator, UnitInferrer } from './evaluate';
import type { Fact } from './fact';
import type { Network } from './network';
import type { Term } from './term';

/** Facts that cannot all hold; removing any one of them removes the contradiction. */
export interface Contradiction {
  readonly facts: readonly Fact[];
}

/** Bounds of every term, with what they rest on. */
export class Solution {
  readonly #network: Network;
  readonly #facts: readonly Fact[];
  readonly #cases: readonly Bounds[];
  readonly #findConflict: () => readonly Fact[];
  readonly #units = new UnitInferrer();
  readonly #exact: Evaluator;
  readonly #nominal: Evaluator;
  #contradiction: Contradiction | undefined;

  constructor(
    network: Network,
    facts: readonly Fact[],
    cases: readonly Bounds[],
    findConflict: () => readonly Fact[],
  ) {
    this.#network = network;
    this.#facts = facts;
    this.#cases = cases;
    this.#findConflict = findConflict;
    this.#exact = evaluatorOf(facts, exactValue);
    this.#nominal = evaluatorOf(facts, ({ nominal }) => nominal);
  }

  /** Undefined where the facts go together. A smallest set is looked for when first asked. */
  get contradiction(): Contradiction | undefined {
    if (this.#cases.length === 0) {
      this.#contradiction ??= { facts: this.#findConflict() };
    }
    return this.#contradiction;
  }

  /** The bounds; undefined for a term outside the graph or after a contradiction. */
  intervalOf(term: Term): Interval | undefined {
    const intervals = this.#intervals(term);
    return intervals.length === 0 ? undefined : intervals.reduce(hull);
  }

  /** The alternatives that undecided choices leave: apart from each other, in rising order. */
  alternativesOf(term: Term): readonly Interval[] {
    const apart: Interval[] = [];
    for (const next of this.#intervals(term).toSorted((a, b) => a.lo - b.lo)) {
      const last = apart.at(-1);
      if (last !== undefined && next.lo <= last.hi) {
        apart[apart.length - 1] = hull(last, next);
      } else {
        apart.push(next);
      }
    }
    return apart;
  }

  /** The facts that the bounds rest on. */
  supportOf(term: Term): readonly Fact[] {
    const at = this.#network.indexOf.get(term);
    if (at === undefined) {
      return [];
    }
    const behind = factsBehind(this.#cases.flatMap(bounds => bounds.reasons(at)));
    return this.#facts.filter(fact => behind.has(fact));
  }

  /** The value with unit, basis and sources; undefined where neither bound is known. */
  quantityOf(term: Term): Quantity | undefined {
    const interval = this.intervalOf(term);
    const unit = this.#units.unitOf(term);
    if (!interval || !unit || (interval.lo === -Infinity && interval.hi === Infinity)) {
      return undefined;
    }
    const support = this.supportOf(term);
    const own = this.#facts.find(
      fact => fact.term === term && fact.nominal !== undefined && fact.basis === 'proved',
    );
    const nominal = valueWithin(interval, this.#nominal.value(term));
    const exact =
      valueWithin(interval, this.#exact.value(term)) ??
      (isPoint(interval) ? (nominal ?? interval.lo) : undefined);
    return {
      interval: exact === undefined ? interval : enclose(exact),
      unit,
      basis: support.some(({ basis }) => basis === 'assumed') ? 'assumed' : 'proved',
      assumptions: [...new Set(support.flatMap(({ assumptions = [] }) => assumptions))],
      provenance: distinct(support.flatMap(({ provenance }) => provenance)),
      ...(own?.nominal !== undefined && { printed: Number(own.nominal) }),
      ...(nominal !== undefined && { nominal: Number(nominal) }),
      ...(exact !== undefined && { exact }),
    };
  }

  #intervals(term: Term): Interval[] {
    const at = this.#network.indexOf.get(term);
    return at === undefined ? [] : this.#cases.map(bounds => bounds.interval(at));
  }
}

/** Takes the first value that the facts give for each term. */
function evaluatorOf(
  facts: readonly Fact[],
  valueOf: (fact: Fact) => PythonNumber | undefined,
): Evaluator {
  const given = new Map<Term, PythonNumber>();
  for (const fact of facts) {
    const value = valueOf(fact);
    if (value !== undefined && !given.has(fact.term)) {
      given.set(fact.term, value);
    }
  }
  return new Evaluator(given);
}

/** The one value that a fact leaves, as the int or float that it was given as. */
function exactValue({ interval, nominal }: Fact): PythonNumber | undefined {
  if (!isPoint(interval)) {
    return undefined;
  }
  return nominal !== undefined && nominal == interval.lo ? nominal : interval.lo;
}

function valueWithin(interval: Interval, value: PythonNumber | undefined) {
  return value !== undefined && interval.lo <= value && value <= interval.hi ? value : undefined;
}

function distinct<T>(items: readonly T[]): T[] {
  const seen = new Map(items.map(item => [JSON.stringify(item), item]));
  return [...seen.values()];
}
