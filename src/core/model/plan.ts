/**
 * A budget before anything was started: tokens and what is left for each fraction, from the config,
 * free memory, weights and flags. Every figure is an interval, since nothing was measured. The
 * budget's own formula is that of the account; layouts, state and requests are joined to it here.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { isSince } from '../sglang/layout/eraTable';
import { textModelFrom } from '../sglang/layout/multimodalArchitecture';
import { derive, factOf, sum } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import type { AutoFraction, FractionOptions } from './autoFraction';
import { autoFraction } from './autoFraction';
import { draftBytes, hasDraftLayers } from './draftBytes';
import { isDraftLonger, isRaised, longerDraftTokens, missingSpeculation } from './headRoom';
import { known, supposed } from './known';
import type { ModelLayout } from './modelLayout';
import type { SizedPools, SizingOptions } from './poolSizer';
import { PoolSizer, answerOf } from './poolSizer';
import type { Answer } from './refusal';
import { RefusedError, answer } from './refusal';
import type { PerFullToken } from './perFullToken';
import { perFullToken } from './perFullToken';
import { reserveOf } from './reserve';
import { concurrentRequests, requestCost } from './requestCost';
import type { SlotBytes, StateSplit } from './statePool';
import { slotBytes } from './statePool';
import type { TokenBytes } from './tokenBytes';
import { tokenBytes } from './tokenBytes';

/** Flags and measurements of a plan. */
export interface PlanOptions extends SizingOptions {
  /** True where nobody said which release it is. */
  readonly isReleaseSupposed?: boolean;
  /** GiB free before loading, minimum over ranks. */
  readonly total?: Quantity;
  /** GiB that the weights take of it on the rank that holds most. */
  readonly weights?: Quantity;
  readonly draftWeights?: Quantity;
  /** What decides the automatic fraction beside release and parallel sizes. */
  readonly automatic?: Omit<FractionOptions, 'release' | 'parallel'>;
  /** Fractions of the table; without them steps above the minimum. */
  readonly fractions?: readonly number[];
  /** Tokens; else what the config says. */
  readonly contextLength?: number;
}

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

/** The plan. Without free memory and weights it has no rows. */
export interface Plan {
  readonly options: PlanOptions;
  readonly bytes: TokenBytes;
  /** B/token that the budget divides by; with two pools, for each token of the full one. */
  readonly budgeted: Quantity;
  /** B/token of the buffers of the model, counted alike. */
  readonly allocated: Quantity;
  readonly slot: SlotBytes | undefined;
  readonly context: Quantity | undefined;
  /** Flags that tokens or what is left depend on, and that nobody gave. */
  readonly missing: readonly string[];
  /** MiB of a request of the full context, with its tokens in the pool of a draft. */
  readonly requestCost: Quantity | undefined;
  readonly available: Quantity | undefined;
  readonly automatic: AutoFraction | undefined;
  readonly minimum: Quantity | undefined;
  /**
   * Largest hundredth that leaves the reserve, if its pool surely holds one full-length request or
   * nothing tells how long one is. With a limit of tokens: the smallest that holds them and leaves it.
   */
  readonly advised: Quantity | undefined;
  /** What the largest hundredth that leaves the reserve gives, whether or not it holds a request. */
  readonly roomiest: PlanRow | undefined;
  /** GiB kept for graphs and activations by the size of the card. */
  readonly reserve: Quantity;
  readonly rows: readonly PlanRow[];
}

/** "Load weight" usage and what the weights take differ by what loading leaves behind, in GiB. */
const loadDriftGiB = 0.1;

const loadDrift = supposed(
  { lo: -loadDriftGiB, hi: loadDriftGiB },
  units.GiB,
  `A = free - weights, to ${loadDriftGiB} GiB`,
  0,
);

/** From here on a draft is loaded before anything is sized, and its pool is budgeted. */
const draftFirstFrom = '0.5.14';

