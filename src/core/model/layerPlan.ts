/**
 * Which layers of a model cache keys and values for all tokens, for a window, or keep a state per
 * request, as the config says it in one of several ways. Leaves out sizes.
 */
import { optionalList, optionalNumber, refuseMissing, refuseValue } from './configNumber';
import type { ConfigNumber } from './configNumber';
import type { ConfigObject, ConfigValue } from './configTree';
import type { ConfigSource } from './layoutFacts';
import { RefusedError } from './refusal';
import { typeNumber, windowStepOfType } from './typeNumber';

/** `full` and `window` cache tokens; `state` keeps a state; `both` does both; `none` neither. */
export type LayerKind = 'full' | 'window' | 'state' | 'both' | 'none';

/** The kinds of all layers in order, and the keys that say so. */
export interface LayerPlan {
  readonly kinds: readonly LayerKind[];
  readonly sources: readonly ConfigSource[];
}

/** Names of the key that counts layers. */
export const layerCountKeys = ['num_hidden_layers', 'num_layers', 'n_layer', 'n_layers'] as const;

/** More layers than any model has; lists of a hostile size end here. */
const mostLayers = 20_000;

/** Words of `layer_types` and `layers_block_type`. */
const kindOfWord: ReadonlyMap<unknown, LayerKind> = new Map<unknown, LayerKind>([
  ['full_attention', 'full'],
  ['attention', 'full'],
  ['sliding_attention', 'window'],
  ['chunked_attention', 'window'],
  ['linear_attention', 'state'],
  ['mamba', 'state'],
  ['conv', 'state'],
  ['short_conv', 'state'],
  ['jet', 'state'],
  ['attn', 'full'],
  ['swa', 'full'],
  ['deepseek_sparse_attention', 'full'],
  ['mlp', 'none'],
  ['moe', 'none'],
]);

/** Words of `mixer_types`. */
const kindOfMixer: ReadonlyMap<unknown, LayerKind> = new Map<unknown, LayerKind>([
  ...['minicpm4', 'minicpm', 'standard', 'attention', 'attn'].map(word => [word, 'full'] as const),
  ...['lightning', 'lightning_attn', 'lightning-attn'].map(word => [word, 'state'] as const),
]);

/** Letters of `hybrid_override_pattern`. */
const kindOfLetter: ReadonlyMap<string, LayerKind> = new Map<string, LayerKind>([
  ['*', 'full'],
  ['M', 'state'],
  ['-', 'none'],
  ['E', 'none'],
]);

type PlanReader = (config: ConfigObject) => LayerPlan | undefined;

/** Tried in order; the first that finds its key decides. */
const readers: readonly PlanReader[] = [
  fromPattern,
  fromBlockTypes,
  fromLayerLists,
  fromLayerTypes,
  fromWindowFlags,
  fromInterval,
  fromGroupList,
  fromGroups,
  fromMixers,
  fromAttentionLetters,
  fromChunks,
  fromChunkInterval,
  fromWindowPattern,
  fromWindowOfType,
  fromParallelState,
];

/** The plan; refuses by the key that is missing or odd. */
export function readLayerPlan(config: ConfigObject): LayerPlan {
  refuseMixedTypes(config);
  for (const read of readers) {
    const plan = read(config);
    if (plan !== undefined) {
      return plan;
    }
  }
  const count = layerCount(config);
  refuseUntoldState(config);
  return uniform('full', count);
}

/** Keys of models with layers of state; without a list that is known nothing tells which they are. */
const stateKeys = ['hybrid_layer_ids', 'mamba_d_state'] as const;

function refuseUntoldState(config: ConfigObject): void {
  const [found] = valueOfKey(config, stateKeys);
  if (found !== undefined) {
    throw new RefusedError({ kind: 'unknown-attention', key: found.path, place: found.place });
  }
}

function layerCount(config: ConfigObject): ConfigNumber {
  return (
    optionalNumber(config, layerCountKeys, 1, mostLayers) ??
    typeNumber(config, 'layers') ??
    refuseMissing(config, layerCountKeys)
  );
}

function valueOfKey(config: ConfigObject, keys: readonly string[]): ConfigValue[] {
  return keys.flatMap(key => config.get(key) ?? []).slice(0, 1);
}

function uniform(kind: LayerKind, count: ConfigNumber): LayerPlan {
  return {
    kinds: new Array<LayerKind>(count.value).fill(kind),
    sources: [count],
  };
}

/** Every `step`-th layer is full, the others are `other`. */
function everyNth(config: ConfigObject, key: string, other: LayerKind): LayerPlan | undefined {
  const step = optionalNumber(config, [key], 1, mostLayers);
  return step && stepped(config, step, other);
}

function stepped(config: ConfigObject, step: ConfigNumber, other: LayerKind): LayerPlan {
  const { value } = layerCount(config);
  return {
    kinds: Array.from({ length: value }, (_, at) => ((at + 1) % step.value === 0 ? 'full' : other)),
    sources: [step, ...valueOfKey(config, layerCountKeys)],
  };
}

