/**
 * One unknown of a run's budget from the others, by the same graph: tokens from a fraction, or the
 * fraction that gives so many tokens.
 */
import type { Message } from '../message/message';
import { message } from '../message/message';
import { budgetTerms } from '../sglang/budgetFormula';
import type { QuantityId } from '../sglang/quantityId';
import { derive, factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import type { Term } from '../terms/term';
import { givenQuantity } from '../units/givenQuantity';
import { intersect } from '../units/interval';
import { units } from '../units/unit';
import type { Quantity } from '../units/quantity';
import type { RunAccount } from './account';
import { apartFacts } from './apartFacts';
import { sampleDriftGiB } from './assumption';
import { factorInForce } from './fractionMultiplier';
import type { WhatIf } from './whatIf';

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
  fullTokens: budgetTerms.tokens,
  swaTokens: budgetTerms.windowTokens,
  clusterTokens: budgetTerms.allTokens,
  kvPool: budgetTerms.fullPool,
  swaPool: budgetTerms.windowPool,
  draftPool: budgetTerms.draftBuffers,
  statePool: budgetTerms.state,
  stateSlots: budgetTerms.stateSlots,
  bytesPerSlot: budgetTerms.slotBytes,
  weights: budgetTerms.weights,
  multimodalReservation: budgetTerms.reservation,
  requestToTokenPool: budgetTerms.requestTable,
  contextLength: budgetTerms.context,
  maxRunningRequests: budgetTerms.rows,
  hostKvPool: budgetTerms.hostPool,
  finalAvailable: budgetTerms.left,
} as const satisfies Partial<Record<QuantityId, Term>>;

export type SolvableId = keyof typeof solvableTerms;

/** What the run says of these stands back where the quantity is asked for or set. */
const freed: Readonly<Partial<Record<SolvableId, readonly Term[]>>> = {
  weights: [budgetTerms.available],
  stateSlots: [budgetTerms.state],
};

/** A pool of state that is set takes no share. */
const sharedState: readonly Term[] = [
  budgetTerms.stateShare,
  budgetTerms.stateRemainder,
  budgetTerms.shareDifference,
];

function freedBySetting(id: SolvableId): readonly Term[] {
  return [...(freed[id] ?? []), ...(isStateId(id) ? sharedState : [])];
}

function isStateId(id: SolvableId): boolean {
  return id === 'statePool' || id === 'stateSlots';
}

export function isSolvable(id: string): id is SolvableId {
  return Object.hasOwn(solvableTerms, id);
}

/**
 * The answer, or `contradiction` where the set values cannot hold together. `missing` names what the
 * run does not tell and the answer rests on.
 */
export type Solved =
  | { readonly kind: 'value'; readonly quantity: Quantity; readonly note?: Message }
  | { readonly kind: 'unknown'; readonly missing: readonly SolvableId[]; readonly reason?: Message }
  | { readonly kind: 'contradiction'; readonly reason: Message };

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
  const known = account.whatIf.with(apartFacts(account));
  for (const name of [id, ...given.keys()]) {
    const reason = missingLink(account, known, name);
    if (reason !== undefined) {
      return { kind: 'unknown', missing: [], reason };
    }
  }
  const base = known.without([...given.keys()].flatMap(freedBySetting));
  const others = base.without([term, ...(freed[id] ?? [])]);
  const inForce = [...changes, ...fractionInForce(account, id, given)];
  const tries: readonly (readonly [WhatIf, readonly Fact[]])[] = [
    [others, inForce],
    // A state pool that is asked for need not keep its share.
    ...(isStateId(id) ? [[others.without(sharedState), inForce] as const] : []),
    [others, changes],
  ];
  for (const [budget, facts] of tries) {
    const solution = budget.solve(facts);
    const quantity = solution.contradiction ? undefined : solution.quantityOf(term);
    if (quantity && isClosed(quantity)) {
      return valueOf(id, given, solution, typed(quantity));
    }
  }
  const solution = base.solve(changes);
  if (solution.contradiction !== undefined) {
    return { kind: 'contradiction', reason: message('solve.contradiction', {}) };
  }
  const quantity = solution.quantityOf(term);
  return quantity === undefined
    ? { kind: 'unknown', missing: missingFor(id, solution) }
    : valueOf(id, given, solution, typed(quantity));
}

