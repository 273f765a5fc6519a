/**
 * With a pool of window layers beside the full one: what each token of the full pool costs, with its
 * share of the window pool. That is what a budget holds whole tokens of, whatever the release divides
 * by first. Leaves out drafts beyond what the budget counts.
 */
import type { FormulaScope } from '../sglang/layout/formulaScope';
import { allocatedPerFullToken, budgetPerFullToken } from '../sglang/layout/windowFormula';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';
import type { TokenBytes } from './bytesContext';

/** B/token, both. */
export interface PerFullToken {
  readonly budgeted: Quantity | undefined;
  readonly allocated: Quantity | undefined;
}

/** Undefined where there is one pool, or none of the formulas is in the release. */
export function perFullToken({ scope, windowPool }: TokenBytes): PerFullToken | undefined {
  const terms = windowPool && perFullTokenTerms(scope);
  if (terms === undefined) {
    return undefined;
  }
  const solution = solve(Object.values(terms), scope.facts, { explain: false });
  return {
    budgeted: solution.quantityOf(terms.budgeted),
    allocated: solution.quantityOf(terms.allocated),
  };
}

/** The terms of a scope that has both pools. */
export function perFullTokenTerms(scope: FormulaScope): PerFullTokenTerms | undefined {
  const own = scope.fork();
  if (!own.lower(budgetPerFullToken)) {
    return undefined;
  }
  own.read(allocatedPerFullToken);
  return {
    budgeted: own.term('per_full_token'),
    allocated: own.term('allocated_per_full_token'),
  };
}

interface PerFullTokenTerms {
  readonly budgeted: Term;
  readonly allocated: Term;
}
