/**
 * Which program wrote a run and whose sizing formula it used. A line of another engine never feeds
 * a quantity of SGLang. Leaves out what the account does about it.
 */

/** The program that wrote a run. */
export type Engine = 'sglang' | 'fork' | 'sglang-diffusion' | 'sglang-jax' | 'vllm' | 'unknown';

/**
 * Whose code sized the pool. Anything but `sglang` switches derived values off unless open source
 * confirms the formula; printed values stay.
 */
export type FormulaOwner =
  'sglang' | 'kvcached' | 'ktransformers' | 'sglang-omni' | 'mlx' | 'fork' | 'unknown';
