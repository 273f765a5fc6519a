/**
 * Bytes per token on one rank, as formula text by release (reference 3.1 and 3.2, and the releases
 * themselves): what the budget divides by (`budgeted`) and what the buffers take (`allocated`) are
 * two things. Leaves out windows, state and compressed pools: files beside this one.
 */
import type { EraTable } from './eraTable';

/** KV heads of one rank: at least one, so heads are replicated when there are fewer than ranks. */
export const headsPerRank: EraTable = [
  { from: '0.1.3', text: 'kv_heads = num_key_value_heads // tp_size' },
  { from: '0.1.18', text: 'kv_heads = max(1, num_key_value_heads // tp_size)' },
  {
    from: '0.4.1.post7',
    text: `
attn_tp_size = tp_size // attn_dp_size // attn_cp_size
kv_heads = max(1, num_key_value_heads // attn_tp_size)
`,
  },
  {
    from: '0.5.18',
    text: `
attn_tp_size = tp_size // attn_dp_size // attn_cp_size
kv_heads = max(1, num_key_value_heads // (attn_tp_size // dcp_size))
`,
  },
];

/** Keys and values of all heads, in a dtype without scales. */
export const headCell: EraTable = [
  {
    from: '0.1.3',
    text: `
key_cell = kv_heads * head_dim * num_layers * half
value_cell = kv_heads * head_dim * num_layers * half
target_cell = key_cell + value_cell
`,
  },
  {
    from: '0.1.18',
    text: `
key_cell = kv_heads * head_dim * num_layers * kv_element_size
value_cell = kv_heads * head_dim * num_layers * kv_element_size
target_cell = key_cell + value_cell
`,
  },
  {
    from: '0.5.7',
    text: `
key_cell = kv_heads * head_dim * num_layers * kv_element_size
value_cell = kv_heads * v_head_dim * num_layers * kv_element_size
target_cell = key_cell + value_cell
`,
  },
];

/** FP4 in two values a byte, with one scale for each block of 16 values. */
export const headCellFp4: EraTable = [
  {
    from: '0.5.5.post3',
    text: `
plain_cell = kv_heads * (head_dim + v_head_dim) * num_layers * kv_element_size
scale_cell = kv_heads * head_dim * num_layers * 2 * kv_element_size // 16
target_cell = plain_cell // 2 + scale_cell
`,
  },
  {
    from: '0.5.16',
    text: `
plain_cell = kv_heads * (head_dim + v_head_dim) * num_layers * kv_element_size
scale_cell = kv_heads * head_dim * num_layers * 2 * kv_element_size // 16
workspace_cell = kv_heads * head_dim * 2 * kv_element_size
target_cell = plain_cell // 2 + scale_cell + workspace_cell
`,
  },
  // The backends of prefill and decoding decide how scales lie, and whether there is a workspace.
  {
    from: '0.5.21',
    text: `
plain_cell = kv_heads * head_dim * num_layers * 2 * kv_element_size
scale_cell = kv_heads * (head_dim // 16) * num_layers * 2 * kv_element_size * fp4_scale_copies
workspace_cell = kv_heads * head_dim * 2 * kv_element_size * fp4_workspace_size
target_cell = plain_cell // 2 + scale_cell + workspace_cell
`,
  },
];

/** MXFP8: one scale byte for each block of 32 values. */
export const headCellMxfp8: EraTable = [
  {
    from: '0.5.16',
    text: `
plain_cell = kv_heads * (head_dim + v_head_dim) * num_layers * kv_element_size
scale_cell = kv_heads * (head_dim + v_head_dim) * num_layers // 32 * byte
target_cell = plain_cell + scale_cell
`,
  },
];

/**
 * Sparse attention over heads: keys and values of all layers, and for sparse layers one index head: two
 * rows, or one where it keeps keys alone. Index rows have the dtype of the model, or (0.5.21) beside an FP8
 * cache that of the cache, as the backends decide.
 */
export const sparseHeadCell: EraTable = [
  {
    from: '0.5.15',
    text: `
key_cell = kv_heads * head_dim * num_layers * kv_element_size
value_cell = kv_heads * head_dim * num_layers * kv_element_size
index_cell = index_rows * sparse_index_dim * index_element_size
target_cell = key_cell + value_cell + index_cell
`,
  },
];

/** Latent attention: one row for keys and values together, replicated on every rank. */
export const latentCell: EraTable = [
  {
    from: '0.2.10',
    text: `
latent_row = kv_lora_rank + qk_rope_head_dim
target_cell = latent_row * num_layers * kv_element_size
`,
  },
];

