/** The solver against trying every value, on small whole numbers. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apply, constant, input } from '../../../src/core/terms/build';
import { Evaluator } from '../../../src/core/terms/evaluate';
import type { Fact } from '../../../src/core/terms/fact';
import type { OperatorName } from '../../../src/core/terms/operator';
import { solve } from '../../../src/core/terms/solve';
import type { InputTerm, Term } from '../../../src/core/terms/term';
import type { Interval } from '../../../src/core/units/interval';
import { hull, isPoint, point } from '../../../src/core/units/interval';
import type { PythonNumber } from '../../../src/core/units/pythonNumber';
import { units } from '../../../src/core/units/unit';
import { allOperators, factOn, graphs } from './randomGraph';

const domain = { lo: -4, hi: 4 };

function* assignments(inputs: readonly Term[], ranges: readonly Interval[]) {
  const start: (readonly [Term, PythonNumber])[][] = [[]];
  yield* inputs
    .reduce((all, term, at) => {
      const { lo, hi } = ranges[at] ?? domain;
      const values = Array.from({ length: hi - lo + 1 }, (_, index) => BigInt(lo + index));
      return all.flatMap(some => values.map(value => [...some, [term, value] as const]));
    }, start)
    .map(points => new Map(points));
}

/** The values that a term takes where all terms have values and all facts hold. */
function bruteForce(
  terms: readonly Term[],
  inputs: readonly Term[],
  ranges: readonly Interval[],
  facts: readonly Fact[],
): ReadonlyMap<Term, Interval> {
  const found = new Map<Term, Interval>();
  for (const given of assignments(inputs, ranges)) {
    const evaluator = new Evaluator(given);
    const values = terms.map(term => evaluator.value(term));
    const holds = facts.every(({ term, interval }) => {
      const value = evaluator.value(term);
      return value !== undefined && interval.lo <= value && value <= interval.hi;
    });
    if (holds && !values.includes(undefined)) {
      for (const [at, term] of terms.entries()) {
        const value = point(Number(values[at]));
        found.set(term, hull(found.get(term) ?? value, value));
      }
    }
  }
  return found;
}

describe('on small whole numbers the solver', () => {
  test('keeps every solution that trying all values finds, and contradicts only where there is none', () => {
    const tiny = fc.bigInt({ min: -4n, max: 4n });
    const slack = fc.constantFrom(undefined, undefined, 0, 1, 3);
    let contradictions = 0;
    fc.assert(
      fc.property(
        graphs(allOperators, tiny, 8),
        fc.array(fc.tuple(slack, fc.integer({ min: -1, max: 1 })), {
          minLength: 15,
          maxLength: 15,
        }),
        (graph, known) => {
          const inputs = graph.terms.filter(({ kind }) => kind === 'input').slice(0, 3);
          fc.pre(graph.terms.filter(({ kind }) => kind === 'input').length === inputs.length);
          const ranges = inputs.map(() => domain);
          const derived = graph.terms.flatMap((term, at) => {
            const [around, shift] = known[at] ?? [undefined, 0];
            const value = Number(graph.valueOf.get(term)) + shift;
            return around === undefined
              ? []
              : [factOn(term, { lo: value - around, hi: value + around })];
          });
          const facts = [...inputs.map(term => factOn(term, domain)), ...derived];
          const expected = bruteForce(graph.terms, inputs, ranges, facts);
          const solution = solve(graph.terms, facts);
          if (solution.contradiction !== undefined) {
            contradictions++;
            expect(expected.size).toBe(0);
          }
          for (const [term, { lo, hi }] of expected) {
            const found = solution.intervalOf(term)!;
            expect(found.lo <= lo && hi <= found.hi, `${found.lo} ${lo} ${hi} ${found.hi}`).toBe(
              true,
            );
          }
        },
      ),
      { numRuns: 1000 },
    );
    expect(contradictions).toBeGreaterThan(20);
  });
});

