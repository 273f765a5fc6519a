/** The budget of values that a person gives, without a log. */
import { describe, expect, test } from 'vitest';
import { budgetOfValues } from '../../../src/core/account/givenBudget';
import { budgetTerms } from '../../../src/core/sglang/budgetFormula';

const seed = { total: 93.999, available: 21.697, bytesPerToken: 70272n, needTokens: undefined };

describe('given values', () => {
  test('come to the tokens that Python computes', () => {
    // int((21.697 - 93.999 * (1 - 0.88)) * 2**30 // 70272) = 159171 (python3).
    const { solution, fraction } = budgetOfValues({ ...seed, fraction: 0.88 });
    expect(Number(solution.quantityOf(budgetTerms.tokens)?.exact)).toBe(159171);
    // 1 - 21.697 / 93.999 = 0.76917839…
    expect(fraction.minimum?.interval.lo).toBeCloseTo(0.769178, 6);
  });

  test('below the floor offer a value that holds what is needed', () => {
    const { solution, advice } = budgetOfValues({
      ...seed,
      fraction: 0.55,
      needTokens: 159171n,
    });
    expect(solution.quantityOf(budgetTerms.rest)?.interval.hi).toBeCloseTo(-20.60255, 5);
    expect(advice.kind === 'fraction' && advice.flag).toBe('--mem-fraction-static 0.88');
  });

  test('that no fraction can hold are answered with other levers', () => {
    const { advice } = budgetOfValues({ ...seed, fraction: 0.9, needTokens: 1_000_000n });
    expect(advice).toMatchObject({ kind: 'none', reason: 'need-does-not-fit' });
  });
});
