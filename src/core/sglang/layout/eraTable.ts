/**
 * Formula text by release era: a row holds from its release until the next row. Where a log leaves
 * several rows possible, all of them stay, each behind the condition that decides it.
 */
import type { ReleaseInterval } from '../form/releaseInterval';
import { compareReleases } from '../release';

/** Formula text that holds from this release on, until the next row. */
export interface Era {
  readonly from: string;
  readonly text: string;
}

/** Rows in rising order. Before the first row there is no such layout. */
export type EraTable = readonly Era[];

/** Whether a release is at least `from`; undefined where the log does not tell. */
export function isSince(release: ReleaseInterval, from: string): boolean | undefined {
  switch (release.kind) {
    case 'unknown':
      return undefined;
    case 'range':
      if (compareReleases(release.from, from) >= 0) {
        return true;
      }
      return release.to !== undefined && compareReleases(release.to, from) < 0 ? false : undefined;
    case 'between':
      if (compareReleases(release.after, from) >= 0) {
        return true;
      }
      return compareReleases(release.before, from) < 0 ? false : undefined;
  }
}

/** The rows that the release may be in, in rising order; empty before the first row. */
export function possibleEras(table: EraTable, release: ReleaseInterval): readonly Era[] {
  const begun = table.filter(({ from }) => isSince(release, from) !== false);
  const certain = begun.findLastIndex(({ from }) => isSince(release, from) === true);
  return begun.slice(Math.max(0, certain));
}

/** A release that is known exactly. */
export function exactRelease(release: string): ReleaseInterval {
  return { kind: 'range', from: release, to: release };
}
