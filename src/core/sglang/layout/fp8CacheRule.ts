/**
 * When the releases cache in FP8 by themselves since the checkpoint's `quantization_config` declares
 * it: by the kind of quantization, as each kind reads its own keys (read in the releases to 0.5.23).
 * Leaves out files beside config.json.
 */
import type { ReleaseRange } from '../form/lineForm';

/** The releases that follow a key; of a key that is not named, none does. */
export interface Fp8CacheRule {
  /** `kv_cache_scheme` with 8-bit floats. */
  readonly scheme?: readonly ReleaseRange[];
  /** `kv_cache_scheme` as a word. */
  readonly word?: readonly ReleaseRange[];
  /** `kv_cache_quant_algo`, where there is no scheme. */
  readonly algorithm?: readonly ReleaseRange[];
  /** The scheme counts only with one static, symmetric scale for a tensor. */
  readonly isStatic?: boolean;
}

/** ModelOpt's names are those that the releases give it by `quant_algo`. */
export const fp8CacheRules: ReadonlyMap<string, Fp8CacheRule> = new Map([
  ['modelopt_fp8', { scheme: [{ from: '0.5.4' }], algorithm: [{ from: '0.5.15' }] }],
  [
    'modelopt_fp4',
    {
      scheme: [{ from: '0.5.3rc1' }],
      word: [{ from: '0.5.7' }],
      algorithm: [{ from: '0.5.3rc1', to: '0.5.8.post1' }, { from: '0.5.15' }],
    },
  ],
  ['modelopt_mixed', { scheme: [{ from: '0.5.10' }], algorithm: [{ from: '0.5.15' }] }],
  ['fp8', { algorithm: [{ from: '0.5.18' }] }],
  ['mxfp8', { algorithm: [{ from: '0.5.18' }] }],
  ['compressed-tensors', { scheme: [{ from: '0.5.19' }], isStatic: true }],
]);
