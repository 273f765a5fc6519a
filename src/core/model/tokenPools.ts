/**
 * From a budget to tokens: of the full pool and the window pool, and from tokens to requests and rows
 * of the request table. Leaves out state (statePool.ts) and clamps that the budget's own formula has.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import {
  compressedTokens,
  limitedTokens,
  requestsOfWorker,
} from '../sglang/layout/compressedFormula';
import { isSince } from '../sglang/layout/eraTable';
import { FormulaScope } from '../sglang/layout/formulaScope';
import {
  aheadRows,
  defaultRequests,
  dividedRows,
  extraSlotsFrom,
  givenRequests,
  heldState,
  stateLimit,
  tableRows,
} from '../sglang/layout/requestFormula';
import {
  besideRequests,
  limitedCap,
  windowCapSplit,
  windowSplit,
} from '../sglang/layout/windowFormula';
import { solve } from '../terms/solve';
import type { Quantity } from '../units/quantity';
import type { ConfigNumber } from './configNumber';
import { LayoutFacts } from './layoutFacts';
import type { SlotBytes } from './statePool';
import type { ParallelPlan, TokenBytes } from './tokenBytes';

/** Tokens of the pools of one rank. */
export interface PoolTokens {
  /** Of the full pool, or of the only one. */
  readonly full: Quantity | undefined;
  readonly window: Quantity | undefined;
  /** Bytes of compression state that requests take whatever the tokens are. */
  readonly fixedState?: Quantity;
}

/** What pools are sized from: bytes for keys and values, or tokens before the split. */
export type PoolBudget =
  | { readonly kind: 'bytes'; readonly bytes: Quantity; readonly cap?: WindowCap }
  | { readonly kind: 'tokens'; readonly tokens: Quantity };

/** What limits a window pool that is sized by its requests (0.5.14 on). */
export interface WindowCap {
  /** `--max-running-requests`. */
  readonly requests: number;
  /** Tokens that a window layer keeps. */
  readonly window: ConfigNumber;
  /** Tokens of the prefill chunks that are under way; undefined for a decode server. */
  readonly chunks?: { readonly chunk: number; readonly areTwo: boolean };
  readonly parallel: ParallelPlan;
  /** `--max-total-tokens`. */
  readonly maxTotalTokens?: number;
  /** `--disaggregation-decode-extra-slots`. */
  readonly extraSlots?: number;
}

/** Tokens of a model with window layers that have a pool of their own. */
export function splitWindow(bytes: TokenBytes, budget: PoolBudget, page: number): PoolTokens {
  const scope = bytes.scope.fork();
  new LayoutFacts(scope).flag('page_size', page, '--page-size');
  if (budget.kind === 'bytes' && budget.cap !== undefined) {
    return splitByRequests(scope, budget.bytes, budget.cap);
  }
  if (budget.kind === 'bytes') {
    scope.take('available_bytes', budget.bytes);
    scope.read('profiled = int(available_bytes // budgeted)');
  } else {
    scope.take('profiled_tokens', budget.tokens);
    scope.define('profiled', scope.term('profiled_tokens'));
  }
  scope.lower(windowSplit);
  return poolTokens(scope);
}

function splitByRequests(scope: FormulaScope, bytes: Quantity, cap: WindowCap): PoolTokens {
  const facts = new LayoutFacts(scope);
  scope.take('available_bytes', bytes);
  facts.config('sliding_window', cap.window);
  facts.flag('max_running_requests', cap.requests, '--max-running-requests');
  if (cap.chunks === undefined) {
    facts.flag('dp_size', cap.parallel.dp ?? 1, '--dp');
    rowsAhead(facts, cap.requests, cap.extraSlots);
    scope.read(besideRequests.decode);
  } else {
    facts.flag('chunk_tokens', cap.chunks.chunk, '--chunked-prefill-size');
    facts.flag('chunks_in_flight', cap.chunks.areTwo ? 2 : 1, '--disable-overlap-schedule');
    scope.read(besideRequests.chunks);
  }
  scope.lower(windowCapSplit);
  if (cap.maxTotalTokens !== undefined) {
    facts.flag('max_total_num_tokens', cap.maxTotalTokens, '--max-total-tokens');
    scope.read(limitedCap);
  }
  return poolTokens(scope);
}

/** Tokens of a model with compressed attention. */
export function compressedPoolTokens(
  bytes: TokenBytes,
  budgetBytes: Quantity,
  options: {
    readonly page: number;
    readonly context: Quantity;
    readonly maxRunningRequests?: number;
    readonly maxTotalTokens?: number;
  },
): PoolTokens {
  const scope = bytes.scope.fork();
  const facts = new LayoutFacts(scope);
  facts.flag('page_size', options.page, '--page-size');
  scope.take('available_bytes', budgetBytes);
  scope.take('context_length', options.context);
  if (options.maxRunningRequests === undefined) {
    scope.read(`
estimated_tokens = int(available_bytes / budgeted)
estimated_rows = max(min(int(estimated_tokens / context_length * 512), 4096), 2048)
requests_of_worker = min(estimated_rows, estimated_tokens // 2 // token)
`);
  } else {
    facts.flag('max_running_requests', options.maxRunningRequests, '--max-running-requests');
    scope.lower(requestsOfWorker);
  }
  scope.lower(compressedTokens);
  if (options.maxTotalTokens !== undefined) {
    facts.flag('max_total_num_tokens', options.maxTotalTokens, '--max-total-tokens');
    scope.read(limitedTokens);
  }
  const fixed = scope.term('fixed_state');
  const fixedState = solve([fixed], scope.facts, { explain: false }).quantityOf(fixed);
  return { ...poolTokens(scope), ...(fixedState && { fixedState }) };
}

