/**
 * A budget before anything was started: tokens and what is left for each fraction, from the config,
 * free memory, weights and flags. Every figure is an interval, since nothing was measured. Leaves out
 * how a single fraction is sized.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import { lacksPrefixCache } from '../sglang/layout/prefixCache';
import { ownRequestLimit } from '../sglang/layout/requestLimit';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import type { AutoFraction } from './autoFraction';
import { autoFraction } from './autoFraction';
import { hasDraftLayers } from './draftBytes';
import { missingSpeculation } from './headRoom';
import { checkRanks, checkStages } from './checkRanks';
import { openDtypes } from './kvDtype';
import type { ModelLayout } from './modelLayout';
import type { PlanOptions } from './planOptions';
import type { PlanRow } from './planRows';
import { PlanRows } from './planRows';
import { answerOf } from './poolSizer';
import type { Answer } from './refusal';
import { RefusedError, answer } from './refusal';
import { reserveOf, wholeHundredth } from './reserve';
import { requestCost } from './requestCost';
import type { SlotBytes } from './statePool';
import { slotBytes } from './statePool';
import type { TokenBytes } from './tokenBytes';
import { tokenBytes } from './tokenBytes';

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
   * Where the automatic fraction holds no request: the smallest that holds one and leaves it.
   */
  readonly advised: Quantity | undefined;
  /** What the largest hundredth that leaves the reserve gives, whether or not it holds a request. */
  readonly roomiest: PlanRow | undefined;
  /** True where the automatic fraction holds no request, and the offer is the smallest that does. */
  readonly isLeast: boolean;
  /** GiB kept for graphs and activations: by the size of the card, or as the automatic fraction does. */
  readonly reserve: Quantity;
  readonly rows: readonly PlanRow[];
  /** The same fractions for each dtype of the cache, where nothing says which one it is. */
  readonly byDtype: readonly DtypePlan[];
}

/** The plan for one dtype of several. */
export interface DtypePlan {
  readonly dtype: string;
  readonly plan: Plan;
}

/** Plans, or says which key or release stands against it. */
export function planBudget(layout: ModelLayout, given: PlanOptions): Answer<Plan> {
  return answer(() => {
    const options = asServed(layout, given);
    checkRanks(layout, options);
    checkStages(options);
    const bytes = required(tokenBytes(layout, options));
    const slots = slotBytes(layout, options);
    const slot = slots && required(slots);
    const planner = new Planner(layout, options, bytes, slot);
    const dtypes = openDtypes(options.kvDtype, layout, options.release);
    if (dtypes.length === 0) {
      return planner.plan();
    }
    const inDtype = (dtype: string, more: Partial<PlanOptions> = {}): Plan =>
      required(planBudget(layout, { ...options, ...more, kvDtype: dtype }));
    // Bounds over all dtypes are wide: the offer is the smallest of theirs, and each has rows.
    const plan = planner.plan(smallestOffer(dtypes.map(dtype => inDtype(dtype))));
    const fractions = plan.rows.flatMap(({ fraction }) => fraction.nominal ?? []);
    const byDtype = dtypes.map(dtype => ({ dtype, plan: inDtype(dtype, { fractions }) }));
    return { ...plan, byDtype };
  });
}

/** With the limit of requests and without the prefix cache, where the server decides so itself. */
function asServed(layout: ModelLayout, options: PlanOptions): PlanOptions {
  const { release, draft, isSpeculative = draft !== undefined } = options;
  const isCompressed = layout.attention.kind === 'compressed';
  const limit =
    options.maxRunningRequests ?? ownRequestLimit(release, { isSpeculative, isCompressed });
  const { dp = 1, dpAttention = false } = options.parallel;
  const { chunkedPrefillSize: chunk, role } = options;
  const isCacheless =
    role === 'decode' ||
    (layout.state !== undefined && lacksPrefixCache(release, layout.architecture));
  return {
    ...options,
    isSpeculative,
    ...(limit !== undefined && { maxRunningRequests: limit }),
    // Groups of attention share a chunk.
    ...(chunk !== undefined && dpAttention && { chunkedPrefillSize: Math.floor(chunk / dp) }),
    ...(isCacheless && { disableRadixCache: true, slotsPerRequest: 1, areSlotsOpen: false }),
  };
}

