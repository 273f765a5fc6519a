/**
 * Sliding-window hybrids: how the budget is split between full-attention layers and layers that
 * keep a window, by release (reference 1.5). A token of the full pool brings
 * `swa_full_tokens_ratio` tokens of the window pool.
 */
import type { EraTable } from './eraTable';

/** Bytes of one token in one layer of each kind; heads of the window layers are divided alike. */
export const windowRows: EraTable = [
  {
    from: '0.4.9',
    text: `
swa_kv_heads = max(1, swa_num_key_value_heads // attn_tp_size)
full_row = kv_heads * head_dim * 2 * kv_element_size
swa_row = swa_kv_heads * swa_head_dim * 2 * kv_element_size
full_key_row = kv_heads * head_dim * kv_element_size
swa_key_row = swa_kv_heads * swa_head_dim * kv_element_size
`,
  },
  {
    from: '0.5.7',
    text: `
swa_kv_heads = max(1, swa_num_key_value_heads // attn_tp_size)
full_row = kv_heads * (head_dim + v_head_dim) * kv_element_size
swa_row = swa_kv_heads * (swa_head_dim + swa_v_head_dim) * kv_element_size
full_key_row = kv_heads * head_dim * kv_element_size
swa_key_row = swa_kv_heads * swa_head_dim * kv_element_size
`,
  },
];

/** As windowRows in MXFP8: one scale byte for each block of 32 values (0.5.16 on). */
export const windowRowsMxfp8: EraTable = [
  {
    from: '0.5.16',
    text: `
swa_kv_heads = max(1, swa_num_key_value_heads // attn_tp_size)
_full_values = kv_heads * (head_dim + v_head_dim)
_swa_values = swa_kv_heads * (swa_head_dim + swa_v_head_dim)
full_row = _full_values * kv_element_size + _full_values // 32 * byte
swa_row = _swa_values * kv_element_size + _swa_values // 32 * byte
full_key_row = kv_heads * head_dim * kv_element_size
swa_key_row = swa_kv_heads * swa_head_dim * kv_element_size
`,
  },
];

/** What is allocated for a token of each pool. */
export const windowCells = `
full_cell = full_row * full_layers
window_cell = swa_row * swa_layers
key_cell = full_key_row * full_layers
window_key_cell = swa_key_row * swa_layers
`;

/** What the budget divides by where window layers have the dimensions of the full ones. */
export const windowBudget: EraTable = [
  { from: '0.4.9', text: 'budgeted = full_row * num_layers' },
  { from: '0.5.9', text: 'budgeted = full_row * full_layers + swa_row * swa_layers' },
  {
    from: '0.5.11',
    text: 'budgeted = full_row * full_layers + swa_full_tokens_ratio * swa_row * swa_layers',
  },
  {
    from: '0.5.15',
    text: `
budgeted = full_row * (full_layers + window_draft_layers) + swa_full_tokens_ratio * swa_row * swa_layers
`,
  },
  {
    from: '0.5.19',
    text: `
_all_full = full_row * (full_layers + window_draft_layers)
_windows = swa_full_tokens_ratio * swa_row * swa_layers
budgeted = _all_full + _windows + draft_window_layers * (swa_full_tokens_ratio * swa_row - full_row)
`,
  },
  // The same in another order, which rounds in another way.
  {
    from: '0.5.22',
    text: `
_all_full = full_row * (full_layers + window_draft_layers)
_windows = swa_full_tokens_ratio * (swa_row * swa_layers)
budgeted = _all_full + _windows + draft_window_layers * (swa_full_tokens_ratio * swa_row - full_row)
`,
  },
];

/** As windowBudget for window layers with heads or dimensions of their own. */
export const ownWindowBudget: EraTable = [
  { from: '0.5.7', text: 'budgeted = full_row * full_layers + swa_row * swa_layers' },
  { from: '0.5.8', text: 'budgeted = full_row * num_layers + swa_row * swa_layers' },
  ...windowBudget.slice(1),
];

/** Every layer keeps a window: there is no full pool to relate to. */
export const onlyWindowBudget: EraTable = [
  { from: '0.5.9', text: 'budgeted = swa_row * swa_layers' },
  { from: '0.5.15', text: 'budgeted = swa_row * swa_layers + full_row * window_draft_layers' },
  {
    from: '0.5.19',
    text: `
_all_full = swa_row * swa_layers + full_row * window_draft_layers
budgeted = _all_full + draft_window_layers * (swa_row - full_row)
`,
  },
];

