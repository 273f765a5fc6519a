/**
 * What one request costs, and how many the tokens hold at once: full-length requests, or requests of
 * an average length. Leaves out weights and graphs.
 */
import { FormulaScope } from '../sglang/layout/formulaScope';
import { concurrency, requestCost as costText } from '../sglang/layout/poolFormula';
import { derive } from '../terms/derive';
import { solve } from '../terms/solve';
import type { Quantity } from '../units/quantity';
import { LayoutFacts } from './layoutFacts';
import type { ModelLayout } from './modelLayout';
import type { TokenBytes } from './tokenBytes';

/** State that a request takes beside its tokens. */
export interface RequestState {
  /** Bytes of a slot. */
  readonly perSlot: Quantity;
  readonly slotsPerRequest: number;
}

/**
 * MiB of a request of `length` tokens on one rank; undefined where the cell is not known. `draft` is
 * what a token takes in the buffers of a draft, in B/token.
 */
export function requestCost(
  bytes: TokenBytes,
  layout: ModelLayout,
  length: Quantity,
  state?: RequestState,
  draft?: Quantity,
): Quantity | undefined {
  const scope = bytes.scope.fork();
  const facts = new LayoutFacts(scope);
  const { windowPool } = bytes;
  const { slidingWindow } = layout;
  scope.take('request_length', length);
  scope.define('pool_cell', bytes.pool.cell);
  if (windowPool === undefined || slidingWindow === undefined) {
    scope.read(costText.plain);
  } else {
    facts.config('sliding_window', slidingWindow);
    scope.define('window_pool_cell', windowPool.cell);
    scope.read(costText.window);
  }
  if (state !== undefined) {
    scope.take('mamba_cache_per_req', state.perSlot);
    facts.flag('slots_per_request', state.slotsPerRequest, '--disable-radix-cache');
    scope.read(costText.state);
  }
  const term = scope.term(state === undefined ? 'request_cost' : 'request_memory');
  const cost = solve([term], scope.facts, { explain: false }).quantityOf(term);
  return cost && draft ? derive('cost + draft * length / 2**20', { cost, draft, length }) : cost;
}

/** How many requests of `length` tokens the pool holds at once. */
export function concurrentRequests(tokens: Quantity, length: Quantity): Quantity | undefined {
  const scope = new FormulaScope({ kind: 'unknown' });
  scope.take('pool_tokens', tokens);
  scope.take('request_length', length);
  scope.read(concurrency);
  const term = scope.term('concurrent');
  return solve([term], scope.facts, { explain: false }).quantityOf(term);
}
