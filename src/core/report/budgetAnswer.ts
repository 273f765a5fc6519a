/**
 * What a changed budget comes to: pool, tokens, full-length requests, what is left, what else moves;
 * and the inverse, the fraction that holds so many tokens. Walks the run's own graph; the page asks
 * it at every step of its slider.
 */
import { fractionOf } from '../account/advice';
import { concurrentRequests } from '../model/requestCost';
import type { WhatIf } from '../account/whatIf';
import { poolOf, rowTerms } from '../account/whatIf';
import { budgetTerms } from '../sglang/budgetFormula';
import type { QuantityId } from '../sglang/quantityId';
import { factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';

/** Terms that move with the fraction, beside those of the table. */
const movingTerms = [
  ['slack', budgetTerms.slack],
  ['restMemory', budgetTerms.rest],
  ['kvPool', budgetTerms.kvPool],
  ['draftPool', budgetTerms.draftBuffers],
  ['statePool', budgetTerms.state],
  ['stateSlots', budgetTerms.stateSlots],
  ['hostKvPool', budgetTerms.hostPool],
] as const satisfies readonly (readonly [QuantityId, Term])[];

/** Id of a quantity that moves. */
export type MovingId = (typeof movingTerms)[number][0];

/** The budget with some inputs changed; what cannot be known is undefined. */
export interface BudgetAnswer {
  readonly fraction: Quantity;
  /** GiB of the KV pool as it is allocated; negative, what is short, where it does not fit. */
  readonly pool: Quantity | undefined;
  readonly tokens: Quantity | undefined;
  /** Full-length requests that the tokens hold at once. */
  readonly requests: Quantity | undefined;
  /** GiB free after the pools and the known costs. */
  readonly left: Quantity | undefined;
  /** True where some fraction of these inputs gives a pool and this one does. */
  readonly isPossible: boolean;
  readonly moves: readonly { readonly id: MovingId; readonly quantity: Quantity }[];
}

/** What a fraction gives, with `changes` in place of what the run says of the same terms. */
export function budgetAnswer(
  whatIf: WhatIf,
  fraction: number,
  changes: readonly Fact[] = [],
  context?: Quantity,
): BudgetAnswer {
  const asked = fractionOf(fraction);
  const { tokens: tokensTerm, left } = budgetTerms;
  const solution = whatIf.solve(
    [...changes, factOf(budgetTerms.fraction, asked)],
    [...rowTerms, ...movingTerms.map(([, term]) => term)],
  );
  const pool = poolOf(solution);
  const tokens = solution.quantityOf(tokensTerm);
  const isPossible = pool !== undefined && pool.interval.hi > 0;
  return {
    fraction: asked,
    pool,
    tokens,
    requests: isPossible && tokens && context ? concurrentRequests(tokens, context) : undefined,
    left: isPossible ? solution.quantityOf(left) : undefined,
    isPossible,
    moves: movingTerms.flatMap(([id, term]) => {
      const isShown = (isPossible || isOfTheWhole(id)) && !isFixed(whatIf, term);
      const quantity = isShown ? solution.quantityOf(term) : undefined;
      // A pool of nothing is none.
      const isThere = quantity !== undefined && (isOfTheWhole(id) || quantity.interval.hi > 0);
      return isThere ? [{ id, quantity }] : [];
    }),
  };
}

/** Known whether a pool fits or not. */
function isOfTheWhole(id: MovingId): boolean {
  return id === 'slack' || id === 'restMemory';
}

/** Typed slots are a fact of the run: their pool stays whatever the fraction. */
function isFixed(whatIf: WhatIf, term: Term): boolean {
  const isState = term === budgetTerms.state || term === budgetTerms.stateSlots;
  return isState && whatIf.base.some(fact => fact.term === budgetTerms.state);
}

/** The fraction that tokens need: all that is known of it, and a value to set. */
export interface FractionForTokens {
  readonly fraction: Quantity;
  /** The smallest thousandth that surely holds them; undefined where none below 1 does. */
  readonly value: number | undefined;
}

/** Exactly backwards through the same graph; undefined where no fraction gives so many tokens. */
export function fractionForTokens(
  whatIf: WhatIf,
  tokens: Quantity,
  changes: readonly Fact[] = [],
): FractionForTokens | undefined {
  const solution = whatIf.solve(
    [...changes, factOf(budgetTerms.tokens, tokens)],
    [budgetTerms.fraction],
  );
  const fraction = solution.quantityOf(budgetTerms.fraction);
  if (solution.contradiction !== undefined || fraction === undefined) {
    return undefined;
  }
  return { fraction, value: surelyHolding(whatIf, tokens, fraction, changes) };
}

/** Thousandths that are tried above the upper bound: rounding of pages costs at most one. */
const triedSteps = 3;

function surelyHolding(
  whatIf: WhatIf,
  tokens: Quantity,
  { interval }: Quantity,
  changes: readonly Fact[],
): number | undefined {
  const first = Math.ceil(interval.hi * 1000);
  for (let step = first; step < first + triedSteps && step > 0 && step < 1000; step += 1) {
    const { tokens: held } = budgetAnswer(whatIf, step / 1000, changes);
    if (held !== undefined && held.interval.lo >= tokens.interval.hi) {
      return step / 1000;
    }
  }
  return undefined;
}
