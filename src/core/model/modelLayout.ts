/**
 * What a config.json says of a model's memory per token and per request: the kind of attention, its
 * dimensions, which layers count. Nested and renamed keys are found by name; an unknown attention is
 * refused by the key that is missing. There is no table of models.
 */
import type { ConfigNumber } from './configNumber';
import {
  neededNumber,
  optionalList,
  optionalNumber,
  optionalWord,
  refuseMissing,
  refuseValue,
} from './configNumber';
import { hasSparseHeads, loopKeys } from '../sglang/layout/layerArchitecture';
import type { ConfigObject, ConfigValue } from './configTree';
import { readConfigTree } from './configTree';
import type { LayerPlan } from './layerPlan';
import { countLayers, layerCountKeys, readLayerPlan } from './layerPlan';
import { headAttention, headIndex, queryHeadCount, sparseKey } from './readHeads';
import { indexOwners } from './readIndex';
import type { DeclaredCache } from './declaredCache';
import { declaredCacheOf } from './declaredCache';
import type { Answer } from './refusal';
import { RefusedError, answer } from './refusal';
import type { StateShape } from './stateShape';
import { readStateShape } from './stateShape';
import { typeNumber } from './typeNumber';

/** Heads with keys and values of their own. Absent values follow from others by the formulas. */
export interface HeadAttention {
  readonly kind: 'heads';
  /** Absent where the config has only attention heads; see `headCount`. */
  readonly kvHeads: ConfigNumber | undefined;
  readonly headCount: ConfigNumber | undefined;
  readonly hiddenSize: ConfigNumber | undefined;
  readonly headDim: ConfigNumber | undefined;
  /** What it rests on beside its source. */
  readonly headDimAssumptions?: readonly string[];
  /** May be zero: see `zeroValuesReplacedFrom`. */
  readonly valueDim: ConfigNumber | undefined;
  readonly windowKvHeads: ConfigNumber | undefined;
  readonly windowHeadDim: ConfigNumber | undefined;
  readonly windowValueDim: ConfigNumber | undefined;
  /** Index rows of sparse attention over heads; undefined where there are none. */
  readonly index: HeadIndex | undefined;
  /** True in a nested config, where omitted keys may have other defaults than those of the formulas. */
  readonly isNested: boolean;
}

/** Sparse layers with one index head each. */
export interface HeadIndex {
  readonly dim: ConfigNumber;
  /** By layer: `none`, keys and values, or keys alone. */
  readonly layers: readonly ('none' | 'both' | 'keys')[];
  readonly source: ConfigNumber;
  /** Set beside experts of packed FP4 weights. */
  readonly packed: ConfigValue | undefined;
}

/** One latent row for all heads, and index keys where attention is sparse. */
export interface LatentAttention {
  readonly kind: 'latent';
  readonly latentRank: ConfigNumber;
  readonly ropeDim: ConfigNumber;
  /** Heads of keys and values, for releases that keep no latent rows. */
  readonly kvHeads: ConfigNumber | undefined;
  /** Where the class of the model stands. */
  readonly classSource: ConfigValue | undefined;
  readonly indexDim: ConfigNumber | undefined;
  /** Layers that own index keys, by the key that newer releases look at first and by older ones. */
  readonly index: readonly IndexOwners[];
}

/** Which layers own index keys, as a key says it; the others use those of a layer before them. */
export interface IndexOwners {
  readonly owns: (layer: number) => boolean;
  readonly source: ConfigNumber;
  /** The first release that reads the key; undefined where all do that make a difference. */
  readonly since: string | undefined;
}

/** Layers with compress ratios beside a window. */
export interface CompressedAttention {
  readonly kind: 'compressed';
  readonly headDim: ConfigNumber;
  readonly ropeDim: ConfigNumber;
  readonly indexDim: ConfigNumber;
  readonly window: ConfigNumber;
  /** One ratio a layer: 0, 4 or 128. */
  readonly ratios: readonly number[];
  readonly ratiosSource: ConfigNumber;
}

type Attention = HeadAttention | LatentAttention | CompressedAttention;

