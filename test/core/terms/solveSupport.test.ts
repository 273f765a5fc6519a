/** What bounds rest on: support, basis, assumptions, and the smallest contradiction. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apply, choose, input } from '../../../src/core/terms/build';
import type { Fact } from '../../../src/core/terms/fact';
import { solve } from '../../../src/core/terms/solve';
import type { Interval } from '../../../src/core/units/interval';
import { point } from '../../../src/core/units/interval';
import { units } from '../../../src/core/units/unit';
import { factAround, factOn, graphs } from './randomGraph';

const total = input('total', units.GiB);
const available = input('available', units.GiB);
const used = apply('-', [total, available]);

function assumed(term: Fact['term'], interval: Interval, id: string, more: Partial<Fact> = {}) {
  return factOn(term, interval, { basis: 'assumed', assumptions: [id], ...more });
}

/** A random graph with facts around its point (or, shifted, beside it), proved and assumed ones. */
function problem(shift: number) {
  return graphs().chain(graph =>
    fc.record({
      graph: fc.constant(graph),
      facts: fc
        .array(
          fc.record({
            at: fc.nat(graph.terms.length - 1),
            reach: fc.double({ min: 0, max: 5, noNaN: true }),
            moved: fc.constantFrom(0, 0, 0, shift),
            isAssumed: fc.boolean(),
          }),
          { minLength: 1, maxLength: 8 },
        )
        .map(list =>
          list.map(({ at, reach, moved, isAssumed }, index) => {
            const term = graph.terms[at]!;
            const value = Number(graph.valueOf.get(term)) + moved;
            const interval = { lo: value - reach, hi: value + reach };
            return isAssumed ? assumed(term, interval, `a${index}`) : factOn(term, interval);
          }),
        ),
    }),
  );
}

const isClose = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= 1e-5 * Math.max(Math.abs(a), Math.abs(b));

