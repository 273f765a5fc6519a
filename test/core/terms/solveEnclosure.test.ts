/** Whatever is known of a graph, the solver never loses the point that everything was computed at. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apply, constant, input } from '../../../src/core/terms/build';
import type { Fact } from '../../../src/core/terms/fact';
import { solve } from '../../../src/core/terms/solve';
import { width } from '../../../src/core/units/interval';
import { units } from '../../../src/core/units/unit';
import type { Graph } from './randomGraph';
import { allOperators, factAround, graphs } from './randomGraph';

/** For each term: known to a point, more or less closely, or not at all. */
const knowledge = fc.array(
  fc.oneof(
    fc.constant(undefined),
    fc.constant({ below: 0, above: 0 }),
    fc.record({
      below: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 10, noNaN: true })),
      above: fc.oneof(fc.constant(Infinity), fc.double({ min: 0, max: 1e4, noNaN: true })),
    }),
  ),
  { minLength: 21, maxLength: 21 },
);

type Knowledge = (typeof knowledge extends fc.Arbitrary<infer T> ? T : never)[number];

function factsOf({ terms, valueOf }: Graph, known: readonly Knowledge[]): Fact[] {
  return terms.flatMap((term, at) => {
    const around = known[at];
    const value = valueOf.get(term);
    return around && value !== undefined
      ? [factAround(term, value, around.below, around.above)]
      : [];
  });
}

function expectTruthInside(graph: Graph, facts: readonly Fact[]): void {
  const solution = solve(graph.terms, facts);
  expect(solution.contradiction).toBeUndefined();
  for (const [term, value] of graph.valueOf) {
    const { lo, hi } = solution.intervalOf(term)!;
    expect(lo <= value && value <= hi, `${lo} ${value} ${hi}`).toBe(true);
    expect(solution.alternativesOf(term).some(one => one.lo <= value && value <= one.hi)).toBe(
      true,
    );
  }
}

describe('every solved interval contains the true value', () => {
  test('for graphs of all operators with shared nodes, choices and clamps', () => {
    fc.assert(
      fc.property(graphs(), knowledge, (graph, known) =>
        expectTruthInside(graph, factsOf(graph, known)),
      ),
      { numRuns: 1500 },
    );
  });

  test('for whole numbers, where bounds are tightened', () => {
    const whole = fc.bigInt({ min: -50n, max: 50n });
    fc.assert(
      fc.property(graphs(allOperators, whole), knowledge, (graph, known) =>
        expectTruthInside(graph, factsOf(graph, known)),
      ),
      { numRuns: 1500 },
    );
  });

  test('when every term is known to the last digit, whatever Python rounded on the way', () => {
    fc.assert(
      fc.property(graphs(), graph =>
        expectTruthInside(
          graph,
          factsOf(
            graph,
            graph.terms.map(() => ({ below: 0, above: 0 })),
          ),
        ),
      ),
      { numRuns: 1000 },
    );
  });

  test('when only the results are known', () => {
    fc.assert(
      fc.property(graphs(), graph => {
        const results = graph.terms.filter(({ kind }) => kind === 'operator' || kind === 'choice');
        expectTruthInside(
          graph,
          results.map(term => factAround(term, graph.valueOf.get(term)!, 0, 0)),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test('however few passes and splits are allowed', () => {
    fc.assert(
      fc.property(
        graphs(),
        knowledge,
        fc.integer({ min: 0, max: 2 }),
        fc.integer({ min: 0, max: 2 }),
        (graph, known, maximumPasses, maximumSplits) => {
          const facts = factsOf(graph, known);
          const solution = solve(graph.terms, facts, { maximumPasses, maximumSplits });
          for (const [term, value] of graph.valueOf) {
            const { lo, hi } = solution.intervalOf(term)!;
            expect(lo <= value && value <= hi).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the solver ends', () => {
  test('on equations that could narrow their bounds for ever', () => {
    const x = input('x', units.one);
    const half = apply('/', [x, apply('+', [x, x])]);
    const shrinking = apply('==', [x, apply('*', [x, half])]);
    const started = performance.now();
    const solution = solve(
      [shrinking],
      [factAround(x, 0, 0, 1e9), factAround(shrinking, 1n, 0, 0), factAround(half, 0.5, 0.4, 0.4)],
    );
    expect(performance.now() - started).toBeLessThan(100);
    expect(solution.intervalOf(x)).toBeDefined();
  });

  test('after the passes that are allowed, with looser bounds', () => {
    const x = input('x', units.one);
    const fixedPoint = apply('==', [x, apply('+', [apply('/', [x, constant(2n)]), constant(5n)])]);
    const facts = [factAround(fixedPoint, 1n, 0, 0), factAround(x, 0, 0, 100)];
    const widthAfter = (maximumPasses: number): number =>
      width(solve([fixedPoint], facts, { maximumPasses }).intervalOf(x)!);
    expect(widthAfter(1)).toBeGreaterThan(20);
    expect(widthAfter(8)).toBeLessThan(widthAfter(2));
    expect(widthAfter(100)).toBeLessThan(1e-3);
  });
});
