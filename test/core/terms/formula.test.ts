/** Formula text: Python's precedence, what is refused, and the way back to text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apply, constant, input } from '../../../src/core/terms/build';
import { Evaluator } from '../../../src/core/terms/evaluate';
import { formulaOf } from '../../../src/core/terms/explain';
import { FormulaError, readFormulas } from '../../../src/core/terms/formula';
import type { Term } from '../../../src/core/terms/term';
import { units } from '../../../src/core/units/unit';
import { isPythonMissing, runPython } from '../units/python3';
import { evaluateProgram, outcomeOf } from '../units/pythonText';

function read(text: string, names: Readonly<Record<string, Term>> = {}): Term {
  const term = readFormulas(`result = ${text}`, names).get('result');
  if (term === undefined) {
    throw new Error('no result');
  }
  return term;
}

function outcome(term: Term): string {
  const evaluation = new Evaluator().evaluate(term);
  return evaluation.kind === 'value'
    ? outcomeOf(evaluation.value)
    : evaluation.kind === 'raises'
      ? `raises ${evaluation.error.exception}`
      : 'missing';
}

const number = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map(String),
  fc.constantFrom('0.5', '2.0', '1e3', '2.5e-1', '1024', '44236.8'),
);

/** Texts with few brackets, so that precedence and associativity decide. Shifts and powers stay small. */
const { text } = fc.letrec<{ text: string; sum: string }>(tie => {
  const { sum } = { sum: tie('sum') };
  const operator = fc.constantFrom('+', '-', '*', '/', '//', '%', '+', '-', '*');
  const small = fc.constantFrom('2 ** 3', '2 ** 3 ** 2', '-2 ** 2', '2 ** -1', '(-2) ** 3');
  const shifted = fc.constantFrom('1 << 2 + 3', '7 >> 1', '1 << 3 << 1', '5 - 1 << 2');
  const call = fc.oneof(
    fc
      .tuple(fc.constantFrom('min', 'max'), sum, sum, sum)
      .map(([name, a, b, c]) => `${name}(${a}, ${b}, ${c})`),
    fc
      .tuple(fc.constantFrom('abs', 'int', 'float', 'round'), sum)
      .map(([name, a]) => `${name}(${a})`),
    sum.map(a => `round(${a}, 2)`),
  );
  return {
    sum: fc.oneof(
      { maxDepth: 5, depthSize: 'large' },
      number,
      fc.tuple(sum, operator, sum).map(([a, name, b]) => `${a} ${name} ${b}`),
      fc.tuple(sum, operator, sum).map(([a, name, b]) => `${a}${name}${b}`),
      fc.tuple(number, operator, small).map(([a, name, b]) => `${a} ${name} ${b}`),
      sum.map(a => `-${a}`),
      sum.map(a => `(${a})`),
      shifted.map(a => `(${a})`),
      call,
    ),
    text: fc.oneof(
      sum,
      shifted,
      fc
        .tuple(sum, fc.constantFrom('<', '<=', '>', '>=', '==', '!='), sum)
        .map(([a, name, b]) => `${a} ${name} ${b}`),
      fc.tuple(sum, sum, sum, sum).map(([a, b, c, d]) => `${a} if ${b} < ${c} else ${d}`),
      fc
        .tuple(sum, sum, sum, sum, sum)
        .map(([a, b, c, d, e]) => `${a} if not ${b} else ${c} if ${d} else ${e}`),
      sum.map(a => `not not ${a}`),
    ),
  };
});

describe.skipIf(isPythonMissing)('a formula', () => {
  const texts = fc.sample(text, { numRuns: 4000, seed: 99 });

  test('means what it means in Python', () => {
    const expected = runPython(
      evaluateProgram,
      // `--1` is fine in both, and Python's bool counts as an int.
      texts,
    ) as string[];
    const differences = texts.flatMap((source, at) => {
      const found = outcome(read(source));
      return found === expected[at] ? [] : [`${source}: ${found}, Python ${expected[at]}`];
    });
    expect(differences.slice(0, 10)).toEqual([]);
  });

  test('is written back as text with the same meaning', () => {
    const differences = texts.flatMap(source => {
      const term = read(source);
      const back = written(term);
      return isSame(read(back), term) ? [] : [`${source} became ${back}`];
    });
    expect(differences.slice(0, 10)).toEqual([]);
  });
});