export const latentCellFp4: EraTable = [
  {
    from: '0.5.4.post3',
    text: `
latent_row = kv_lora_rank + qk_rope_head_dim
plain_cell = latent_row * num_layers * kv_element_size
scale_cell = latent_row // 16 * num_layers * kv_element_size
target_cell = plain_cell // 2 + scale_cell
`,
  },
];

/**
 * Rows of sparse attention over latents as they are allocated: FP8 rows keep four scales and an
 * unquantised rotary part (656 bytes for 512 + 64), unless the kernels read raw rows.
 */
export const sparseRow = {
  raw: 'allocated_row = kv_lora_rank + qk_rope_head_dim',
  scaled: 'allocated_row = kv_lora_rank + kv_lora_rank // 128 * 4 + qk_rope_head_dim * 2',
  /** The dtype is not known: FP8 rows are the scaled ones. */
  byElementSize: `
raw_row = kv_lora_rank + qk_rope_head_dim
scaled_row = kv_lora_rank + kv_lora_rank // 128 * 4 + qk_rope_head_dim * 2
allocated_row = scaled_row if kv_element_size == 1 else raw_row
`,
} as const;

/** Layers that have index keys: all, or (0.5.18) those that do not use the keys of another layer. */
export const indexLayers: EraTable = [
  { from: '0.5.3rc2', text: 'index_layers = num_layers' },
  { from: '0.5.18', text: 'index_layers = active_index_layers' },
];

/** Sparse attention over latents with its index keys (DSA, earlier NSA): bytes in a buffer of uint8. */
export const sparseCell: EraTable = [
  {
    from: '0.5.3rc2',
    text: `
latent_row = kv_lora_rank + qk_rope_head_dim
index_row = index_head_dim + index_head_dim // 128 * 4
index_cell = index_row * index_layers * byte
target_cell = latent_row * num_layers * kv_element_size
allocated = allocated_row * num_layers * kv_element_size + index_cell
`,
  },
  {
    from: '0.5.3.post1',
    text: `
latent_row = kv_lora_rank + qk_rope_head_dim
index_row = index_head_dim + index_head_dim // 128 * 4
index_cell = index_row * index_layers * byte
latent_cell = latent_row * num_layers * kv_element_size
target_cell = latent_cell + index_cell
allocated = allocated_row * num_layers * kv_element_size + index_cell
`,
  },
  {
    from: '0.5.17',
    text: `
index_row = index_head_dim + index_head_dim // 128 * 4
index_cell = index_row * index_layers * byte
latent_cell = allocated_row * num_layers * kv_element_size
target_cell = latent_cell + index_cell
allocated = latent_cell + index_cell
`,
  },
];

/**
 * A draft that shares the target's attention is budgeted by its layers from 0.5.14 on: the released
 * 0.5.13 and 0.5.13.post1 do not have it yet.
 */
export const draftShare: EraTable = [
  { from: '0.1.3', text: 'budgeted = target_cell' },
  { from: '0.5.14', text: 'budgeted = int(target_cell * (1 + draft_layers / num_layers))' },
  { from: '0.5.22', text: 'budgeted = target_cell + int(target_cell * draft_layers / num_layers)' },
];

/** As draftShare, where keys and index keys are scaled apart (0.5.18). */
export const draftShareSparse: EraTable = [
  ...draftShare.slice(0, 2),
  {
    from: '0.5.18',
    text: `
draft_latent = int(latent_cell * draft_layers / num_layers)
draft_index = index_row * draft_layers * byte
budgeted = target_cell + draft_latent + draft_index
`,
  },
];

/**
 * A block-diffusion draft is budgeted by its layers, or by its own bytes where they are known; groups of
 * decoding each keep all of it.
 */
export const blockDraftShare: EraTable = [
  { from: '0.1.3', text: 'budgeted = target_cell' },
  {
    from: '0.5.11',
    text: 'budgeted = ceil(target_cell * (num_layers + draft_layers) / num_layers)',
  },
  {
    from: '0.5.17',
    text: 'budgeted = ceil(target_cell * (num_layers + draft_layers * dcp_size) / num_layers)',
  },
];

export const blockDraftCell: EraTable = [
  { from: '0.1.3', text: 'budgeted = target_cell' },
  { from: '0.5.11', text: 'budgeted = target_cell + draft_cell' },
  { from: '0.5.18', text: 'budgeted = target_cell + draft_cell * dcp_size' },
];