/** The pool of a block-diffusion draft is budgeted from here on. */
const blockDraftFrom = '0.5.11';

/** Plans, or says which key or release stands against it. */
export function planBudget(layout: ModelLayout, options: PlanOptions): Answer<Plan> {
  return answer(() => {
    const bytes = required(tokenBytes(layout, options));
    const slots = slotBytes(layout, options);
    const slot = slots && required(slots);
    return new Planner(layout, options, bytes, slot).plan();
  });
}

function required<T>(result: Answer<T>): T {
  if (result.kind === 'refused') {
    throw new RefusedError(result.refusal);
  }
  return result.value;
}

class Planner {
  readonly #layout: ModelLayout;
  readonly #options: PlanOptions;
  readonly #bytes: TokenBytes;
  readonly #slot: SlotBytes | undefined;
  readonly #context: Quantity | undefined;
  readonly #budgeted: Quantity;
  readonly #perFullToken: PerFullToken | undefined;
  readonly #allocated: Quantity;
  readonly #available: Quantity | undefined;
  readonly #reserve: Quantity;
  readonly #sizer: PoolSizer;
  /** B/token of a draft's own buffers; zero without a draft, undefined where they are not known. */
  readonly #draftCell: Quantity | undefined;
  readonly #missing: readonly string[];

