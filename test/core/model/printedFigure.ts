/** Figures as logs print them, for tests. */
import { printedInterval } from '../../../src/core/units/printed';
import type { Quantity } from '../../../src/core/units/quantity';
import type { Unit } from '../../../src/core/units/unit';
import { units } from '../../../src/core/units/unit';

/** A printed number with its rounding. */
export function printed(text: string, unit: Unit = units.GiB): Quantity {
  const interval = printedInterval(text);
  if (interval === undefined) {
    throw new Error(`not a number: ${text}`);
  }
  return {
    interval,
    unit,
    basis: 'proved',
    assumptions: [],
    provenance: [],
    printed: Number(text),
    nominal: Number(text),
  };
}

/** An exact count. */
export function count(value: number, unit: Unit = units.token): Quantity {
  return {
    interval: { lo: value, hi: value },
    unit,
    basis: 'proved',
    assumptions: [],
    provenance: [],
    exact: BigInt(value),
    nominal: value,
  };
}
