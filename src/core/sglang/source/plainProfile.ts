/**
 * The plain profile: what is taken for granted of a server where nothing else is said. Each value
 * names its assumption, and a result that needed one lists it.
 */

/** Values that hold unless one of the `unless` inputs is given. */
export interface PlainDefault {
  readonly reach: readonly string[];
  readonly value: boolean | number | bigint | null | 'object' | 'absent' | 'fallback' | readonly [];
  readonly assumption: PlainAssumption;
  readonly when?: readonly string[];
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
  | 'no-other-architecture'
  | 'no-special-pool'
  | 'no-disaggregation'
  | 'no-block-scales'
  | 'default-backend'
  | 'overlap-schedule'
  | 'no-indexer-sharing'
  | 'no-environment'
  | 'nvidia'
  | 'no-latent-windows';

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
  {
    reach: ['.architectures'],
    value: [],
    assumption: 'no-other-architecture',
    unless: ['swa_layers'],
    otherwise: 'unknown',
  },
  {
    reach: ['is_minimax_sparse()', 'is_deepseek_v4()'],
    value: false,
    assumption: 'no-other-architecture',
  },
  { reach: ['.start_layer'], value: 0n, assumption: 'one-pipeline-stage' },
  { reach: ['.disable_overlap_schedule'], value: false, assumption: 'overlap-schedule' },
  {
    reach: [
      '.cli_factor',
      '.index_kpool',
      '.index_skip_topk_offset',
      '.index_topk_freq',
      '.index_topk_pattern',
      '.indexer_types',
    ],
    value: 'absent',
    assumption: 'no-indexer-sharing',
  },
  { reach: ['os.getenv()', 'os.environ.get()'], value: 'fallback', assumption: 'no-environment' },
  { reach: ['torch.version.hip'], value: null, assumption: 'nvidia' },
  {
    reach: ['is_hip()', 'is_npu()', 'is_cpu()', 'is_xpu()', 'is_mps()', 'is_musa()'],
    value: false,
    assumption: 'nvidia',
  },
  {
    reach: ['.attention_arch == AttentionArch.MLA'],
    value: false,
    assumption: 'no-latent-windows',
    when: ['swa_layers'],
  },
  { reach: ['parse_qsa_profile()'], value: null, assumption: 'no-other-architecture' },
  {
    reach: [
      '.enable_hisparse',
      '.enable_unified_memory',
      '.enable_unified_cache_external_linker',
      '.enable_hierarchical_cache',
      '.enable_linear_replayssm_spec',
    ],
    value: false,
    assumption: 'no-special-pool',
  },
  { reach: ['.fused_entry_bytes()'], value: null, assumption: 'no-speculation' },
  { reach: ['.extra_mamba_cache_bytes_per_req'], value: 0n, assumption: 'no-special-pool' },
  {
    reach: [".disaggregation_mode == 'decode'", ".disaggregation_mode == 'prefill'"],
    value: false,
    assumption: 'no-disaggregation',
  },
  { reach: [".disaggregation_mode == 'null'"], value: true, assumption: 'no-disaggregation' },
  {
    reach: [".kv_cache_dtype == 'mxfp8'", ".kv_cache_dtype_str == 'mxfp8'"],
    value: false,
    assumption: 'no-block-scales',
  },
  {
    reach: [
      ".nsa_prefill_backend == 'trtllm'",
      ".nsa_decode_backend == 'trtllm'",
      ".dsa_prefill_backend == 'trtllm'",
      ".dsa_decode_backend == 'trtllm'",
      ".nsa_prefill_backend == 'tilelang'",
      ".nsa_decode_backend == 'tilelang'",
      ".dsa_prefill_backend == 'tilelang'",
      ".dsa_decode_backend == 'tilelang'",
    ],
    value: false,
    assumption: 'default-backend',
  },
];
