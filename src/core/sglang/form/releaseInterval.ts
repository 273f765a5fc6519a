/**
 * Which releases can have printed a log: the intersection of what its lines allow. Leaves out
 * where the ranges of the lines come from (the form tables).
 */
import type { ReleaseRange } from './lineForm';
import { compareReleases } from '../release';

/** The releases that a log is compatible with. */
export type ReleaseInterval =
  /** No line tells. */
  | { readonly kind: 'unknown' }
  /** From one release to another, both inclusive; `to` undefined: up to today. */
  | { readonly kind: 'range'; readonly from: string; readonly to: string | undefined }
  /**
   * Forms of different releases are mixed, as builds from the main branch do: a commit between
   * these two releases. Never a contradiction.
   */
  | { readonly kind: 'between'; readonly after: string; readonly before: string };

/**
 * Intersects what the lines of a run allow; each element is the union of ranges of one spelling.
 * Where a union leaves several pieces, the interval spans them.
 */
export function intersectReleases(allowed: readonly (readonly ReleaseRange[])[]): ReleaseInterval {
  const informative = allowed.filter(ranges => ranges.length > 0);
  const [first, ...others] = informative;
  if (first === undefined) {
    return { kind: 'unknown' };
  }
  let pieces: readonly ReleaseRange[] = first;
  for (const ranges of others) {
    pieces = pieces.flatMap(piece => ranges.flatMap(range => overlap(piece, range)));
  }
  const from = pieces.map(piece => piece.from).sort(compareReleases)[0];
  if (from !== undefined) {
    return { kind: 'range', from, to: pieces.map(piece => piece.to).reduce(later) };
  }
  return gapBetween(informative);
}

function overlap(left: ReleaseRange, right: ReleaseRange): readonly ReleaseRange[] {
  const from = compareReleases(left.from, right.from) >= 0 ? left.from : right.from;
  const to = earlier(left.to, right.to);
  if (to === undefined) {
    return [{ from }];
  }
  return compareReleases(from, to) <= 0 ? [{ from, to }] : [];
}

/** The gap between the oldest end and the newest start that exclude each other. */
function gapBetween(allowed: readonly (readonly ReleaseRange[])[]): ReleaseInterval {
  const ends = allowed.map(ranges => ranges.map(range => range.to).reduce(later));
  const starts = allowed.map(ranges => ranges.map(range => range.from).sort(compareReleases)[0]);
  const end = ends.reduce(earlier, undefined);
  const start = starts
    .flatMap(each => (each === undefined ? [] : [each]))
    .sort(compareReleases)
    .at(-1);
  return end === undefined || start === undefined || compareReleases(end, start) >= 0
    ? { kind: 'unknown' }
    : { kind: 'between', after: end, before: start };
}

/** The smaller of two ends; undefined is no end. */
function earlier(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) {
    return left ?? right;
  }
  return compareReleases(left, right) <= 0 ? left : right;
}

/** The larger of two ends; undefined is no end. */
function later(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || right === undefined) {
    return undefined;
  }
  return compareReleases(left, right) >= 0 ? left : right;
}
