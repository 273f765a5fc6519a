/**
 * Which speculation starts with pipeline stages: facts of the releases, as they check their arguments.
 * Leaves out what a draft costs on a stage, and what an environment variable has to allow besides.
 */
import type { ReleaseInterval } from '../form/releaseInterval';
import { isSince } from './eraTable';

/** From here on drafts of the EAGLE kind go with stages, and block drafts on a prefill server. */
const draftsWithStagesFrom = '0.5.21';

/** False where no server of the release starts so; `draft` undefined is speculation without a draft. */
export function startsWithStages(
  release: ReleaseInterval,
  draft: 'eagle' | 'standalone' | 'block' | undefined,
  isPrefill: boolean,
): boolean {
  const isAllowed = draft === 'eagle' || (draft === 'block' && isPrefill);
  return isAllowed && isSince(release, draftsWithStagesFrom) !== false;
}
