/** The order in which a calculation of the budget is shown. */
import { budgetTerms } from '../sglang/budgetFormula';

/** The budget's terms that a derivation shows, in the order of the calculation. */
export const derivationOrder = [
  budgetTerms.total,
  budgetTerms.available,
  budgetTerms.fraction,
  budgetTerms.slack,
  budgetTerms.rest,
  budgetTerms.cell,
  budgetTerms.profiled,
  budgetTerms.minimum,
] as const;
