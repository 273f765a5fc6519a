/**
 * The release that a plan is for: as a person names it, else the newest one that is known. Leaves out
 * what releases do.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { exactRelease } from '../sglang/layout/eraTable';
import { compareReleases } from '../sglang/release';

/** The newest release whose sizing code was read; plans suppose it where no release is given. */
export const newestRead = '0.5.23';

/** A release, and what it stands for. */
export interface PlannedRelease {
  readonly release: ReleaseInterval;
  /** True where nobody said which release it is. */
  readonly isReleaseSupposed?: true;
  /** The newer release that was asked for, and is taken to be like this one. */
  readonly askedRelease?: string;
}

/** A release as plans take it from a flag; undefined for what is no release. */
export function planRelease(text: string | undefined): PlannedRelease | undefined {
  if (text === undefined) {
    return { release: exactRelease(newestRead), isReleaseSupposed: true };
  }
  if (!/^v?\d+\.\d+\.\d+(?:rc\d+)?(?:\.post\d+)?$/.test(text)) {
    return undefined;
  }
  const asked = text.replace(/^v/, '');
  return compareReleases(asked, newestRead) > 0
    ? { release: exactRelease(newestRead), askedRelease: asked }
    : { release: exactRelease(asked) };
}
