/**
 * The rows of a plan: for one fraction the pools, the requests and what is left. The budget's own
 * formula is that of the account; layouts, state and requests are joined to it here. Leaves out which
 * fractions are shown and which one is offered.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import { isSince } from '../sglang/layout/eraTable';
import { derive, factOf, sum } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import type { Term } from '../terms/term';
import { givenQuantity, supposedQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { draftBytes } from './draftBytes';
import { isDraftLonger, isRaised, longerDraftTokens } from './headRoom';
import type { ModelLayout } from './modelLayout';
import type { PerFullToken } from './perFullToken';
import { perFullToken } from './perFullToken';
import type { PlanOptions } from './planOptions';
import type { SizedPools } from './poolSizer';
import { PoolSizer, answerOf } from './poolSizer';
import { RefusedError } from './refusal';
import { concurrentRequests } from './requestCost';
import type { SlotBytes, StateSplit } from './statePool';
import type { TokenBytes } from './tokenBytes';
import { visionReservation } from './visionReservation';

/** One line of the table. */
export interface PlanRow {
  readonly fraction: Quantity;
  /** GiB that the formula gives to keys and values; below zero where weights take more. */
  readonly budget: Quantity | undefined;
  /** GiB of all pools of keys and values that are allocated: of the model and its draft. */
  readonly pool: Quantity | undefined;
  /** GiB of each of them; undefined where there is none, or where its size is not known. */
  readonly kvPool: Quantity | undefined;
  readonly windowPool: Quantity | undefined;
  readonly draftPool: Quantity | undefined;
  readonly tokens: Quantity | undefined;
  readonly windowTokens: Quantity | undefined;
  readonly state: StateSplit | undefined;
  readonly requests: Quantity | undefined;
  /** GiB of the request-to-token table. */
  readonly requestTable: Quantity | undefined;
  /** GiB for graphs and activations: after pools and the request table. */
  readonly left: Quantity | undefined;
  /** The same; without a context length the table, of unknown size, comes out of it too. */
  readonly free: Quantity | undefined;
  /** Full-length requests that fit at once. */
  readonly concurrency: Quantity | undefined;
}

/** "Load weight" usage and what the weights take differ by what loading leaves behind, in GiB. */
const loadDriftGiB = 0.1;

const loadDrift = supposedQuantity(
  { lo: -loadDriftGiB, hi: loadDriftGiB },
  units.GiB,
  `A = free - weights, to ${loadDriftGiB} GiB`,
  0,
);

/** From here on a draft is loaded before anything is sized, and its pool is budgeted. */
const draftFirstFrom = '0.5.14';

/** The pool of a block-diffusion draft is budgeted from here on. */
const blockDraftFrom = '0.5.11';

/** Fractions of one plan, one by one. */
export class PlanRows {
  /** Tokens of the longest request; undefined where neither flag nor config says it. */
  readonly context: Quantity | undefined;
  /** B/token that the budget divides by. */
  readonly budgeted: Quantity;
  /** The same of two pools, for each token of the full one. */
  readonly perFullToken: PerFullToken | undefined;
  /** B/token of the buffers of the model: of the full pool where there are two. */
  readonly allocated: Quantity;
  /** GiB that are free after all that is loaded before sizing. */
  readonly available: Quantity | undefined;
  /** B/token of a draft's own buffers; zero without a draft, undefined where they are not known. */
  readonly draftCell: Quantity | undefined;
  readonly #layout: ModelLayout;
  readonly #options: PlanOptions;
  readonly #bytes: TokenBytes;
  readonly #sizer: PoolSizer;

  constructor(
    layout: ModelLayout,
    options: PlanOptions,
    bytes: TokenBytes,
    slot: SlotBytes | undefined,
  ) {
    this.#layout = layout;
    this.#options = options;
    this.#bytes = bytes;
    this.context = this.#contextLength();
    this.budgeted = quantityOr(bytes.solution, bytes.budgeted);
    this.perFullToken = perFullToken(bytes);
    this.allocated = quantityOr(bytes.solution, bytes.allocated);
    this.available = this.#availableAfterLoad();
    this.#sizer = new PoolSizer({ layout, bytes, slot, context: this.context }, options);
    this.draftCell =
      options.draft === undefined
        ? givenQuantity(0n, units.bytesPerToken, 'no draft')
        : draftBytes(bytes, layout, options);
  }

  /** Flags that the pools depend on and that nobody gave. */
  get missing(): readonly string[] {
    return this.#sizer.missing;
  }

