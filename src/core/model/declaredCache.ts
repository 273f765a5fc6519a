/**
 * Whether a checkpoint declares that keys and values are cached in FP8, and which releases follow it.
 * Leaves out hf_quant_config.json, which stands beside config.json.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import type { ReleaseRange } from '../sglang/form/lineForm';
import { fp8CacheRules } from '../sglang/layout/fp8CacheRule';
import { isWithin, mayBeWithin } from '../sglang/release';
import type { ConfigObject, ConfigValue } from './configTree';

/** A declaration of an FP8 cache. */
export interface DeclaredCache {
  /** The value that declares it. */
  readonly source: ConfigValue;
  readonly followedIn: readonly ReleaseRange[];
}

/**
 * The declaration of a config: of the root, else of the text model, else under the older key.
 * Undefined where no release would follow what is there.
 */
export function declaredCacheOf(root: ConfigObject, text: ConfigObject): DeclaredCache | undefined {
  const declared =
    root.child('quantization_config') ??
    text.child('quantization_config') ??
    root.child('compression_config');
  const rule = declared && fp8CacheRules.get(quantizationOf(declared));
  if (declared === undefined || rule === undefined) {
    return undefined;
  }
  const scheme = declared.child('kv_cache_scheme');
  if (scheme !== undefined) {
    const bits = scheme.get('num_bits');
    const isTaken = rule.scheme !== undefined && (rule.isStatic !== true || isStatic(scheme));
    return isTaken && scheme.get('type')?.value === 'float' && bits?.value === 8
      ? { source: bits, followedIn: rule.scheme }
      : undefined;
  }
  const word = declared.get('kv_cache_scheme');
  if (rule.word && ['FP8', 'FLOAT8'].includes(wordOf(word))) {
    return word && { source: word, followedIn: rule.word };
  }
  const algorithm = declared.get('kv_cache_quant_algo');
  return algorithm && rule.algorithm && wordOf(algorithm) === 'FP8'
    ? { source: algorithm, followedIn: rule.algorithm }
    : undefined;
}

/** Whether the release follows a declaration; undefined where the log does not tell. */
export function isFollowed(
  { followedIn }: DeclaredCache,
  release: ReleaseInterval,
): boolean | undefined {
  if (followedIn.some(range => isWithin(release, range))) {
    return true;
  }
  return followedIn.some(range => mayBeWithin(release, range)) ? undefined : false;
}

/** The kind of quantization, as the releases name it: of ModelOpt's by the algorithm. */
function quantizationOf(declared: ConfigObject): string {
  const method = declared.get('quant_method');
  const name = wordOf(method).toLowerCase();
  const algorithm = wordOf(declared.get('quant_algo'));
  if ((method !== undefined && !name.startsWith('modelopt')) || algorithm === '') {
    return name;
  }
  return algorithm === 'MIXED_PRECISION'
    ? 'modelopt_mixed'
    : algorithm.includes('FP4')
      ? 'modelopt_fp4'
      : 'modelopt_fp8';
}

/** One scale for a whole tensor that the checkpoint brings along. */
function isStatic(scheme: ConfigObject): boolean {
  return (
    scheme.get('strategy')?.value === 'tensor' &&
    (scheme.get('symmetric')?.value ?? true) === true &&
    (scheme.get('dynamic')?.value ?? false) === false
  );
}

function wordOf(value: ConfigValue | undefined): string {
  return typeof value?.value === 'string' ? value.value.trim().toUpperCase() : '';
}
