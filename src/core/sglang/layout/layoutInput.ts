/**
 * The free variables of the layout formulas: their names, units and kinds. Names of inputs that the
 * shared truth files also use are the same there. Leaves out where a value comes from.
 */

/** Unit as `Unit.parse` reads it; `float` where values need not be whole. */
interface LayoutInput {
  readonly unit: '1' | '1/token' | 'B' | 'B/token' | 'GiB' | 'MiB' | 'token';
  readonly float?: true;
}

/**
 * Dimensions count values per token (`1/token`), so that heads x dimension x layers x bytes has the
 * unit B/token.
 */
export const layoutInputs = {
  /** Layers of this pipeline stage whose keys and values are cached. */
  num_layers: { unit: '1' },
  /** Layers of the whole model, cached or not. */
  num_hidden_layers: { unit: '1' },
  hidden_size: { unit: '1/token' },
  num_attention_heads: { unit: '1' },
  /** Of the whole model. */
  num_key_value_heads: { unit: '1' },
  head_dim: { unit: '1/token' },
  v_head_dim: { unit: '1/token' },
  kv_lora_rank: { unit: '1/token' },
  qk_rope_head_dim: { unit: '1/token' },
  index_head_dim: { unit: '1/token' },
  /** Sparse attention over heads: dimensions of an index key. */
  sparse_index_dim: { unit: '1/token' },
  /** Rows of index heads: two for each layer that keeps values too, one for each that keeps keys alone. */
  index_rows: { unit: '1' },
  /** Bytes of a value of such a row. */
  index_element_size: { unit: 'B' },
  /** Layers that own index keys; the others use those of a layer before them. */
  active_index_layers: { unit: '1' },
  /** Bytes of one cached value; FP4 counts 1 here and is halved by its formula. */
  kv_element_size: { unit: 'B' },
  /** Copies of the scales of an FP4 cache, and bytes of a value of its workspace, as backends need them. */
  fp4_scale_copies: { unit: '1' },
  fp4_workspace_size: { unit: '1' },
  tp_size: { unit: '1' },
  pp_size: { unit: '1' },
  dp_size: { unit: '1' },
  /** Data-parallel groups of attention: dp_size under DP attention, else 1. */
  attn_dp_size: { unit: '1' },
  /** Context-parallel groups of attention. */
  attn_cp_size: { unit: '1' },
  /** Context-parallel groups of decoding (0.5.16 on). */
  dcp_size: { unit: '1' },
  page_size: { unit: 'token' },
  swa_num_key_value_heads: { unit: '1' },
  swa_head_dim: { unit: '1/token' },
  swa_v_head_dim: { unit: '1/token' },
  full_layers: { unit: '1' },
  swa_layers: { unit: '1' },
  /** Tokens of the window pool per token of the full pool. */
  swa_full_tokens_ratio: { unit: '1', float: true },
  /** 1 where sliding-window layers have a pool of their own. */
  window_pool: { unit: '1' },
  /** Layers of the draft model whose keys and values are cached. */
  draft_layers: { unit: '1' },
  /** Layers of the draft that keep a window. */
  draft_window_layers: { unit: '1' },
  /** Bytes per token of a draft with dimensions of its own. */
  draft_cell: { unit: 'B/token' },
  /** Draft tokens a step; 0 without speculation. */
  draft_tokens: { unit: '1' },
  /** 1 with any speculation. */
  speculative: { unit: '1' },

  /** Shape of a linear-attention or state-space layer. */
  state_intermediate_size: { unit: '1' },
  state_groups: { unit: '1' },
  state_heads: { unit: '1' },
  state_head_dim: { unit: '1' },
  state_size: { unit: '1' },
  conv_kernel: { unit: '1' },
  conv_element_size: { unit: 'B' },
  ssm_element_size: { unit: 'B' },
  state_layers: { unit: '1' },
  /** State layers of the pipeline stage that has most of them. */
  stage_state_layers: { unit: '1' },

  /** Bytes of one state slot. */
  mamba_cache_per_req: { unit: 'B' },
  mamba_full_memory_ratio: { unit: '1', float: true },
  max_mamba_cache_size: { unit: '1' },
  slots_per_request: { unit: '1' },
  /** What the formula gives to all pools. */
  rest_memory: { unit: 'GiB', float: true },
  /** Bytes for the pools of keys and values. */
  available_bytes: { unit: 'B' },
  profiled_tokens: { unit: 'token' },
  max_total_num_tokens: { unit: 'token' },
  /** Tokens that rows of the request table follow from. */
  row_tokens: { unit: 'token' },
  max_running_requests: { unit: '1' },
  /** Requests under way that a decode server has rows for. */
  decode_extra_slots: { unit: '1' },
  context_length: { unit: 'token' },

  /** Tokens that a log prints beside the size of a pool. */
  pool_tokens: { unit: 'token' },
  /** Rows of the buffers beyond the tokens: one, or a page of them from 0.4.4 on. */
  padding_rows: { unit: 'token' },
  /** Tokens of one request. */
  request_length: { unit: 'token' },
  /** Tokens that a window layer keeps of a request. */
  sliding_window: { unit: 'token' },
  /** Tokens of one prefill chunk, and how many chunks are under way at once. */
  chunk_tokens: { unit: 'token' },
  chunks_in_flight: { unit: '1' },

  qk_nope_head_dim: { unit: '1/token' },
  window_size: { unit: '1' },
  compressed_layers: { unit: '1' },
  ratio4_layers: { unit: '1' },
  ratio128_layers: { unit: '1' },
  ring4_size: { unit: '1' },
  ring128_size: { unit: '1' },
  /** Tokens of a page, by which rows are padded from 0.5.21 on. */
  compressed_page: { unit: 'token' },
  /** Bytes of a value of the compression state: 4, or 2 by environment. */
  compress_state_size: { unit: 'B' },
  hisparse_ratio: { unit: '1', float: true },

  card: { unit: 'MiB' },
  chunked_prefill_size: { unit: '1' },
  cuda_graph_max_bs: { unit: '1' },
  piecewise_max_tokens: { unit: '1' },
  /** 1 where prefill graphs are captured. */
  prefill_graphs: { unit: '1' },
  /** 1 on the cards that capture graphs up to the limit of requests: a fact that no option gives. */
  raised_graphs: { unit: '1' },
  vit_layers: { unit: '1' },
  vit_hidden_size: { unit: '1' },
} as const satisfies Readonly<Record<string, LayoutInput>>;

export type LayoutInputName = keyof typeof layoutInputs;
