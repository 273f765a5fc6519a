/**
 * A budget before anything was started: tokens and what is left for each fraction, from the config,
 * free memory, weights and flags. Every figure is an interval, since nothing was measured. The
 * budget's own formula is that of the account; layouts, state and requests are joined to it here.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { isSince } from '../sglang/layout/eraTable';
import { derive, factOf, sum } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Interval } from '../units/interval';
import { point } from '../units/interval';
import type { PythonNumber } from '../units/pythonNumber';
import type { Quantity } from '../units/quantity';
import type { Unit } from '../units/unit';
import { units } from '../units/unit';
import type { AutoFraction, FractionOptions } from './autoFraction';
import { autoFraction } from './autoFraction';
import type { ModelLayout } from './modelLayout';
import type { Answer } from './refusal';
import { RefusedError, answer } from './refusal';
import { concurrentRequests, requestCost } from './requestCost';
import type { SlotBytes, StateOptions, StateSplit } from './statePool';
import { slotBytes, splitState } from './statePool';
import type { LayoutOptions, TokenBytes } from './tokenBytes';
import { tokenBytes } from './tokenBytes';
import type { PoolTokens } from './tokenPools';
import { compressedPoolTokens, requestPool, splitWindow } from './tokenPools';

/** Flags and measurements of a plan. */
export interface PlanOptions extends LayoutOptions, Omit<StateOptions, 'release' | 'parallel'> {
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
  readonly page?: number;
  readonly maxTotalTokens?: number;
  /** Tokens; else what the config says. */
  readonly contextLength?: number;
}

/** One line of the table. */
export interface PlanRow {
  readonly fraction: Quantity;
  /** GiB that the formula gives to keys and values. */
  readonly pool: Quantity | undefined;
  readonly tokens: Quantity | undefined;
  readonly windowTokens: Quantity | undefined;
  readonly state: StateSplit | undefined;
  readonly requests: Quantity | undefined;
  /** GiB of the request-to-token table. */
  readonly requestTable: Quantity | undefined;
  /** GiB for graphs and activations: after pools and the request table. */
  readonly left: Quantity | undefined;
  /** Full-length requests that fit at once. */
  readonly concurrency: Quantity | undefined;
}

/** The plan. Without free memory and weights it has no rows. */
export interface Plan {
  readonly options: PlanOptions;
  readonly bytes: TokenBytes;
  readonly budgeted: Quantity;
  readonly allocated: Quantity;
  readonly slot: SlotBytes | undefined;
  readonly context: Quantity | undefined;
  /** MiB of a request of the full context. */
  readonly requestCost: Quantity | undefined;
  readonly available: Quantity | undefined;
  readonly automatic: AutoFraction | undefined;
  readonly minimum: Quantity | undefined;
  /** Smallest hundredth that holds one request and leaves the reserve. */
  readonly advised: Quantity | undefined;
  readonly rows: readonly PlanRow[];
}

/** "Load weight" usage and what the weights take differ by what loading leaves behind, in GiB. */
const loadDriftGiB = 0.1;

/** GiB that a blind plan keeps for activations (5) and for graphs that nobody measured (4). */
const reserveGiB = 9;

/** From here on a draft is loaded before anything is sized. */
const draftFirstFrom = '0.5.14';

/** Beyond every pool. */
const noLimit = 2 ** 53;

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

function known(value: PythonNumber, unit: Unit, name: string): Quantity {
  return {
    interval: point(Number(value)),
    unit,
    basis: 'proved',
    assumptions: [],
    provenance: [{ kind: 'given', name }],
    exact: value,
    nominal: Number(value),
  };
}

function supposed(interval: Interval, unit: Unit, assumption: string, nominal: number): Quantity {
  return {
    interval,
    unit,
    basis: 'assumed',
    assumptions: [assumption],
    provenance: [],
    nominal,
  };
}

