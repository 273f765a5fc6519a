/**
 * With a pool of window layers beside the full one: what each token of the full pool costs, with its
 * share of the window pool. That is what a budget holds whole tokens of, whatever the release divides
 * by first. Leaves out drafts beyond what the budget counts.
 */
import { allocatedPerFullToken, budgetPerFullToken } from '../sglang/layout/windowFormula';
import { solve } from '../terms/solve';
import type { Quantity } from '../units/quantity';
import type { TokenBytes } from './bytesContext';

/** B/token, both. */
export interface PerFullToken {
  readonly budgeted: Quantity | undefined;
  readonly allocated: Quantity | undefined;
}

/** Undefined where there is one pool, or none of the formulas is in the release. */
export function perFullToken({ scope, windowPool }: TokenBytes): PerFullToken | undefined {
  const own = scope.fork();
  if (windowPool === undefined || !own.lower(budgetPerFullToken)) {
    return undefined;
  }
  own.read(allocatedPerFullToken);
  const terms = [own.term('per_full_token'), own.term('allocated_per_full_token')] as const;
  const solution = solve(terms, own.facts, { explain: false });
  return { budgeted: solution.quantityOf(terms[0]), allocated: solution.quantityOf(terms[1]) };
}
