/** From an interval back to the number that a person typed. */
import type { Interval } from './interval';

/** A decimal that a person would type, inside the interval: the one with the fewest digits. */
export function simplestDecimal({ lo, hi }: Interval): number | undefined {
  for (let digits = 1; digits <= 6; digits++) {
    const scale = 10 ** digits;
    const first = Math.floor(lo * scale);
    // The product is rounded: the first decimal inside is this one or a neighbour above.
    const found = [first, first + 1, first + 2].find(count => count / scale >= lo);
    if (found !== undefined && found / scale <= hi) {
      return found / scale;
    }
  }
  return undefined;
}