/** A model as its config describes it. */
export interface ModelLayout {
  /** First of `architectures`. */
  readonly architecture: string | undefined;
  readonly attention: Attention;
  /** Heads of queries. */
  readonly queryHeads: ConfigNumber | undefined;
  readonly layers: LayerPlan;
  /** How often the layers are run through, where a key says so; each time with a cache of its own. */
  readonly loops: { readonly count: ConfigNumber; readonly since: string } | undefined;
  /** Where layers keep a state per request. */
  readonly state: StateShape | undefined;
  readonly stateDtype: string | undefined;
  /** `torch_dtype` or `dtype`. */
  readonly dtype: ConfigValue | undefined;
  /** Where the checkpoint declares an FP8 cache. */
  readonly declaredCache: DeclaredCache | undefined;
  readonly asksForWindowPool: boolean;
  /** Layers of a draft that the checkpoint brings along. */
  readonly draftLayers: ConfigNumber | undefined;
  /** Tokens; with the rotary scaling that the releases multiply by. */
  readonly contextLength: ConfigNumber | undefined;
  /** Tokens that window layers keep. */
  readonly slidingWindow: ConfigNumber | undefined;
  /** Vision tower: layers and width, where the config says them. */
  readonly vision: { readonly layers?: ConfigNumber; readonly width?: ConfigNumber } | undefined;
  /** True with towers for pictures or sound, at the root or beside the thinker. */
  readonly isMultimodal: boolean;
}

/** Reads a config.json, or says why it gives no layout. */
export function readModelLayout(text: string): Answer<ModelLayout> {
  return answer(() => {
    const root = readConfigTree(text);
    if (root === undefined) {
      throw new RefusedError({ kind: 'not-a-config' });
    }
    return layoutOf(root, textConfig(root));
  });
}

/** The part that describes the language model, by the order in which the releases look. */
function textConfig(root: ConfigObject): ConfigObject {
  const thinker = root.child('thinker_config');
  const nested =
    thinker?.child('text_config') ??
    thinker ??
    root.child('llm_config') ??
    root.child('language_config') ??
    root.child('text_config');
  const keys = [...layerCountKeys, 'hybrid_override_pattern', 'layers_block_type'];
  const isWhole = (config: ConfigObject): boolean => keys.some(key => config.has(key));
  return nested === undefined || (!isWhole(nested) && isWhole(root)) ? root : nested;
}

function layoutOf(root: ConfigObject, config: ConfigObject): ModelLayout {
  const layers = readLayerPlan(config);
  const architecture = firstArchitecture(root);
  const isSparse = hasSparseHeads(architecture);
  refuseUnknown(config, isSparse);
  const hasState = countLayers(layers, ['state', 'both']) > 0;
  return {
    architecture,
    attention: readAttention(root, config, layers, isSparse),
    queryHeads: queryHeadCount(config),
    layers,
    loops: loopCount(root),
    state: hasState ? readStateShape(config) : undefined,
    stateDtype: optionalWord(config, 'mamba_ssm_dtype'),
    dtype: [config, root].flatMap(
      object => object.get('dtype') ?? object.get('torch_dtype') ?? [],
    )[0],
    declaredCache: declaredCacheOf(root, config),
    asksForWindowPool: config.get('is_hybrid_swa')?.value === true,
    draftLayers: optionalNumber(config, ['num_nextn_predict_layers', 'mtp_num_hidden_layers'], 0),
    contextLength: contextLength(config),
    slidingWindow: optionalNumber(config, ['sliding_window', 'attention_chunk_size'], 0),
    vision: visionTower(root),
    isMultimodal: hasTower(root),
  };
}

/** Under the names of the releases, which look for them in the root. */
function loopCount(root: ConfigObject): ModelLayout['loops'] {
  for (const { key, since } of loopKeys) {
    const count = optionalNumber(root, [key], 1, 1000);
    if (count !== undefined) {
      return { count, since };
    }
  }
  return undefined;
}

function firstArchitecture(root: ConfigObject): string | undefined {
  const first = optionalList(root, 'architectures')?.[0]?.value;
  return typeof first === 'string' ? first : undefined;
}

/** Keys of attention whose memory is not known here. */
const unknownAttention = [
  sparseKey,
  'attn_layer_period',
  'attn_layer_indices',
  'attn_layer_idx',
  'ssm_cfg',
  'block_configs',
  'rwkv_version',
  'head_size_divisor',
  'local_layer_ids',
  'swa_kv_lora_rank',
  'indexer_n_heads',
  'index_kpool',
] as const;

/** The key of experts with packed FP4 weights, beside which a release may keep rows in another layout. */
function packedExperts(root: ConfigObject): ConfigValue | undefined {
  const algorithm = root.child('quantization_config')?.get('moe_quant_algo');
  return typeof algorithm?.value === 'string' && algorithm.value.toUpperCase() === 'NVFP4'
    ? algorithm
    : undefined;
}

/** The type whose blocks all have attention of heads, or none and a pool for it nonetheless. */
const groupedType = 'nemotron-nas';

function refuseUnknown(config: ConfigObject, isSparse: boolean): void {
  const known: readonly string[] = [
    ...(isSparse ? [sparseKey] : []),
    ...(config.get('model_type')?.value === groupedType ? ['block_configs'] : []),
  ];
  const unknown = unknownAttention.filter(key => !known.includes(key));
  const found = unknown.flatMap(key => config.get(key) ?? [])[0];
  if (found !== undefined) {
    throw new RefusedError({ kind: 'unknown-attention', key: found.path, place: found.place });
  }
}

