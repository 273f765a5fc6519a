/** Evaluation by hand-made graphs: what is missing, what raises, which branch is taken, and units. */
import { describe, expect, test } from 'vitest';
import { apply, choose, constant, input } from '../../../src/core/terms/build';
import { Evaluator, UnitInferrer } from '../../../src/core/terms/evaluate';
import type { Term } from '../../../src/core/terms/term';
import { topologicalOrder } from '../../../src/core/terms/term';
import type { PythonNumber } from '../../../src/core/units/pythonNumber';
import type { Unit } from '../../../src/core/units/unit';
import { Unit as UnitClass, units } from '../../../src/core/units/unit';

const x = input('x', units.GiB);
const y = input('y', units.GiB);

function evaluate(term: Term, ...given: [Term, PythonNumber][]) {
  return new Evaluator(new Map(given)).evaluate(term);
}

describe('evaluation', () => {
  test('names every input that is missing, once', () => {
    const sum = apply('+', [apply('*', [x, y]), x]);
    expect(evaluate(sum)).toEqual({ kind: 'missing', inputs: [x, y] });
    expect(evaluate(sum, [x, 2n])).toEqual({ kind: 'missing', inputs: [y] });
    expect(evaluate(sum, [x, 2n], [y, 3n])).toEqual({ kind: 'value', value: 8n });
  });

  test('takes a value that is given for a derived term as it is', () => {
    const sum = apply('+', [x, y]);
    expect(evaluate(apply('neg', [sum]), [sum, 5n])).toEqual({ kind: 'value', value: -5n });
  });

  test('looks only into the branch that is taken', () => {
    const division = apply('/', [constant(1n), constant(0n)]);
    const condition = input('condition', units.one);
    const either = choose(condition, x, division);
    expect(evaluate(either, [condition, 1n], [x, 7n])).toEqual({ kind: 'value', value: 7n });
    expect(evaluate(either, [condition, 1n])).toEqual({ kind: 'missing', inputs: [x] });
    expect(evaluate(either, [condition, 0n]).kind).toBe('raises');
    expect(evaluate(either, [x, 7n])).toEqual({ kind: 'missing', inputs: [condition] });
  });

  test('says which exception CPython raises', () => {
    const evaluation = evaluate(apply('//', [x, y]), [x, 1], [y, 0]);
    expect(evaluation.kind === 'raises' && evaluation.error.exception).toBe('ZeroDivisionError');
  });

  test('walks a deep and heavily shared graph in one pass', () => {
    let term: Term = x;
    for (let depth = 0; depth < 20_000; depth++) {
      term = apply('max', [term, apply('-', [term, constant(1n)])]);
    }
    expect(evaluate(term, [x, 5n])).toEqual({ kind: 'value', value: 5n });
    expect(topologicalOrder([term])).toHaveLength(60_001);
  });
});

describe('the order of terms', () => {
  test('has operands before users, every term once, and leaves out what is known', () => {
    const sum = apply('+', [x, y]);
    const twice = apply('*', [sum, sum]);
    expect(topologicalOrder([twice, sum, y])).toEqual([x, y, sum, twice]);
    expect(topologicalOrder([twice], term => term === sum)).toEqual([twice]);
  });
});