class Planner {
  readonly #layout: ModelLayout;
  readonly #options: PlanOptions;
  readonly #bytes: TokenBytes;
  readonly #slot: SlotBytes | undefined;
  readonly #context: Quantity | undefined;
  readonly #budgeted: Quantity;
  readonly #allocated: Quantity;
  readonly #available: Quantity | undefined;

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
    this.#allocated = quantityOr(bytes.solution, bytes.allocated);
    this.#available = this.#availableAfterLoad();
  }

  plan(): Plan {
    const automatic = this.#automatic();
    const minimum = this.#minimum();
    const fractions = this.#options.fractions ?? steps(minimum, automatic?.effective.nominal);
    return {
      options: this.#options,
      bytes: this.#bytes,
      budgeted: this.#budgeted,
      allocated: this.#allocated,
      slot: this.#slot,
      context: this.#context,
      requestCost:
        this.#context &&
        requestCost(this.#bytes, this.#layout, this.#context, this.#requestState()),
      available: this.#available,
      automatic,
      minimum,
      advised: this.#advised(minimum),
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
    const drift = supposed(
      { lo: -loadDriftGiB, hi: loadDriftGiB },
      units.GiB,
      `A = free - weights, to ${loadDriftGiB} GiB`,
      0,
    );
    return draftWeights !== undefined && isSince(release, draftFirstFrom) === true
      ? derive('total - weights - draft + drift', { total, weights, draft: draftWeights, drift })
      : derive('total - weights + drift', { total, weights, drift });
  }

  /** Embeddings and transport pools of vision models come out of the budget first (0.5.18). */
  #reservation(): Quantity {
    const { release, automatic } = this.#options;
    const isReserved =
      this.#layout.vision === undefined || automatic?.multimodal === false
        ? false
        : isSince(release, '0.5.18');
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
    const sizing = [...base, factOf(budgetTerms.fraction, fraction)];
    const state = this.#state(sizing);
    const stateMemory = state === undefined ? known(0, units.GiB, 'no state') : state.memory;
    const budget = [
      ...sizing,
      ...(stateMemory ? [factOf(budgetTerms.state, stateMemory)] : []),
      factOf(budgetTerms.cell, this.#budgeted),
      ...this.#limits(),
    ];
    const terms = [budgetTerms.kvBudget, budgetTerms.profiled, budgetTerms.tokens];
    const solution = answerOf(terms, budget);
    const pool = state?.rest ?? solution.quantityOf(budgetTerms.kvBudget);
    const tokens = this.#tokens(solution, pool);
    const fits = tokens.full !== undefined && tokens.full.interval.hi > 0;
    const costs = fits ? this.#costs(budget, tokens, state) : undefined;
    return {
      fraction,
      pool,
      tokens: tokens.full,
      windowTokens: fits ? tokens.window : undefined,
      state,
      requests: costs?.requests,
      requestTable: costs?.table,
      left: costs?.left,
      concurrency: fits ? this.#concurrency(tokens.full) : undefined,
    };
  }

  /** Slots of state, where a positive rest is to be split. */
  #state(sizing: readonly Fact[]): StateSplit | undefined {
    if (this.#slot === undefined) {
      return undefined;
    }
    const rest = answerOf([budgetTerms.rest], sizing).quantityOf(budgetTerms.rest);
    return rest && splitState(this.#slot.quantity, rest, this.#options, this.#slot);
  }

  #limits(): Fact[] {
    const { page = 1, maxTotalTokens } = this.#options;
    const cap =
      maxTotalTokens === undefined
        ? { ...known(BigInt(noLimit), units.token, 'no limit'), provenance: [] }
        : known(BigInt(maxTotalTokens), units.token, '--max-total-tokens');
    return [
      factOf(budgetTerms.page, known(BigInt(page), units.token, '--page-size')),
      factOf(budgetTerms.cap, cap),
      factOf(budgetTerms.stageMinimum, {
        ...known(BigInt(noLimit), units.token, 'no limit'),
        provenance: [],
      }),
    ];
  }

  #tokens(solution: Solution, pool: Quantity | undefined): PoolTokens {
    const { page = 1, maxRunningRequests } = this.#options;
    const plain = { full: solution.quantityOf(budgetTerms.tokens), window: undefined };
    if (this.#layout.attention.kind === 'compressed') {
      const bytes = pool && derive('int(pool * 2**30)', { pool });
      return bytes && this.#context
        ? compressedPoolTokens(this.#bytes, bytes, {
            page: Math.max(page, 128),
            context: this.#context,
            ...(maxRunningRequests !== undefined && { maxRunningRequests }),
          })
        : plain;
    }
    const profiled = solution.quantityOf(budgetTerms.profiled);
    return this.#bytes.windowPool && profiled
      ? splitWindow(this.#bytes, { kind: 'tokens', profiled }, page)
      : plain;
  }

  /** What the pools and the request table take, and what is left. */
  #costs(budget: readonly Fact[], tokens: PoolTokens, state: StateSplit | undefined) {
    const { release, draftTokens = 0 } = this.#options;
    const { full } = tokens;
    if (full === undefined || this.#context === undefined) {
      return undefined;
    }
    const pool = requestPool(full, this.#context, {
      ...this.#options,
      ...(state?.slots && {
        state: { slots: state.slots, slotsPerRequest: state.slotsPerRequest },
      }),
    });
    const extra = isSince(release, '0.5.1') === false ? 4 : 4 + draftTokens;
    const table = [
      ...(pool.rows ? [factOf(budgetTerms.rows, pool.rows)] : []),
      factOf(budgetTerms.context, { ...this.#context, unit: units.one }),
      factOf(budgetTerms.extra, known(BigInt(extra), units.one, 'entries')),
    ];
    const requestTable = answerOf([budgetTerms.requestTable], table).quantityOf(
      budgetTerms.requestTable,
    );
    const { draftWeights } = this.#options;
    const isLater = draftWeights !== undefined && isSince(release, draftFirstFrom) !== true;
    const { fixedState } = tokens;
    const others = [
      this.#windowPool(tokens),
      isLater ? draftWeights : undefined,
      fixedState && derive('bytes / 2**30', { bytes: fixedState }),
    ];
    const outside = requestTable && sum([requestTable, ...others.flatMap(cost => cost ?? [])]);
    const left =
      outside &&
      (this.#leftOfSlack(budget, full, outside) ?? this.#leftOfFree(budget, full, outside));
    const requests = pool.requests && { ...pool.requests, unit: units.request };
    return { requests, table: requestTable, left };
  }

  /**
   * What is left where the pool fills its budget: the slack, without what is taken from it, and the
   * part of a page that was not used. Free memory after loading cancels out, so this is closer than
   * leftOfFree. Undefined where something else than the budget limits the pool.
   */
  #leftOfSlack(budget: readonly Fact[], tokens: Quantity, outside: Quantity): Quantity | undefined {
    const { maxTotalTokens, page = 1 } = this.#options;
    const isPlain =
      this.#bytes.windowPool === undefined && this.#layout.attention.kind !== 'compressed';
    const slack = answerOf([budgetTerms.slack], budget).quantityOf(budgetTerms.slack);
    if (maxTotalTokens !== undefined || !isPlain || slack === undefined) {
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
    return derive('slack + reserved + (tokens * (cell - own) + unused * cell) / 2**30 - outside', {
      slack,
      reserved: this.#reservation(),
      tokens,
      cell,
      own,
      unused,
      outside,
    });
  }

  /** Free memory after loading, less all that is known to follow. */
  #leftOfFree(budget: readonly Fact[], tokens: Quantity, outside: Quantity): Quantity | undefined {
    const kept: readonly Term[] = [budgetTerms.available, budgetTerms.state];
    const padding = { lo: 1, hi: this.#options.page ?? 1 };
    return answerOf(
      [budgetTerms.left],
      [
        ...budget.filter(({ term }) => kept.includes(term)),
        factOf(budgetTerms.tokens, tokens),
        factOf(budgetTerms.allocatedCell, this.#allocated),
        {
          term: budgetTerms.padding,
          interval: padding,
          basis: 'proved',
          provenance: [],
          nominal: 1n,
        },
        factOf(budgetTerms.outside, outside),
      ],
    ).quantityOf(budgetTerms.left);
  }

  #windowPool({ window }: PoolTokens): Quantity | undefined {
    const { windowPool, solution } = this.#bytes;
    const cell = windowPool && solution.quantityOf(windowPool.cell);
    return window && cell && derive('window * cell / 2**30', { window, cell });
  }

  #concurrency(tokens: Quantity | undefined): Quantity | undefined {
    const requests = tokens && this.#context && concurrentRequests(tokens, this.#context);
    return requests && { ...requests, unit: units.request };
  }

  /** The smallest hundredth whose worst case holds one request and leaves the reserve. */
  #advised(minimum: Quantity | undefined): Quantity | undefined {
    const floor = minimum?.interval.hi;
    if (floor === undefined || this.#context === undefined) {
      return undefined;
    }
    const need = this.#context.interval.hi;
    const first = Math.max(1, Math.floor(floor * 100) + 1);
    const holds = (hundredth: number): boolean =>
      (this.#row(hundredth / 100)?.tokens?.interval.lo ?? 0) >= need;
    // Tokens rise with the fraction, so the first that holds them is found by halving.
    let [low, high] = [first, 99];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (holds(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    const row = low <= 98 && holds(low) ? this.#row(low / 100) : undefined;
    return row && (row.left?.interval.lo ?? -Infinity) >= reserveGiB ? row.fraction : undefined;
  }
}

function answerOf(terms: readonly Term[], facts: readonly Fact[]): Solution {
  return solve(terms, facts, { explain: false });
}

function quantityOr(solution: Solution, term: Term): Quantity {
  const quantity = solution.quantityOf(term);
  if (quantity === undefined) {
    throw new RefusedError({ kind: 'not-in-release', what: 'bytes per token' });
  }
  return quantity;
}

/** Hundredths above the minimum, about nine of them, and the automatic value. */
function steps(minimum: Quantity | undefined, automatic: number | undefined): readonly number[] {
  const floor = minimum?.interval.hi;
  if (floor === undefined || !Number.isFinite(floor)) {
    return [];
  }
  const first = Math.max(1, Math.floor(floor * 100) + 1);
  const step = Math.max(1, Math.round((97 - first) / 8));
  const values = new Set<number>(automatic === undefined ? [] : [automatic]);
  for (let hundredth = first; hundredth <= 97; hundredth += step) {
    values.add(hundredth / 100);
  }
  return [...values].sort((a, b) => a - b);
}

/** The newest release whose sizing code was read; plans suppose it where no release is given. */
export const newestRead = '0.5.18';

/** A release as plans take it from a flag; undefined for what is no release. */
export function planRelease(text: string = newestRead): ReleaseInterval | undefined {
  return /^v?\d+\.\d+\.\d+(?:rc\d+)?(?:\.post\d+)?$/.test(text)
    ? { kind: 'range', from: text.replace(/^v/, ''), to: text.replace(/^v/, '') }
    : undefined;
}
