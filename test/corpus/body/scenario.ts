/**
 * The inputs that the bodies of memory functions are tried with: what a body is asked depends on
 * what it is for and on what it mentions. Amounts are those of the shared truth.
 */
import type { TruthInput } from '../release';

/** A distinct body, as releaseBodies.py lists it. */
export interface Body {
  readonly family: 'sizing' | 'cell-size' | 'state-pool' | 'window-split';
  readonly function: string;
  readonly file: string;
  readonly hash: string;
  /** What the body names, of the words that tell what it can be asked. */
  readonly mentions: readonly string[];
  /** The releases that have it, oldest first. */
  readonly releases: readonly string[];
}

export interface Scenario {
  readonly name: string;
  readonly inputs: Readonly<Record<string, TruthInput>>;
  /** What only the interpreter is given: conditions of the body, by their text. */
  readonly settings?: Readonly<Record<string, TruthInput>>;
  /** What only CPython is given. */
  readonly python?: Readonly<Record<string, unknown>>;
}

const heads = {
  use_mla: false,
  num_layers: 32,
  num_key_value_heads: 8,
  head_dim: 128,
  v_head_dim: 128,
  hidden_size: 4096,
  num_attention_heads: 32,
  attn_tp_size: 1,
  kv_element_size: 2,
};

const latent = {
  use_mla: true,
  num_layers: 61,
  kv_lora_rank: 512,
  qk_rope_head_dim: 64,
  attn_tp_size: 8,
  kv_element_size: 2,
};

const roomy = {
  availableAfterLoad: '61.9 GiB',
  totalBeforeLoad: '78.5 GiB',
  memFractionStatic: 0.88,
};
const tight = {
  availableAfterLoad: '21.697 GiB',
  totalBeforeLoad: '93.999 GiB',
  memFractionStatic: 0.55,
};

const state = {
  total_rest_memory: '15.72 GiB',
  mamba_cache_per_req: '97100800 B',
  mamba_full_memory_ratio: 0.9,
  max_mamba_cache_size: null,
  dp_size: 1,
  disable_radix_cache: false,
};

const windows = {
  use_mla: false,
  full_layers: 18,
  swa_layers: 18,
  num_key_value_heads: 8,
  swa_num_key_value_heads: 8,
  head_dim: 64,
  swa_head_dim: 64,
  attn_tp_size: 4,
  kv_element_size: 2,
  swa_full_tokens_ratio: 0.8,
};

const budget = { available_bytes: '10000000000 B', page_size: '64 token' };

/** The model that early bodies split for, by its architecture. */
const chunked = 'Llama4ForConditionalGeneration';

const chunkedAttention = {
  settings: {
    [`'${chunked}' in self.model_config.hf_config.architectures`]: true,
    [`"${chunked}" in self.model_config.hf_config.architectures`]: true,
    'self.is_hybrid': 0.5,
    'self.attention_chunk_size': '8192 token',
    'self.model_config.context_len': '131072 token',
  },
  python: {
    architectures: [chunked],
    is_hybrid: 0.5,
    attention_chunk_size: 8192,
    context_len: 131072,
  },
};

/** What the body can be asked. */
export function scenariosOf(body: Body): readonly Scenario[] {
  const mentions = (word: string): boolean => body.mentions.includes(word);
  const method = body.function.split('.').at(-1) ?? '';
  switch (body.family) {
    case 'sizing':
      if (method === 'calculate_pool_sizes') {
        return [
          { name: 'heads', inputs: { ...heads, ...budget } },
          { name: 'latent', inputs: { ...latent, ...budget } },
        ];
      }
      return [
        { name: 'heads', inputs: { ...heads, ...roomy } },
        // Bodies that get the bytes per token from elsewhere do not mention the layout.
        ...(mentions('mla') || !mentions('head')
          ? [
              { name: 'latent, too tight', inputs: { ...latent, ...tight } },
              { name: 'latent', inputs: { ...latent, ...tight, memFractionStatic: 0.88 } },
            ]
          : []),
        ...(mentions('mamba') && mentions('handle_max')
          ? [
              {
                name: 'state',
                inputs: {
                  ...heads,
                  ...roomy,
                  num_layers: 12,
                  mamba_cache_per_req: '51380224 B',
                  mamba_full_memory_ratio: 0.9,
                  max_mamba_cache_size: '128 request',
                },
              },
            ]
          : []),
      ];
    case 'cell-size':
      return [
        { name: 'heads', inputs: heads },
        { name: 'latent', inputs: latent },
        { name: 'latent in FP8', inputs: { ...latent, kv_element_size: 1 } },
        ...(mentions('indexer')
          ? [{ name: 'indexer', inputs: { ...latent, index_head_dim: 128 } }]
          : []),
      ];
    case 'state-pool':
      return [
        { name: 'by ratio', inputs: state },
        {
          name: 'by size',
          inputs: {
            ...state,
            total_rest_memory: '20.0 GiB',
            mamba_cache_per_req: '51380224 B',
            max_mamba_cache_size: '128 request',
          },
        },
      ];
    case 'window-split': {
      const given =
        method === 'calculate_pool_sizes'
          ? { available_bytes: '10000000000 B' }
          : method === '_solve_pool_sizes'
            ? { max_total_num_tokens: '542534 token' }
            : method === '_resolve_hybrid_swa_tokens'
              ? { token_capacity: '542534 token' }
              : { profiled_tokens: '542534 token' };
      const cap = body.function.includes('Cap')
        ? {
            max_running_requests: '64 request',
            chunked_prefill_size: '8192 token',
            sliding_window_size: '128 token',
          }
        : {};
      const sized = [1, 64].map(page => ({
        name: `page ${page}`,
        inputs: { ...windows, ...given, ...cap, page_size: `${page} token` },
      }));
      return mentions(chunked) ? sized.map(one => ({ ...one, ...chunkedAttention })) : sized;
    }
  }
}
