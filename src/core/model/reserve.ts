/**
 * GiB that an offered fraction leaves free beside the pools, by the size of the card. The one place
 * for it: advice on a log and plans keep the same.
 */
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';

/** GiB that stay free for activations (reference: user-needs 14, "rule 5-8 GB"). */
const activationGiB = 5;

/** GiB kept for graphs and the request table where nothing measured them. */
const unmeasuredGiB = 4;

/**
 * What the long-time default fraction of 0.88 leaves of a card: on a small one graphs and
 * activations take less than on a large one.
 */
const shareOfCard = 0.12;

/**
 * A fraction that a release sets, cut to hundredths: what an offer keeps for chunks and graphs as the
 * release does is what is left there.
 */
export function wholeHundredth(fraction: number): number {
  return Math.floor(fraction * 100 + 1e-9) / 100;
}

/**
 * The reserve in GiB, rounded up to hundredths. `total` is P; without it the card counts as large.
 * Where graphs and request table are measured they are subtracted elsewhere.
 */
export function reserveOf(total: Quantity | undefined, isMeasured: boolean): Quantity {
  const whole = isMeasured ? activationGiB : activationGiB + unmeasuredGiB;
  const free = total?.interval.hi ?? Infinity;
  return givenQuantity(
    Math.min(whole, Math.ceil(Math.max(0, free) * shareOfCard * 100) / 100),
    units.GiB,
    'reserve',
  );
}