/** Tokens of both pools, from the tokens that the budget gives. */
export const windowSplit: EraTable = [
  {
    from: '0.4.9.post3',
    text: `
full_tokens = int(profiled * num_hidden_layers / (swa_full_tokens_ratio * swa_layers + full_layers))
swa_tokens = int(full_tokens * swa_full_tokens_ratio)
`,
  },
  {
    from: '0.5.7',
    text: `
unaligned = int(profiled * num_hidden_layers / (swa_full_tokens_ratio * swa_layers + full_layers))
full_tokens = unaligned // page_size * page_size
swa_tokens = int(unaligned * swa_full_tokens_ratio) // page_size * page_size
`,
  },
  {
    from: '0.5.9',
    text: `
total = profiled * (full_row * full_layers + swa_row * swa_layers)
unaligned = int(total / (full_row * full_layers + swa_full_tokens_ratio * swa_row * swa_layers))
full_tokens = unaligned // page_size * page_size
swa_tokens = int(unaligned * swa_full_tokens_ratio) // page_size * page_size
`,
  },
  {
    from: '0.5.10rc0',
    text: `
total = profiled * (full_row * full_layers + swa_row * swa_layers)
unaligned = int(total / (full_row * full_layers + swa_full_tokens_ratio * swa_row * swa_layers))
full_tokens = unaligned // page_size * page_size
swa_tokens = int(full_tokens * swa_full_tokens_ratio) // page_size * page_size
`,
  },
  {
    from: '0.5.11',
    text: `
full_tokens = profiled // page_size * page_size
swa_tokens = int(full_tokens * swa_full_tokens_ratio) // page_size * page_size
`,
  },
];

/** What the budget spends for each token of the full pool: with its share of the window pool. */
export const budgetPerFullToken: EraTable = [
  {
    from: '0.4.9.post3',
    text: `
per_full_token = budgeted * (swa_full_tokens_ratio * swa_layers + full_layers) / num_hidden_layers
`,
  },
  {
    from: '0.5.9',
    text: `
per_full_token = full_row * full_layers + swa_full_tokens_ratio * swa_row * swa_layers
`,
  },
  { from: '0.5.11', text: 'per_full_token = budgeted' },
];

/** What the buffers of both pools take for each token of the full pool. */
export const allocatedPerFullToken =
  'allocated_per_full_token = full_cell + swa_full_tokens_ratio * window_cell';

/** From here on a window pool is sized by its requests where nothing else can fill it. */
export const windowCapFrom = '0.5.14';

/**
 * Tokens of both pools where requests are limited and no prefix is kept: the window pool has what so
 * many requests can need, the full pool the rest. Without speculation, whose share of a step is not
 * known here.
 */
const capSplit = (requestsOfGroup: string): string => `
_eviction_interval = 128
_trailing = sliding_window + _eviction_interval * token + page_size
_of_requests = (_trailing + page_size) * ${requestsOfGroup}
_cap = _of_requests + beside_requests
swa_tokens = (_cap + page_size - token) // page_size * page_size
_fixed = swa_tokens * swa_row * swa_layers
_full_cell = full_row * (full_layers + window_draft_layers)
full_tokens = int((available_bytes - _fixed) // _full_cell) // page_size * page_size
`;

/** What the window pool has beside its requests: chunks of a prefill, or requests that are under way. */
export const besideRequests = {
  chunks: 'beside_requests = chunks_in_flight * chunk_tokens + page_size',
  decode: 'beside_requests = (sliding_window + page_size) * ahead_rows',
} as const;

/** Tokens of both pools under a limit that the full one exceeds. */
export const limitedCap = `
_unlimited_full = full_tokens
_unlimited_window = swa_tokens
_limited_full = max_total_num_tokens // page_size * page_size
_limited_window = min(_unlimited_window, max_total_num_tokens)
full_tokens = _limited_full if _unlimited_full > max_total_num_tokens else _unlimited_full
swa_tokens = _limited_window if _unlimited_full > max_total_num_tokens else _unlimited_window
`;

/** From here on a window pool by the ratio that holds no window and page stops a launch. */
export const heldWindowFrom = '0.5.16';

/** The split by release: from 0.5.23 on a group has at least one request. */
export const windowCapSplit: EraTable = [
  { from: windowCapFrom, text: capSplit('(max_running_requests // attn_dp_size)') },
  { from: '0.5.23', text: capSplit('max(1, max_running_requests // attn_dp_size)') },
];

/** Layers of a draft in the pools: those of a draft with the target's attention. */
export const windowDraft = {
  shared: 'window_draft_layers = draft_layers',
  own: 'window_draft_layers = 0',
  /** A block-diffusion draft adds its own bytes, where they are known. */
  added: 'budgeted = budgeted + draft_cell',
} as const;

/** From here on a pipeline stage counts the layers that it holds; before, the next one's first layer too. */
export const ownedLayersFrom = '0.5.21';

/** From here on the budget divides by what a token of the full pool brings with it. */
export const ratioInBudgetFrom = '0.5.11';
