/**
 * Where a config meets the account of a run: its facts join the budget unless they cannot be true of
 * the run, and its pools stand in for lines that the log does not have.
 */
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import type { QuantityId } from '../sglang/quantityId';
import { solve } from '../terms/solve';
import type { Quantity } from '../units/quantity';
import type { RunAccount } from './account';
import type { BudgetFacts } from './budgetFacts';
import type { Fractions } from './fraction';
import { withLayoutFacts, withPrintedCell } from './layoutBudget';
import type { KnownRun } from './predictedPools';
import { argumentInForce, predictedPools } from './predictedPools';
import type { GivenConfig } from './runLayout';
import { layoutOfRun } from './runLayout';

/** The budget solved with what a config adds; without it where that cannot be true of this run. */
export function joinConfig(
  run: Run,
  collected: BudgetFacts,
  config: GivenConfig | undefined,
): Pick<RunAccount, 'budget' | 'solution' | 'layout'> {
  const terms = Object.values(budgetTerms);
  const found = config && layoutOfRun(run, collected.binding, config);
  const layout =
    found?.kind === 'known'
      ? { ...found, value: withPrintedCell(found.value, collected.facts) }
      : found;
  if (layout?.kind === 'known') {
    const facts = withLayoutFacts(collected.facts, layout.value, collected.binding);
    const solution = solve(terms, facts);
    if (solution.contradiction === undefined) {
      return { budget: { ...collected, facts }, solution, layout };
    }
  }
  const solution = solve(terms, collected.facts);
  const isRefuted = solution.contradiction === undefined && layout?.kind === 'known';
  return {
    budget: collected,
    solution,
    layout: isRefuted ? { ...layout, value: { ...layout.value, agreement: 'differs' } } : layout,
  };
}

/** What a config says of quantities that the log does not print. */
export function withPrediction(
  quantities: ReadonlyMap<QuantityId, Quantity>,
  known: Omit<KnownRun, 'fraction'> & { readonly fraction: Fractions },
  layout: RunAccount['layout'],
): ReadonlyMap<QuantityId, Quantity> {
  if (layout?.kind !== 'known') {
    return quantities;
  }
  const { effective, claimed } = known.fraction;
  const hasVision = layout.value.config.layout.vision !== undefined;
  const fraction = effective ?? argumentInForce(known.run, claimed, hasVision);
  return new Map([...predictedPools(layout.value, { ...known, fraction }), ...quantities]);
}
