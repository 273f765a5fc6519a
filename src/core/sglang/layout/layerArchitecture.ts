/**
 * Classes of models whose layers the releases treat apart: SGLang goes by the class there, so these are
 * facts of its releases, not of models.
 */

/** Two attention blocks in every layer. */
const doubled: ReadonlySet<string> = new Set([
  'LongcatFlashForCausalLM',
  'LongcatFlashForCausalLMNextN',
]);

/** Attention layers for each layer of the config. */
export function attentionLayersPerLayer(architecture: string | undefined): 1 | 2 {
  return architecture !== undefined && doubled.has(architecture) ? 2 : 1;
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
