/**
 * A Quantity is what the product knows of one amount: an interval, a unit, on what the bounds rest
 * and where they come from. Values that cannot be known are absent, never zero and never guessed.
 */
import type { Interval } from './interval';
import { isPoint } from './interval';
import type { PythonNumber } from './pythonNumber';
import type { Unit } from './unit';

/**
 * `proved`: only the rounding of printed numbers stands between the bounds and the truth.
 * `assumed`: the bounds also rest on the assumptions that are named beside them.
 */
export type Basis = 'proved' | 'assumed';

/** Where a bound comes from. Line numbers are 1-based; texts of lines are never stored. */
export type Provenance =
  | { readonly kind: 'printed'; readonly line: number; readonly file?: number }
  | { readonly kind: 'given'; readonly name: string }
  | { readonly kind: 'config'; readonly key: string; readonly file?: string }
  | {
      readonly kind: 'source';
      readonly file: string;
      readonly line: number;
      readonly column: number;
    }
  | { readonly kind: 'equation'; readonly name: string };

/** An amount with its unit. `interval` always contains the true value when the basis holds. */
export interface Quantity {
  readonly interval: Interval;
  readonly unit: Unit;
  readonly basis: Basis;
  /** Ids of the assumptions that the bounds rest on; empty when proved. */
  readonly assumptions: readonly string[];
  readonly provenance: readonly Provenance[];
  /** The number as a log or a source shows it, where it was shown. */
  readonly printed?: number;
  /** The value by Python's rules, where every input was exact. */
  readonly exact?: PythonNumber;
  /**
   * The value that the printed numbers give when taken as they stand. For display beside the
   * interval; it is not a fact.
   */
  readonly nominal?: number;
}

/** The one number that may be shown for it: exact, printed, or a point; otherwise undefined. */
export function singleValue(quantity: Quantity): number | undefined {
  if (quantity.exact !== undefined) {
    return Number(quantity.exact);
  }
  return isPoint(quantity.interval) ? quantity.interval.lo : quantity.printed;
}
