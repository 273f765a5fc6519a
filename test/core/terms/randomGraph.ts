/**
 * Random graphs with shared nodes, the values of their inputs, and what every node then is. The
 * values come from the exact rules, which expression.test.ts holds against CPython.
 */
import fc from 'fast-check';
import { apply, choose, constant, input } from '../../../src/core/terms/build';
import { Evaluator } from '../../../src/core/terms/evaluate';
import type { Fact } from '../../../src/core/terms/fact';
import type { OperatorName } from '../../../src/core/terms/operator';
import type { InputTerm, Term } from '../../../src/core/terms/term';
import { operandsOf } from '../../../src/core/terms/term';
import type { Interval } from '../../../src/core/units/interval';
import { enclose } from '../../../src/core/units/interval';
import type { PythonNumber } from '../../../src/core/units/pythonNumber';
import { units } from '../../../src/core/units/unit';
import { awayFromSubnormals } from '../units/arbitrary';

/** Inputs and derived terms, with the value that each has at one point. */
export interface Graph {
  readonly terms: readonly Term[];
  readonly valueOf: ReadonlyMap<Term, PythonNumber>;
}

/** How to make one derived term: which operator, and which of the terms before it to take. */
interface Recipe {
  readonly operator: OperatorName | 'choice';
  readonly picks: readonly number[];
}

const binary: readonly OperatorName[] = ['+', '-', '*', '/', '//', '%', 'min', 'max', '<', '<='];
const unary: readonly OperatorName[] = ['neg', 'abs', 'int', 'round', 'floor', 'ceil', 'float'];

/** The operators that a generated graph may use. */
export const allOperators: readonly Recipe['operator'][] = [
  ...binary,
  ...binary,
  ...unary,
  'choice',
];

function arity(operator: Recipe['operator']): number {
  return operator === 'choice' ? 3 : (unary as readonly string[]).includes(operator) ? 1 : 2;
}

function recipes(
  allowed: readonly Recipe['operator'][],
  count: number,
): fc.Arbitrary<readonly Recipe[]> {
  const pick = fc.integer({ min: 0, max: 1_000_000 });
  const recipe = fc.record({
    operator: fc.constantFrom(...allowed),
    picks: fc.tuple(pick, pick, pick),
  });
  return fc.array(recipe, { minLength: 1, maxLength: count });
}

function build(inputs: readonly Term[], list: readonly Recipe[]): Term[] {
  const terms: Term[] = [...inputs];
  for (const { operator, picks } of list) {
    const taken = picks.slice(0, arity(operator)).map(pick => terms[pick % terms.length]!);
    const [first, second, third] = taken;
    terms.push(operator === 'choice' ? choose(first!, second!, third!) : apply(operator, taken));
  }
  return terms;
}

/** Values as budgets have them: amounts, fractions, counts, zero, and either sign. */
export const budgetValue: fc.Arbitrary<PythonNumber> = fc.oneof(
  fc.bigInt({ min: -100n, max: 100n }),
  fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
  fc.integer({ min: -100_000, max: 100_000 }).map(digits => digits / 1000),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map(awayFromSubnormals),
  fc.double({ min: 0, max: 1, noNaN: true }).map(awayFromSubnormals),
);

/** A graph whose nodes all have values: what would raise or overflow is left out, with its users. */
export function graphs(
  allowed: readonly Recipe['operator'][] = allOperators,
  values: fc.Arbitrary<PythonNumber> = budgetValue,
  count = 14,
): fc.Arbitrary<Graph> {
  const constants = fc.array(values, { maxLength: 2 });
  const given = fc.array(values, { minLength: 1, maxLength: 5 });
  return fc.tuple(given, constants, recipes(allowed, count)).map(([inputs, fixed, list]) => {
    const points = inputs.map((value, at) => [inputFor(value, at), value] as const);
    const all = build(
      [...points.map(([term]) => term), ...fixed.map(value => constant(value))],
      list,
    );
    const evaluator = new Evaluator(new Map<Term, PythonNumber>(points));
    const valueOf = new Map<Term, PythonNumber>();
    for (const term of all) {
      const value = needsOf(term, evaluator).every(need => valueOf.has(need))
        ? evaluator.value(term)
        : undefined;
      if (value !== undefined && Math.abs(Number(value)) < 1e100) {
        valueOf.set(term, value);
      }
    }
    return { terms: [...valueOf.keys()], valueOf };
  });
}

/** The terms without which Python computes no value: operands, or the branch that is taken. */
function needsOf(term: Term, evaluator: Evaluator): readonly Term[] {
  if (term.kind !== 'choice') {
    return operandsOf(term);
  }
  const isTrue = evaluator.value(term.condition) != 0;
  return [term.condition, isTrue ? term.whenTrue : term.whenFalse];
}

function inputFor(value: PythonNumber, at: number): InputTerm {
  return input(`x${at}`, units.one, { integer: typeof value === 'bigint' });
}

/** A proved fact that contains the value, moved out by the two amounts. */
export function factAround(
  term: Term,
  value: PythonNumber,
  below: number,
  above: number,
  more: Partial<Fact> = {},
): Fact {
  const { lo, hi } = enclose(value);
  return factOn(term, { lo: lo - below, hi: hi + above }, more);
}

/** A fact without a source. */
export function factOn(term: Term, interval: Interval, more: Partial<Fact> = {}): Fact {
  return { term, interval, basis: 'proved', provenance: [], ...more };
}
