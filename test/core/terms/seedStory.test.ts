/**
 * The story that the project began with: a server that could not fit below f = 0.77. Its figures
 * are in the debug line of design section 5; expected numbers come from CPython.
 */
import { describe, expect, test } from 'vitest';
import { input } from '../../../src/core/terms/build';
import { Evaluator } from '../../../src/core/terms/evaluate';
import type { Fact } from '../../../src/core/terms/fact';
import { readFormulas } from '../../../src/core/terms/formula';
import { solve } from '../../../src/core/terms/solve';
import { contains, point } from '../../../src/core/units/interval';
import { printedInterval } from '../../../src/core/units/printed';
import { units } from '../../../src/core/units/unit';
import { isPythonMissing, runPython } from '../units/python3';

const P = input('totalBeforeLoad', units.GiB);
const A = input('availableAfterLoad', units.GiB);
const f = input('memFractionStatic', units.one);
const cell = input('bytesPerToken', units.bytesPerToken, { integer: true });

const formulas = readFormulas(
  `
  slack = P * (1 - f)
  rest = A - slack
  tokens = rest * (1 << 30) // cell
  minimum = 1 - A / P
  `,
  { P, A, f, cell },
);
const term = (name: string) => formulas.get(name)!;
const roots = [...formulas.values()];

function printed(of: Fact['term'], text: string, line: number): Fact {
  return {
    term: of,
    interval: printedInterval(text)!,
    basis: 'proved',
    provenance: [{ kind: 'printed', line }],
    nominal: Number(text),
  };
}

const total = printed(P, '93.999', 1);
const available = printed(A, '21.697', 2);
const fraction = printed(f, '0.55', 3);
const exactFraction: Fact = { ...fraction, interval: point(0.55) };
const bytes: Fact = { ...printed(cell, '70272', 4), nominal: 70272n };
const facts = [total, available, exactFraction, bytes];

describe('the seed server at f = 0.55', () => {
  const solution = solve(roots, facts);

  test('has 20.60 GiB too little', () => {
    const rest = solution.quantityOf(term('rest'));
    expect(rest?.nominal).toBeCloseTo(-20.60255, 10);
    expect(rest?.unit).toBe(units.GiB);
    expect(rest?.basis).toBe('proved');
    expect(contains(printedInterval('-20.603')!, point(-20.6026))).toBe(true);
    expect(rest?.interval.lo).toBeGreaterThan(-20.6034);
    expect(rest?.interval.hi).toBeLessThan(-20.6018);
  });

  test('has a negative token count, whose interval holds the one that was printed', () => {
    const tokens = solution.quantityOf(term('tokens'));
    expect(tokens?.unit).toBe(units.token);
    expect(contains(tokens!.interval, point(-314811))).toBe(true);
    expect(Number.isInteger(tokens?.interval.lo)).toBe(true);
    expect(tokens!.interval.hi - tokens!.interval.lo).toBeLessThan(25);
  });

  test('could not start below a fraction of 0.7692', () => {
    const { interval, basis, provenance } = solution.quantityOf(term('minimum'))!;
    expect(interval.lo).toBeGreaterThan(0.7691);
    expect(interval.hi).toBeLessThan(0.7692);
    expect(basis).toBe('proved');
    expect(provenance).toEqual([
      { kind: 'printed', line: 1 },
      { kind: 'printed', line: 2 },
    ]);
  });

  test('goes together with everything that its debug line prints', () => {
    const line = [
      ...facts,
      printed(term('slack'), '42.300', 5),
      printed(term('rest'), '-20.603', 5),
      printed(term('tokens'), '-314811', 5),
    ];
    expect(solve(roots, line).contradiction).toBeUndefined();
  });

  test('implies its fraction from its tokens', () => {
    const known = [total, available, bytes, printed(term('tokens'), '-314811', 5)];
    const { lo, hi } = solve(roots, known).intervalOf(f)!;
    expect(lo).toBeLessThan(0.55);
    expect(hi).toBeGreaterThan(0.55);
    expect(hi - lo).toBeLessThan(0.00002);
  });

  test('contradicts a claimed fraction of 0.88, for a reason of five facts', () => {
    const claim: Fact = { ...fraction, interval: point(0.88) };
    const known = [total, available, claim, bytes, printed(term('tokens'), '-314811', 5)];
    expect(solve(roots, known).contradiction?.facts).toEqual(known);
  });
});

describe.skipIf(isPythonMissing)('the printed figures taken as they stand', () => {
  const program = `
import json, sys
P, A, cell = 93.999, 21.697, 70272
def run(f):
    rest = A - P * (1 - f)
    return [rest, rest * (1 << 30) // cell, 1 - A / P]
print(json.dumps([run(f) for f in json.load(sys.stdin)]))
`;

  test.each([0.55, 0.77, 0.88])('give at f = %f what CPython computes', fraction_ => {
    const [expected] = runPython(program, [fraction_]) as number[][];
    const evaluator = new Evaluator(
      new Map<Fact['term'], number | bigint>([
        [P, 93.999],
        [A, 21.697],
        [f, fraction_],
        [cell, 70272n],
      ]),
    );
    const found = ['rest', 'tokens', 'minimum'].map(name => evaluator.value(term(name)));
    expect(found).toEqual(expected);
  });

  test('give the good server of f = 0.88 its 159,171 tokens', () => {
    const evaluator = new Evaluator(
      new Map<Fact['term'], number | bigint>([
        [P, 93.999],
        [A, 21.697],
        [f, 0.88],
        [cell, 70272n],
      ]),
    );
    expect(evaluator.value(term('tokens'))).toBe(159171);
    const solution = solve(roots, [
      total,
      available,
      { ...fraction, interval: point(0.88), nominal: 0.88 },
      bytes,
    ]);
    const tokens = solution.quantityOf(term('tokens'));
    expect(tokens?.nominal).toBe(159171);
    expect(contains(tokens!.interval, point(159171))).toBe(true);
  });

  test('at the floor of 0.77 leave 1,180 tokens', () => {
    const [expected] = runPython(program, [0.77]) as number[][];
    expect(Math.abs(expected![1]! - 1180)).toBeLessThan(15);
  });
});
