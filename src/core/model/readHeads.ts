/**
 * Heads of keys and values as a config says them: under the names of many families, by flags, and for
 * sparse attention with index heads. Leaves out latent rows and which layers count.
 */
import type { ConfigNumber } from './configNumber';
import {
  neededNumber,
  optionalList,
  optionalNumber,
  refuseMissing,
  refuseValue,
} from './configNumber';
import type { ConfigValue } from './configTree';
import { ConfigObject } from './configTree';
import type { LayerPlan } from './layerPlan';
import type { HeadAttention, HeadIndex } from './modelLayout';
import { hasTypeDefaults, typeNumber } from './typeNumber';

/** Known only for the classes that the releases name. */
export const sparseKey = 'sparse_attention_config';

/** Names of the key that counts heads of keys and values, in the order of the releases. */
const kvHeadKeys = [
  'n_head_kv',
  'num_kv_heads',
  'num_key_value_heads',
  'multi_query_group_num',
  'num_attention_groups',
  'n_kv_heads',
] as const;

const headCountKeys = ['num_attention_heads', 'n_head', 'n_heads'] as const;

/** Heads of queries; undefined where no key says them. */
export function queryHeadCount(config: ConfigObject): ConfigNumber | undefined {
  return optionalNumber(config, headCountKeys) ?? typeNumber(config, 'heads');
}

/** The layers that index, by flags of 0 and 1. */
export function headIndex(config: ConfigObject, layers: LayerPlan): Omit<HeadIndex, 'packed'> {
  const sparse = config.child(sparseKey);
  const found = sparse?.get('sparse_attention_freq');
  const flags = sparse && optionalList(sparse, 'sparse_attention_freq');
  if (sparse === undefined || found === undefined || flags === undefined) {
    return refuseMissing(sparse ?? config, [sparse ? 'sparse_attention_freq' : sparseKey]);
  }
  if (flags.length < layers.kinds.length) {
    return refuseValue(found);
  }
  const keysOnly = optionalList(sparse, 'sparse_disable_index_value') ?? [];
  return {
    dim: neededNumber(sparse, ['sparse_index_dim']),
    layers: layers.kinds.map((_, at) =>
      isZero(flags[at]) ? 'none' : isZero(keysOnly[at]) ? 'both' : 'keys',
    ),
    source: { value: flags.length, path: found.path, place: found.place },
  };
}

function isZero(flag: ConfigValue | undefined): boolean {
  return flag === undefined || flag.value === 0 || flag.value === false;
}

/** Heads and their dimensions; refuses by the key that is missing. */
export function headAttention(
  config: ConfigObject,
  isNested: boolean,
): Omit<HeadAttention, 'index'> {
  const fullDim = optionalNumber(config, ['global_head_dim']);
  const headDim =
    optionalNumber(config, ['head_dim', 'kv_channels']) ?? typeNumber(config, 'headDim');
  const headCount = queryHeadCount(config);
  const isTyped = hasTypeDefaults(config);
  const kvHeads = kvHeadCount(config) ?? (isTyped ? typeNumber(config, 'kvHeads') : undefined);
  if (kvHeads === undefined && (headCount === undefined || (isNested && !isTyped))) {
    const names = isNested ? ['num_key_value_heads'] : [...kvHeadKeys, ...headCountKeys];
    return refuseMissing(config, [
      'num_key_value_heads',
      ...names.filter(name => name !== 'num_key_value_heads'),
    ]);
  }
  const hiddenSize =
    optionalNumber(config, ['hidden_size', 'n_embd', 'd_model', 'dim']) ??
    typeNumber(config, 'hiddenSize');
  if (headDim === undefined && fullDim === undefined && (!hiddenSize || !headCount)) {
    return refuseMissing(config, ['head_dim', ...(hiddenSize ? headCountKeys : ['hidden_size'])]);
  }
  const other = config.child('attention_other_setting');
  return {
    kind: 'heads',
    kvHeads: optionalNumber(config, ['num_global_key_value_heads']) ?? kvHeads,
    headCount,
    hiddenSize,
    headDim: fullDim ?? headDim,
    valueDim: optionalNumber(config, ['v_head_dim'], 0),
    windowKvHeads:
      optionalNumber(config, ['swa_num_key_value_heads']) ??
      (other && optionalNumber(other, ['num_attention_groups'])) ??
      (config.has('num_global_key_value_heads') ? kvHeads : undefined),
    windowHeadDim: optionalNumber(config, ['swa_head_dim']) ?? (fullDim && headDim),
    windowValueDim: optionalNumber(config, ['swa_v_head_dim']),
    isNested: isNested && !isTyped,
  };
}

/** Heads of blocks that share one number of queries for each head of keys and values. */
function groupedBlocks(config: ConfigObject): ConfigNumber | undefined {
  const blocks = optionalList(config, 'block_configs');
  const [found] = [config.get('block_configs')];
  const heads = optionalNumber(config, headCountKeys);
  if (blocks === undefined || found === undefined || heads === undefined) {
    return undefined;
  }
  const groups = blocks.flatMap(({ value }) => {
    const attention = value instanceof ConfigObject ? value.child('attention') : undefined;
    const isOmitted = attention?.get('no_op')?.value === true;
    return attention && !isOmitted ? neededNumber(attention, ['n_heads_in_group']).value : [];
  });
  const [first] = groups;
  return first === undefined || groups.some(size => size !== first)
    ? refuseValue(found)
    : { value: Math.floor(heads.value / first), path: found.path, place: found.place };
}

function kvHeadCount(config: ConfigObject): ConfigNumber | undefined {
  const grouped = groupedBlocks(config);
  if (grouped !== undefined) {
    return grouped;
  }
  const single = config.get('multi_query');
  if (single?.value === true && config.get('new_decoder_architecture')?.value !== true) {
    return { value: 1, path: single.path, place: single.place };
  }
  const inner = config.child('attn_config');
  return optionalNumber(config, kvHeadKeys) ?? (inner && optionalNumber(inner, ['kv_n_heads']));
}
