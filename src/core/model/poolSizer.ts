/**
 * From a budget to pools, for one layout and its flags: state slots, tokens of the full and the
 * window pool, requests and their table, GiB of each. Plans ask it for many fractions, the account of
 * a log for the one in force. Leaves out where free memory is known from, and what is left.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import { isSince } from '../sglang/layout/eraTable';
import { windowCapFrom } from '../sglang/layout/windowFormula';
import { derive, factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { headroomTokens, isRaised } from './headRoom';
import type { ModelLayout } from './modelLayout';
import type { SlotBytes, StateOptions, StateSplit } from './statePool';
import { splitState } from './statePool';
import type { LayoutOptions, TokenBytes } from './tokenBytes';
import type { PoolTokens, WindowCap } from './tokenPools';
import { compressedPoolTokens, requestPool, splitWindow } from './tokenPools';

/** Flags that limit or shape pools. */
export interface SizingOptions extends LayoutOptions, Omit<StateOptions, 'release' | 'parallel'> {
  readonly page?: number;
  readonly maxTotalTokens?: number;
  readonly chunkedPrefillSize?: number;
  readonly disableOverlap?: boolean;
  /** `--speculative-num-steps` and `--speculative-eagle-topk`. */
  readonly draftSteps?: number;
  readonly draftBranches?: number;
}

/** A model with what it takes per token and per slot. */
export interface SizedModel {
  readonly layout: ModelLayout;
  readonly bytes: TokenBytes;
  readonly slot: SlotBytes | undefined;
  /** Tokens of the longest request; undefined where neither flag nor config says it. */
  readonly context: Quantity | undefined;
}

/** The pools of one rank for one fraction. Undefined members do not exist or are not known. */
export interface SizedPools {
  /** GiB that the formula gives to keys and values. */
  readonly budget: Quantity | undefined;
  readonly tokens: PoolTokens;
  /** Tokens that rows of the request table follow from: without the head-room of EAGLE. */
  readonly rowTokens: Quantity | undefined;
  readonly state: StateSplit | undefined;
  /** The facts that the budget was solved from. */
  readonly facts: readonly Fact[];
}

/** Requests and what they take outside the budget. */
export interface SizedRequests {
  readonly requests: Quantity | undefined;
  /** GiB of the request-to-token table. */
  readonly table: Quantity | undefined;
}

/** Beyond every pool. */
const unlimited: Quantity = {
  ...givenQuantity(BigInt(2 ** 53), units.token, 'no limit'),
  provenance: [],
};

const noTokens: PoolTokens = { full: undefined, window: undefined };

/** Answers by the one formula text, without a search for conflicts. */
export function answerOf(terms: readonly Term[], facts: readonly Fact[]): Solution {
  return solve(terms, facts, { explain: false });
}

/** Sizes the pools of one model. */
export class PoolSizer {
  readonly #model: SizedModel;
  readonly #options: SizingOptions;
  readonly #budgeted: Quantity | undefined;

  constructor(model: SizedModel, options: SizingOptions) {
    this.#model = model;
    this.#options = options;
    this.#budgeted = model.bytes.solution.quantityOf(model.bytes.budgeted);
  }

