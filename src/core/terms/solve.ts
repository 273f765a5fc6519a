/**
 * Propagates facts through the graph, up by the interval rules and down by the backward rules,
 * until nothing gains. Every bound remembers the facts it rests on, so a result knows its basis,
 * its assumptions and its sources. Undecided choices are alternatives: they are tried apart and
 * joined in the answer. A contradiction answers with a smallest set of facts that makes it.
 */
import type { Interval } from '../units/interval';
import { everything, hull, isPoint, point, tightenToIntegers } from '../units/interval';
import type { Quantity } from '../units/quantity';
import type { PythonNumber } from '../units/pythonNumber';
import { Evaluator, UnitInferrer } from './evaluate';
import type { Fact } from './fact';
import { operators } from './operator';
import type { Term } from './term';
import { operandsOf, topologicalOrder } from './term';

/** Facts that cannot all hold; removing any one of them removes the contradiction. */
export interface Contradiction {
  readonly facts: readonly Fact[];
}

/** How far to go. The defaults suit a log with many ranks. */
export interface SolveOptions {
  /** Passes up and down before the bounds are taken as they are. */
  readonly maximumPasses?: number;
  /** Undecided choices that are tried apart; further ones are joined at once. */
  readonly maximumSplits?: number;
  /** False leaves out the search for a smallest contradiction (what-if). */
  readonly explain?: boolean;
}

/** A pass must move some bound by this share of its size to count as a gain. */
const relativeGain = 1e-6;

/** Solves for every term reachable from the roots and the facts. */
export function solve(
  roots: Iterable<Term>,
  facts: readonly Fact[],
  options: SolveOptions = {},
): Solution {
  const network = new Network([...roots, ...facts.map(fact => fact.term)]);
  const cases = solveCases(network, facts, options, options.maximumSplits ?? 6);
  if (cases.length > 0) {
    return new Solution(network, facts, cases, undefined);
  }
  const conflict =
    options.explain === false ? [...facts] : smallestConflict(network, facts, options);
  return new Solution(network, facts, [], { facts: conflict });
}

/** Bounds of every term, with what they rest on. */
export class Solution {
  readonly #network: Network;
  readonly #facts: readonly Fact[];
  readonly #cases: readonly State[];
  readonly #units = new UnitInferrer();
  readonly #nominal: Evaluator;
  readonly contradiction: Contradiction | undefined;

  constructor(
    network: Network,
    facts: readonly Fact[],
    cases: readonly State[],
    contradiction: Contradiction | undefined,
  ) {
    this.#network = network;
    this.#facts = facts;
    this.#cases = cases;
    this.contradiction = contradiction;
    const nominal = facts.flatMap(({ term, nominal: value }): [Term, PythonNumber][] =>
      value === undefined ? [] : [[term, value]],
    );
    this.#nominal = new Evaluator(new Map(nominal.reverse()));
  }

  /** The bounds; undefined for a term outside the graph or after a contradiction. */
  intervalOf(term: Term): Interval | undefined {
    const at = this.#network.indexOf.get(term);
    if (at === undefined || this.#cases.length === 0) {
      return undefined;
    }
    return this.#cases.map(state => state.interval(at)).reduce(hull);
  }

  /** The alternatives that undecided choices leave, not joined. */
  alternativesOf(term: Term): readonly Interval[] {
    const at = this.#network.indexOf.get(term);
    return at === undefined ? [] : this.#cases.map(state => state.interval(at));
  }

  /** The facts that the bounds rest on. */
  supportOf(term: Term): readonly Fact[] {
    const at = this.#network.indexOf.get(term);
    if (at === undefined) {
      return [];
    }
    const mask = this.#cases.reduce((all, state) => all | state.support(at), 0n);
    return this.#facts.filter((_, index) => (mask >> BigInt(index)) & 1n);
  }

  /** The value with unit, basis and sources; undefined where neither bound is known. */
  quantityOf(term: Term): Quantity | undefined {
    const interval = this.intervalOf(term);
    const { unit } = this.#units.infer(term);
    if (!interval || !unit || (interval.lo === -Infinity && interval.hi === Infinity)) {
      return undefined;
    }
    const support = this.supportOf(term);
    const assumptions = support.flatMap(({ assumptions: ids }) => ids ?? []);
    const own = this.#facts.find(
      fact => fact.term === term && fact.nominal !== undefined && fact.basis === 'proved',
    );
    const nominal = this.#nominal.value(term);
    const inside =
      nominal !== undefined && interval.lo <= Number(nominal) && Number(nominal) <= interval.hi;
    return {
      interval,
      unit,
      basis: support.some(({ basis }) => basis === 'assumed') ? 'assumed' : 'proved',
      assumptions: [...new Set(assumptions)],
      provenance: distinct(support.flatMap(({ provenance }) => provenance)),
      ...(own?.nominal !== undefined && { printed: Number(own.nominal) }),
      ...(inside && { nominal: Number(nominal) }),
      ...(inside && isPoint(interval) && { exact: nominal }),
    };
  }
}

