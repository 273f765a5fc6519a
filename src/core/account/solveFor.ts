/**
 * One unknown of a run's budget from the others, by the same graph: tokens from a fraction, or the
 * fraction that gives so many tokens.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import type { QuantityId } from '../sglang/quantityId';
import { derive, factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import type { Term } from '../terms/term';
import { intersect } from '../units/interval';
import { units } from '../units/unit';
import type { Quantity } from '../units/quantity';
import type { RunAccount } from './account';
import { givenQuantity } from './figure';
import { factorInForce } from './fractionMultiplier';
import { WhatIf } from './whatIf';

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

/**
 * The answer, or `contradiction` where the set values cannot hold together. `missing` names what the
 * run does not tell and the answer rests on.
 */
export type Solved =
  | { readonly kind: 'value'; readonly quantity: Quantity }
  | { readonly kind: 'unknown'; readonly missing: readonly SolvableId[] }
  | { readonly kind: 'contradiction' };

/**
 * Solves for `id` with the given values in place of the run's own. What the run says of `id` itself
 * stands back where the others give it, and the fraction in force stays unless it is set.
 */
export function solveFor(
  account: RunAccount,
  id: SolvableId,
  given: ReadonlyMap<SolvableId, Quantity>,
): Solved {
  const own = account.quantities.get(id);
  if (given.size === 0 && own !== undefined) {
    return { kind: 'value', quantity: own };
  }
  const term = solvableTerms[id];
  const factor = factorInForce(account.run, account.fraction);
  const typed = (quantity: Quantity): Quantity =>
    id === 'memFractionStatic' ? scaled(quantity, 'fraction / factor', factor) : quantity;
  const changes = [...given].map(([name, quantity]) =>
    factOf(
      solvableTerms[name],
      name === 'memFractionStatic' ? scaled(quantity, 'fraction * factor', factor) : quantity,
    ),
  );
  const others = WhatIf.ofBase(account.whatIf.base.filter(fact => fact.term !== term));
  for (const facts of [[...changes, ...fractionInForce(account, id, given)], changes]) {
    const solution = others.solve(facts);
    const quantity = solution.contradiction ? undefined : solution.quantityOf(term);
    if (quantity && isClosed(quantity)) {
      return { kind: 'value', quantity: typed(quantity) };
    }
  }
  const solution = account.whatIf.solve(changes);
  if (solution.contradiction !== undefined) {
    return { kind: 'contradiction' };
  }
  const quantity = solution.quantityOf(term);
  return quantity === undefined
    ? { kind: 'unknown', missing: missingFor(id, solution) }
    : { kind: 'value', quantity: typed(quantity) };
}

/** The budget knows the fraction in force; the flag is that without what the release multiplies. */
function scaled(fraction: Quantity, formula: string, factor: number | undefined): Quantity {
  const times = factor === undefined ? undefined : givenQuantity(factor, units.one, 'factor');
  return (times && derive(formula, { fraction, factor: times })) ?? fraction;
}

const fractionIds: readonly SolvableId[] = ['memFractionStatic', 'memFractionEffective', 'slack'];

/** As typed where the pools agree; nothing where the fraction is what is set or asked for. */
function fractionInForce(
  { fraction: { effective, implied, claimed } }: RunAccount,
  id: SolvableId,
  given: ReadonlyMap<SolvableId, Quantity>,
): Fact[] {
  const isTyped = claimed && implied && intersect(claimed.interval, implied.interval);
  const inForce = effective ?? (isTyped ? claimed : implied);
  return inForce === undefined || fractionIds.some(name => name === id || given.has(name))
    ? []
    : [factOf(budgetTerms.fraction, inForce)];
}

function isClosed({ interval: { lo, hi } }: Quantity): boolean {
  return Number.isFinite(lo) && Number.isFinite(hi);
}

/** What tokens come from, and what the request table comes from. */
const inputsOf: readonly (readonly SolvableId[])[] = [
  ['requestToTokenPool', 'contextLength', 'maxRunningRequests'],
  [
    'totalBeforeLoad',
    'availableAfterLoad',
    'memFractionStatic',
    'bytesPerToken',
    'statePool',
    'maxTotalTokens',
  ],
];

function missingFor(id: SolvableId, solution: Solution): SolvableId[] {
  const group = inputsOf.find(ids => ids.includes(id)) ?? inputsOf[1] ?? [];
  // Tokens are an input only where one of the inputs is asked for.
  const inputs = group.includes(id) ? group : group.filter(name => name !== 'maxTotalTokens');
  return inputs.filter(name => {
    const quantity = solution.quantityOf(solvableTerms[name]);
    return solvableTerms[name] !== solvableTerms[id] && !(quantity && isClosed(quantity));
  });
}
