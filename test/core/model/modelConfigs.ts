/**
 * Configs of models that logs and tables of figures speak of, as far as they decide memory: key names
 * and numbers only.
 */
import type { Config } from './configText';

const repeat = (kind: string, count: number): string[] => new Array<string>(count).fill(kind);

/** Every n-th layer is full. */
function layerTypes(layers: number, step: number, other: string): string[] {
  return Array.from({ length: layers }, (_, at) =>
    (at + 1) % step === 0 ? 'full_attention' : other,
  );
}

/** Grouped heads. */
export function heads(layers: number, kvHeads: number, headDim: number): Config {
  return {
    num_hidden_layers: layers,
    num_attention_heads: 32,
    num_key_value_heads: kvHeads,
    head_dim: headDim,
    torch_dtype: 'bfloat16',
  };
}

/** Latent rows. */
export function latent(layers: number, rank = 512, rope = 64): Config {
  return {
    num_hidden_layers: layers,
    num_attention_heads: 64,
    kv_lora_rank: rank,
    qk_rope_head_dim: rope,
    torch_dtype: 'bfloat16',
  };
}

/** Latent rows with index keys. */
export function sparse(layers: number): Config {
  return { ...latent(layers), index_topk: 2048, index_head_dim: 128, index_n_heads: 32 };
}

/** Full and window layers in turn, with equal dimensions. */
export function alternating(layers: number, kvHeads: number, headDim: number): Config {
  return {
    ...heads(layers, kvHeads, headDim),
    architectures: ['GptOssForCausalLM'],
    layer_types: layerTypes(layers, 2, 'sliding_attention'),
    sliding_window: 128,
  };
}

/** 39 window layers of 48, keys wider than values, window layers with twice the heads. */
export const asymmetricWindows: Config = {
  architectures: ['MiMoV2FlashForCausalLM'],
  ...heads(48, 4, 192),
  v_head_dim: 128,
  swa_num_key_value_heads: 8,
  swa_head_dim: 192,
  swa_v_head_dim: 128,
  sliding_window: 128,
  hybrid_layer_pattern: Array.from({ length: 48 }, (_, at) =>
    [0, 5, 11, 17, 23, 29, 35, 41, 47].includes(at) ? 0 : 1,
  ),
};

/** Gated delta layers, every fourth layer full. */
export function gatedDelta(
  layers: number,
  kvHeads: number,
  valueHeads: number,
  keyHeads = 16,
): Config {
  return {
    text_config: {
      ...heads(layers, kvHeads, 256),
      full_attention_interval: 4,
      linear_num_value_heads: valueHeads,
      linear_num_key_heads: keyHeads,
      linear_key_head_dim: 128,
      linear_value_head_dim: 128,
      linear_conv_kernel_dim: 4,
      dtype: 'bfloat16',
    },
  };
}

/** State-space layers, experts and six attention layers. */
export const stateSpacePattern: Config = {
  ...heads(52, 2, 128),
  hybrid_override_pattern: `${'MEMEM*E'.repeat(5)}MEMEMEM*EMEMEMEME`,
  mamba_num_heads: 64,
  mamba_head_dim: 64,
  n_groups: 8,
  ssm_state_size: 128,
  conv_kernel: 4,
};

/** State-space layers with four attention layers of forty. */
export const graniteHybrid: Config = {
  ...heads(40, 8, 64),
  layer_types: [...repeat('mamba', 36), ...repeat('attention', 4)],
  mamba_n_heads: 64,
  mamba_d_head: 64,
  mamba_n_groups: 1,
  mamba_d_state: 128,
  mamba_d_conv: 4,
  mamba_expand: 2,
  hidden_size: 2048,
};

/** Lightning layers with a latent layer in each group; 10 of them cache tokens. */
export const lightningGroups: Config = {
  ...latent(80),
  head_dim: 128,
  layer_group_size: 8,
};

/** Compressed attention: 43 layers and one of a draft. */
export const compressed: Config = {
  architectures: ['DeepseekV4ForCausalLM'],
  num_hidden_layers: 43,
  num_attention_heads: 64,
  head_dim: 512,
  qk_rope_head_dim: 64,
  index_head_dim: 128,
  index_topk: 512,
  sliding_window: 128,
  compress_ratios: [0, 0, ...Array.from({ length: 41 }, (_, at) => (at % 2 === 0 ? 4 : 128)), 0],
};

/** Five window layers to one full layer, in a nested config. */
export const localGlobal: Config = {
  text_config: {
    ...heads(62, 16, 128),
    hidden_size: 5376,
    sliding_window: 1024,
    sliding_window_pattern: 6,
  },
};