function distinct<T>(items: readonly T[]): T[] {
  const seen = new Map(items.map(item => [JSON.stringify(item), item]));
  return [...seen.values()];
}

/** The graph as arrays, operands before their users. */
class Network {
  readonly terms: readonly Term[];
  readonly indexOf: ReadonlyMap<Term, number>;
  readonly operands: readonly (readonly number[])[];
  readonly integer: readonly boolean[];

  constructor(roots: readonly Term[]) {
    this.terms = topologicalOrder(roots);
    const indexOf = new Map(this.terms.map((term, at) => [term, at]));
    this.indexOf = indexOf;
    this.operands = this.terms.map(term =>
      operandsOf(term).map(operand => indexOf.get(operand) ?? -1),
    );
    const integer: boolean[] = [];
    for (const [at, term] of this.terms.entries()) {
      const below = (this.operands[at] ?? []).map(operand => integer[operand] ?? false);
      integer.push(isInteger(term, below));
    }
    this.integer = integer;
  }
}

function isInteger(term: Term, below: readonly boolean[]): boolean {
  switch (term.kind) {
    case 'input':
      return term.integer;
    case 'constant':
      return typeof term.value === 'bigint';
    case 'operator':
      return operators[term.operator].integer(below);
    case 'choice':
      return below[1] === true && below[2] === true;
  }
}

/** Thrown inside propagation only, where a term has no value left. */
class NoValueLeft extends Error {
  readonly support: bigint;

  constructor(support: bigint) {
    super('no value left');
    this.support = support;
  }
}

/** Bounds of all terms in one case, each end with the mask of the facts it rests on. */
class State {
  readonly #network: Network;
  readonly #lo: Float64Array;
  readonly #hi: Float64Array;
  readonly #loSupport: bigint[];
  readonly #hiSupport: bigint[];
  gained = false;

  constructor(network: Network) {
    this.#network = network;
    const size = network.terms.length;
    this.#lo = new Float64Array(size).fill(-Infinity);
    this.#hi = new Float64Array(size).fill(Infinity);
    this.#loSupport = new Array<bigint>(size).fill(0n);
    this.#hiSupport = new Array<bigint>(size).fill(0n);
  }