  /** Pools for a fraction; `base` are facts of free memory and reservations. */
  pools(base: readonly Fact[], fraction: Quantity): SizedPools {
    const sizing = [...base, factOf(budgetTerms.fraction, fraction)];
    const state = this.#state(sizing);
    const hasState = this.#model.slot !== undefined;
    const stateMemory = hasState ? state?.taken : givenQuantity(0, units.GiB, 'no state');
    const sized = [
      ...sizing,
      ...(stateMemory ? [factOf(budgetTerms.state, stateMemory)] : []),
      ...(this.#budgeted ? [factOf(budgetTerms.cell, this.#budgeted)] : []),
      ...this.#limits(),
    ];
    const profiled = answerOf([budgetTerms.profiled], sized).quantityOf(budgetTerms.profiled);
    const headroom = this.#headroom(profiled);
    const facts = [...sized, ...(headroom ? [factOf(budgetTerms.headroom, headroom)] : [])];
    const terms = [budgetTerms.kvBudget, budgetTerms.profiled, budgetTerms.tokens];
    const solution = answerOf(terms, facts);
    const budget =
      state?.rest ?? (hasState ? undefined : solution.quantityOf(budgetTerms.kvBudget));
    const tokens = headroom && stateMemory ? this.#tokens(solution, budget) : noTokens;
    const isMore = isRaised(this.#options);
    return { budget, tokens, rowTokens: isMore ? profiled : tokens.full, state, facts };
  }

  /** Rows of the request table for so many tokens. */
  rows(tokens: Quantity, state: StateSplit | undefined): Quantity | undefined {
    const { context } = this.#model;
    return context && this.#requestPool(tokens, context, state).rows;
  }

  /** Running requests and the GiB of their table for so many tokens of the full pool. */
  requests(full: Quantity, state: StateSplit | undefined): SizedRequests {
    const { release, draftTokens = 0 } = this.#options;
    const { context } = this.#model;
    if (context === undefined) {
      return { requests: undefined, table: undefined };
    }
    const pool = this.#requestPool(full, context, state);
    const extra = isSince(release, '0.5.1') === false ? 4 : 4 + draftTokens;
    const facts = [
      ...(pool.rows ? [factOf(budgetTerms.rows, pool.rows)] : []),
      factOf(budgetTerms.context, { ...context, unit: units.one }),
      factOf(budgetTerms.extra, givenQuantity(BigInt(extra), units.one, 'entries')),
    ];
    return {
      requests: pool.requests && { ...pool.requests, unit: units.request },
      table: answerOf([budgetTerms.requestTable], facts).quantityOf(budgetTerms.requestTable),
    };
  }

  #requestPool(full: Quantity, context: Quantity, state: StateSplit | undefined) {
    return requestPool(full, context, {
      ...this.#options,
      ...(state?.slots && {
        state: { slots: state.slots, slotsPerRequest: state.slotsPerRequest },
      }),
    });
  }

  /** Tokens that EAGLE adds; undefined where they are not known. None to a pool that is not made. */
  #headroom(profiled: Quantity | undefined): Quantity | undefined {
    const { bytes, slot } = this.#model;
    if (!isRaised(this.#options) || (profiled !== undefined && profiled.interval.hi <= 0)) {
      return givenQuantity(0n, units.token, '--speculative-algorithm');
    }
    const isOne = bytes.windowPool === undefined && slot === undefined;
    const rows = isOne && profiled ? this.rows(profiled, undefined) : undefined;
    return rows && headroomTokens(rows, this.#options);
  }

  /** GiB of the window pool. */
  windowPool({ window }: PoolTokens): Quantity | undefined {
    const { windowPool, solution } = this.#model.bytes;
    const cell = windowPool && solution.quantityOf(windowPool.cell);
    return window && cell && derive('window * cell / 2**30', { window, cell });
  }

  /** Slots of state, where a positive rest is to be split. */
  #state(sizing: readonly Fact[]): StateSplit | undefined {
    const { slot } = this.#model;
    const rest = slot && answerOf([budgetTerms.rest], sizing).quantityOf(budgetTerms.rest);
    return rest && splitState(slot.quantity, rest, this.#options, slot);
  }

  #limits(): Fact[] {
    return [
      factOf(budgetTerms.page, this.#page()),
      factOf(budgetTerms.cap, this.#cap()),
      factOf(budgetTerms.stageMinimum, unlimited),
    ];
  }

  #page(): Quantity {
    return givenQuantity(BigInt(this.#options.page ?? 1), units.token, '--page-size');
  }

  /** Whole pages of what a flag allows. */
  #cap(): Quantity {
    const { page = 1, maxTotalTokens: cap } = this.#options;
    return cap === undefined
      ? unlimited
      : givenQuantity(BigInt(cap - (cap % page)), units.token, '--max-total-tokens');
  }

  /** Flags that the pools depend on and that nobody gave. */
  get missing(): readonly string[] {
    const isOpen = this.#model.bytes.windowPool !== undefined && this.#windowCap() === 'open';
    return isOpen && !this.#options.chunkedPrefillSize ? ['--chunked-prefill-size'] : [];
  }

  /**
   * The limit of a window pool that requests decide; undefined where the ratio does, `open` where it is
   * not known which, or how large the limit is.
   */
  #windowCap(): WindowCap | 'open' | undefined {
    const { release, maxRunningRequests: requests, disableRadixCache } = this.#options;
    const { chunkedPrefillSize: chunk, disableOverlap, draft } = this.#options;
    const { slidingWindow: window } = this.#model.layout;
    const isCapped = isSince(release, windowCapFrom);
    if (isCapped === false || requests === undefined || disableRadixCache !== true) {
      return undefined;
    }
    return isCapped === undefined || !chunk || !window || draft !== undefined
      ? 'open'
      : { requests, window, chunk, isOverlapped: disableOverlap !== true };
  }

  #tokens(solution: Solution, budget: Quantity | undefined): PoolTokens {
    const { page = 1, maxRunningRequests, maxTotalTokens } = this.#options;
    const { layout, bytes, context } = this.#model;
    const plain = { full: solution.quantityOf(budgetTerms.tokens), window: undefined };
    if (layout.attention.kind === 'compressed') {
      const size = budget && derive('int(pool * 2**30)', { pool: budget });
      return size && context
        ? this.#withinCap(
            compressedPoolTokens(bytes, size, {
              page: Math.max(page, 128),
              context,
              ...(maxRunningRequests !== undefined && { maxRunningRequests }),
            }),
          )
        : plain;
    }
    // A limit holds before the pools are split.
    const profiled = solution.quantityOf(
      maxTotalTokens === undefined ? budgetTerms.profiled : budgetTerms.tokens,
    );
    const cap = bytes.windowPool && this.#windowCap();
    if (cap !== undefined) {
      const size = budget && derive('int(pool * 2**30)', { pool: budget });
      return size && cap !== 'open'
        ? this.#withinCap(splitWindow(bytes, { kind: 'bytes', bytes: size, cap }, page))
        : noTokens;
    }
    return bytes.windowPool && profiled
      ? splitWindow(bytes, { kind: 'tokens', profiled }, page)
      : plain;
  }

  /** Pools that a limit cuts short in a way of their own are not known. */
  #withinCap(tokens: PoolTokens): PoolTokens {
    const { maxTotalTokens: cap } = this.#options;
    return cap === undefined || (tokens.full?.interval.hi ?? 0) <= cap ? tokens : noTokens;
  }
}
