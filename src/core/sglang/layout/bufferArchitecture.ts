/**
 * Classes of models whose state slots are buffered where nobody says how they are kept, with the first
 * release that does so, and classes with state that no release buffers (read in the releases 0.5.14 to
 * 0.5.23, with the default kernels). No dimension or kind of layer decides it: the releases compare the
 * name in the config's `architectures` with lists of their own, and these are the lists. A class that
 * is in neither, of a fork or a plug-in, is not known to be buffered. Leaves out how many slots that
 * takes.
 */
import type { ReleaseInterval } from '../form/releaseInterval';
import { isSince } from './eraTable';

const firstBuffered: ReadonlyMap<string, string> = new Map(
  Object.entries({
    BailingMoeV2_5ForCausalLM: '0.5.14',
    FalconH1ForCausalLM: '0.5.14',
    GraniteMoeHybridForCausalLM: '0.5.14',
    InternS2PreviewForConditionalGeneration: '0.5.14',
    MiniCPMV4_6ForConditionalGeneration: '0.5.14',
    NemotronHForCausalLM: '0.5.14',
    NemotronHPuzzleForCausalLM: '0.5.14',
    Qwen3NextForCausalLM: '0.5.14',
    Qwen3_5ForConditionalGeneration: '0.5.14',
    Qwen3_5MoeForConditionalGeneration: '0.5.14',
    KimiLinearForCausalLM: '0.5.16',
    BailingMoeV3ForCausalLM: '0.5.19',
    BailingMoeV3VLForConditionalGeneration: '0.5.21',
    Glm5NextForConditionalGeneration: '0.5.20',
    InklingForConditionalGeneration: '0.5.16',
    KimiK3ForConditionalGeneration: '0.5.18',
    MiniCPMV4_7ForConditionalGeneration: '0.5.23',
    NemotronH_Omni_Reasoning_V3: '0.5.20',
    Qwen3_5ForCausalLM: '0.5.19',
    Qwen3_5MoeForCausalLM: '0.5.19',
    Qwen4ExpForConditionalGeneration: '0.5.20',
  }),
);

/** Classes with state that the releases serve and do not buffer. */
const neverBuffered: ReadonlySet<string> = new Set([
  'FalconMambaForCausalLM',
  'GigaChat35ForCausalLM',
  'InternS2MobiusForConditionalGeneration',
  'JetNemotronForCausalLM',
  'JetVLMForConditionalGeneration',
  'KimiK3LinearForCausalLM',
  'Lfm2BidirectionalModel',
  'Lfm2ForCausalLM',
  'Lfm2MoeForCausalLM',
  'Lfm2VlForConditionalGeneration',
  'Mamba2ForCausalLM',
  'MambaForCausalLM',
  'MiniCPMSALAForCausalLM',
  'NemotronH_Nano_Omni_Reasoning_V3',
  'NemotronH_Nano_VL_V2',
  'ZayaForCausalLM',
]);

/**
 * True for a class that a release serves with state beside keys and values; for some of them the
 * config decides whether it has such layers.
 */
export function isListedWithState(architecture: string): boolean {
  return firstBuffered.has(architecture) || neverBuffered.has(architecture);
}

/** Before it no class is buffered unless a flag says so. */
export const classesDecideFrom = '0.5.14';

/**
 * Whether slots of this class are buffered by default; undefined for a class that no list names, and
 * where the log does not tell the release.
 */
export function buffersByDefault(
  architecture: string | undefined,
  release: ReleaseInterval,
): boolean | undefined {
  if (isSince(release, classesDecideFrom) === false) {
    return false;
  }
  const first = firstBuffered.get(architecture ?? '');
  if (first !== undefined) {
    return isSince(release, first);
  }
  return neverBuffered.has(architecture ?? '') ? false : undefined;
}