describe('support', () => {
  test('is enough: without the other facts every bound is the same', () => {
    fc.assert(
      fc.property(problem(0), ({ graph, facts }) => {
        const solution = solve(graph.terms, facts);
        for (const term of graph.terms) {
          const support = solution.supportOf(term);
          const found = solution.intervalOf(term)!;
          const again = solve(graph.terms, support).intervalOf(term)!;
          expect(
            isClose(found.lo, again.lo) && isClose(found.hi, again.hi),
            `${found.lo} ${found.hi} / ${again.lo} ${again.hi}`,
          ).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('of a proved result has no assumed fact in it, and its assumptions are those of its facts', () => {
    fc.assert(
      fc.property(problem(0), ({ graph, facts }) => {
        const solution = solve(graph.terms, facts);
        for (const term of graph.terms) {
          const quantity = solution.quantityOf(term);
          const support = solution.supportOf(term);
          if (quantity?.basis === 'proved') {
            expect(support.every(({ basis }) => basis === 'proved')).toBe(true);
            expect(quantity.assumptions).toEqual([]);
          } else if (quantity !== undefined) {
            expect(quantity.assumptions).toEqual(
              support.flatMap(({ assumptions = [] }) => assumptions),
            );
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test('is the fact itself for a term that a fact speaks of, and empty where none does', () => {
    const fact = factOn(total, { lo: 93, hi: 94 });
    const solution = solve([used], [fact]);
    expect(solution.supportOf(total)).toEqual([fact]);
    expect(solution.supportOf(available)).toEqual([]);
  });

  test('leaves out a fact that a closer one makes idle', () => {
    const loose = factOn(total, { lo: 90, hi: 99 });
    const close = factOn(total, { lo: 93, hi: 94 });
    expect(solve([used], [loose, close]).supportOf(total)).toEqual([close]);
  });

  test('has what refutes the other side of a choice', () => {
    const flag = input('flag', units.one, { integer: true });
    const either = choose(flag, total, available);
    const other = apply('<', [either, total]);
    const facts = [
      factOn(flag, { lo: 0, hi: 1 }),
      factOn(total, point(8)),
      factOn(available, point(5)),
      assumed(other, point(1), 'below'),
    ];
    const solution = solve([other], facts);
    expect(solution.intervalOf(flag)).toEqual(point(0));
    expect(solution.intervalOf(either)).toEqual(point(5));
    expect(solution.supportOf(flag)).toContain(facts[3]);
    expect(solution.quantityOf(either)?.basis).toBe('assumed');
  });
});

describe('the basis', () => {
  test('is proved where printed facts alone give the bound, whatever is assumed beside', () => {
    const proved = factOn(total, { lo: 93, hi: 94 });
    const wider = assumed(total, { lo: 90, hi: 99 }, 'P = begin');
    const same = assumed(total, { lo: 93, hi: 94 }, 'P = begin');
    for (const facts of [
      [proved, wider],
      [wider, proved],
      [same, proved],
    ]) {
      expect(solve([used], facts).quantityOf(total)).toMatchObject({
        basis: 'proved',
        assumptions: [],
      });
    }
  });

  test('is assumed, with the names of the assumptions, where they give the closer bound', () => {
    const facts = [
      factOn(total, { lo: 90, hi: 99 }),
      assumed(total, { lo: 93, hi: 94 }, 'P = begin', {
        provenance: [{ kind: 'printed', line: 12 }],
      }),
      assumed(available, { lo: 20, hi: 22 }, 'A = end', {
        provenance: [{ kind: 'printed', line: 40 }],
      }),
    ];
    expect(solve([used], facts).quantityOf(used)).toMatchObject({
      interval: { lo: 71, hi: 74 },
      unit: units.GiB,
      basis: 'assumed',
      assumptions: ['P = begin', 'A = end'],
      provenance: [
        { kind: 'printed', line: 12 },
        { kind: 'printed', line: 40 },
      ],
    });
  });
});

describe('a quantity', () => {
  test('is exact by the rules of Python where every input is', () => {
    const cell = input('cell', units.bytesPerToken);
    const bytes = input('bytes', units.B);
    const tokens = apply('//', [bytes, cell]);
    const solution = solve(
      [tokens],
      [
        factOn(bytes, point(7247757312), { nominal: 7247757312n }),
        factOn(cell, point(44236.8), { nominal: 44236.8 }),
      ],
    );
    expect(solution.quantityOf(tokens)).toMatchObject({
      interval: point(163839),
      exact: 163839,
      nominal: 163839,
      unit: units.token,
    });
  });

  test('shows the printed number of its own fact, and the nominal value inside the bounds', () => {
    const facts = [
      factOn(total, { lo: 93.9985, hi: 93.9995 }, { nominal: 93.999 }),
      factOn(available, { lo: 21.6965, hi: 21.6975 }, { nominal: 21.697 }),
    ];
    const solution = solve([used], facts);
    expect(solution.quantityOf(total)?.printed).toBe(93.999);
    expect(solution.quantityOf(used)?.printed).toBeUndefined();
    expect(solution.quantityOf(used)?.nominal).toBe(93.999 - 21.697);
    expect(solution.quantityOf(used)?.exact).toBeUndefined();
  });

  test('is absent where its unit is not known or scales are mixed', () => {
    const bytes = input('bytes', units.B);
    const mixed = apply('-', [total, bytes]);
    const facts = [factOn(total, point(1)), factOn(bytes, point(1))];
    expect(solve([mixed], facts).quantityOf(mixed)).toBeUndefined();
    expect(solve([mixed], facts).intervalOf(mixed)).toEqual(point(0));
  });
});

describe('a contradiction', () => {
  test('is a smallest set: it stays with its facts alone and goes with any one of them', () => {
    let count = 0;
    fc.assert(
      fc.property(problem(1000), ({ graph, facts }) => {
        const conflict = solve(graph.terms, facts).contradiction?.facts;
        fc.pre(conflict !== undefined);
        count++;
        expect(facts).toEqual(expect.arrayContaining([...conflict]));
        expect(solve(graph.terms, conflict).contradiction).toBeDefined();
        for (const fact of conflict) {
          const rest = conflict.filter(other => other !== fact);
          expect(solve(graph.terms, rest).contradiction).toBeUndefined();
        }
      }),
      { numRuns: 200 },
    );
    expect(count).toBeGreaterThan(100);
  });

  test('of proved facts alone is found beside assumed ones that contradict as well', () => {
    const facts = [
      assumed(total, point(10), 'P = begin'),
      factOn(total, { lo: 20, hi: 21 }),
      factOn(available, point(5)),
      factOn(used, point(30)),
    ];
    const solution = solve([used], facts);
    expect(solution.contradiction?.facts).toEqual(facts.slice(1));
    expect(solution.intervalOf(used)).toBeUndefined();
    expect(solution.alternativesOf(used)).toEqual([]);
    expect(solution.quantityOf(used)).toBeUndefined();
  });

  test('is not looked for closely when no explanation is wanted', () => {
    const facts = [factOn(total, point(1)), factOn(total, point(2)), factOn(available, point(3))];
    expect(solve([used], facts, { explain: false }).contradiction?.facts).toEqual(facts);
    expect(solve([used], facts).contradiction?.facts).toEqual(facts.slice(0, 2));
  });

  test('comes from a fact without any value, or with ends the wrong way round', () => {
    for (const interval of [
      { lo: NaN, hi: NaN },
      { lo: 2, hi: 1 },
    ]) {
      const facts = [factOn(total, interval)];
      expect(solve([used], facts).contradiction?.facts).toEqual(facts);
    }
  });
});

test('facts on the same term are taken together', () => {
  const facts = [factAround(total, 5, 1, 2), factAround(total, 6, 1, 3)];
  expect(solve([used], facts).intervalOf(total)).toEqual({ lo: 5, hi: 7 });
});
