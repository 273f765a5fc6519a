/**
 * The order of SGLang's release numbers (`0.5.3rc2` < `0.5.3` < `0.5.3.post1`). Leaves out which
 * numbers were ever released.
 */

const shape = /^v?(\d+)\.(\d+)\.(\d+)(?:(rc|\.post)(\d+))?$/;

/** Negative, zero or positive as `left` is older than, equal to or newer than `right`. */
export function compareReleases(left: string, right: string): number {
  const a = orderKey(left);
  const b = orderKey(right);
  for (const [index, part] of a.entries()) {
    const difference = part - (b[index] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

/** Major, minor, patch, stage (-1 candidate, 0 release, 1 post-release), number of the stage. */
function orderKey(release: string): readonly number[] {
  const match = shape.exec(release);
  if (match === null) {
    throw new RangeError(`not a release number: ${release}`);
  }
  const [, major, minor, patch, stage, number] = match;
  const order = stage === undefined ? 0 : stage === 'rc' ? -1 : 1;
  return [Number(major), Number(minor), Number(patch), order, Number(number ?? 0)];
}
