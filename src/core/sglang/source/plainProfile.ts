/**
 * The plain profile: what is taken for granted of a server where nothing else is said. Each value
 * names its assumption, and a result that needed one lists it.
 */

/** Values that hold unless one of the `unless` inputs is given. */
export interface PlainDefault {
  readonly reach: readonly string[];
  readonly value: boolean | number | bigint | null | 'object' | readonly [];
  readonly assumption: PlainAssumption;
  readonly unless?: readonly string[];
  readonly otherwise?: boolean | number | bigint | null | 'object' | 'unknown';
}

/** Ids of the assumptions; the edge words them. */
export type PlainAssumption =
  | 'no-draft-worker'
  | 'no-speculation'
  | 'no-state-layers'
  | 'no-indexer'
  | 'no-fp4'
  | 'no-sliding-window'
  | 'text-only'
  | 'one-pipeline-stage'
  | 'no-context-parallelism'
  | 'no-attention-data-parallelism'
  | 'no-post-capture-sizing'
  | 'no-reservation'
  | 'no-clamp'
  | 'radix-cache'
  | 'no-layer-split'
  | 'no-other-architecture';

const stateInputs = ['mamba_cache_per_req', 'max_mamba_cache_size', 'mamba_full_memory_ratio'];

export const plainProfile: readonly PlainDefault[] = [
  { reach: ['.is_draft_worker'], value: false, assumption: 'no-draft-worker' },
  { reach: ['.spec_algorithm.is_none()'], value: true, assumption: 'no-speculation' },
  { reach: ['.spec_algorithm.*()'], value: false, assumption: 'no-speculation' },
  {
    reach: ['.speculative_algorithm', '.speculative_num_draft_tokens'],
    value: null,
    assumption: 'no-speculation',
  },
  {
    reach: ['.mambaish_config', 'mambaish_config()', '.linear_attn_model_spec'],
    value: null,
    assumption: 'no-state-layers',
    unless: stateInputs,
    otherwise: 'object',
  },
  {
    reach: [
      '.hybrid_gdn_config',
      '.mamba2_config',
      '.kimi_linear_config',
      '.hybrid_lightning_config',
    ],
    value: null,
    assumption: 'no-state-layers',
    unless: stateInputs,
    otherwise: 'unknown',
  },
  {
    reach: ['.is_hybrid_gdn'],
    value: false,
    assumption: 'no-state-layers',
    unless: stateInputs,
    otherwise: true,
  },
  {
    reach: ['is_deepseek_nsa()', 'is_deepseek_dsa()'],
    value: false,
    assumption: 'no-indexer',
    unless: ['index_head_dim'],
    otherwise: true,
  },
  { reach: ['is_float4_e2m1fn_x2()'], value: false, assumption: 'no-fp4' },
  {
    reach: ['.is_hybrid_swa', '.is_hybrid'],
    value: false,
    assumption: 'no-sliding-window',
    unless: ['swa_layers'],
    otherwise: true,
  },
  { reach: ['.is_multimodal'], value: false, assumption: 'text-only' },
  { reach: ['.post_capture_kv_active'], value: false, assumption: 'no-post-capture-sizing' },
  { reach: ['.enable_dp_attention'], value: false, assumption: 'no-attention-data-parallelism' },
  {
    reach: ['.attn_dcp_size', '.dcp_size', '.attn_cp_size'],
    value: 1n,
    assumption: 'no-context-parallelism',
  },
  { reach: ['.disable_radix_cache'], value: false, assumption: 'radix-cache' },
  {
    reach: ['.max_mamba_cache_size', '.max_running_requests', '.max_total_tokens'],
    value: null,
    assumption: 'no-clamp',
  },
  { reach: ['.architectures'], value: [], assumption: 'no-other-architecture' },
  { reach: ['is_minimax_sparse()'], value: false, assumption: 'no-other-architecture' },
];
