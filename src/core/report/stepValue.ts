/**
 * The values that a derivation shows. Bounds that only say what no card and no fraction exceeds (free
 * memory of 0 GiB, a fraction of 1) are left open: they are no figures of the run.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import type { Solution } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';

const memories: readonly Term[] = [budgetTerms.available, budgetTerms.slack];
const fractions: readonly Term[] = [budgetTerms.fraction, budgetTerms.minimum];

/** The value of a term of the budget as a step shows it; undefined where it is not known. */
export function stepValue(solution: Solution, term: Term): Quantity | undefined {
  const quantity = solution.quantityOf(term);
  if (quantity === undefined || quantity.nominal !== undefined) {
    return quantity;
  }
  const { lo, hi } = quantity.interval;
  const interval = {
    lo: memories.includes(term) && lo <= 0 ? -Infinity : lo,
    hi: fractions.includes(term) && hi >= 1 ? Infinity : hi,
  };
  return Number.isFinite(interval.lo) || Number.isFinite(interval.hi)
    ? { ...quantity, interval }
    : undefined;
}
