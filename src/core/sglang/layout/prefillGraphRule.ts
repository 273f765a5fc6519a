/**
 * When a release captures prefill graphs without a flag, and what turns them off (read in the releases
 * 0.5.10 to 0.5.23 for CUDA): their reserve is part of the automatic fraction. Classes of models are
 * those that the releases name. Leaves out conditions that no option here knows (LoRA, GGUF, offload).
 */
import { compareReleases } from '../release';

/** What a server is, as far as the rules ask. */
export interface PrefillGraphTraits {
  readonly architecture: string | undefined;
  readonly isLatent: boolean;
  /** Index keys beside latents. */
  readonly isSparse: boolean;
  readonly isCompressed: boolean;
  /** Linear-attention layers with convolutions of their own (KDA). */
  readonly hasSeparateState: boolean;
  readonly isMultimodal: boolean;
  readonly isSpeculative: boolean;
  readonly isDpAttention: boolean;
  readonly stages: number;
  readonly contextGroups: number;
  readonly decodeContextGroups: number;
  /** How experts exchange tokens: DeepEP, another backend beside which graphs are captured, or one more. */
  readonly exchange: 'none' | 'deepep' | 'captured' | 'other';
  /** What the server does of prefill and decoding. */
  readonly role: 'both' | 'prefill' | 'decode';
  /** A cache in host memory behind that of the card. */
  readonly hasHostCache: boolean;
  /** No graphs at all by a flag: since 0.5.14 it is for prefills too. */
  readonly hasNoGraphs: boolean;
}

/** `open` where a release decides by what is not known here. */
export type PrefillGraphs = 'on' | 'off' | 'open';

interface PrefillGraphRule {
  readonly from: string;
  readonly decide: (traits: PrefillGraphTraits) => PrefillGraphs;
}

const unlessAny = (...conditions: readonly boolean[]): PrefillGraphs =>
  conditions.includes(true) ? 'off' : 'on';

const isNamed = ({ architecture }: PrefillGraphTraits, ...names: readonly string[]): boolean =>
  architecture !== undefined && names.includes(architecture);

const neverTraced = ['Qwen3NextForCausalLM', 'BailingMoeV2_5ForCausalLM', 'LLaDAModelLM'] as const;
const stateSpaceOnes = [
  'NemotronHForCausalLM',
  'NemotronHPuzzleForCausalLM',
  'NemotronHForCausalLMMTP',
] as const;
const compressedOnes = ['DeepseekV4ForCausalLM', 'DeepseekV4ForCausalLMNextN'] as const;

/** Graphs of pieces that torch.compile traces: up to 0.5.14 the default. */
function traced(traits: PrefillGraphTraits, names: readonly string[]): PrefillGraphs {
  return unlessAny(
    isNamed(traits, ...names),
    traits.isDpAttention,
    traits.stages > 1,
    traits.exchange !== 'none',
    traits.isMultimodal,
    traits.role !== 'both',
    traits.hasHostCache,
    traits.contextGroups > 1,
  );
}

/** Multimodal classes whose prefill a release captures all the same; by which way differs. */
const seenTowers: ReadonlySet<string> = new Set([
  'Cohere2VisionForConditionalGeneration',
  'Glm5NextForConditionalGeneration',
  'InternS2MobiusForConditionalGeneration',
  'KimiK25ForConditionalGeneration',
  'KimiK3ForConditionalGeneration',
  'MiniMaxM3SparseForCausalLM',
  'MiniMaxM3SparseForConditionalGeneration',
  'MuseGlimmerForConditionalGeneration',
  'MuseSparkForConditionalGeneration',
  'PaddleOCRVLForConditionalGeneration',
  'Qwen3_5ForConditionalGeneration',
  'Qwen3_5MoeForConditionalGeneration',
  'Qwen4ExpForConditionalGeneration',
]);

function isSeenTower({ isMultimodal, architecture }: PrefillGraphTraits): boolean {
  return isMultimodal && (architecture === undefined || seenTowers.has(architecture));
}

/** Graphs that break at attention: from 0.5.15 on the default. */
function breakable(traits: PrefillGraphTraits, ...more: readonly boolean[]): PrefillGraphs {
  const found = unlessAny(
    traits.isCompressed,
    traits.decodeContextGroups > 1,
    traits.isMultimodal && !isSeenTower(traits),
    traits.exchange === 'other',
    ...more,
  );
  const isOpen = isSeenTower(traits) || traits.contextGroups > 1;
  return found === 'on' && isOpen ? 'open' : found;
}

const rules: readonly PrefillGraphRule[] = [
  {
    from: '0.5.10rc0',
    decide: traits =>
      unlessAny(traits.isSpeculative, traits.isSparse, traced(traits, neverTraced) === 'off'),
  },
  {
    from: '0.5.11',
    decide: traits => unlessAny(traits.isSparse, traced(traits, neverTraced) === 'off'),
  },
  {
    from: '0.5.12',
    decide: traits =>
      unlessAny(traits.isSparse, traced(traits, [...neverTraced, ...compressedOnes]) === 'off'),
  },
  { from: '0.5.13', decide: traits => traced(traits, [...neverTraced, ...compressedOnes]) },
  {
    from: '0.5.14',
    decide: traits =>
      isSeenTower(traits) && traits.architecture !== undefined
        ? traced({ ...traits, isMultimodal: false }, neverTraced) === 'off'
          ? 'off'
          : 'open'
        : traced(traits, [...neverTraced, ...compressedOnes]),
  },
  {
    from: '0.5.15',
    decide: traits =>
      unlessAny(
        traits.isLatent,
        traits.isCompressed,
        traits.contextGroups > 1,
        traits.exchange !== 'none',
        traits.isDpAttention,
        traits.isMultimodal,
        traits.role === 'prefill',
      ),
  },
  {
    from: '0.5.16',
    decide: traits =>
      isSeenTower(traits)
        ? 'open'
        : breakable(
            traits,
            traits.isLatent,
            traits.contextGroups > 1,
            traits.exchange !== 'none',
            traits.isDpAttention,
          ),
  },
  {
    from: '0.5.17',
    decide: traits =>
      isSeenTower(traits)
        ? 'open'
        : breakable(
            traits,
            traits.isLatent && !traits.isSparse,
            isNamed(traits, ...stateSpaceOnes),
          ),
  },
  { from: '0.5.18', decide: traits => breakable(traits) },
  { from: '0.5.19', decide: traits => breakable(traits, traits.stages > 1) },
  {
    from: '0.5.20',
    decide: traits => breakable(traits, traits.stages > 1, traits.hasSeparateState),
  },
];

/** From here on the flag that turns graphs off is for both phases. */
const oneFlagFrom = '0.5.14';

/** In rising order; a rule holds until the next. */
export const prefillGraphRules: readonly PrefillGraphRule[] = rules.map(({ from, decide }) => ({
  from,
  decide: traits =>
    traits.hasNoGraphs && compareReleases(from, oneFlagFrom) >= 0 ? 'off' : decide(traits),
}));
