/** The order of SGLang's releases: `0.5.0rc0` < `0.5.0` < `0.5.0.post1`. */
import type { ReleaseInterval } from './form/releaseInterval';
import type { ReleaseRange } from './form/lineForm';

/** Sorts as PEP 440 does for the forms SGLang uses; what is no release sorts first. */
export function compareReleases(a: string, b: string): number {
  const left = sortKey(a);
  const right = sortKey(b);
  for (let place = 0; place < Math.max(left.length, right.length); place++) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

function sortKey(release: string): number[] {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:rc(\d+))?(?:\.post(\d+))?/.exec(release);
  if (match === null) {
    return [-1];
  }
  const [, major, minor, patch, candidate, post] = match;
  const before = candidate === undefined ? 0 : Number(candidate) - 1000;
  return [Number(major), Number(minor), Number(patch), before, Number(post ?? 0)];
}

/** True when every release that the log can have lies in the range; false where it is not known. */
export function isWithin(release: ReleaseInterval, range: ReleaseRange): boolean {
  if (release.kind === 'unknown') {
    return false;
  }
  const from = release.kind === 'range' ? release.from : release.after;
  const to = release.kind === 'range' ? release.to : release.before;
  return (
    compareReleases(from, range.from) >= 0 &&
    (range.to === undefined || (to !== undefined && compareReleases(to, range.to) <= 0))
  );
}

/** True unless no release that the log can have lies in the range. */
export function mayBeWithin(release: ReleaseInterval, range: ReleaseRange): boolean {
  if (release.kind === 'unknown') {
    return true;
  }
  const from = release.kind === 'range' ? release.from : release.after;
  const to = release.kind === 'range' ? release.to : release.before;
  return (
    (range.to === undefined || compareReleases(from, range.to) <= 0) &&
    (to === undefined || compareReleases(to, range.from) >= 0)
  );
}
