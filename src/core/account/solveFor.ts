/**
 * One unknown of a run's budget from the others, by the same graph: tokens from a fraction, or the
 * fraction that gives so many tokens.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import type { QuantityId } from '../sglang/quantityId';
import { factOf } from '../terms/derive';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';
import type { RunAccount } from './account';

/** The quantities that the budget formula relates. */
export const solvableTerms = {
  totalBeforeLoad: budgetTerms.total,
  availableAfterLoad: budgetTerms.available,
  memFractionStatic: budgetTerms.fraction,
  memFractionEffective: budgetTerms.fraction,
  slack: budgetTerms.slack,
  restMemory: budgetTerms.rest,
  budgetedBytesPerToken: budgetTerms.cell,
  allocatedBytesPerToken: budgetTerms.allocatedCell,
  bytesPerToken: budgetTerms.cell,
  profiledTokens: budgetTerms.profiled,
  maxTotalTokens: budgetTerms.tokens,
  kvPool: budgetTerms.kvPool,
  statePool: budgetTerms.state,
  multimodalReservation: budgetTerms.reservation,
  requestToTokenPool: budgetTerms.requestTable,
  contextLength: budgetTerms.context,
  maxRunningRequests: budgetTerms.rows,
} as const satisfies Partial<Record<QuantityId, Term>>;

export type SolvableId = keyof typeof solvableTerms;

export function isSolvable(id: string): id is SolvableId {
  return Object.hasOwn(solvableTerms, id);
}

/** The answer, or `contradiction` where the set values cannot hold together. */
export type Solved =
  | { readonly kind: 'value'; readonly quantity: Quantity }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'contradiction' };

/** Solves for `id` with the given values in place of the run's own. */
export function solveFor(
  account: RunAccount,
  id: SolvableId,
  given: ReadonlyMap<SolvableId, Quantity>,
): Solved {
  const own = account.quantities.get(id);
  if (given.size === 0 && own !== undefined) {
    return { kind: 'value', quantity: own };
  }
  const changes = [...given].map(([name, quantity]) => factOf(solvableTerms[name], quantity));
  const solution = account.whatIf.solve(changes);
  if (solution.contradiction !== undefined) {
    return { kind: 'contradiction' };
  }
  const quantity = solution.quantityOf(solvableTerms[id]);
  return quantity === undefined ? { kind: 'unknown' } : { kind: 'value', quantity };
}
