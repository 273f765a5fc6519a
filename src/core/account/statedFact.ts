/**
 * Facts of the budget as its collectors write them: what a line proves, and what is assumed of it.
 */
import type { Fact } from '../terms/fact';
import type { Term } from '../terms/term';
import type { Interval } from '../units/interval';
import type { Provenance } from '../units/quantity';

/** A fact that lines prove, in the unit of its term. */
export function fact(
  term: Term,
  interval: Interval,
  provenance: readonly Provenance[],
  more: Partial<Fact> = {},
): Fact {
  return { term, interval, basis: 'proved', provenance, ...more };
}

/** A fact that rests on the assumption with this id. */
export function assumed(
  term: Term,
  interval: Interval,
  id: string,
  more: Partial<Fact> = {},
): Fact {
  return { term, interval, basis: 'assumed', assumptions: [id], provenance: [], ...more };
}
