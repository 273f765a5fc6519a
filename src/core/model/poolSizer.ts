/**
 * From a budget to pools, for one layout and its flags: state slots, tokens of the full and the
 * window pool, requests and their table, GiB of each. Plans ask it for many fractions, the account of
 * a log for the one in force. Leaves out where free memory is known from, and what is left.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import { compressedPage } from '../sglang/layout/compressedFormula';
import { isSince } from '../sglang/layout/eraTable';
import { extraEntries, mostDraftTokens } from '../sglang/layout/requestEntries';
import { rowsOfPoolFrom } from '../sglang/layout/requestFormula';
import { heldWindowFrom, windowCapFrom } from '../sglang/layout/windowFormula';
import { derive, factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import { boundedQuantity, givenQuantity, supposedQuantity } from '../units/givenQuantity';
import { isPoint } from '../units/interval';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { headroomTokens, isRaised } from './headRoom';
import type { ModelLayout } from './modelLayout';
import type { SlotBytes, StateOptions, StateSplit } from './statePool';
import { splitState } from './statePool';
import type { LayoutOptions, TokenBytes } from './tokenBytes';
import type { PoolTokens, RequestPool, WindowCap } from './tokenPools';
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
  /** `--disaggregation-decode-extra-slots`. */
  readonly extraSlots?: number;
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
  /** Tokens that rows of the request table follow from; undefined where the release leaves it open. */
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
  /** On a decode server, slots and GiB of state that are allocated; undefined where that is the budget's. */
  readonly held?: HeldState;
}

/** State of a decode server, which has room for requests that are under way. */
export interface HeldState {
  readonly slots: Quantity | undefined;
  /** GiB of the slots. */
  readonly memory: Quantity | undefined;
  /** GiB that all state takes beyond its budget. */
  readonly beyond: Quantity | undefined;
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
    const headroom = this.#headroom(profiled, state);
    const facts = [...sized, ...(headroom ? [factOf(budgetTerms.headroom, headroom)] : [])];
    const terms = [budgetTerms.kvBudget, budgetTerms.profiled, budgetTerms.tokens];
    const solution = answerOf(terms, facts);
    const budget =
      state?.rest ?? (hasState ? undefined : solution.quantityOf(budgetTerms.kvBudget));
    const tokens = headroom && stateMemory ? this.#tokens(solution, budget) : noTokens;
    return { budget, tokens, rowTokens: this.#rowTokens(profiled, tokens.full), state, facts };
  }

  /** Up to 0.5.9 rows follow from what was profiled, whatever limits the pool then. */
  #rowTokens(profiled: Quantity | undefined, full: Quantity | undefined): Quantity | undefined {
    switch (isSince(this.#options.release, rowsOfPoolFrom)) {
      case true:
        return full;
      case false:
        return profiled;
      case undefined:
        return profiled?.exact === full?.exact ? full : undefined;
    }
  }

