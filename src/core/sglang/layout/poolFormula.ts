/**
 * Sizes of buffers and of requests, over the bytes per token of a layout. Leaves out the budget: that
 * is budgetFormula.ts.
 */

/** GiB of a pool as a log prints it; buffers have padding rows (reference 3.2). */
export const printedPool = 'printed_pool = (pool_tokens + padding_rows) * pool_cell / 2**30';

export const printedKeys = 'printed_keys = (pool_tokens + padding_rows) * pool_key_cell / 2**30';

export const printedValues = `
printed_values = (pool_tokens + padding_rows) * (pool_cell - pool_key_cell) / 2**30
`;

/** MiB of one request: all its tokens in full layers, a window of them in window layers. */
export const requestCost = {
  plain: 'request_cost = pool_cell * request_length / 2**20',
  window: `
request_cost = (pool_cell * request_length + window_pool_cell * min(request_length, sliding_window)) / 2**20
`,
  state: 'request_memory = request_cost + mamba_cache_per_req * slots_per_request / 2**20',
} as const;

/** How many requests of one length the tokens hold. */
export const concurrency = 'concurrent = pool_tokens // request_length';