  /** What every fraction starts from; undefined without free memory and weights. */
  base(): Fact[] | undefined {
    const { total } = this.#options;
    return total && this.available
      ? [
          factOf(budgetTerms.total, total),
          factOf(budgetTerms.available, this.available),
          factOf(budgetTerms.reservation, this.#reservation()),
        ]
      : undefined;
  }

  /** The row of a fraction; undefined without free memory and weights. */
  row(value: number): PlanRow | undefined {
    const base = this.base();
    if (base === undefined) {
      return undefined;
    }
    const fraction = givenQuantity(value, units.one, '--mem-fraction-static');
    const sized = this.#sizer.pools(base, fraction);
    const { budget, state } = sized;
    const tokens = this.#isSizeOpen() ? { full: undefined, window: undefined } : sized.tokens;
    const fits = tokens.full !== undefined && tokens.full.interval.hi > 0;
    const pools = fits ? this.#pools(tokens.full, sized) : undefined;
    const costs = fits ? this.#costs(sized, tokens.full) : undefined;
    return {
      fraction,
      budget,
      pool: tokens.full === undefined || fits ? pools?.sum : budget,
      kvPool: pools?.own,
      windowPool: pools?.window,
      draftPool: pools?.draft,
      tokens: tokens.full,
      windowTokens: fits ? tokens.window : undefined,
      state: state && costs?.held ? { ...state, ...costs.held } : state,
      requests: costs?.requests,
      requestTable: costs?.table,
      left: costs?.table && costs.free,
      free: costs?.free,
      concurrency: fits ? this.#concurrency(tokens.full) : undefined,
    };
  }

  /** A draft of unknown layers that the budget counts leaves the tokens open. */
  #isSizeOpen(): boolean {
    const { draft, release } = this.#options;
    const countedFrom = draft?.kind === 'block' ? blockDraftFrom : draftFirstFrom;
    return this.draftCell === undefined && isSince(release, countedFrom) !== false;
  }

  /** GiB of the pools for so many tokens of the full one. */
  #pools(full: Quantity, { tokens, rowTokens, state }: SizedPools) {
    const { draft } = this.#options;
    const solution = answerOf(
      [budgetTerms.kvPool, budgetTerms.draftBuffers],
      this.#allocatedFacts(full),
    );
    const own = solution.quantityOf(budgetTerms.kvPool);
    const window = this.#sizer.windowPool(tokens);
    const shared = draft && this.draftCell && solution.quantityOf(budgetTerms.draftBuffers);
    const longer = shared && this.#longerDraft(rowTokens, state);
    const drafted = longer ? sum([shared, longer]) : shared;
    const isShort = isDraftLonger(this.#options) && longer === undefined;
    const isKnown = draft === undefined || (drafted !== undefined && !isShort);
    return {
      own,
      window,
      draft: isKnown ? drafted : undefined,
      sum: isKnown && own ? sum([own, window, drafted].flatMap(pool => pool ?? [])) : undefined,
    };
  }

  /** GiB that the pool of an early EAGLE draft has beyond the tokens of the target. */
  #longerDraft(rowTokens: Quantity | undefined, state: StateSplit | undefined) {
    const rows = rowTokens && this.#sizer.rows(rowTokens, state);
    const tokens = rows && longerDraftTokens(rows, this.#options);
    const cell = this.draftCell;
    return tokens && cell && derive('tokens * cell / 2**30', { tokens, cell });
  }

  /** What buffers of so many tokens are made of. */
  #allocatedFacts(tokens: Quantity): readonly Fact[] {
    const padding = { lo: 1, hi: this.#options.page ?? 1 };
    const draftCell = this.draftCell;
    return [
      factOf(budgetTerms.tokens, tokens),
      factOf(budgetTerms.allocatedCell, this.allocated),
      {
        term: budgetTerms.padding,
        interval: padding,
        basis: 'proved',
        provenance: [],
        nominal: 1n,
      },
      ...(draftCell ? [factOf(budgetTerms.draftBufferCell, draftCell)] : []),
    ];
  }

