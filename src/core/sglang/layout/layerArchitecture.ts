/**
 * Classes of models whose layers the releases treat apart: SGLang goes by the class there, so these are
 * facts of its releases, not of models.
 */

/** Two attention blocks in every layer; the releases rename two of them to the first. */
const doubled: ReadonlySet<string> = new Set([
  'LongcatFlashForCausalLM',
  'LongcatCausalLM',
  'LongcatFlashNgramForCausalLM',
  'LongcatFlashForCausalLMNextN',
]);

/** Its model does not tell the runner where its layers end: the runner counts the loops twice. */
const loopsTwice: ReadonlySet<string> = new Set(['IQuestLoopCoderForCausalLM']);

/** Keys of how often the layers are run through, and the first release that reads each. */
export const loopKeys = [
  { key: 'loop_num', since: '0.5.8' },
  { key: 'num_loops', since: '0.5.20' },
] as const;

/** Attention layers for each layer of the config, which is run through so many times. */
export function attentionLayersPerLayer(architecture: string | undefined, loops = 1): number {
  if (architecture !== undefined && loopsTwice.has(architecture)) {
    return loops * loops;
  }
  return architecture !== undefined && doubled.has(architecture) ? 2 * loops : loops;
}

/** From here on a value dimension of zero means that of the keys. */
export const zeroValuesReplacedFrom = '0.5.19';

/** Classes whose value dimension of zero the releases have always replaced. */
const replacesZeroValues: ReadonlySet<string> = new Set([
  'DeepseekOCRForCausalLM',
  'DeepseekOCR2ForCausalLM',
  'UnlimitedOCRForCausalLM',
]);

/** Whether a class takes a value dimension of zero for that of the keys in every release. */
export function replacesZeroValueDim(architecture: string | undefined): boolean {
  return architecture !== undefined && replacesZeroValues.has(architecture);
}

/** Classes whose releases keep index rows beside heads; the releases go by the class here. */
const sparseHeads: ReadonlySet<string> = new Set([
  'MiniMaxM3SparseForCausalLM',
  'MiniMaxM3SparseForConditionalGeneration',
]);

/** Whether a class has sparse attention over heads. */
export function hasSparseHeads(architecture: string | undefined): boolean {
  return architecture !== undefined && sparseHeads.has(architecture);
}
