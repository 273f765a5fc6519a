/**
 * Compressed attention (layers with compress ratios 4 and 128 beside a window): bytes per token of
 * the full pool, as a float, and the token counts of the pools, by release (reference 1.5 and the
 * releases 0.5.12 to 0.5.18).
 */
import type { EraTable } from './eraTable';

const rows = `
latent_row = qk_nope_head_dim + qk_rope_head_dim * 2 + 8
index_row = index_head_dim + index_head_dim // 128 * 4
attention_dim = qk_nope_head_dim + qk_rope_head_dim
state4_row = 2 * 2 * attention_dim * compress_state_size
index_state_row = 2 * 2 * index_head_dim * compress_state_size
state128_row = 2 * attention_dim * compress_state_size
state4_ratio = ring4_size / window_size
window_part = swa_full_tokens_ratio * latent_row * compressed_layers
ratio4_part = 1 / (4 * hisparse_ratio) * latent_row * ratio4_layers
ratio128_part = 1 / 128 * latent_row * ratio128_layers
index_part = 1 / 4 * index_row * ratio4_layers
state4_part = swa_full_tokens_ratio * state4_ratio * state4_row * ratio4_layers
index_state_part = swa_full_tokens_ratio * state4_ratio * index_state_row * ratio4_layers
`;

/** Bytes per token of the full pool. State of ratio 128 is a fixed cost from 0.5.15 on. */
export const compressedCell: EraTable = [
  {
    from: '0.5.12',
    text: `${rows}
state128_ratio = ring128_size / window_size
state128_part = swa_full_tokens_ratio * state128_ratio * state128_row * ratio128_layers
row_part = (window_part + ratio4_part + ratio128_part + index_part) * byte
target_cell = row_part + state4_part + state128_part + index_state_part
`,
  },
  {
    from: '0.5.15',
    text: `${rows}
row_part = (window_part + ratio4_part + ratio128_part + index_part) * byte
target_cell = row_part + state4_part + index_state_part
`,
  },
  // Rows of 584 bytes whatever the config says, in pages padded to whole strides of 576; states of
  // ratio 4 for each page of the window pool.
  {
    from: '0.5.21',
    text: `
index_row = index_head_dim + index_head_dim // 128 * 4
attention_dim = qk_nope_head_dim + qk_rope_head_dim
state4_row = 2 * 2 * attention_dim * compress_state_size
index_state_row = 2 * 2 * index_head_dim * compress_state_size
_page_rows = compressed_page // token
_rows4 = _page_rows // 4
_rows128 = _page_rows // 128
latent_row = (_page_rows * 584 + 575) // 576 * 576 / _page_rows / token
ratio4_row = (_rows4 * 584 + 575) // 576 * 576 / _rows4 / token
ratio128_row = (_rows128 * 584 + 575) // 576 * 576 / _rows128 / token
state4_ratio = ring4_size / _page_rows
_window_rows = latent_row * byte * compressed_layers
_window_states = state4_ratio * (state4_row + index_state_row) * ratio4_layers
window_part = swa_full_tokens_ratio * (_window_rows + _window_states)
_row4 = 1 / (4 * hisparse_ratio) * ratio4_row + 1 / 4 * index_row
ratio4_part = _row4 * byte * ratio4_layers
ratio128_part = 1 / 128 * ratio128_row * byte * ratio128_layers
target_cell = window_part + (ratio4_part + ratio128_part)
`,
  },
];

/** Tokens of a page that the releases set for compressed attention where nothing else can be. */
const compressedPageTokens = 256;

/** The page in force: as given, if whole rows of the highest ratio fit, else what the releases set. */
export function compressedPage(page: number | undefined): number {
  return page !== undefined && page % 128 === 0 ? page : compressedPageTokens;
}

/** Requests of a data-parallel group: at least one from 0.5.23 on. */
export const requestsOfWorker: EraTable = [
  { from: '0.5.12', text: 'requests_of_worker = max_running_requests // attn_dp_size' },
  { from: '0.5.23', text: 'requests_of_worker = max(1, max_running_requests // attn_dp_size)' },
];

/** From here on the bytes of a token follow from the size of a page. */
export const paddedPagesFrom = '0.5.21';

/** Any speculation adds one layer's share. */
export const compressedShare = {
  plain: 'budgeted = target_cell',
  speculative: 'budgeted = target_cell * ((compressed_layers + 1) / compressed_layers)',
} as const;

/** Ring sizes of the compression state: twice as long with speculation. */
export const ringSizes = { plain: { 4: 8, 128: 128 }, speculative: { 4: 16, 128: 256 } } as const;

/** Share of the window pool that the model-specific overrides set where no flag does. */
export const compressedWindowRatio = 0.1;

/** Tokens under a limit that they exceed. */
export const limitedTokens = `
_unlimited_full = full_tokens
_limited_full = max_total_num_tokens // page_size * page_size
full_tokens = _limited_full if _unlimited_full > max_total_num_tokens else _unlimited_full
swa_tokens = int(full_tokens * swa_full_tokens_ratio) // page_size * page_size
`;

/** Tokens of the full pool: after the fixed state of ratio 128 from 0.5.15 on. */
export const compressedTokens: EraTable = [
  {
    from: '0.5.12',
    text: `
fixed_state = 0 * byte
full_tokens = int(available_bytes / budgeted) // page_size * page_size
swa_tokens = int(full_tokens * swa_full_tokens_ratio) // page_size * page_size
`,
  },
  {
    from: '0.5.15',
    text: `
request_slots = requests_of_worker + 1
state_rows = request_slots * ring128_size + ring128_size + 1
padded_rows = (state_rows + 127) // 128 * 128
fixed_state = padded_rows * 2 * attention_dim * token * compress_state_size * ratio128_layers
token_bytes = max(available_bytes - fixed_state, 0)
full_tokens = int(token_bytes / budgeted) // page_size * page_size
swa_tokens = int(full_tokens * swa_full_tokens_ratio) // page_size * page_size
`,
  },
];