/** `M-M*`: one letter a layer. */
function fromPattern(config: ConfigObject): LayerPlan | undefined {
  const found = config.get('hybrid_override_pattern');
  if (found === undefined) {
    return undefined;
  }
  if (typeof found.value !== 'string' || found.value.length > mostLayers) {
    return refuseValue(found);
  }
  const kinds = found.value.split('').map(letter => kindOfLetter.get(letter) ?? refuseValue(found));
  return { kinds, sources: [found] };
}

function fromBlockTypes(config: ConfigObject): LayerPlan | undefined {
  const list = optionalList(config, 'layers_block_type');
  return list && { kinds: list.map(wordKind), sources: valueOfKey(config, ['layers_block_type']) };
}

function wordKind(word: ConfigValue): LayerKind {
  return kindOfWord.get(word.value) ?? refuseValue(word);
}

/** Lists of layer numbers, counted from 1. */
function fromLayerLists(config: ConfigObject): LayerPlan | undefined {
  const lists = config.child('linear_attn_config');
  const state = lists && optionalList(lists, 'kda_layers');
  if (lists === undefined || state === undefined) {
    return undefined;
  }
  const numbers = new Set(state.map(({ value }) => value));
  const { value } = layerCount(config);
  return {
    kinds: Array.from({ length: value }, (_, at) => (numbers.has(at + 1) ? 'state' : 'full')),
    sources: [...valueOfKey(lists, ['kda_layers']), ...valueOfKey(config, layerCountKeys)],
  };
}

/** One word a layer; further words are those of draft layers. */
function fromLayerTypes(config: ConfigObject): LayerPlan | undefined {
  const list = optionalList(config, 'layer_types');
  const [found] = valueOfKey(config, ['layer_types']);
  if (list === undefined || found === undefined) {
    return undefined;
  }
  const { value } = layerCount(config);
  if (list.length < value) {
    return refuseValue(found);
  }
  return {
    kinds: list.slice(0, value).map(wordKind),
    sources: [found, ...valueOfKey(config, layerCountKeys)],
  };
}

/** 1 for a window, 0 for all tokens. */
function fromWindowFlags(config: ConfigObject): LayerPlan | undefined {
  const list = optionalList(config, 'hybrid_layer_pattern');
  const [found] = valueOfKey(config, ['hybrid_layer_pattern']);
  if (list === undefined || found === undefined) {
    return undefined;
  }
  const { value } = layerCount(config);
  if (list.length < value) {
    return refuseValue(found);
  }
  return {
    kinds: list
      .slice(0, value)
      .map(flag => (flag.value === 1 ? 'window' : flag.value === 0 ? 'full' : refuseValue(flag))),
    sources: [found, ...valueOfKey(config, layerCountKeys)],
  };
}

/** Linear attention but for every n-th layer. */
function fromInterval(config: ConfigObject): LayerPlan | undefined {
  if (!config.has('linear_num_value_heads')) {
    return undefined;
  }
  return (
    everyNth(config, 'full_attention_interval', 'state') ??
    refuseMissing(config, ['layer_types', 'full_attention_interval'])
  );
}

/** 1 for linear attention. */
function fromGroupList(config: ConfigObject): LayerPlan | undefined {
  const [found] = valueOfKey(config, ['layer_group_size']);
  if (!Array.isArray(found?.value)) {
    return undefined;
  }
  const list = optionalList(config, 'layer_group_size') ?? [];
  const { value } = layerCount(config);
  return list.length < value
    ? refuseValue(found)
    : {
        kinds: list.slice(0, value).map(flag => (flag.value === 1 ? 'state' : 'full')),
        sources: [found, ...valueOfKey(config, layerCountKeys)],
      };
}

/** One word a layer, repeated until all layers have one. */
function fromMixers(config: ConfigObject): LayerPlan | undefined {
  const list = optionalList(config, 'mixer_types');
  const [found] = valueOfKey(config, ['mixer_types']);
  if (list === undefined || found === undefined || list.length === 0) {
    return undefined;
  }
  const words = list.map(word => kindOfMixer.get(word.value) ?? refuseValue(word));
  const { value } = layerCount(config);
  return {
    kinds: Array.from({ length: value }, (_, at) => words[at % words.length] ?? 'full'),
    sources: [found, ...valueOfKey(config, layerCountKeys)],
  };
}

/** Layers that attend keep a state too: those of a list with `a`, else every second. */
function fromAttentionLetters(config: ConfigObject): LayerPlan | undefined {
  const [flag] = valueOfKey(config, ['cca']);
  if (flag === undefined) {
    return undefined;
  }
  const list = optionalList(config, 'zaya_layers');
  const { value } = layerCount(config);
  const kinds = Array.from({ length: value }, (_, at): LayerKind =>
    (list === undefined || list.length === 0 ? at % 2 === 0 : list[at]?.value === 'a')
      ? 'both'
      : 'none',
  );
  return {
    kinds,
    sources: [flag, ...valueOfKey(config, ['zaya_layers']), ...valueOfKey(config, layerCountKeys)],
  };
}