  constructor(
    layout: ModelLayout,
    options: PlanOptions,
    bytes: TokenBytes,
    slot: SlotBytes | undefined,
  ) {
    this.#layout = layout;
    this.#options = options;
    this.#bytes = bytes;
    this.#slot = slot;
    this.#context = this.#contextLength();
    this.#budgeted = quantityOr(bytes.solution, bytes.budgeted);
    this.#perFullToken = perFullToken(bytes);
    this.#allocated = quantityOr(bytes.solution, bytes.allocated);
    this.#available = this.#availableAfterLoad();
    this.#reserve = reserveOf(options.total, false);
    this.#sizer = new PoolSizer({ layout, bytes, slot, context: this.#context }, options);
    this.#draftCell =
      options.draft === undefined
        ? known(0n, units.bytesPerToken, 'no draft')
        : draftBytes(bytes, layout, options);
    this.#missing = [
      ...(hasDraftLayers(layout, options) ? [] : ['--draft-layers']),
      ...missingSpeculation(options),
    ];
  }

  plan(): Plan {
    const automatic = this.#automatic();
    const minimum = this.#minimum();
    const isLimited = this.#options.maxTotalTokens !== undefined;
    const roomiest = isLimited ? this.#smallest(minimum) : this.#roomiest(minimum);
    const offered = isLimited || (roomiest && this.#holdsRequest(roomiest)) ? roomiest : undefined;
    const fractions =
      this.#options.fractions ??
      steps(minimum, [automatic?.effective.nominal, roomiest?.fraction.nominal]);
    return {
      options: this.#options,
      bytes: this.#bytes,
      budgeted: this.#perFullToken?.budgeted ?? this.#budgeted,
      allocated: this.#perFullToken?.allocated ?? this.#allocated,
      slot: this.#slot,
      context: this.#context,
      missing: this.#missing,
      requestCost:
        this.#context &&
        this.#draftCell &&
        requestCost(
          this.#bytes,
          this.#layout,
          this.#context,
          this.#requestState(),
          this.#options.draft && this.#draftCell,
        ),
      available: this.#available,
      automatic,
      minimum,
      advised: offered?.fraction,
      roomiest,
      reserve: this.#reserve,
      rows: fractions.flatMap(fraction => this.#row(fraction) ?? []),
    };
  }

  #contextLength(): Quantity | undefined {
    const { contextLength: given } = this.#options;
    const { contextLength: own } = this.#layout;
    if (given !== undefined) {
      return known(BigInt(given), units.token, '--context-length');
    }
    return (
      own && {
        ...known(BigInt(own.value), units.token, own.path),
        provenance: [{ kind: 'config', key: own.path }],
      }
    );
  }

  #requestState() {
    const { slotsPerRequest, disableRadixCache = false } = this.#options;
    return (
      this.#slot && {
        perSlot: this.#slot.quantity,
        slotsPerRequest: slotsPerRequest ?? (disableRadixCache ? 1 : 3),
      }
    );
  }

  #automatic(): AutoFraction | undefined {
    const { automatic, release, parallel } = this.#options;
    return automatic && autoFraction(this.#layout, { release, parallel, ...automatic });
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

  /** Embeddings and transport pools of vision models come out of the budget first (0.5.18). */
  #reservation(): Quantity {
    const { release, automatic } = this.#options;
    const { isMultimodal, architecture } = this.#layout;
    const isText = automatic?.multimodal !== true && textModelFrom(architecture) !== undefined;
    const isReserved = !isMultimodal || isText ? false : isSince(release, '0.5.18');
    if (isReserved === false) {
      return known(0, units.GiB, 'text only');
    }
    const usual = 100 / 1024;
    return supposed(
      { lo: isReserved === true ? usual : 0, hi: usual },
      units.GiB,
      'multimodal reservation of 100 MiB',
      isReserved === true ? usual : 0,
    );
  }

  #base(): Fact[] | undefined {
    const { total } = this.#options;
    return total && this.#available
      ? [
          factOf(budgetTerms.total, total),
          factOf(budgetTerms.available, this.#available),
          factOf(budgetTerms.reservation, this.#reservation()),
        ]
      : undefined;
  }

  #minimum(): Quantity | undefined {
    const base = this.#base();
    return base && answerOf([budgetTerms.minimum], base).quantityOf(budgetTerms.minimum);
  }

  #row(value: number): PlanRow | undefined {
    const base = this.#base();
    if (base === undefined) {
      return undefined;
    }
    const fraction = known(value, units.one, '--mem-fraction-static');
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
      state,
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
    return this.#draftCell === undefined && isSince(release, countedFrom) !== false;
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
    const shared = draft && this.#draftCell && solution.quantityOf(budgetTerms.draftBuffers);
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
    const cell = this.#draftCell;
    return tokens && cell && derive('tokens * cell / 2**30', { tokens, cell });
  }

  /** What buffers of so many tokens are made of. */
  #allocatedFacts(tokens: Quantity): readonly Fact[] {
    const padding = { lo: 1, hi: this.#options.page ?? 1 };
    const draftCell = this.#draftCell;
    return [
      factOf(budgetTerms.tokens, tokens),
      factOf(budgetTerms.allocatedCell, this.#allocated),
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
    const { requests } = this.#sizer.requests(full, state);
    const { table } = this.#sizer.requests(rowTokens ?? full, state);
    const longer = this.#longerDraft(rowTokens, state);
    const isDraftOpen =
      draft !== undefined &&
      (this.#draftCell === undefined || (isDraftLonger(this.#options) && !longer));
    if (isDraftOpen || (table === undefined && this.#context !== undefined)) {
      return { requests, table, free: undefined };
    }
    const isLater = draftWeights !== undefined && isSince(release, draftFirstFrom) !== true;
    const { fixedState } = tokens;
    const others = [
      this.#sizer.windowPool(tokens),
      isLater ? draftWeights : undefined,
      longer,
      fixedState && derive('bytes / 2**30', { bytes: fixedState }),
    ];
    const outside =
      sum([table, ...others].flatMap(cost => cost ?? [])) ?? known(0, units.GiB, 'nothing else');
    const free = this.#leftOfSlack(facts, full, outside) ?? this.#leftOfFree(facts, full, outside);
    return { requests, table, free };
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
    const draft = this.#draftCell;
    const slack = answerOf([budgetTerms.slack], budget).quantityOf(budgetTerms.slack);
    if (maxTotalTokens !== undefined || !isPlain || slack === undefined || draft === undefined) {
      return undefined;
    }
    const cell = this.#budgeted;
    const own = this.#allocated;
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
    const requests = tokens && this.#context && concurrentRequests(tokens, this.#context);
    return requests && { ...requests, unit: units.request };
  }

  /** False where the pool may not hold one full-length request; true where its length is unknown. */
  #holdsRequest({ tokens }: PlanRow): boolean {
    return (
      this.#context === undefined ||
      (tokens !== undefined && tokens.interval.lo >= this.#context.interval.hi)
    );
  }

  /** The smallest hundredth whose pool surely is at the limit, if that leaves the reserve. */
  #smallest(minimum: Quantity | undefined): PlanRow | undefined {
    const { maxTotalTokens = 0, page = 1 } = this.#options;
    const floor = minimum?.interval.lo;
    if (floor === undefined || !(floor < 1)) {
      return undefined;
    }
    const needed = maxTotalTokens - (maxTotalTokens % page);
    const holds = (hundredth: number): boolean =>
      (this.#row(hundredth / 100)?.tokens?.interval.lo ?? -Infinity) >= needed;
    // Tokens rise with the fraction, so the first that holds them is found by halving.
    let [low, high] = [Math.max(1, Math.floor(floor * 100)), 99];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (holds(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    const row = holds(low) ? this.#row(low / 100) : undefined;
    const free = row?.free?.interval.lo ?? -Infinity;
    return free >= this.#reserve.interval.hi ? row : undefined;
  }

  /** The largest hundredth with a pool whose worst case leaves the reserve. */
  #roomiest(minimum: Quantity | undefined): PlanRow | undefined {
    const floor = minimum?.interval.hi;
    if (floor === undefined || !Number.isFinite(floor)) {
      return undefined;
    }
    const leaves = (hundredth: number): boolean =>
      (this.#row(hundredth / 100)?.free?.interval.lo ?? -Infinity) >= this.#reserve.interval.hi;
    // What is left falls with the fraction, so the last that leaves it is found by halving.
    let [low, high] = [Math.max(0, Math.floor(floor * 100)), 98];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (leaves(middle)) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    const isAboveFloor = low / 100 > floor;
    return isAboveFloor && leaves(low) ? this.#row(low / 100) : undefined;
  }
}

function quantityOr(solution: Solution, term: Term): Quantity {
  const quantity = solution.quantityOf(term);
  if (quantity === undefined) {
    throw new RefusedError({ kind: 'not-in-release', what: 'bytes per token' });
  }
  return quantity;
}

/** Steps above the minimum, about nine of them, and the marked values; nothing above 1 is offered. */
function steps(
  minimum: Quantity | undefined,
  marks: readonly (number | undefined)[],
): readonly number[] {
  const floor = minimum?.interval.hi;
  if (floor === undefined || !Number.isFinite(floor)) {
    return [];
  }
  // Where no hundredth up to 0.97 is left, thousandths are.
  const [scale, last] = floor < 0.96 ? [100, 97] : [1000, 995];
  const first = Math.max(1, Math.floor(floor * scale) + 1);
  const step = Math.max(1, Math.round((last - first) / 8));
  const values = new Set<number>(marks.flatMap(mark => mark ?? []));
  for (let count = first; count <= last; count += step) {
    values.add(count / scale);
  }
  return [...values].sort((one, other) => one - other);
}

/** The newest release whose sizing code was read; plans suppose it where no release is given. */
export const newestRead = '0.5.18';

/** A release as plans take it from a flag; undefined for what is no release. */
export function planRelease(text: string = newestRead): ReleaseInterval | undefined {
  return /^v?\d+\.\d+\.\d+(?:rc\d+)?(?:\.post\d+)?$/.test(text)
    ? { kind: 'range', from: text.replace(/^v/, ''), to: text.replace(/^v/, '') }
    : undefined;
}