  /** The same from the tokens that a log prints; undefined where more than whole pages limited them. */
  rowTokensOf(full: Quantity): Quantity | undefined {
    const { page = 1, maxTotalTokens, release } = this.#options;
    if (isSince(release, rowsOfPoolFrom) === true) {
      return full;
    }
    if (
      maxTotalTokens !== undefined ||
      this.#model.bytes.windowPool !== undefined ||
      isRaised(this.#options)
    ) {
      return undefined;
    }
    const { exact, printed, nominal, ...open } = full;
    const { lo, hi } = full.interval;
    const value = exact ?? printed ?? nominal;
    return page === 1
      ? full
      : {
          ...open,
          interval: { lo, hi: hi + page - 1 },
          ...(value !== undefined && { nominal: Number(value) }),
        };
  }

  /** Rows that so many tokens ask for: those that drafts are counted for. */
  rows(tokens: Quantity, state: StateSplit | undefined): Quantity | undefined {
    const { context } = this.#model;
    return context && this.#requestPool(tokens, tokens, context, state).askedRows;
  }

  /**
   * Running requests and the GiB of their table, for tokens of the full pool and those that rows follow
   * from.
   */
  requests(
    full: Quantity,
    rowTokens: Quantity | undefined,
    state: StateSplit | undefined,
  ): SizedRequests {
    const { context, slot } = this.#model;
    const isUnlimited = slot !== undefined && this.#options.areSlotsOpen === true;
    if (context === undefined || rowTokens === undefined || isUnlimited) {
      return { requests: undefined, table: undefined };
    }
    const pool = this.#requestPool(full, rowTokens, context, state);
    const isDecode = slot !== undefined && this.#options.role === 'decode';
    const facts = [
      ...(pool.rows ? [factOf(budgetTerms.rows, pool.rows)] : []),
      factOf(budgetTerms.context, { ...context, unit: units.one }),
      factOf(budgetTerms.extra, this.#extra()),
    ];
    return {
      requests: pool.requests && { ...pool.requests, unit: units.request },
      table: answerOf([budgetTerms.requestTable], facts).quantityOf(budgetTerms.requestTable),
      ...(isDecode && { held: this.#held(pool, slot, state) }),
    };
  }

  #held({ heldSlots, heldState }: RequestPool, slot: SlotBytes, state: StateSplit | undefined) {
    const taken = state?.taken;
    return {
      slots: heldSlots,
      memory: heldSlots && derive('slots * each / 2**30', { slots: heldSlots, each: slot.onRank }),
      beyond: heldState && taken && derive('held - taken', { held: heldState, taken }),
    };
  }

  /** Entries of a row beyond the context. */
  #extra(): Quantity {
    const { release, page = 1, draft, draftTokens } = this.#options;
    const { isSpeculative = draft !== undefined } = this.#options;
    const entries = extraEntries(release, {
      ...this.#options,
      page,
      isSpeculative,
      hasDraftPool: draft !== undefined,
    });
    if (isPoint(entries)) {
      return givenQuantity(BigInt(entries.lo), units.one, 'entries');
    }
    const assumption = `at most ${mostDraftTokens} draft tokens a step`;
    return isSpeculative && draftTokens === undefined
      ? supposedQuantity(entries, units.one, assumption, entries.lo)
      : boundedQuantity(entries, units.one, entries.lo);
  }

  #requestPool(
    full: Quantity,
    rowTokens: Quantity,
    context: Quantity,
    state: StateSplit | undefined,
  ) {
    return requestPool(full, context, {
      ...this.#options,
      rowTokens,
      isDecode: this.#options.role === 'decode',
      ...(state?.slots && {
        state: {
          slots: state.slots,
          slotsPerRequest: state.slotsPerRequest,
          ...(this.#model.slot && { slot: this.#model.slot }),
        },
      }),
    });
  }

  /** Tokens that EAGLE adds; undefined where they are not known. None to a pool that is not made. */
  #headroom(profiled: Quantity | undefined, state: StateSplit | undefined): Quantity | undefined {
    const { slot } = this.#model;
    if (!isRaised(this.#options) || (profiled !== undefined && profiled.interval.hi <= 0)) {
      return givenQuantity(0n, units.token, '--speculative-algorithm');
    }
    // Slots of state limit the rows that drafts are counted for.
    const isLimited = slot === undefined || state?.slots !== undefined;
    const rows = isLimited && profiled ? this.rows(profiled, state) : undefined;
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
    const { release, maxRunningRequests: requests, disableRadixCache, role } = this.#options;
    const { chunkedPrefillSize: chunk, disableOverlap, parallel } = this.#options;
    const { maxTotalTokens, extraSlots } = this.#options;
    const { draft, isSpeculative = draft !== undefined } = this.#options;
    const { slidingWindow: window } = this.#model.layout;
    const isCapped = isSince(release, windowCapFrom);
    const isShared = disableRadixCache !== true && role !== 'decode';
    if (isCapped === false || requests === undefined || isShared) {
      return undefined;
    }
    const isDecode = role === 'decode';
    return isCapped === undefined || !(chunk || isDecode) || !window || isSpeculative
      ? 'open'
      : {
          requests,
          window,
          parallel,
          ...(chunk && !isDecode && { chunks: { chunk, areTwo: disableOverlap !== true } }),
          ...(maxTotalTokens !== undefined && { maxTotalTokens }),
          ...(extraSlots !== undefined && { extraSlots }),
        };
  }

  #tokens(solution: Solution, budget: Quantity | undefined): PoolTokens {
    const { page = 1, maxRunningRequests, maxTotalTokens } = this.#options;
    const { layout, bytes, context } = this.#model;
    const tokens = solution.quantityOf(budgetTerms.tokens);
    const plain = { full: tokens, window: undefined };
    if (layout.attention.kind === 'compressed') {
      const size = budget && derive('int(pool * 2**30)', { pool: budget });
      return size && context
        ? compressedPoolTokens(bytes, size, {
            page: compressedPage(page),
            context,
            ...(maxRunningRequests !== undefined && { maxRunningRequests }),
            ...(maxTotalTokens !== undefined && { maxTotalTokens }),
          })
        : plain;
    }
    const cap = bytes.windowPool && this.#windowCap();
    if (cap !== undefined) {
      const size = budget && derive('int(pool * 2**30)', { pool: budget });
      return size && cap !== 'open'
        ? splitWindow(bytes, { kind: 'bytes', bytes: size, cap }, page)
        : noTokens;
    }
    // Whole pages, and a limit, come before the split.
    return bytes.windowPool && tokens
      ? this.#holdingWindow(splitWindow(bytes, { kind: 'tokens', tokens }, page))
      : plain;
  }

  /** No pools where a release does not start: its window pool holds no window and page. */
  #holdingWindow(tokens: PoolTokens): PoolTokens {
    const { release, page = 1 } = this.#options;
    const window = this.#model.layout.slidingWindow?.value;
    const most = tokens.window?.interval.hi ?? Infinity;
    const isMade = (tokens.full?.interval.hi ?? 0) > 0;
    const isRefused = isMade && window !== undefined && most <= window + page;
    return isRefused && isSince(release, heldWindowFrom) === true ? noTokens : tokens;
  }
}