/** A formula of constants alone has parts of text alone. */
function written(term: Term): string {
  return formulaOf(term)
    .map(part => (typeof part === 'string' ? part : '?'))
    .join('');
}

/** The same number or exception; a float constant is written as the int that it equals. */
function isSame(a: Term, b: Term): boolean {
  const [one, other] = [new Evaluator().evaluate(a), new Evaluator().evaluate(b)];
  return one.kind === 'value' && other.kind === 'value'
    ? one.value == other.value
    : outcome(a) === outcome(b);
}

test('a comparison inside another and a negative base are written in brackets', () => {
  const inner = apply('<', [constant(1n), constant(2n)]);
  expect(written(apply('==', [inner, constant(1n)]))).toBe('(1 < 2) == 1');
  expect(written(apply('**', [constant(-5n), constant(2n)]))).toBe('(-5) ** 2');
});

describe('formula text', () => {
  const x = input('x', units.GiB);

  test('names its results, and later lines see earlier ones', () => {
    const terms = readFormulas('# a comment\nhalf = x / 2  # and another\n\nquarter = half / 2', {
      x,
    });
    expect([...terms.keys()]).toEqual(['half', 'quarter']);
    const quarter = terms.get('quarter')!;
    expect(quarter.kind === 'operator' && quarter.operands[0]).toBe(terms.get('half'));
    expect(quarter.kind === 'operator' && quarter.name).toBe('quarter');
  });

  test('shares a term that gets a second name', () => {
    const terms = readFormulas('sum = x + 1\nsame = sum\nplain = x', { x });
    expect(terms.get('same')).toBe(terms.get('sum'));
    expect(terms.get('plain')).toBe(x);
  });

  test('keeps ints and floats apart as Python does', () => {
    expect(read('7')).toMatchObject({ value: 7n });
    expect(read('7.0')).toMatchObject({ value: 7 });
    expect(read('1e3')).toMatchObject({ value: 1000 });
    expect(read('9007199254740993')).toMatchObject({ value: 9007199254740993n });
  });

  test('reads a > b as b < a', () => {
    expect(read('x > 2', { x })).toMatchObject({ operator: '<', operands: [{ value: 2n }, x] });
    expect(read('x >= 2', { x })).toMatchObject({ operator: '<=', operands: [{ value: 2n }, x] });
  });

  test.each([
    ['result = ', 'nothing after the sign'],
    ['result == 2', 'no assignment'],
    ['2 = 3', 'no name'],
    ['result = 2 +', 'an end too early'],
    ['result = 2 3', 'two values side by side'],
    ['result = (2', 'an open bracket'],
    ['result = 2)', 'a closing bracket too many'],
    ['result = y', 'an unknown name'],
    ['result = constructor', 'the name of a property of all objects'],
    ['result = 2 constructor 3', 'such a name between values'],
    ['result = min', 'a function without arguments'],
    ['result = min()', 'an empty argument list'],
    ['result = min(2)', 'too few arguments'],
    ['result = abs(2, 3)', 'too many arguments'],
    ['result = 1 < 2 < 3', 'a chain of comparisons, which Python reads differently'],
    ['result = 1 if 2', 'a choice without its other branch'],
    ['result = 2 + not 3', 'a negation inside a sum'],
    ['result = "text"', 'a string'],
    ['result = x.y', 'an attribute'],
    ['result = 2 & 3', 'an operator that the table lacks'],
    ['a = 1; b = 2', 'two statements in a line'],
  ])('refuses %o: %s', source => {
    expect(() => readFormulas(source, { x })).toThrow(FormulaError);
  });

  test('says which formula it could not read', () => {
    expect(() => read('2 * missing')).toThrow(/missing/);
  });
});