type Offer = Pick<Plan, 'advised' | 'roomiest' | 'reserve' | 'isLeast'>;

/** The offer that holds for every plan; `none` where one of them has none. */
function smallestOffer(plans: readonly Plan[]): Offer | 'none' {
  const offers = plans.flatMap(({ advised, roomiest, reserve, isLeast }) =>
    roomiest ? [{ advised, roomiest, reserve, isLeast }] : [],
  );
  const [first, ...others] = offers.sort(
    (one, other) => nominalOf(one.roomiest) - nominalOf(other.roomiest),
  );
  return offers.length < plans.length || first === undefined
    ? 'none'
    : {
        roomiest: first.roomiest,
        reserve: first.reserve,
        isLeast: first.isLeast,
        advised: others.every(({ advised }) => advised !== undefined) ? first.advised : undefined,
      };
}

function nominalOf({ fraction }: PlanRow): number {
  return fraction.nominal ?? 0;
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
  readonly #rows: PlanRows;
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
    this.#rows = new PlanRows(layout, options, bytes, slot);
    this.#missing = [
      ...(hasDraftLayers(layout, options) ? [] : ['--draft-layers']),
      ...missingSpeculation({ ...options, hasState: slot !== undefined }),
      ...(slot !== undefined && options.areSlotsOpen === true
        ? ['--mamba-scheduler-strategy']
        : []),
      ...this.#rows.missing,
    ];
  }

  /** @param offer what other plans have decided, where this one is of several. */
  plan(offer?: Offer | 'none'): Plan {
    const automatic = this.#automatic();
    const minimum = this.#minimum();
    const usual = reserveOf(this.#options.total, false);
    const none: Offer = { advised: undefined, roomiest: undefined, reserve: usual, isLeast: false };
    const made = offer ?? this.#offer(minimum, this.#automaticRow(automatic), usual);
    const { advised, roomiest, reserve, isLeast } = made === 'none' ? none : made;
    const fractions =
      this.#options.fractions ??
      steps(minimum, [automatic?.effective.nominal, roomiest?.fraction.nominal]);
    return {
      options: this.#options,
      bytes: this.#bytes,
      budgeted: this.#rows.perFullToken?.budgeted ?? this.#rows.budgeted,
      allocated: this.#rows.perFullToken?.allocated ?? this.#rows.allocated,
      slot: this.#slot,
      context: this.#rows.context,
      missing: this.#missing,
      requestCost: this.#requestCost(),
      available: this.#rows.available,
      automatic,
      minimum,
      advised,
      roomiest,
      reserve,
      isLeast,
      byDtype: [],
      rows: fractions.flatMap(fraction => this.#rows.row(fraction) ?? []),
    };
  }

  /**
   * The limit of tokens, else what the automatic fraction keeps where that is more than the usual
   * reserve. Where the automatic pool holds no request, the smallest fraction that holds one.
   */
  #offer(minimum: Quantity | undefined, automatic: PlanRow | undefined, usual: Quantity): Offer {
    const { maxTotalTokens, page = 1 } = this.#options;
    if (maxTotalTokens !== undefined) {
      const row = this.#smallest(minimum, usual, maxTotalTokens - (maxTotalTokens % page));
      return { advised: row?.fraction, roomiest: row, reserve: usual, isLeast: false };
    }
    const length = this.#rows.context?.interval.hi;
    if (automatic?.tokens && length !== undefined && !this.#holdsRequest(automatic)) {
      const row = this.#smallest(minimum, usual, length);
      if (row !== undefined) {
        return { advised: row.fraction, roomiest: row, reserve: usual, isLeast: true };
      }
    }
    const reserve = this.#reserve(automatic, usual);
    const roomiest = this.#roomiest(minimum, reserve);
    const offered = roomiest && this.#holdsRequest(roomiest) ? roomiest : undefined;
    return { advised: offered?.fraction, roomiest, reserve, isLeast: false };
  }

  /** The row of the automatic fraction, cut to hundredths; undefined where it is not known. */
  #automaticRow(automatic: AutoFraction | undefined): PlanRow | undefined {
    const own = automatic?.effective.interval.lo ?? NaN;
    return own > 0 && own < 1 ? this.#rows.row(wholeHundredth(own)) : undefined;
  }

  /**
   * GiB that an offer keeps: what the automatic fraction keeps for chunks and graphs, where that is
   * more than the usual reserve and its pool holds a request all the same.
   */
  #reserve(automatic: PlanRow | undefined, usual: Quantity): Quantity {
    const free = Math.floor((automatic?.free?.interval.lo ?? 0) * 100) / 100;
    return automatic && this.#holdsRequest(automatic) && free > usual.interval.hi
      ? givenQuantity(free, units.GiB, 'automatic fraction')
      : usual;
  }

  #requestCost(): Quantity | undefined {
    const { context, draftCell } = this.#rows;
    const { draft, areSlotsOpen } = this.#options;
    const isOpen = this.#slot !== undefined && areSlotsOpen === true;
    return context && draftCell && !isOpen
      ? requestCost(this.#bytes, this.#layout, context, this.#requestState(), draft && draftCell)
      : undefined;
  }

  #requestState() {
    const { slotsPerRequest, disableRadixCache = false } = this.#options;
    return (
      this.#slot && {
        perSlot: this.#slot.onRank,
        slotsPerRequest: slotsPerRequest ?? (disableRadixCache ? 1 : 3),
      }
    );
  }

  #automatic(): AutoFraction | undefined {
    const { automatic, release, parallel } = this.#options;
    return automatic && autoFraction(this.#layout, { release, parallel, ...automatic });
  }

  #minimum(): Quantity | undefined {
    const base = this.#rows.base();
    return base && answerOf([budgetTerms.minimum], base).quantityOf(budgetTerms.minimum);
  }

  /** False where the pool may not hold one full-length request; true where its length is unknown. */
  #holdsRequest({ tokens }: PlanRow): boolean {
    return (
      this.#rows.context === undefined ||
      (tokens !== undefined && tokens.interval.lo >= this.#rows.context.interval.hi)
    );
  }

  /** The smallest hundredth whose pool surely has so many tokens, if that leaves the reserve. */
  #smallest(minimum: Quantity | undefined, reserve: Quantity, needed: number): PlanRow | undefined {
    const floor = minimum?.interval.lo;
    if (floor === undefined || !(floor < 1)) {
      return undefined;
    }
    const holds = (hundredth: number): boolean =>
      (this.#rows.row(hundredth / 100)?.tokens?.interval.lo ?? -Infinity) >= needed;
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
    const row = holds(low) ? this.#rows.row(low / 100) : undefined;
    const free = row?.free?.interval.lo ?? -Infinity;
    return free >= reserve.interval.hi ? row : undefined;
  }

  /** The largest hundredth with a pool whose worst case leaves the reserve. */
  #roomiest(minimum: Quantity | undefined, reserve: Quantity): PlanRow | undefined {
    const floor = minimum?.interval.hi;
    if (floor === undefined || !Number.isFinite(floor)) {
      return undefined;
    }
    const leaves = (hundredth: number): boolean =>
      (this.#rows.row(hundredth / 100)?.free?.interval.lo ?? -Infinity) >= reserve.interval.hi;
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
    return isAboveFloor && leaves(low) ? this.#rows.row(low / 100) : undefined;
  }
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
