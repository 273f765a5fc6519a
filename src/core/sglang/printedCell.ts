/**
 * Bytes per token that the printed size and tokens of a pool come to. Buffers hold padding rows beside
 * the tokens: one up to 0.4.3, a page of them since (reference 1.4).
 */
import { derive } from '../terms/derive';
import { boundedQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';

/** No release has larger pages, in tokens. */
export const largestPage = 1024;

/**
 * B/token from GiB and tokens of the same buffers; `page` is the largest that they may have. Undefined
 * where one of both is not printed.
 */
export function printedCell(
  size: Quantity | undefined,
  tokens: Quantity | undefined,
  page = largestPage,
): Quantity | undefined {
  const padding = boundedQuantity({ lo: 1, hi: page }, units.token, 1);
  return size && tokens && derive('size * 2**30 / (tokens + padding)', { size, tokens, padding });
}
