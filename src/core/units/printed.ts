/**
 * What a printed number says about the number that was printed: `21.71` (two decimals) is any
 * float from 21.705 to 21.715. Leaves out which unit it has: that is the line form's knowledge.
 */
import type { Interval } from './interval';
import { enclose } from './interval';

/**
 * The floats that print as `text` with the decimals it shows. For float64 values the nearest
 * float64 of each decimal end is a true bound, since no float lies between the two.
 * A sign is printed for negative numbers alone: `0.00` is not below 0, `-0.00` is not above it.
 * Whole numbers printed without a point are themselves. Undefined when `text` is no number.
 */
export function printedInterval(text: string): Interval | undefined {
  const match = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text.trim());
  if (match === null) {
    return undefined;
  }
  const [, sign, whole = '', decimals] = match;
  if (decimals === undefined || decimals === '') {
    return enclose(BigInt(whole) * (sign === '-' ? -1n : 1n));
  }
  const scaled = BigInt(whole + decimals) * 10n;
  const low = scaled === 0n ? 0 : decimalNumber(scaled - 5n, decimals.length + 1);
  const high = decimalNumber(scaled + 5n, decimals.length + 1);
  return sign === '-' ? { lo: -high, hi: -low } : { lo: low, hi: high };
}

/** digits / 10^decimals as the nearest float64. */
function decimalNumber(digits: bigint, decimals: number): number {
  return Number(`${digits}e-${decimals}`);
}
