/**
 * Releases whose launch arguments have a key: the dump prints every argument, typed or not, so a key
 * tells of the release. Leaves out keys that all releases with a dump have.
 */
import type { ReleaseRange } from './lineForm';

const ranges: Readonly<Record<string, ReleaseRange>> = {
  enable_mla: { from: '0.2.10', to: '0.3.1.post1' },
  disable_mla: { from: '0.3.1.post2', to: '0.4.5.post1' },
  cuda_graph_max_bs: { from: '0.3.5', to: '0.5.13.post1' },
  cuda_graph_bs: { from: '0.4.1.post5', to: '0.5.13.post1' },
  page_size: { from: '0.4.4' },
  enable_deepep_moe: { from: '0.4.4.post2', to: '0.5.2' },
  disaggregation_mode: { from: '0.4.4.post2' },
  pp_size: { from: '0.4.6.post2' },
  hybrid_kvcache_ratio: { from: '0.4.9', to: '0.5.7' },
  swa_full_tokens_ratio: { from: '0.4.9.post3' },
  moe_a2a_backend: { from: '0.4.10.post2' },
  max_mamba_cache_size: { from: '0.5.2' },
  mamba_full_memory_ratio: { from: '0.5.3.post2' },
  enable_piecewise_cuda_graph: { from: '0.5.3.post2', to: '0.5.9' },
  piecewise_cuda_graph_max_tokens: { from: '0.5.3.post2', to: '0.5.13.post1' },
  nsa_prefill_backend: { from: '0.5.4', to: '0.5.12.post1' },
  nsa_decode_backend: { from: '0.5.4', to: '0.5.12.post1' },
  mamba_scheduler_strategy: { from: '0.5.7', to: '0.5.13.post1' },
  language_only: { from: '0.5.7' },
  attn_cp_size: { from: '0.5.9' },
  moe_dp_size: { from: '0.5.9' },
  disable_piecewise_cuda_graph: { from: '0.5.10', to: '0.5.13.post1' },
  enable_hisparse: { from: '0.5.10' },
  speculative_draft_window_size: { from: '0.5.12' },
  dsa_prefill_backend: { from: '0.5.13' },
  dsa_decode_backend: { from: '0.5.13' },
  cuda_graph_config: { from: '0.5.14' },
  mamba_radix_cache_strategy: { from: '0.5.14' },
  dcp_size: { from: '0.5.15' },
  enable_unified_memory: { from: '0.5.15' },
  attn_dp_size: { from: '0.5.22' },
};

/** By key, as spellings of lines have them; undefined for a key that tells nothing. */
export const argumentReleases: ReadonlyMap<string, readonly ReleaseRange[]> = new Map(
  Object.entries(ranges).map(([key, range]) => [key, [range]]),
);
