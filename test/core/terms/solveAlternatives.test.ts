/** Choices and clamps that are not decided: alternatives, joined only where one interval is asked for. */
import { describe, expect, test } from 'vitest';
import { apply, choose, constant, input } from '../../../src/core/terms/build';
import { readFormulas } from '../../../src/core/terms/formula';
import { solve } from '../../../src/core/terms/solve';
import type { Term } from '../../../src/core/terms/term';
import { everything, point } from '../../../src/core/units/interval';
import { units } from '../../../src/core/units/unit';
import { factOn } from './randomGraph';

const whole = { integer: true };
const x = input('x', units.one, whole);
const y = input('y', units.one, whole);
const flag = input('flag', units.one, whole);

describe('an undecided choice', () => {
  const either = choose(flag, x, y);
  const known = [factOn(x, { lo: 1, hi: 2 }), factOn(y, { lo: 10, hi: 12 })];

  test('has both branches as alternatives', () => {
    const solution = solve([either], [...known, factOn(flag, { lo: 0, hi: 1 })]);
    expect(solution.alternativesOf(either)).toEqual([
      { lo: 1, hi: 2 },
      { lo: 10, hi: 12 },
    ]);
    expect(solution.intervalOf(either)).toEqual({ lo: 1, hi: 12 });
  });

  test('is followed through what depends on it', () => {
    const formulas = readFormulas('use = x if flag else y\ncell = use * 2\nsum = use + cell', {
      x,
      y,
      flag,
    });
    const sum = formulas.get('sum')!;
    const solution = solve([sum], [...known, factOn(flag, { lo: 0, hi: 1 })]);
    expect(solution.alternativesOf(sum)).toEqual([
      { lo: 3, hi: 6 },
      { lo: 30, hi: 36 },
    ]);
  });

  test('keeps both branches open where the condition is not known at all', () => {
    expect(solve([either], known).intervalOf(either)).toEqual({ lo: 1, hi: 12 });
  });

  test('is decided by a result that only one branch can give', () => {
    const facts = [...known, factOn(flag, { lo: 0, hi: 1 }), factOn(either, { lo: 2, hi: 11 })];
    const solution = solve([either], facts.slice(0, 3));
    expect(solution.alternativesOf(flag)).toEqual([point(0), point(1)]);
    const decided = solve([either], [...facts.slice(0, 3), factOn(either, { lo: 5, hi: 11 })]);
    expect(decided.intervalOf(flag)).toEqual(point(0));
    expect(decided.intervalOf(y)).toEqual({ lo: 10, hi: 11 });
    expect(decided.intervalOf(x)).toEqual({ lo: 1, hi: 2 });
  });

  test('by a condition that is any number is true for all but zero', () => {
    const facts = [...known, factOn(flag, { lo: 0, hi: 9 }), factOn(either, { lo: 1, hi: 5 })];
    expect(solve([either], facts).intervalOf(flag)).toEqual({ lo: 1, hi: 9 });
  });

  test('says nothing of the branch that is not taken, even where it cannot be computed', () => {
    const guarded = choose(apply('==', [y, constant(0n)]), x, apply('//', [x, y]));
    const solution = solve([guarded], [factOn(y, point(0)), factOn(x, { lo: 5, hi: 7 })]);
    expect(solution.contradiction).toBeUndefined();
    expect(solution.intervalOf(guarded)).toEqual({ lo: 5, hi: 7 });
  });

  test('that is decided brings its branch to bear, as long as it has a value', () => {
    const quotient = apply('//', [x, y]);
    const guarded = choose(flag, quotient, constant(0n));
    const facts = [factOn(x, { lo: 6, hi: 9 }), factOn(y, { lo: 0, hi: 2 })];
    const open = solve([guarded], facts);
    expect(open.intervalOf(y)).toEqual({ lo: 0, hi: 2 });
    const taken = factOn(flag, point(1));
    const decided = solve([guarded], [...facts, taken, factOn(guarded, { lo: 0, hi: 4 })]);
    expect(decided.intervalOf(y)).toEqual({ lo: 2, hi: 2 });
    expect(decided.supportOf(y)).toContain(taken);
    const impossible = solve([guarded], [facts[0]!, factOn(y, point(0)), taken]);
    expect(impossible.contradiction?.facts).toEqual([factOn(y, point(0)), taken]);
  });

  test('beyond the splits that are allowed is joined at once, not lost', () => {
    const flags = Array.from({ length: 10 }, (_, at) => input(`flag${at}`, units.one, whole));
    const sum = flags.reduce<Term>(
      (total, one) => apply('+', [total, choose(one, x, y)]),
      constant(0n),
    );
    const facts = [...known, ...flags.map(one => factOn(one, { lo: 0, hi: 1 }))];
    const solution = solve([sum], facts, { maximumSplits: 2 });
    expect(solution.intervalOf(sum)).toEqual({ lo: 10, hi: 120 });
  });
});