describe('units follow the data flow', () => {
  const bytes = input('bytes', units.B);
  const perToken = input('cell', units.bytesPerToken);
  const unnamed = input('unnamed', undefined);
  const inGiB = constant(1n << 30n);
  const unitOf = (term: Term): Unit | undefined => new UnitInferrer().infer(term).unit;

  test('through sums, scale changes, quotients and clamps', () => {
    const gib = apply('/', [bytes, inGiB]);
    expect(unitOf(gib)).toBe(units.GiB);
    expect(unitOf(apply('-', [x, gib]))).toBe(units.GiB);
    expect(unitOf(apply('*', [x, inGiB]))).toBe(units.B);
    expect(unitOf(apply('//', [apply('*', [x, inGiB]), perToken]))).toBe(units.token);
    expect(unitOf(apply('max', [constant(0n), x]))).toBe(units.GiB);
    expect(unitOf(apply('<<', [x, constant(30n)]))).toBe(units.B);
    expect(unitOf(apply('>>', [bytes, constant(20n)]))).toBe(units.MiB);
    expect(unitOf(apply('/', [x, y]))).toBe(units.one);
    expect(unitOf(apply('*', [bytes, apply('**', [constant(2n), constant(10n)])]))).toBe(units.B);
    expect(unitOf(apply('/', [bytes, apply('**', [constant(1024n), constant(3n)])]))).toBe(
      units.GiB,
    );
    expect(unitOf(apply('/', [bytes, constant(1e9)]))).toBe(units.GB);
    expect(unitOf(apply('/', [perToken, inGiB]))).toBe(UnitClass.parse('GiB/token'));
  });

  test('and a number that merely looks like a scale changes nothing that is not bytes', () => {
    const tokens = input('tokens', units.token);
    expect(unitOf(apply('*', [tokens, constant(1024n)]))).toBe(units.token);
    expect(unitOf(apply('*', [bytes, constant(1024n)]))).toBe(units.B);
    expect(unitOf(apply('/', [tokens, constant(4096n)]))).toBe(units.token);
    expect(unitOf(apply('/', [bytes, constant(2n)]))).toBe(units.B);
    expect(unitOf(apply('*', [x, constant(0.9)]))).toBe(units.GiB);
    expect(unitOf(apply('*', [x, input('count', units.one)]))).toBe(units.GiB);
  });

  test('and memory behind a factor that is no scale of ours has no unit', () => {
    expect(unitOf(apply('/', [bytes, constant(1000n)]))).toBeUndefined();
    expect(unitOf(apply('/', [bytes, constant(1e6)]))).toBeUndefined();
    expect(unitOf(apply('*', [bytes, constant(1e-6)]))).toBeUndefined();
    expect(unitOf(apply('//', [bytes, constant(70272n)]))).toBeUndefined();
    expect(unitOf(apply('>>', [bytes, constant(40n)]))).toBeUndefined();
    expect(unitOf(apply('*', [x, constant(1e9)]))).toBeUndefined();
    expect(unitOf(apply('*', [x, constant(1000n)]))).toBeUndefined();
  });

  test('and a product with a share of one is a quotient', () => {
    expect(unitOf(apply('*', [bytes, constant(1e-9)]))).toBe(units.GB);
    expect(unitOf(apply('*', [bytes, constant(2 ** -30)]))).toBe(units.GiB);
    expect(unitOf(apply('/', [x, constant(2 ** -30)]))).toBe(units.B);
  });

  test('and are unknown where an operand is, without guessing', () => {
    expect(unitOf(apply('+', [x, unnamed]))).toBeUndefined();
    expect(unitOf(apply('*', [x, unnamed]))).toBeUndefined();
    expect(unitOf(apply('<<', [x, input('shift', units.one)]))).toBeUndefined();
    expect(unitOf(apply('**', [x, constant(2n)]))).toBeUndefined();
  });

  test('and a mix of scales is reported once, where it happens', () => {
    const mixed = apply('-', [x, bytes]);
    const later = apply('+', [apply('*', [mixed, constant(2n)]), y]);
    const { unit, mismatches } = new UnitInferrer().infer(later);
    expect(unit).toBeUndefined();
    expect(mismatches).toEqual([{ term: mixed, mismatch: { left: units.GiB, right: units.B } }]);
  });

  test('and an amount times the bytes of another scale is a mix', () => {
    const decimal = apply('*', [x, constant(1e9)]);
    const { unit, mismatches } = new UnitInferrer().infer(apply('int', [decimal]));
    expect(unit).toBeUndefined();
    expect(mismatches).toEqual([{ term: decimal, mismatch: { left: units.GiB, right: units.GB } }]);
    expect(unitOf(apply('*', [bytes, constant(1e9)]))).toBe(units.B);
    expect(new UnitInferrer().infer(apply('*', [x, constant(1000n)])).mismatches).toEqual([]);
  });

  test('and a mix is seen beside an operand without a unit, in comparisons and in choices', () => {
    const inferrer = new UnitInferrer();
    const mismatch = { left: units.GiB, right: units.B };
    for (const term of [
      apply('max', [unnamed, x, bytes]),
      apply('<', [x, bytes]),
      choose(unnamed, x, bytes),
    ]) {
      expect(inferrer.infer(term).mismatches).toEqual([{ term, mismatch }]);
    }
    expect(inferrer.infer(apply('<', [x, y])).unit).toBe(units.one);
  });
});
