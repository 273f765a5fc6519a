/**
 * The limit of running requests that servers set themselves where none is given, by release: with
 * speculation, and for compressed attention. Leaves out limits that follow from tokens.
 */
import type { ReleaseInterval } from '../form/releaseInterval';
import { isSince } from './eraTable';

/** What such a limit depends on beside the release. */
export interface LimitedKind {
  /** Any algorithm of speculation, those without a draft model too. */
  readonly isSpeculative: boolean;
  readonly isCompressed: boolean;
}

/** Speculation runs few requests at once (read in the releases 0.4.3 to 0.5.23). */
const speculative = [
  { from: '0.4.3.post3', requests: 32 },
  { from: '0.4.4.post4', requests: 48 },
] as const;

/** Compressed attention has a limit of its own from its first release on, with drafts too. */
const compressed = { from: '0.5.12', requests: 256 } as const;

/** Running requests at most; undefined where tokens limit them, or the release is not known well. */
export function ownRequestLimit(
  release: ReleaseInterval,
  { isSpeculative, isCompressed }: LimitedKind,
): number | undefined {
  if (isCompressed && isSince(release, compressed.from) === true) {
    return compressed.requests;
  }
  const [first, second] = speculative;
  if (!isSpeculative || isSince(release, first.from) !== true) {
    return undefined;
  }
  const isLater = isSince(release, second.from);
  return isLater === undefined ? undefined : (isLater ? second : first).requests;
}