  interval(at: number): Interval {
    return { lo: this.#lo[at] ?? -Infinity, hi: this.#hi[at] ?? Infinity };
  }

  support(at: number): bigint {
    return (this.#loSupport[at] ?? 0n) | (this.#hiSupport[at] ?? 0n);
  }

  /** Keeps of the term at `at` what `allowed` allows; throws NoValueLeft when nothing is. */
  narrow(at: number, allowed: Interval, support: bigint): void {
    const tight = this.#network.integer[at] ? tightenToIntegers(allowed) : allowed;
    const { lo, hi } = this.interval(at);
    if (tight === undefined || Number.isNaN(tight.lo) || Number.isNaN(tight.hi)) {
      throw new NoValueLeft(support | this.support(at));
    }
    if (tight.lo > hi) {
      throw new NoValueLeft(support | (this.#hiSupport[at] ?? 0n));
    }
    if (tight.hi < lo) {
      throw new NoValueLeft(support | (this.#loSupport[at] ?? 0n));
    }
    if (tight.lo > lo) {
      this.gained ||= isGain(lo, tight.lo, hi);
      this.#lo[at] = tight.lo;
      this.#loSupport[at] = support;
    }
    if (tight.hi < hi) {
      this.gained ||= isGain(hi, tight.hi, lo);
      this.#hi[at] = tight.hi;
      this.#hiSupport[at] = support;
    }
  }
}

function isGain(before: number, after: number, otherEnd: number): boolean {
  const size = Number.isFinite(otherEnd) ? Math.abs(before - otherEnd) : Math.abs(before);
  return !Number.isFinite(before) || Math.abs(after - before) > relativeGain * size;
}

function propagate(network: Network, facts: readonly Fact[], options: SolveOptions): State {
  const state = new State(network);
  for (const [index, fact] of facts.entries()) {
    const at = network.indexOf.get(fact.term);
    if (at !== undefined) {
      state.narrow(at, fact.interval, 1n << BigInt(index));
    }
  }
  const passes = options.maximumPasses ?? 40;
  for (let pass = 0; pass < passes; pass++) {
    state.gained = false;
    for (let at = 0; at < network.terms.length; at++) {
      goUp(network, state, at);
    }
    for (let at = network.terms.length - 1; at >= 0; at--) {
      goDown(network, state, at);
    }
    if (!state.gained) {
      break;
    }
  }
  return state;
}

function goUp(network: Network, state: State, at: number): void {
  const term = network.terms[at];
  const operands = network.operands[at] ?? [];
  if (term === undefined || term.kind === 'input') {
    return;
  }
  if (term.kind === 'constant') {
    state.narrow(at, enclose(term.value), 0n);
    return;
  }
  const below = operands.map(operand => state.interval(operand));
  const support = operands.reduce((mask, operand) => mask | state.support(operand), 0n);
  const result =
    term.kind === 'operator' ? operators[term.operator].interval(below) : chosen(below);
  if (result === undefined) {
    throw new NoValueLeft(support);
  }
  state.narrow(at, result, support);
}

function goDown(network: Network, state: State, at: number): void {
  const term = network.terms[at];
  const operands = network.operands[at] ?? [];
  if (term === undefined || operands.length === 0) {
    return;
  }
  const below = operands.map(operand => state.interval(operand));
  const result = state.interval(at);
  const allowed =
    term.kind === 'operator'
      ? operators[term.operator].backward(result, below)
      : chosenBackward(result, below);
  for (const [place, operand] of operands.entries()) {
    const interval = allowed[place];
    if (interval !== undefined) {
      const others = operands.filter((_, other) => other !== place);
      const support = others.reduce(
        (mask, other) => mask | state.support(other),
        state.support(at),
      );
      state.narrow(operand, interval, support);
    }
  }
}

/** A constant as bounds: an int beyond 2^53 that float64 cannot hold is enclosed. */
function enclose(value: PythonNumber): Interval {
  const near = Number(value);
  if (value == near) {
    return point(near);
  }
  return value > near
    ? { lo: near, hi: near * (1 + Math.sign(near) * 2 ** -52) }
    : { lo: near * (1 - Math.sign(near) * 2 ** -52), hi: near };
}

const absent: Interval = everything;

function chosen([condition = absent, whenTrue = absent, whenFalse = absent]: readonly Interval[]) {
  if (condition.lo > 0 || condition.hi < 0) {
    return whenTrue;
  }
  return condition.lo === 0 && condition.hi === 0 ? whenFalse : hull(whenTrue, whenFalse);
}

function chosenBackward(
  result: Interval,
  [condition = absent, whenTrue = absent, whenFalse = absent]: readonly Interval[],
): readonly (Interval | undefined)[] {
  const meets = (branch: Interval): boolean => branch.lo <= result.hi && result.lo <= branch.hi;
  if (condition.lo > 0 || condition.hi < 0) {
    return [undefined, result, undefined];
  }
  if (condition.lo === 0 && condition.hi === 0) {
    return [undefined, undefined, result];
  }
  return meets(whenTrue) ? (meets(whenFalse) ? [] : [{ lo: 1, hi: 1 }]) : [point(0)];
}

function solveCases(
  network: Network,
  facts: readonly Fact[],
  options: SolveOptions,
  splits: number,
): State[] {
  const state = attempt(network, facts, options);
  if (!(state instanceof State)) {
    return [];
  }
  const undecided = splits > 0 ? undecidedCondition(network, state) : undefined;
  if (undecided === undefined) {
    return [state];
  }
  return [1, 0].flatMap(truth => {
    // A case is no fact of its own: it rests on nothing, so its mask bit is never set.
    const supposed: Fact = {
      term: undecided,
      interval: point(truth),
      basis: 'proved',
      provenance: [],
    };
    return solveCases(network, [...facts, supposed], options, splits - 1);
  });
}

function undecidedCondition(network: Network, state: State): Term | undefined {
  for (const term of network.terms) {
    if (term.kind === 'choice') {
      const at = network.indexOf.get(term.condition) ?? -1;
      const { lo, hi } = state.interval(at);
      if (network.integer[at] && lo === 0 && hi === 1) {
        return term.condition;
      }
    }
  }
  return undefined;
}

/** The bounds, or the mask of the facts that contradict each other. */
function attempt(network: Network, facts: readonly Fact[], options: SolveOptions): State | bigint {
  try {
    return propagate(network, facts, options);
  } catch (error) {
    if (error instanceof NoValueLeft) {
      return error.support;
    }
    throw error;
  }
}

/** Deletes facts one at a time for as long as the contradiction stays. */
function smallestConflict(network: Network, facts: readonly Fact[], options: SolveOptions): Fact[] {
  const contradicts = (candidate: readonly Fact[]): boolean =>
    solveCases(network, candidate, options, options.maximumSplits ?? 6).length === 0;
  const support = attempt(network, facts, options);
  const involved =
    support instanceof State
      ? [...facts]
      : facts.filter((_, index) => (support >> BigInt(index)) & 1n);
  let kept = contradicts(involved) ? involved : [...facts];
  for (const fact of [...kept]) {
    const fewer = kept.filter(other => other !== fact);
    if (contradicts(fewer)) {
      kept = fewer;
    }
  }
  return kept;
}
