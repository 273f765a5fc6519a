/**
 * Whether a typed limit of tokens (`--max-total-tokens`), and not memory, decides a pool. Leaves out
 * limits that a log does not show.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import type { Solution } from '../terms/solve';
import type { Quantity } from '../units/quantity';

/** The pool is smaller than the limit by less than a page. */
const largestPage = 256;

/** Beyond every pool, in tokens. */
const noLimit = 2 ** 40;

/** The limit in tokens that decides the pool; undefined where memory does or nothing tells. */
export function bindingLimit(solution: Solution): Quantity | undefined {
  const limit = solution.quantityOf(budgetTerms.cap);
  const tokens = solution.quantityOf(budgetTerms.tokens);
  return limit !== undefined &&
    tokens !== undefined &&
    limit.interval.hi < noLimit &&
    tokens.interval.lo > limit.interval.lo - largestPage
    ? limit
    : undefined;
}
