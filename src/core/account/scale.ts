/** Amounts of memory from one scale to another, by the graph, so that nothing converts silently. */
import { derive } from '../terms/derive';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';

const toGiB: Readonly<Record<string, string>> = {
  B: 'amount / 2**30',
  KiB: 'amount / 2**20',
  MiB: 'amount / 2**10',
};

/** The amount in GiB; undefined for what is no amount of memory or is decimal. */
export function inGiB(amount: Quantity): Quantity | undefined {
  if (amount.unit === units.GiB) {
    return amount;
  }
  const formula = toGiB[amount.unit.name];
  return formula === undefined ? undefined : derive(formula, { amount });
}

/** In MiB where it is less than a GiB, else in GiB. */
export function inReadableScale(amount: Quantity): Quantity | undefined {
  const gib = inGiB(amount);
  return gib && Math.abs(gib.interval.hi) < 1 ? derive('amount * 2**10', { amount: gib }) : gib;
}
