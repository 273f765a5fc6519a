/**
 * How SGLang's releases reach the inputs of their memory arithmetic, by the shape of the expression.
 * The ids are those of the bindings everywhere (`--set`, logs, configs). The notation of a reach is
 * described in core/python/facts.ts; a release that reaches an input in a new way shows the unbound
 * expression as missing until a row is added here.
 */

/** One input id. `flowUnit` takes part in unit inference, `unit` is what people are shown. */
export interface SourceInput {
  readonly id: string;
  readonly unit: string;
  readonly flowUnit?: string;
  readonly isInteger?: boolean;
  readonly isBoolean?: boolean;
  readonly least?: bigint;
  readonly reach: readonly string[];
  readonly formulas?: readonly { readonly reach: string; readonly formula: string }[];
  readonly fallback?:
    | { readonly input: string; readonly assumption: string }
    | { readonly value: bigint | number; readonly assumption: string }
    | { readonly sum: readonly string[] };
  readonly tag?: 'fraction' | 'split';
}

/** A width of a cache row counts elements per token: times bytes it is bytes per token. */
const width = { unit: '1', flowUnit: '1/token', isInteger: true } as const;
const count = { unit: '1', isInteger: true } as const;

export const sourceInputs: readonly SourceInput[] = [
  { id: 'totalBeforeLoad', unit: 'GiB', reach: [] },
  { id: 'availableAfterLoad', unit: 'GiB', reach: [] },
  {
    id: 'memFractionStatic',
    unit: '1',
    reach: ['.mem_fraction_static'],
    tag: 'fraction',
  },
  {
    id: 'use_mla',
    unit: '1',
    isBoolean: true,
    reach: [
      '.use_mla_backend',
      '.use_mla',
      '.enable_mla',
      'not .disable_mla',
      '.attention_arch == AttentionArch.MLA',
    ],
  },
  {
    id: 'num_layers',
    ...count,
    reach: [
      '.num_effective_layers',
      '.num_attention_layers',
      '.model_config.num_hidden_layers',
      'parameter num_layers',
    ],
    fallback: { sum: ['full_layers', 'swa_layers'] },
  },
  {
    id: 'num_key_value_heads',
    ...count,
    reach: ['.num_key_value_heads', '.get_total_num_kv_heads()'],
    formulas: [
      { reach: '.get_num_kv_heads()', formula: 'max(1, num_key_value_heads // argument)' },
    ],
  },
  { id: 'head_dim', ...width, reach: ['.head_dim'] },
  {
    id: 'v_head_dim',
    ...width,
    reach: ['.v_head_dim'],
    fallback: { input: 'head_dim', assumption: 'equal-value-heads' },
  },
  { id: 'hidden_size', ...width, reach: ['.hidden_size'] },
  { id: 'num_attention_heads', ...count, reach: ['.num_attention_heads'] },
  { id: 'kv_lora_rank', ...width, reach: ['.kv_lora_rank'] },
  { id: 'qk_rope_head_dim', ...width, reach: ['.qk_rope_head_dim'] },
  {
    id: 'index_head_dim',
    ...width,
    reach: ['.index_head_dim', 'get_nsa_index_head_dim()', 'get_dsa_index_head_dim()'],
  },
  {
    id: 'swa_num_key_value_heads',
    ...count,
    reach: ['.swa_num_key_value_heads'],
    formulas: [
      { reach: '.get_swa_num_kv_heads()', formula: 'max(1, swa_num_key_value_heads // argument)' },
    ],
    fallback: { input: 'num_key_value_heads', assumption: 'equal-window-heads' },
  },
  {
    id: 'swa_head_dim',
    ...width,
    reach: ['.swa_head_dim', '.swa_v_head_dim'],
    fallback: { input: 'head_dim', assumption: 'equal-window-heads' },
  },
  { id: 'full_layers', ...count, reach: ['len(.full_attention_layer_ids)'] },
  { id: 'swa_layers', ...count, reach: ['len(.swa_attention_layer_ids)'] },
  { id: 'swa_full_tokens_ratio', unit: '1', reach: ['.swa_full_tokens_ratio'], tag: 'split' },
  {
    id: 'kv_element_size',
    unit: 'B',
    isInteger: true,
    reach: [
      'torch._utils._element_size(.kv_cache_dtype)',
      'torch._utils._element_size(.dtype)',
      '.kv_cache_dtype.itemsize',
    ],
    // The cache types of one byte that are in use are this one.
    formulas: [
      {
        reach: '.kv_cache_dtype == torch.float8_e4m3fn',
        formula: 'kv_element_size == 1',
      },
    ],
  },
  {
    id: 'attn_tp_size',
    ...count,
    reach: ['get_attention_tp_size()', '.attn_tp_size', '.attention_tp_size'],
  },
  {
    id: 'tp_size',
    ...count,
    reach: ['.tp_size'],
    fallback: { input: 'attn_tp_size', assumption: 'no-attention-data-parallelism' },
  },
  {
    id: 'pp_size',
    ...count,
    reach: ['.pp_size'],
    fallback: { value: 1n, assumption: 'one-pipeline-stage' },
  },
  {
    id: 'dp_size',
    ...count,
    reach: ['.dp_size', '.attn_dp_size'],
    fallback: { value: 1n, assumption: 'one-data-parallel-rank' },
  },
  { id: 'page_size', unit: 'token', isInteger: true, reach: ['.page_size', 'parameter page_size'] },
  {
    id: 'mamba_cache_per_req',
    unit: 'B',
    flowUnit: 'B/request',
    isInteger: true,
    reach: ['.mamba_cache_per_req'],
  },
  { id: 'mamba_full_memory_ratio', unit: '1', reach: ['.mamba_full_memory_ratio'], tag: 'split' },
  {
    id: 'max_mamba_cache_size',
    unit: 'request',
    isInteger: true,
    reach: ['.max_mamba_cache_size'],
  },
  {
    id: 'end_layer',
    ...count,
    reach: ['.end_layer'],
    fallback: { input: 'num_layers', assumption: 'one-pipeline-stage' },
  },
  // Layers with a state; their number only weighs against a pipeline stage's share of them.
  { id: 'state_layers', ...count, least: 1n, reach: ['len(.mamba2_cache_params.layers)'] },
  {
    id: 'max_running_requests',
    unit: 'request',
    isInteger: true,
    reach: ['.max_running_requests'],
  },
  { id: 'chunked_prefill_size', unit: 'token', isInteger: true, reach: ['.chunked_prefill_size'] },
  { id: 'context_length', unit: 'token', isInteger: true, reach: ['.context_len'] },
  { id: 'sliding_window_size', unit: 'token', isInteger: true, reach: ['.sliding_window_size'] },
  { id: 'profiled_tokens', unit: 'token', isInteger: true, reach: ['.max_total_num_tokens'] },
  { id: 'available_bytes', unit: 'B', isInteger: true, reach: ['parameter available_bytes'] },
  { id: 'cardCapacity', unit: 'MiB', reach: ['parameter gpu_mem', '.gpu_mem'] },
];
