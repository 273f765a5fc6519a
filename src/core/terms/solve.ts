/**
 * Solves for every term of a graph: facts are carried up and down until nothing gains. Undecided
 * choices, and clamps that a fact informs, are alternatives: they are tried apart and joined in the
 * answer. A contradiction answers with a smallest set of facts that makes it.
 */
import type { Interval } from '../units/interval';
import { contains } from '../units/interval';
import type { Reason } from './bounds';
import { Bounds, NoValueLeft, factsBehind } from './bounds';
import type { Fact } from './fact';
import type { Selection } from './network';
import { Network } from './network';
import { operators } from './operator';
import { propagate, supposed } from './propagate';
import { Solution } from './solution';
import type { Term } from './term';

export { Solution } from './solution';

/** How far to go. The defaults suit a log with many ranks. */
export interface SolveOptions {
  /** Passes up and down before the bounds are taken as they are. */
  readonly maximumPasses?: number;
  /** Undecided choices that are tried apart; further ones are joined at once. */
  readonly maximumSplits?: number;
  /** False leaves out the search for a smallest contradiction (what-if). */
  readonly explain?: boolean;
}

/** Solves for every term reachable from the roots and the facts. The roots are to have values. */
export function solve(
  roots: Iterable<Term>,
  facts: readonly Fact[],
  options: SolveOptions = {},
): Solution {
  const asked = [...roots];
  const network = new Network([...asked, ...facts.map(fact => fact.term)]);
  const attemptWith = (some: readonly Fact[]): Outcome => tryFacts(network, asked, some, options);
  const { cases } = attemptWith(facts);
  const conflict = (): readonly Fact[] =>
    options.explain === false ? facts : smallestConflict(facts, attemptWith);
  return new Solution(network, facts, cases, conflict);
}

/** The cases that can be, and why the others cannot. */
interface Outcome {
  readonly cases: readonly Bounds[];
  readonly refutation: readonly Reason[];
}

/** Runs, or says why it cannot be. */
function attempt(run: () => Outcome): Outcome {
  try {
    return run();
  } catch (error) {
    if (error instanceof NoValueLeft) {
      return { cases: [], refutation: [error.reason] };
    }
    throw error;
  }
}

/**
 * Proved facts come first and assumed ones after them, so that a bound is called assumed only where
 * it is closer than what is proved.
 */
function tryFacts(
  network: Network,
  asked: readonly Term[],
  facts: readonly Fact[],
  options: SolveOptions,
): Outcome {
  const { maximumPasses = 40, maximumSplits = 6 } = options;
  const place = (term: Term): number => network.indexOf.get(term) ?? -1;
  return attempt(() => {
    const bounds = new Bounds(network);
    for (const term of asked) {
      bounds.require(place(term), { from: [] });
    }
    for (const basis of ['proved', 'assumed'] as const) {
      for (const fact of facts.filter(candidate => candidate.basis === basis)) {
        const reason: Reason = { fact, from: [] };
        bounds.require(place(fact.term), reason);
        bounds.narrow(place(fact.term), fact.interval, () => reason, 0);
      }
      propagate(network, bounds, maximumPasses);
    }
    return tryApart(network, bounds, maximumPasses, maximumSplits);
  });
}

/** Follows both sides of an undecided selection, and so on while `splits` are left. */
function tryApart(network: Network, bounds: Bounds, passes: number, splits: number): Outcome {
  const selection = splits > 0 ? undecidedSelection(network, bounds) : undefined;
  if (selection === undefined) {
    return { cases: [bounds], refutation: [] };
  }
  const { condition } = selection;
  const sides = [true, false].map(truth => {
    // A supposition rests on nothing while both sides can be; else on what refutes the other side.
    const supposition: { from: readonly Reason[] } = { from: [] };
    const outcome = attempt(() => {
      const side = bounds.copy();
      side.narrow(condition, supposed(truth, side.interval(condition)), () => supposition, 0);
      propagate(network, side, passes);
      return tryApart(network, side, passes, splits - 1);
    });
    return { supposition, outcome };
  });
  for (const { supposition } of sides) {
    supposition.from = sides
      .filter(other => other.supposition !== supposition && other.outcome.cases.length === 0)
      .flatMap(other => other.outcome.refutation);
  }
  return {
    cases: sides.flatMap(({ outcome }) => outcome.cases),
    refutation: sides.flatMap(({ outcome }) => outcome.refutation),
  };
}

/** The first choice that can go both ways, else the first such clamp that a fact says more of. */
function undecidedSelection(network: Network, bounds: Bounds): Selection | undefined {
  let informedClamp: Selection | undefined;
  for (const [at, { term, operands, selection }] of network.nodes.entries()) {
    const isAtHand = selection !== undefined && bounds.existence(at) !== undefined;
    if (!isAtHand || !isOpen(bounds.interval(selection.condition))) {
      continue;
    }
    if (term.kind === 'choice') {
      return selection;
    }
    if (term.kind === 'operator' && informedClamp === undefined) {
      const image = operators[term.operator].interval(
        operands.map(below => bounds.interval(below)),
      );
      informedClamp = image && contains(bounds.interval(at), image) ? undefined : selection;
    }
  }
  return informedClamp;
}

/** A condition that may be 0, and is otherwise of one sign. */
function isOpen({ lo, hi }: Interval): boolean {
  return (lo === 0 && hi > 0) || (lo < 0 && hi === 0);
}

/**
 * Deletes facts one at a time for as long as the contradiction stays. Assumed facts go first: a
 * contradiction of proved facts alone weighs more.
 */
function smallestConflict(
  facts: readonly Fact[],
  attemptWith: (some: readonly Fact[]) => Outcome,
): readonly Fact[] {
  const involvedOf = (candidates: readonly Fact[]): ReadonlySet<Fact> | undefined => {
    const { cases, refutation } = attemptWith(candidates);
    return cases.length > 0 ? undefined : factsBehind(refutation);
  };
  const proved = facts.filter(({ basis }) => basis === 'proved');
  const involvedProved = involvedOf(proved);
  const involved = involvedProved ?? involvedOf(facts);
  const closest = facts.filter(fact => involved?.has(fact));
  let kept = involvedOf(closest) ? closest : involvedProved ? proved : facts;
  for (const fact of kept.toSorted((a, b) => a.basis.localeCompare(b.basis))) {
    const fewer = kept.filter(other => other !== fact);
    if (involvedOf(fewer)) {
      kept = fewer;
    }
  }
  return kept;
}
