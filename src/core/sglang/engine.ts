/**
 * Which program wrote a run and whose sizing formula it used. A line of another engine never feeds
 * a quantity of SGLang. Leaves out what the account does about it.
 */
import type { FormOwner } from './form/lineForm';

/** The program that wrote a run. */
export type Engine = 'sglang' | 'fork' | 'sglang-diffusion' | 'sglang-jax' | 'vllm' | 'unknown';

/**
 * Whose code sized the pool. Anything but `sglang` switches derived values off unless open source
 * confirms the formula; printed values stay.
 */
export type FormulaOwner =
  'sglang' | 'kvcached' | 'ktransformers' | 'sglang-omni' | 'mlx' | 'fork' | 'unknown';

/** What a line of this owner says about its run; an absent key says nothing. */
export interface OwnerMark {
  readonly engine?: Engine;
  readonly formulaOwner?: FormulaOwner;
}

/**
 * What the owner of a line form tells. The first mark other than `sglang` wins: plug-ins and forks
 * print SGLang's own lines too.
 */
export const ownerMarks = {
  sglang: { engine: 'sglang', formulaOwner: 'sglang' },
  patch: { engine: 'sglang', formulaOwner: 'sglang' },
  torch: {},
  system: {},
  fork: { engine: 'fork', formulaOwner: 'fork' },
  kvcached: { engine: 'sglang', formulaOwner: 'kvcached' },
  ktransformers: { engine: 'fork', formulaOwner: 'ktransformers' },
  'sglang-omni': { engine: 'fork', formulaOwner: 'sglang-omni' },
  'sglang-diffusion': { engine: 'sglang-diffusion', formulaOwner: 'unknown' },
  'sglang-jax': { engine: 'sglang-jax', formulaOwner: 'unknown' },
  mlx: { engine: 'sglang', formulaOwner: 'mlx' },
  vllm: { engine: 'vllm', formulaOwner: 'unknown' },
} as const satisfies Readonly<Record<FormOwner, OwnerMark>>;
