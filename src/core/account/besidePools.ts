/**
 * What the pools and the free memory share, whatever the fraction. A run that came to its end measured
 * it: free memory at the end and the pools that it has, so costs that no line explains are counted.
 * Else it is the free memory after loading less the costs that are known.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import { factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import { solve } from '../terms/solve';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { assumptions } from './assumption';
import { availableAtReady } from './ledger';
import type { RankFigures } from './rankFigures';

/**
 * The fact from which what is left at another fraction follows.
 * @param facts those of the run's budget.
 * @param binding the rank whose end counts; undefined where its end is not that of a start.
 * @param outside GiB allocated after the pools (request table, graphs), where it is known.
 */
export function besidePools(
  facts: readonly Fact[],
  binding: RankFigures | undefined,
  outside: Quantity | undefined,
): Fact {
  return (
    measured(facts, binding && availableAtReady(binding)?.quantity) ??
    factOf(budgetTerms.outside, outside ?? givenQuantity(0, units.GiB, 'none'))
  );
}

function measured(facts: readonly Fact[], end: Quantity | undefined): Fact | undefined {
  if (end === undefined) {
    return undefined;
  }
  const solution = solve([budgetTerms.unpooled], [...facts, factOf(budgetTerms.left, end)], {
    explain: false,
  });
  const shared = solution.quantityOf(budgetTerms.unpooled);
  return shared && Number.isFinite(shared.interval.lo) && Number.isFinite(shared.interval.hi)
    ? {
        ...factOf(budgetTerms.unpooled, shared),
        basis: 'assumed',
        assumptions: [...new Set([...shared.assumptions, assumptions.costsUnchanged])],
      }
    : undefined;
}
