/**
 * Whether a typed limit of tokens (`--max-total-tokens`), and not memory, decides a pool. Leaves out
 * limits that a log does not show.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import { largestPage } from '../sglang/printedCell';
import type { Solution } from '../terms/solve';
import type { Quantity } from '../units/quantity';

/** Beyond every pool, in tokens. */
const noLimit = 2 ** 40;

/**
 * The limit in tokens that decides the pool, which is smaller by less than a page; undefined where
 * memory does or nothing tells.
 */
export function bindingLimit(solution: Solution): Quantity | undefined {
  const limit = knownLimit(solution);
  const tokens = solution.quantityOf(budgetTerms.tokens);
  return limit !== undefined &&
    tokens !== undefined &&
    tokens.interval.lo > limit.interval.lo - largestPage
    ? limit
    : undefined;
}

/** The limit in tokens that somebody typed; undefined where there is none or nothing tells. */
export function knownLimit(solution: Solution): Quantity | undefined {
  const limit = solution.quantityOf(budgetTerms.cap);
  return limit !== undefined && limit.interval.hi < noLimit ? limit : undefined;
}

/** True where a limit of tokens is known and the budget may come to more. */
export function mayBeLimited(solution: Solution): boolean {
  const limit = knownLimit(solution);
  const uncapped = solution.intervalOf(budgetTerms.uncapped);
  return limit !== undefined && (uncapped?.hi ?? Infinity) >= limit.interval.lo;
}
