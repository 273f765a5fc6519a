/**
 * Which term of the budget a figure of the sizing code is, by the id that its form gives it. Leaves
 * out samples of other moments, which only assumptions link to terms.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import type { QuantityId } from '../sglang/quantityId';
import type { Term } from '../terms/term';

/** The terms of figures that the sizing code prints; other quantities are no terms. */
export const termOfQuantity: Readonly<Partial<Record<QuantityId, Term>>> = {
  availableAfterLoad: budgetTerms.available,
  totalBeforeLoad: budgetTerms.total,
  memFractionEffective: budgetTerms.fraction,
  slack: budgetTerms.slack,
  restMemory: budgetTerms.rest,
  budgetedBytesPerToken: budgetTerms.cell,
  profiledTokens: budgetTerms.profiled,
  // DSV4 prints its tokens page aligned.
  fullTokens: budgetTerms.uncapped,
};