function readAttention(
  root: ConfigObject,
  config: ConfigObject,
  layers: LayerPlan,
  isSparse: boolean,
): Attention {
  refuseSuccessor(config);
  if (config.has('compress_ratios')) {
    return compressedAttention(config, layers);
  }
  const latentRank = config.has('kv_lora_rank')
    ? optionalNumber(config, ['kv_lora_rank'])
    : typeNumber(config, 'latentRank');
  const usesLatent = config.get('use_mla')?.value !== false;
  return latentRank !== undefined && usesLatent
    ? latentAttention(root, config, latentRank)
    : {
        ...headAttention(config, root !== config),
        index: isSparse ? { ...headIndex(config, layers), packed: packedExperts(root) } : undefined,
      };
}

function latentAttention(
  root: ConfigObject,
  config: ConfigObject,
  latentRank: ConfigNumber,
): LatentAttention {
  const isSparse = config.get('index_topk') !== undefined;
  return {
    kind: 'latent',
    latentRank,
    ropeDim: withoutPositions(config) ?? ropeDimension(config),
    kvHeads: optionalNumber(config, ['num_key_value_heads'], 1) ?? queryHeadCount(config),
    classSource: optionalList(root, 'architectures')?.[0],
    indexDim: isSparse ? neededNumber(config, ['index_head_dim']) : undefined,
    index: isSparse ? indexOwners(config) : [],
  };
}

function ropeDimension(config: ConfigObject): ConfigNumber {
  const key = 'qk_rope_head_dim';
  const usual = config.has(key) ? undefined : typeNumber(config, 'ropeDim');
  return usual ?? neededNumber(config, [key]);
}

/** Rows without a rotary part. */
function withoutPositions(config: ConfigObject): ConfigNumber | undefined {
  const flag = config.get('use_mla_nope');
  return flag?.value === true ? { value: 0, path: flag.path, place: flag.place } : undefined;
}

/** Compressed attention of a later kind, with layers that use the rows of others. */
function refuseSuccessor(config: ConfigObject): void {
  const type = config.get('model_type');
  const sharing = optionalList(config, 'kv_source_layer_ids') ?? [];
  const isSuccessor = typeof type?.value === 'string' && type.value.startsWith('deepseek_v41');
  const found = isSuccessor
    ? type
    : sharing.length > 0
      ? config.get('kv_source_layer_ids')
      : undefined;
  if (found !== undefined) {
    throw new RefusedError({ kind: 'unknown-attention', key: found.path, place: found.place });
  }
}

function compressedAttention(config: ConfigObject, layers: LayerPlan): CompressedAttention {
  const list = optionalList(config, 'compress_ratios') ?? [];
  const found = config.get('compress_ratios');
  if (found === undefined || list.length < layers.kinds.length) {
    return refuseMissing(config, ['compress_ratios']);
  }
  const odd = list.find(({ value }) => value !== 0 && value !== 4 && value !== 128);
  if (odd !== undefined) {
    return refuseValue(odd);
  }
  return {
    kind: 'compressed',
    headDim: neededNumber(config, ['head_dim']),
    ropeDim: neededNumber(config, ['qk_rope_head_dim']),
    indexDim: neededNumber(config, ['index_head_dim']),
    window: neededNumber(config, ['sliding_window']),
    ratios: list.map(({ value }) => Number(value)),
    ratiosSource: { value: list.length, path: found.path, place: found.place },
  };
}

function contextLength(config: ConfigObject): ConfigNumber | undefined {
  const keys = [
    'max_sequence_length',
    'seq_length',
    'max_seq_len',
    'model_max_length',
    'max_position_embeddings',
  ];
  const length = optionalNumber(config, keys);
  const scaling = config.child('rope_scaling');
  const factor = scaling?.get('factor')?.value;
  const isStretched =
    typeof factor === 'number' &&
    factor >= 1 &&
    scaling?.has('original_max_position_embeddings') === false &&
    scaling.get('rope_type')?.value !== 'llama3';
  return length && isStretched ? { ...length, value: Math.trunc(factor * length.value) } : length;
}

function hasTower(root: ConfigObject): boolean {
  return [root, root.child('thinker_config')].some(
    config => config?.child('vision_config') ?? config?.child('audio_config'),
  );
}

function visionTower(root: ConfigObject): ModelLayout['vision'] {
  const vision = root.child('vision_config');
  if (vision === undefined) {
    return undefined;
  }
  const layers = optionalNumber(vision, ['num_hidden_layers', 'vt_num_hidden_layers']);
  const width = optionalNumber(vision, ['hidden_size', 'vt_hidden_size']);
  return { ...(layers && { layers }), ...(width && { width }) };
}