function fromGroups(config: ConfigObject): LayerPlan | undefined {
  return everyNth(config, 'layer_group_size', 'state');
}

/** Chunked attention where rotary positions are used: 1, else 0. */
function fromChunks(config: ConfigObject): LayerPlan | undefined {
  const list = config.has('attention_chunk_size')
    ? optionalList(config, 'no_rope_layers')
    : undefined;
  const [found] = valueOfKey(config, ['no_rope_layers']);
  if (list === undefined || found === undefined || list.length === 0) {
    return undefined;
  }
  const { value } = layerCount(config);
  return list.length < value
    ? refuseValue(found)
    : {
        kinds: list.slice(0, value).map(flag => (flag.value === 0 ? 'full' : 'window')),
        sources: [found, ...valueOfKey(config, layerCountKeys)],
      };
}

/**
 * Chunked attention without a list of its layers: all but every fourth, or the step that the config
 * says.
 */
function fromChunkInterval(config: ConfigObject): LayerPlan | undefined {
  const [chunk] = valueOfKey(config, ['attention_chunk_size']);
  if (chunk === undefined) {
    return undefined;
  }
  const given = everyNth(config, 'no_rope_layer_interval', 'window');
  const count = layerCount(config);
  return (
    given ?? {
      kinds: Array.from({ length: count.value }, (_, at) =>
        (at + 1) % 4 === 0 ? 'full' : 'window',
      ),
      sources: [chunk, ...valueOfKey(config, layerCountKeys)],
    }
  );
}

/** 1 for attention over all tokens; layers of another type keep a state that is not known here. */
function refuseMixedTypes(config: ConfigObject): void {
  const [found] = valueOfKey(config, ['attn_type_list']);
  const isMixed = optionalList(config, 'attn_type_list')?.some(({ value }) => value !== 1);
  if (found !== undefined && isMixed === true) {
    throw new RefusedError({ kind: 'unknown-attention', key: found.path, place: found.place });
  }
}

function fromWindowPattern(config: ConfigObject): LayerPlan | undefined {
  return config.get('sliding_window') === undefined
    ? undefined
    : (everyNth(config, 'sliding_window_pattern', 'window') ??
        everyNth(config, '_sliding_window_pattern', 'window'));
}

/** A window and no word on its layers: those that are usual for the type. */
function fromWindowOfType(config: ConfigObject): LayerPlan | undefined {
  const step = config.has('sliding_window') ? windowStepOfType(config) : undefined;
  return step && stepped(config, step, 'window');
}

/** Attention and a state-space mixer side by side in every layer. */
function fromParallelState(config: ConfigObject): LayerPlan | undefined {
  return config.has('mamba_d_ssm') ? uniform('both', layerCount(config)) : undefined;
}

/** The first release that gives each of the last stages one of the layers that do not divide. */
export const evenStagesFrom = '0.5.6';

/**
 * First and end layer of a pipeline stage. Layers that do not divide go to the last stages, one each;
 * before `evenStagesFrom` the very last stage takes them all.
 */
export function stageRange(
  layers: number,
  stages: number,
  stage: number,
  isEven = true,
): readonly [number, number] {
  const base = Math.floor(layers / stages);
  if (!isEven) {
    return [stage * base, stage === stages - 1 ? layers : (stage + 1) * base];
  }
  const without = stages - (layers % stages);
  const start = stage * base + Math.max(0, stage - without);
  return [start, start + base + (stage >= without ? 1 : 0)];
}

/** How many layers of these kinds the stage that has most of them holds. */
export function mostInAStage(
  plan: LayerPlan,
  stages: number,
  kinds: readonly LayerKind[],
  isEven = true,
): number {
  const counts = Array.from({ length: stages }, (_, stage) => {
    const [start, end] = stageRange(plan.kinds.length, stages, stage, isEven);
    return plan.kinds.slice(start, end).filter(kind => kinds.includes(kind)).length;
  });
  return Math.max(...counts);
}

/** What a pipeline stage holds beside its layers, by weight. */
interface StageLoad {
  readonly layers: number;
  readonly weight: number;
}

/**
 * The stage that decides, as a range of its position in the list where no stage has both most layers
 * and most beside them: then the heaviest of those with most layers bounds it from below.
 */
export function decidingStages(loads: readonly StageLoad[]): readonly [number, number] {
  const most = Math.max(...loads.map(({ layers }) => layers));
  const heaviest = (found: readonly StageLoad[]): number =>
    loads.indexOf(found.reduce((best, next) => (next.weight > best.weight ? next : best)));
  const atLeast = heaviest(loads.filter(({ layers }) => layers === most));
  const atMost = heaviest(loads);
  return loads[atMost]?.weight === loads[atLeast]?.weight ? [atLeast, atLeast] : [atLeast, atMost];
}

/** How many layers of these kinds there are. */
export function countLayers(plan: LayerPlan, kinds: readonly LayerKind[]): number {
  return plan.kinds.filter(kind => kinds.includes(kind)).length;
}