describe('a clamp', () => {
  const clamped = apply('min', [x, y]);

  test('that a result informs is one operand or the other', () => {
    const solution = solve(
      [clamped],
      [factOn(clamped, point(100)), factOn(x, { lo: 0, hi: 500 }), factOn(y, { lo: 0, hi: 500 })],
    );
    expect(solution.intervalOf(x)).toEqual({ lo: 100, hi: 500 });
    expect(solution.contradiction).toBeUndefined();
  });

  test('passes a result on to the only operand that can give it', () => {
    const solution = solve([clamped], [factOn(clamped, point(100)), factOn(y, point(200))]);
    expect(solution.intervalOf(x)).toEqual(point(100));
  });

  test('bounds on one side what it may have cut', () => {
    const solution = solve([clamped], [factOn(clamped, point(100)), factOn(y, point(100))]);
    expect(solution.intervalOf(x)).toEqual({ lo: 100, hi: Infinity });
    const maximum = apply('max', [constant(0n), x]);
    expect(solve([maximum], [factOn(maximum, point(0))]).intervalOf(x)).toEqual({
      lo: -Infinity,
      hi: 0,
    });
  });

  test('splits what depends on it into alternatives that do not touch', () => {
    // tokens = min(profiled, cap) with a second line that is 10 only below the cap.
    const terms = readFormulas(
      'tokens = min(x, y)\nslack = 10 if x < y else 90\ntotal = tokens + slack',
      { x, y },
    );
    const total = terms.get('total')!;
    const solution = solve(
      [total],
      [factOn(terms.get('tokens')!, point(50)), factOn(y, { lo: 50, hi: 60 })],
    );
    expect(solution.alternativesOf(total)).toEqual([point(60), point(140)]);
  });

  test('of many operands is the smallest or the largest of them', () => {
    const operands = Array.from({ length: 5 }, (_, at) => input(`rank${at}`, units.one, whole));
    const smallest = apply('min', operands);
    const facts = operands.map((one, at) => factOn(one, { lo: 10 + at, hi: 100 }));
    const solution = solve([smallest], [...facts, factOn(smallest, point(12))]);
    expect(solution.intervalOf(operands[0]!)).toEqual({ lo: 12, hi: 100 });
    expect(solution.contradiction).toBeUndefined();
    const impossible = solve([smallest], [...facts, factOn(smallest, point(101))]);
    expect(impossible.contradiction).toBeDefined();
  });
});

describe('alternatives', () => {
  test('that meet are one interval', () => {
    const either = choose(flag, x, y);
    const solution = solve(
      [either],
      [factOn(x, { lo: 1, hi: 5 }), factOn(y, { lo: 5, hi: 9 }), factOn(flag, { lo: 0, hi: 1 })],
    );
    expect(solution.alternativesOf(either)).toEqual([{ lo: 1, hi: 9 }]);
    expect(solution.alternativesOf(x)).toEqual([{ lo: 1, hi: 5 }]);
  });

  test('of what is not in the graph are none, and of what nothing is known are everything', () => {
    const solution = solve([x], []);
    expect(solution.alternativesOf(y)).toEqual([]);
    expect(solution.intervalOf(y)).toBeUndefined();
    expect(solution.alternativesOf(x)).toEqual([everything]);
    expect(solution.quantityOf(x)).toBeUndefined();
  });
});

describe('zero divisors and unknown signs', () => {
  const a = input('a', units.one);
  const b = input('b', units.one);
  const quotient = apply('/', [a, b]);

  test('bound a quotient on the side that is known', () => {
    const facts = [factOn(a, { lo: 6, hi: 8 }), factOn(b, { lo: 0, hi: 2 })];
    expect(solve([quotient], facts).intervalOf(quotient)).toEqual({ lo: 3, hi: Infinity });
    const eitherSign = [factOn(a, { lo: 6, hi: 8 }), factOn(b, { lo: -1, hi: 2 })];
    expect(solve([quotient], eitherSign).intervalOf(quotient)).toEqual(everything);
  });

  test('contradict where the value must exist', () => {
    const facts = [factOn(a, point(6)), factOn(b, point(0))];
    expect(solve([quotient], facts).contradiction?.facts).toEqual([facts[1]]);
  });
});
