/** The answer does not depend on the order in which facts and roots are given. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/core/terms/fact';
import { solve } from '../../../src/core/terms/solve';
import type { Interval } from '../../../src/core/units/interval';
import { factAround, graphs } from './randomGraph';

/** Bounds closer than this share of their size are one: the solver stops at gains of 1e-6. */
const documentedGain = 1e-5;

/** Nothing that is measured is this small; float64 has few digits left there. */
const negligible = 1e-100;

function isClose(a: number, b: number, size: number): boolean {
  const gap = Math.abs(a - b);
  return (
    a === b ||
    gap <= Math.max(negligible, documentedGain * Math.max(size, Math.abs(a), Math.abs(b)))
  );
}

function isSame(a: Interval | undefined, b: Interval | undefined): boolean {
  if (a === undefined || b === undefined) {
    return a === b;
  }
  const size = Math.min(a.hi - a.lo, b.hi - b.lo);
  return isClose(a.lo, b.lo, size) && isClose(a.hi, b.hi, size);
}

const shuffled = <T>(items: readonly T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray([...items], { minLength: items.length });

/** A graph, facts of it of both bases, and both in another order. */
const problem = graphs()
  .chain(graph =>
    fc.record({
      graph: fc.constant(graph),
      facts: fc
        .array(
          fc.record({
            at: fc.nat(graph.terms.length - 1),
            below: fc.double({ min: 0, max: 10, noNaN: true }),
            above: fc.double({ min: 0, max: 10, noNaN: true }),
            isAssumed: fc.boolean(),
          }),
          { maxLength: 8 },
        )
        .map(list =>
          list.map(({ at, below, above, isAssumed }): Fact => {
            const term = graph.terms[at]!;
            const basis = isAssumed ? 'assumed' : 'proved';
            return factAround(term, graph.valueOf.get(term)!, below, above, { basis });
          }),
        ),
    }),
  )
  .chain(({ graph, facts }) =>
    fc.record({
      graph: fc.constant(graph),
      facts: fc.constant(facts),
      otherFacts: shuffled(facts),
      otherRoots: shuffled(graph.terms),
    }),
  );

test('bounds are the same for every order of facts and roots', () => {
  fc.assert(
    fc.property(problem, ({ graph, facts, otherFacts, otherRoots }) => {
      const [one, other] = [solve(graph.terms, facts), solve(otherRoots, otherFacts)];
      for (const term of graph.terms) {
        const [a, b] = [one.intervalOf(term), other.intervalOf(term)];
        expect(isSame(a, b), `${a?.lo} ${a?.hi} / ${b?.lo} ${b?.hi}`).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});

test('the same call gives the same answer to the last bit', () => {
  fc.assert(
    fc.property(problem, ({ graph, facts }) => {
      const [one, other] = [solve(graph.terms, facts), solve(graph.terms, facts)];
      for (const term of graph.terms) {
        expect(one.intervalOf(term)).toEqual(other.intervalOf(term));
        expect(one.supportOf(term)).toEqual(other.supportOf(term));
      }
    }),
    { numRuns: 200 },
  );
});