  /** What the pools and the request table take, and what is left. */
  #costs({ facts, tokens, rowTokens, state }: SizedPools, full: Quantity) {
    const { draft, draftWeights, release } = this.#options;
    const { requests, table, held } = this.#sizer.requests(full, rowTokens, state);
    const longer = this.#longerDraft(rowTokens, state);
    const isDraftOpen =
      draft !== undefined &&
      (this.draftCell === undefined || (isDraftLonger(this.#options) && !longer));
    const isHeldOpen = held !== undefined && held.beyond === undefined;
    if (isDraftOpen || isHeldOpen || (table === undefined && this.context !== undefined)) {
      return { requests, table, held, free: undefined };
    }
    const isLater = draftWeights !== undefined && isSince(release, draftFirstFrom) !== true;
    const { fixedState } = tokens;
    const others = [
      this.#sizer.windowPool(tokens),
      isLater ? draftWeights : undefined,
      longer,
      fixedState && derive('bytes / 2**30', { bytes: fixedState }),
      held?.beyond,
    ];
    const outside =
      sum([table, ...others].flatMap(cost => cost ?? [])) ??
      givenQuantity(0, units.GiB, 'nothing else');
    const free = this.#leftOfSlack(facts, full, outside) ?? this.#leftOfFree(facts, full, outside);
    return { requests, table, held, free };
  }

  /**
   * What is left where the pool fills its budget: the slack, without what is taken from it, and the
   * part of a page that was not used. Free memory after loading cancels out, but what loading leaves
   * behind is given back or grows later. Undefined where something else than the budget limits the pool.
   */
  #leftOfSlack(budget: readonly Fact[], tokens: Quantity, outside: Quantity): Quantity | undefined {
    const { maxTotalTokens, page = 1 } = this.#options;
    const isPlain =
      this.#bytes.windowPool === undefined &&
      this.#layout.attention.kind !== 'compressed' &&
      !isRaised(this.#options);
    const draft = this.draftCell;
    const slack = answerOf([budgetTerms.slack], budget).quantityOf(budgetTerms.slack);
    if (maxTotalTokens !== undefined || !isPlain || slack === undefined || draft === undefined) {
      return undefined;
    }
    const cell = this.budgeted;
    const own = this.allocated;
    const unused: Quantity = {
      interval: { lo: -page, hi: page },
      unit: units.token,
      basis: 'proved',
      assumptions: [],
      provenance: [],
      nominal: 0,
    };
    return derive(
      'slack + drift + reserved + (tokens * (cell - own - draft) + unused * cell) / 2**30 - outside',
      {
        slack,
        drift: loadDrift,
        reserved: this.#reservation(),
        tokens,
        cell,
        own,
        draft,
        unused,
        outside,
      },
    );
  }

  /** Free memory after loading, less all that is known to follow. */
  #leftOfFree(budget: readonly Fact[], tokens: Quantity, outside: Quantity): Quantity | undefined {
    const kept: readonly Term[] = [budgetTerms.available, budgetTerms.state];
    return answerOf(
      [budgetTerms.left],
      [
        ...budget.filter(({ term }) => kept.includes(term)),
        ...this.#allocatedFacts(tokens),
        factOf(budgetTerms.outside, outside),
      ],
    ).quantityOf(budgetTerms.left);
  }

  #concurrency(tokens: Quantity | undefined): Quantity | undefined {
    const requests = tokens && this.context && concurrentRequests(tokens, this.context);
    return requests && { ...requests, unit: units.request };
  }

  #contextLength(): Quantity | undefined {
    const { contextLength: given } = this.#options;
    const { contextLength: own } = this.#layout;
    if (given !== undefined) {
      return givenQuantity(BigInt(given), units.token, '--context-length');
    }
    return (
      own && {
        ...givenQuantity(BigInt(own.value), units.token, own.path),
        provenance: [{ kind: 'config', key: own.path }],
      }
    );
  }

  /** A: what is free once all that is loaded before sizing is there (from 0.5.14 on the draft too). */
  #availableAfterLoad(): Quantity | undefined {
    const { total, weights, draftWeights, release } = this.#options;
    if (total === undefined || weights === undefined) {
      return undefined;
    }
    const drift = loadDrift;
    return draftWeights !== undefined && isSince(release, draftFirstFrom) === true
      ? derive('total - weights - draft + drift', { total, weights, draft: draftWeights, drift })
      : derive('total - weights + drift', { total, weights, drift });
  }

  #reservation(): Quantity {
    const { release, automatic } = this.#options;
    return visionReservation(this.#layout, release, automatic?.multimodal === true);
  }
}

function quantityOr(solution: Solution, term: Term): Quantity {
  const quantity = solution.quantityOf(term);
  if (quantity === undefined) {
    throw new RefusedError({ kind: 'not-in-release', what: 'bytes per token' });
  }
  return quantity;
}
