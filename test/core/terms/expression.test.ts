/** Whole expressions over ints and floats against CPython: the same bits, or the same exception. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { apply, choose, constant } from '../../../src/core/terms/build';
import { Evaluator } from '../../../src/core/terms/evaluate';
import type { OperatorName } from '../../../src/core/terms/operator';
import type { Term } from '../../../src/core/terms/term';
import type { PythonNumber } from '../../../src/core/units/pythonNumber';
import { usualFloat, usualInt } from '../units/arbitrary';
import { isPythonMissing, runPython } from '../units/python3';
import { evaluateProgram, outcomeOf, pythonLiteral } from '../units/pythonText';

const binary: readonly OperatorName[] = ['+', '-', '*', '/', '//', '%'];
const unary: readonly OperatorName[] = ['neg', 'abs', 'int', 'float', 'round', 'floor', 'ceil'];
const extremes: readonly OperatorName[] = ['min', 'max'];
const comparisons: readonly OperatorName[] = ['<', '<=', '==', '!='];

const leaf: fc.Arbitrary<Term> = fc
  .oneof(usualInt, usualFloat, fc.constantFrom<PythonNumber>(0n, 0, -0, 1n, 44236.8, 2 ** 30))
  .map(value => constant(value));

const smallInt = (min: number, max: number): fc.Arbitrary<Term> =>
  fc.integer({ min, max }).map(value => constant(BigInt(value)));

const { expression } = fc.letrec<{ expression: Term }>(tie => {
  const inner = tie('expression');
  const make = (
    names: readonly OperatorName[],
    operands: fc.Arbitrary<Term[]>,
  ): fc.Arbitrary<Term> =>
    fc.tuple(fc.constantFrom(...names), operands).map(([name, terms]) => apply(name, terms));
  return {
    expression: fc.oneof(
      { maxDepth: 5, depthSize: 'large' },
      leaf,
      make(binary, fc.tuple(inner, inner)),
      make(binary, fc.tuple(inner, inner)),
      make(unary, fc.tuple(inner)),
      make(['round'], fc.tuple(inner, smallInt(-5, 5))),
      make(['**'], fc.tuple(smallInt(-1000, 1000), smallInt(0, 9))),
      make(['<<', '>>'], fc.tuple(make(['int'], fc.tuple(inner)), smallInt(-1, 40))),
      make(['<<', '>>'], fc.tuple(inner, smallInt(0, 40))),
      make(extremes, fc.array(inner, { minLength: 2, maxLength: 4 })),
      make([...comparisons, 'not'], fc.tuple(inner, inner)).map(term =>
        term.kind === 'operator' && term.operator === 'not'
          ? apply('not', term.operands.slice(0, 1))
          : term,
      ),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => choose(a, b, c)),
    ),
  };
});

/** The expression in Python, with brackets everywhere. */
function pythonOf(term: Term): string {
  switch (term.kind) {
    case 'input':
      return term.name;
    case 'constant':
      return pythonLiteral(term.value);
    case 'choice':
      return `(${pythonOf(term.whenTrue)} if ${pythonOf(term.condition)} else ${pythonOf(term.whenFalse)})`;
    case 'operator': {
      const operands = term.operands.map(pythonOf);
      switch (term.operator) {
        case 'neg':
          return `(-${operands.join('')})`;
        case 'not':
          return `int(not ${operands.join('')})`;
        case 'floor':
        case 'ceil':
          return `math.${term.operator}(${operands.join('')})`;
        case 'abs':
        case 'int':
        case 'float':
        case 'round':
        case 'min':
        case 'max':
          return `${term.operator}(${operands.join(', ')})`;
        case '<':
        case '<=':
        case '==':
        case '!=':
          return `int(${operands.join(` ${term.operator} `)})`;
        default:
          return `(${operands.join(` ${term.operator} `)})`;
      }
    }
  }
}

function outcomeOfEvaluating(term: Term): string {
  const evaluation = new Evaluator().evaluate(term);
  switch (evaluation.kind) {
    case 'value':
      return outcomeOf(evaluation.value);
    case 'raises':
      return `raises ${evaluation.error.exception}`;
    case 'missing':
      return 'missing';
  }
}

describe.skipIf(isPythonMissing)('an expression', () => {
  test('has the value or the exception that it has in CPython', () => {
    const terms = fc.sample(expression, { numRuns: 8000, seed: 2024 });
    const texts = terms.map(pythonOf);
    const expected = runPython(evaluateProgram, texts) as string[];
    const differences = terms.flatMap((term, at) => {
      const found = outcomeOfEvaluating(term);
      return found === expected[at] ? [] : [`${texts[at]}: ${found}, CPython ${expected[at]}`];
    });
    expect(differences.slice(0, 10)).toEqual([]);

    for (const kind of ['int', 'float', 'raises ZeroDivisionError', 'raises TypeError']) {
      const count = expected.filter(outcome => outcome.startsWith(kind)).length;
      expect(count, kind).toBeGreaterThan(100);
    }
  });
});
