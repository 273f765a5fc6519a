/**
 * The state that linear-attention and state-space layers keep for a request, read from the keys that
 * the families use. Sizes in bytes follow by the state formulas.
 */
import type { ConfigNumber } from './configNumber';
import { neededNumber, optionalNumber, refuseMissing, refuseValue } from './configNumber';
import type { ConfigObject } from './configTree';

/** Which slot formula applies, with its dimensions by the names of that formula. */
export interface StateShape {
  readonly kind: 'grouped' | 'separate' | 'convolution' | 'tail';
  readonly dimensions: Readonly<Partial<Record<StateDimension, StateValue>>>;
}

export type StateDimension =
  | 'state_intermediate_size'
  | 'state_groups'
  | 'state_heads'
  | 'state_head_dim'
  | 'state_size'
  | 'conv_kernel';

/** A value from one key, or a product of several; fixed values have no key. */
interface StateValue {
  readonly value: number;
  readonly from: readonly ConfigNumber[];
}

function plain(number: ConfigNumber): StateValue {
  return { value: number.value, from: [number] };
}

function product(...numbers: readonly ConfigNumber[]): StateValue {
  return { value: numbers.reduce((value, next) => value * next.value, 1), from: numbers };
}

function fixed(value: number): StateValue {
  return { value, from: [] };
}

/** The shape; refuses by the missing key where state layers have none of the known forms. */
export function readStateShape(config: ConfigObject): StateShape {
  const lists = config.child('linear_attn_config');
  if (lists !== undefined) {
    return separateShape(lists);
  }
  if (config.has('linear_num_value_heads')) {
    return gatedDeltaShape(config);
  }
  const blocks = config.child('efficient_attention_config')?.child('jet');
  if (blocks !== undefined) {
    return jetShape(blocks);
  }
  if (config.has('mixer_types')) {
    return lightningMixerShape(config);
  }
  if (config.has('cca')) {
    return compressedChannels(config);
  }
  if (config.has('conv_L_cache')) {
    return convolutionShape(config);
  }
  if (config.has('layer_group_size')) {
    return lightningShape(config);
  }
  return stateSpaceShape(config);
}

function separateShape(config: ConfigObject): StateShape {
  return {
    kind: 'separate',
    dimensions: {
      state_heads: plain(neededNumber(config, ['num_heads'])),
      state_head_dim: plain(neededNumber(config, ['head_dim'])),
      conv_kernel: plain(neededNumber(config, ['short_conv_kernel_size'])),
    },
  };
}

function gatedDeltaShape(config: ConfigObject): StateShape {
  const valueHeads = neededNumber(config, ['linear_num_value_heads']);
  const valueDim = neededNumber(config, ['linear_value_head_dim']);
  return {
    kind: 'grouped',
    dimensions: {
      state_intermediate_size: product(valueDim, valueHeads),
      state_groups: plain(neededNumber(config, ['linear_num_key_heads'])),
      state_heads: plain(valueHeads),
      state_head_dim: plain(valueDim),
      state_size: plain(neededNumber(config, ['linear_key_head_dim'])),
      conv_kernel: plain(neededNumber(config, ['linear_conv_kernel_dim'])),
    },
  };
}

function convolutionShape(config: ConfigObject): StateShape {
  return {
    kind: 'convolution',
    dimensions: {
      state_intermediate_size: plain(neededNumber(config, ['hidden_size'])),
      conv_kernel: plain(neededNumber(config, ['conv_L_cache'])),
    },
  };
}

/** Gated delta blocks with a convolution that is made for each token. */
function jetShape(config: ConfigObject): StateShape {
  const heads = neededNumber(config, ['num_heads']);
  const keyDim = neededNumber(config, ['head_dim']);
  const factor = config.get('expand_v');
  if (typeof factor?.value !== 'number' || !(factor.value > 0)) {
    return factor ? refuseValue(factor) : refuseMissing(config, ['expand_v']);
  }
  const valueDim = { ...keyDim, value: Math.trunc(keyDim.value * factor.value) };
  return {
    kind: 'grouped',
    dimensions: {
      state_intermediate_size: product(heads, valueDim),
      state_groups: plain(heads),
      state_heads: plain(heads),
      state_head_dim: plain(valueDim),
      state_size: plain(keyDim),
      conv_kernel: plain(neededNumber(config, ['conv_size'])),
    },
  };
}

/** Lightning attention beside layers that attend to all tokens, by the word of each. */
function lightningMixerShape(config: ConfigObject): StateShape {
  const heads = neededNumber(config, ['lightning_nkv', 'num_key_value_heads']);
  const given = optionalNumber(config, ['lightning_head_dim', 'head_dim']);
  return squareShape(heads, given ?? dividedWidth(config));
}

/** The width of the model over its heads. */
function dividedWidth(config: ConfigObject): ConfigNumber {
  const width = neededNumber(config, ['hidden_size']);
  const heads = neededNumber(config, ['num_attention_heads']);
  return { ...width, value: Math.floor(width.value / heads.value) };
}

/** Inputs of two convolutions over queries and keys, and the last hidden state, which is whole on every rank. */
function compressedChannels(config: ConfigObject): StateShape {
  const heads = neededNumber(config, ['num_attention_heads']);
  const kvHeads = neededNumber(config, ['num_key_value_heads', 'num_query_groups']);
  const dim = neededNumber(config, ['head_dim', 'kv_channels']);
  const first = neededNumber(config, ['cca_time0']);
  const second = neededNumber(config, ['cca_time1']);
  return {
    kind: 'tail',
    dimensions: {
      state_intermediate_size: {
        value: (heads.value + kvHeads.value) * dim.value,
        from: [heads, kvHeads, dim],
      },
      state_size: plain(neededNumber(config, ['hidden_size'])),
      conv_kernel: { value: first.value + second.value - 1, from: [first, second] },
    },
  };
}

/** Lightning attention; with a short convolution it is the kind of delta attention that has three. */
function lightningShape(config: ConfigObject): StateShape {
  const heads = neededNumber(config, ['num_attention_heads']);
  const dim = neededNumber(config, ['head_dim']);
  const kernel = optionalNumber(config, ['short_conv_kernel_size']);
  return kernel === undefined
    ? squareShape(heads, dim)
    : {
        kind: 'separate',
        dimensions: {
          state_heads: plain(heads),
          state_head_dim: plain(dim),
          conv_kernel: plain(kernel),
        },
      };
}

/** A square state for each head and no convolution. */
function squareShape(heads: ConfigNumber, dim: ConfigNumber): StateShape {
  return {
    kind: 'grouped',
    dimensions: {
      state_intermediate_size: fixed(0),
      state_groups: fixed(0),
      state_heads: plain(heads),
      state_head_dim: plain(dim),
      state_size: plain(dim),
      conv_kernel: fixed(1),
    },
  };
}

function stateSpaceShape(config: ConfigObject): StateShape {
  const heads = neededNumber(config, ['mamba_num_heads', 'mamba_n_heads']);
  const dim = neededNumber(config, ['mamba_head_dim', 'mamba_d_head']);
  const width = optionalNumber(config, ['mamba_d_ssm']);
  return {
    kind: 'grouped',
    dimensions: {
      state_intermediate_size: width === undefined ? product(heads, dim) : plain(width),
      state_groups: plain(neededNumber(config, ['mamba_n_groups', 'n_groups'])),
      state_heads: plain(heads),
      state_head_dim: plain(dim),
      state_size: plain(neededNumber(config, ['ssm_state_size', 'mamba_d_state'])),
      conv_kernel: plain(neededNumber(config, ['conv_kernel', 'mamba_d_conv'])),
    },
  };
}
