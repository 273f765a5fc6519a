/** Classes of models whose releases count more attention layers than the config has layers. */

/** Two attention blocks in every layer. */
const doubled: ReadonlySet<string> = new Set([
  'LongcatFlashForCausalLM',
  'LongcatFlashForCausalLMNextN',
]);

/** Attention layers for each layer of the config. */
export function attentionLayersPerLayer(architecture: string | undefined): 1 | 2 {
  return architecture !== undefined && doubled.has(architecture) ? 2 : 1;
}
