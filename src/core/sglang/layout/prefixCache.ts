/**
 * Models with state whose prefix cache a release switches off whatever the flag says (read in the
 * releases 0.5.2 to 0.5.7). Leaves out the flag.
 */
import type { ReleaseInterval } from '../form/releaseInterval';
import { isSince } from './eraTable';
import { prefixCacheFrom } from './stateFormula';

/** Classes that have one only from this release on. */
const laterFrom = '0.5.6.post1';

const laterClasses: ReadonlySet<string> = new Set([
  'FalconH1ForCausalLM',
  'NemotronHForCausalLM',
  'NemotronH_Nano_VL_V2',
]);

/** True where a model with state surely has no prefix cache. */
export function lacksPrefixCache(
  release: ReleaseInterval,
  architecture: string | undefined,
): boolean {
  const from = laterClasses.has(architecture ?? '') ? laterFrom : prefixCacheFrom;
  return isSince(release, from) === false;
}