function poolTokens(scope: FormulaScope): PoolTokens {
  const terms = [scope.term('full_tokens'), scope.term('swa_tokens')] as const;
  const solution = solve(terms, scope.facts, { explain: false });
  return { full: solution.quantityOf(terms[0]), window: solution.quantityOf(terms[1]) };
}

/** What limits running requests. */
export interface RequestOptions {
  readonly release: ReleaseInterval;
  readonly parallel: ParallelPlan;
  readonly maxRunningRequests?: number;
  /** State slots, how many a request takes, and the bytes of one. */
  readonly state?: {
    readonly slots: Quantity;
    readonly slotsPerRequest: number;
    readonly slot?: SlotBytes;
  };
  /** Tokens that rows follow from, where those are not the tokens of the pool. */
  readonly rowTokens?: Quantity;
  /** A decode server. */
  readonly isDecode?: boolean;
  readonly isSpeculative?: boolean;
  /** Draft tokens a step; absent without speculation. */
  readonly draftTokens?: number;
  /** `--disaggregation-decode-extra-slots`. */
  readonly extraSlots?: number;
}

/** Running requests and rows of the request table. */
export interface RequestPool {
  /** As the summary line prints it; undefined for releases that print none. */
  readonly requests: Quantity | undefined;
  /** Rows as they are asked for: what drafts are counted for. */
  readonly askedRows: Quantity | undefined;
  /** Rows that are allocated: with those for padding and for requests under way. */
  readonly rows: Quantity | undefined;
  /** Slots that a decode server allocates, and GiB of all its states; undefined on others. */
  readonly heldSlots: Quantity | undefined;
  readonly heldState: Quantity | undefined;
}

/** How many requests the tokens allow. */
export function requestPool(
  tokens: Quantity,
  context: Quantity,
  options: RequestOptions,
): RequestPool {
  const scope = new FormulaScope(options.release);
  const facts = new LayoutFacts(scope);
  const { dp = 1, dpAttention = false } = options.parallel;
  scope.take('max_total_num_tokens', tokens);
  scope.take('row_tokens', options.rowTokens ?? tokens);
  scope.take('context_length', context);
  facts.flag('dp_size', dp, '--dp');
  facts.flag('attn_dp_size', dpAttention ? dp : 1, '--enable-dp-attention');
  if (options.maxRunningRequests !== undefined) {
    facts.flag('max_running_requests', options.maxRunningRequests, '--max-running-requests');
  }
  scope.lower(options.maxRunningRequests === undefined ? defaultRequests : givenRequests);
  if (options.state !== undefined) {
    facts.flag('slots_per_request', options.state.slotsPerRequest, '--disable-radix-cache');
    scope.take('max_mamba_cache_size', options.state.slots);
    scope.define('slots', scope.term('max_mamba_cache_size'));
    scope.read(stateLimit);
    if (options.isSpeculative === true && dpAttention && options.maxRunningRequests !== undefined) {
      scope.lower(dividedRows);
    }
  }
  if (options.isDecode === true) {
    rowsAhead(facts, options.maxRunningRequests, options.extraSlots);
  } else {
    scope.read(aheadRows.none);
  }
  scope.lower(tableRows);
  const isHeld = holdsState(facts, options);
  const names = ['requests', 'asked_rows', 'table_rows'] as const;
  const heldNames = isHeld ? (['held_slots', 'held_state'] as const) : [];
  const terms = [...names, ...heldNames].map(name => scope.term(name));
  const solution = solve(terms, scope.facts, { explain: false });
  const [requests, askedRows, rows, heldSlots, held] = terms.map(term => solution.quantityOf(term));
  return { requests, askedRows, rows, heldSlots, heldState: held };
}

/** Rows of a decode server for requests under way: as a flag says, else by the limit of requests. */
function rowsAhead(facts: LayoutFacts, limit: number | undefined, given: number | undefined): void {
  const { scope } = facts;
  if (given !== undefined && isSince(scope.release, extraSlotsFrom) === true) {
    facts.flag('decode_extra_slots', given, '--disaggregation-decode-extra-slots');
    scope.read(aheadRows.given);
  } else if (!scope.lower(limit === undefined ? aheadRows.open : aheadRows.limited)) {
    scope.read(aheadRows.none);
  }
}

/** Adds what a decode server allocates for states; false where there is none, or it is not known. */
function holdsState(
  facts: LayoutFacts,
  { state, isDecode, isSpeculative, draftTokens }: RequestOptions,
): boolean {
  const { scope } = facts;
  const isOpen = isSpeculative === true && draftTokens === undefined;
  if (state?.slot === undefined || isDecode !== true || isOpen) {
    return false;
  }
  const { quantity, layers, stageLayers } = state.slot;
  scope.take('mamba_cache_per_req', quantity);
  facts.flag('draft_tokens', draftTokens ?? 0, '--speculative-num-draft-tokens');
  facts.flag('state_layers', layers, '--pp');
  facts.flag('stage_state_layers', stageLayers, '--pp');
  return scope.lower(heldState);
}