/** A formula in which every input occurs once; divisors are positive constants. */
interface OnceFormula {
  readonly term: Term;
  readonly inputs: readonly InputTerm[];
}

const once: fc.Arbitrary<OnceFormula> = fc
  .array(
    fc.record({
      operator: fc.constantFrom<OperatorName>('+', '-', '*', '//', 'min', 'max', 'neg'),
      value: fc.integer({ min: 1, max: 5 }),
      isInput: fc.boolean(),
      isSwapped: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map(steps => {
    const first = input('x0', units.one, { integer: true });
    const inputs = [first];
    let term: Term = first;
    for (const { operator, value, isInput, isSwapped } of steps) {
      let other: Term = constant(BigInt(value));
      if (isInput && inputs.length < 3 && operator !== '//' && operator !== 'neg') {
        const next = input(`x${inputs.length}`, units.one, { integer: true });
        inputs.push(next);
        other = next;
      }
      term =
        operator === 'neg'
          ? apply('neg', [term])
          : apply(operator, isSwapped && operator !== '//' ? [other, term] : [term, other]);
    }
    return { term, inputs };
  });

const range = fc
  .tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: 0, max: 4 }))
  .map(([lo, size]) => ({ lo, hi: lo + size }));

describe('for a formula in which every input occurs once the solver', () => {
  test('finds exactly the reach of its result', () => {
    fc.assert(
      fc.property(once, fc.tuple(range, range, range), ({ term, inputs }, ranges) => {
        const facts = inputs.map((one, at) => factOn(one, ranges[at] ?? domain));
        const expected = bruteForce([term], inputs, ranges, []).get(term)!;
        const found = solve([term], facts).intervalOf(term)!;
        expect([found.lo, found.hi]).toEqual([expected.lo, expected.hi].map(end => end + 0));
      }),
      { numRuns: 1000 },
    );
  });

  test('finds exactly the values of one unknown that give a known result', () => {
    fc.assert(
      fc.property(
        once,
        fc.tuple(range, range, range),
        fc.integer({ min: -40, max: 40 }),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 2 }),
        ({ term, inputs }, ranges, target, reach, free) => {
          const unknown = inputs[free % inputs.length]!;
          const known = inputs.map((one, at) =>
            one === unknown ? { lo: -60, hi: 60 } : point(ranges[at]?.lo ?? 1),
          );
          const goal = factOn(term, { lo: target, hi: target + reach });
          const facts = [...inputs.map((one, at) => factOn(one, known[at] ?? domain)), goal];
          const expected = bruteForce([term, ...inputs], inputs, known, [goal]).get(unknown);
          const found = solve([term], facts).intervalOf(unknown);
          expect(found && [found.lo, found.hi]).toEqual(expected && [expected.lo, expected.hi]);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('whole numbers', () => {
  const x = input('x', units.one, { integer: true });

  test('tighten bounds, and a floored quotient has a half-open preimage', () => {
    const pages = apply('//', [x, constant(16n)]);
    const solution = solve([pages], [factOn(pages, point(3))]);
    expect(solution.intervalOf(x)).toEqual({ lo: 48, hi: 63 });
  });

  test('of a product that they do not divide contradict', () => {
    const double = apply('*', [x, constant(2n)]);
    expect(solve([double], [factOn(double, point(7))]).contradiction?.facts).toHaveLength(1);
    expect(isPoint(solve([double], [factOn(double, point(8))]).intervalOf(x)!)).toBe(true);
  });

  test('are what constants alone come to', () => {
    const power = apply('**', [constant(2n), constant(30n)]);
    const scaled = apply('*', [x, power]);
    const solution = solve([scaled], [factOn(scaled, point(3 * 2 ** 30))]);
    expect(solution.intervalOf(x)).toEqual(point(3));
    const negative = apply('**', [constant(2n), constant(-1n)]);
    expect(solve([negative], []).intervalOf(negative)).toEqual(point(0.5));
  });
});
