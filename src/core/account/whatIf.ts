/**
 * The same budget with some inputs changed: what the pool, the tokens and the rest would be. Facts
 * that describe the pool as it was are left out; what they said of bytes per token is kept.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import type { Fact } from '../terms/fact';
import { factOf } from '../terms/derive';
import type { Solution } from '../terms/solve';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';
import { assumptions, pageBelowGiB } from './assumption';
import { mayBeLimited } from './tokenLimit';

/** One line of the table f -> GiB -> tokens -> GiB left. */
export interface WhatIfRow {
  readonly fraction: Quantity;
  /** GiB of the KV pool as it is allocated; negative, what is short, where it does not fit. */
  readonly pool: Quantity | undefined;
  readonly tokens: Quantity | undefined;
  /** GiB free after the pool and the known costs outside the budget. */
  readonly left: Quantity | undefined;
}

/** What the present run fixes, whatever the changed input: memory, bytes per token, page, limits. */
const fixedTerms: readonly Term[] = [
  budgetTerms.available,
  budgetTerms.total,
  budgetTerms.viable,
  budgetTerms.reservation,
  budgetTerms.headroom,
  budgetTerms.page,
  budgetTerms.padding,
  budgetTerms.cap,
  budgetTerms.stageMinimum,
  budgetTerms.draftCell,
  budgetTerms.draftBufferCell,
  budgetTerms.rows,
  budgetTerms.context,
  budgetTerms.extra,
];

/**
 * Without bytes per token: a pool that is allocated as budgeted takes its budget but for a page, or
 * less where a limit on the tokens may bind.
 */
function fillingFacts(facts: readonly Fact[]): readonly Fact[] {
  const isAsBudgeted = facts.some(
    ({ term, interval }) =>
      term === budgetTerms.cellDifference && interval.lo === 0 && interval.hi === 0,
  );
  const cap = facts.find(({ term }) => term === budgetTerms.cap);
  const isFree = cap?.interval.hi === Infinity;
  return isAsBudgeted
    ? [
        {
          term: budgetTerms.poolRemainder,
          interval: { lo: -pageBelowGiB, hi: isFree ? pageBelowGiB : Infinity },
          basis: 'assumed',
          assumptions: [assumptions.poolFillsBudget],
          provenance: [],
        },
      ]
    : [];
}

/** Changes inputs of one run's budget. */
export class WhatIf {
  #base: readonly Fact[];

  /**
   * @param beside what the pools and the free memory share (besidePools.ts).
   * @param state what stays true of a state pool; without it nothing is said beside one.
   */
  constructor(
    facts: readonly Fact[],
    solution: Pick<Solution, 'quantityOf'>,
    beside: Fact | undefined,
    state: readonly Fact[] = [],
  ) {
    const cells = [budgetTerms.cell, budgetTerms.allocatedCell].flatMap(term => {
      const quantity = solution.quantityOf(term);
      return quantity ? [factOf(term, quantity)] : [];
    });
    const isAllocationKnown = cells.some(({ term }) => term === budgetTerms.allocatedCell);
    const costs = beside === undefined ? [] : [beside];
    // A state pool may take a share of the budget that moves with it.
    const noState = facts.filter(fact => fact.term === budgetTerms.state && fact.interval.hi === 0);
    const fixed = facts.filter(({ term }) => fixedTerms.includes(term));
    const filling = isAllocationKnown ? [] : fillingFacts(facts);
    this.#base = [...fixed, ...noState, ...state, ...cells, ...filling, ...costs];
  }

  /** The same budget with more facts. */
  with(facts: readonly Fact[]): WhatIf {
    return WhatIf.ofBase([...this.#base, ...facts]);
  }

  /** The same budget without what it says of these terms. */
  without(terms: readonly Term[]): WhatIf {
    return WhatIf.ofBase(
      (terms.includes(budgetTerms.available) ? this.#byCosts() : this.#base).filter(
        ({ term }) => !terms.includes(term),
      ),
    );
  }

  /** As another budget's `base` says. */
  static ofBase(base: readonly Fact[]): WhatIf {
    const whatIf = new WhatIf([], { quantityOf: () => undefined }, undefined);
    whatIf.#base = base;
    return whatIf;
  }

  /** The facts that stay where nothing is changed. */
  get base(): readonly Fact[] {
    return this.#base;
  }

  /** The budget with these facts in place of what the run says of the same terms. */
  solve(changes: readonly Fact[], roots: readonly Term[] = Object.values(budgetTerms)): Solution {
    const changed = new Set(changes.map(({ term }) => term));
    const base = changed.has(budgetTerms.available) ? this.#byCosts() : this.#base;
    const kept = base.filter(({ term }) => !changed.has(term));
    return solve(roots, [...kept, ...changes], { explain: false });
  }

  /** What a measured end says of the costs beside the pools, which stay where more or less is free. */
  #byCosts(): readonly Fact[] {
    const measured = this.#base.find(({ term }) => term === budgetTerms.unpooled);
    const costs = measured
      ? solve([budgetTerms.outside], this.#base, { explain: false }).quantityOf(budgetTerms.outside)
      : undefined;
    return measured === undefined
      ? this.#base
      : [
          ...this.#base.filter(fact => fact !== measured),
          ...(costs ? [factOf(budgetTerms.outside, costs)] : []),
        ];
  }

  row(fraction: Quantity): WhatIfRow {
    const solution = this.solve([factOf(budgetTerms.fraction, fraction)], rowTerms);
    const pool = poolOf(solution);
    const isPool = pool !== undefined && pool.interval.hi > 0;
    return {
      fraction,
      pool,
      tokens: solution.quantityOf(budgetTerms.tokens),
      left: isPool ? solution.quantityOf(budgetTerms.left) : undefined,
    };
  }
}

/** What a row shows and what decides its pool. */
export const rowTerms: readonly Term[] = [
  budgetTerms.kvBudget,
  budgetTerms.uncapped,
  budgetTerms.kvPool,
  budgetTerms.tokens,
  budgetTerms.left,
];

/**
 * GiB of the KV pool: what is allocated where a limit of tokens may bind, tokens are added for drafts
 * or bytes per token are allocated otherwise than budgeted, else the budget, which is known closer than to a page. What is
 * short where nothing fits.
 */
export function poolOf(solution: Solution): Quantity | undefined {
  const budget = solution.quantityOf(budgetTerms.kvBudget);
  const allocated = solution.quantityOf(budgetTerms.kvPool);
  if (budget === undefined || budget.interval.hi <= 0 || allocated === undefined) {
    return budget;
  }
  const isOther =
    allocated.interval.lo > budget.interval.hi + pageBelowGiB ||
    allocated.interval.hi < budget.interval.lo - pageBelowGiB;
  const isRaised = (solution.intervalOf(budgetTerms.headroom)?.hi ?? 0) > 0;
  return isOther || isRaised || mayBeLimited(solution) ? allocated : budget;
}