/** Free memory does not grow while weights load: refused where it is set so, told where it comes out. */
function valueOf(
  id: SolvableId,
  given: ReadonlyMap<SolvableId, Quantity>,
  solution: Solution,
  quantity: Quantity,
): Solved {
  const [total, available] = [budgetTerms.total, budgetTerms.available].map(term =>
    solution.quantityOf(term),
  );
  const isGrown =
    total !== undefined &&
    available !== undefined &&
    available.interval.lo > total.interval.hi + sampleDriftGiB;
  if (solvableTerms[id] === budgetTerms.fraction && quantity.interval.lo > 1) {
    return { kind: 'value', quantity, note: message('solve.no-fraction', {}) };
  }
  const isSet = memoryIds.some(name => given.has(name));
  if (!isGrown || (!isSet && !memoryIds.includes(id))) {
    return { kind: 'value', quantity };
  }
  const figures = { total, available };
  return memoryIds.includes(id) && !isSet
    ? { kind: 'value', quantity, note: message('solve.beyond-total', figures) }
    : { kind: 'contradiction', reason: message('solve.free-grows', figures) };
}

const memoryIds: readonly SolvableId[] = ['totalBeforeLoad', 'availableAfterLoad', 'weights'];

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

/** What tokens come from, and what the other quantities come from. */
const inputsOfTokens: readonly SolvableId[] = [
  'totalBeforeLoad',
  'availableAfterLoad',
  'memFractionStatic',
  'bytesPerToken',
  'statePool',
  'maxTotalTokens',
];

const inputsOf: readonly (readonly SolvableId[])[] = [
  ['requestToTokenPool', 'contextLength', 'maxRunningRequests'],
  ['stateSlots', 'bytesPerSlot', 'statePool'],
  inputsOfTokens,
];

function missingFor(id: SolvableId, solution: Solution): SolvableId[] {
  const group = inputsOf.find(ids => ids.includes(id)) ?? inputsOfTokens;
  // Tokens are an input only where one of the inputs is asked for.
  const inputs = group.includes(id) ? group : group.filter(name => name !== 'maxTotalTokens');
  return inputs.filter(name => {
    const quantity = solution.quantityOf(solvableTerms[name]);
    return solvableTerms[name] !== solvableTerms[id] && !(quantity && isClosed(quantity));
  });
}

/** What ties a quantity to the budget, where the log does not show it and no value can stand for it. */
function missingLink(account: RunAccount, base: WhatIf, id: SolvableId): Message | undefined {
  const { run, quantities, budget } = account;
  const has = (term: Term): boolean =>
    base.base.some(fact => fact.term === term && fact.interval.hi > 0);
  const isWindow = budget.binding?.swaPool !== undefined;
  const unless = (isLinked: boolean, reason: Message): Message | undefined =>
    isLinked ? undefined : reason;
  switch (id) {
    case 'weights':
      return unless(
        base.base.some(({ term }) => term === budgetTerms.besideWeights),
        message('solve.no-weights', {}),
      );
    case 'kvPool':
      return unless(!isWindow || has(budgetTerms.windowShare), message('solve.no-share', {}));
    case 'fullTokens':
    case 'swaTokens':
    case 'swaPool':
      return isWindow
        ? unless(has(budgetTerms.windowShare), message('solve.no-share', {}))
        : message('solve.no-window', {});
    case 'clusterTokens':
      return unless(
        has(budgetTerms.replicas),
        message((run.parallel.dp ?? 1) > 1 ? 'solve.unlike-replicas' : 'solve.one-replica', {}),
      );
    case 'hostKvPool':
      return unless(has(budgetTerms.hostCell), message('solve.no-host-pool', {}));
    case 'draftPool':
      return unless(has(budgetTerms.draftBufferCell), message('solve.no-draft', {}));
    case 'finalAvailable':
      return unless(
        has(budgetTerms.unpooled) ||
          (quantities.has('graphMemory') && quantities.has('requestToTokenPool')),
        message('solve.no-end', {}),
      );
    default:
      return undefined;
  }
}
