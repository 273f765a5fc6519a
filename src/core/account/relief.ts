/**
 * What to do about a shortage of device memory: how far the fraction has to fall at least, the value
 * to set, and what else frees memory. Also tells when no value can help, because what is missing is
 * more than the pool could give up. Leaves out failures of the sizing itself (advice.ts).
 */
import { budgetTerms } from '../sglang/budgetFormula';
import { derive } from '../terms/derive';
import type { Solution } from '../terms/solve';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import type { Lever, Need } from './advice';
import { fractionOf } from './advice';
import { assumptions } from './assumption';
import { inGiB } from './scale';
import type { Shortage } from './shortage';
import { bindingLimit } from './tokenLimit';
import type { WhatIf, WhatIfRow } from './whatIf';

/** GiB that a lower value is to free beyond what was missing: later allocations are not in the log. */
const marginGiB = 1;

/** How a shortage is relieved. Each part is undefined where the log does not tell. */
export interface Relief {
  /** The fraction has to fall by at least this; undefined where it has no effect. */
  readonly lowerBy: Quantity | undefined;
  /** Above it the failed allocation cannot fit, other flags unchanged; below was not tested. */
  readonly ceiling: Quantity | undefined;
  /** A value to set and what it gives; undefined where none is safe to offer. */
  readonly row: WhatIfRow | undefined;
  readonly flag: string | undefined;
  /** True where the pool would have to be smaller than the need (or nothing). */
  readonly isStuck: boolean;
  readonly levers: readonly Lever[];
  /** Where a limit of tokens decides the pool, the fraction does not: what the limit has to be. */
  readonly limit?: LimitRelief;
}

/** A limit of tokens that is too high; `by` and `flag` are undefined where bytes per token are open. */
export interface LimitRelief {
  readonly limit: Quantity;
  /** Tokens by which it has to fall at least. */
  readonly by: Quantity | undefined;
  readonly flag: string | undefined;
}

/** Places where a lower fraction leaves more: the pools stand before what failed. */
const afterSizing: ReadonlySet<Shortage['place']> = new Set([
  'load-draft',
  'pools',
  'after-pools',
  'capture',
  'warm-up',
  'serving',
]);

/** True where a lower fraction leaves more for what failed. */
export function helpsToLower({ place, isSizedLater }: Shortage): boolean {
  return afterSizing.has(place) && !(isSizedLater && place === 'capture');
}

/** What the run's own figures allow to say. */
export interface ReliefFigures {
  /** The fraction in force. */
  readonly fraction: Quantity | undefined;
  readonly solution: Solution;
  readonly whatIf: WhatIf;
  readonly need: Need | undefined;
  readonly levers: readonly Lever[];
  /** What the release multiplies a typed fraction by, outside the printed arguments. */
  readonly factor: number | undefined;
}

/** How the shortage is relieved. */
export function reliefOf(shortage: Shortage, figures: ReliefFigures): Relief {
  const { solution, whatIf, need, levers } = figures;
  const missing = shortage.missing && inGiB(shortage.missing);
  const total = solution.quantityOf(budgetTerms.total);
  if (shortage.taken !== undefined) {
    return { ...nothing, levers: [] };
  }
  if (!helpsToLower(shortage) || missing === undefined || total === undefined) {
    return { ...nothing, levers };
  }
  const limit = bindingLimit(solution);
  if (limit !== undefined) {
    return { ...nothing, levers, limit: limitRelief(limit, missing, figures) };
  }
  const factor = givenQuantity(figures.factor ?? 1, units.one, 'factor');
  const lowerBy = derive('missing / (total * factor)', { missing, total, factor });
  const { fraction } = figures;
  const ceiling = fraction && ceilingOf(fraction, missing, total);
  const typed = ceiling && typedBelow(rowBelow(ceiling, total, whatIf, need), figures);
  const best = ceiling && whatIf.row(fractionOf(Math.min(ceiling.interval.hi, 1)));
  return {
    lowerBy,
    ceiling,
    row: typed?.row,
    flag: typed && `--mem-fraction-static ${typed.value}`,
    isStuck: best !== undefined && cannotServe(best, need),
    levers,
  };
}

/**
 * The value to type for a row: its own, or, where the release multiplies it, the largest thousandth
 * that becomes no more, with what that gives.
 */
function typedBelow(
  row: WhatIfRow | undefined,
  { factor = 1, whatIf }: ReliefFigures,
): { readonly value: number; readonly row: WhatIfRow } | undefined {
  const value = row && (row.fraction.nominal ?? row.fraction.interval.lo);
  if (row === undefined || value === undefined || factor === 1) {
    return row && value !== undefined ? { value, row } : undefined;
  }
  const thousandth = Math.floor((value / factor) * 1000) / 1000;
  return thousandth < 1
    ? { value: thousandth, row: whatIf.row(fractionOf(thousandth * factor)) }
    : undefined;
}

const nothing = {
  lowerBy: undefined,
  ceiling: undefined,
  row: undefined,
  flag: undefined,
  isStuck: false,
} as const;

/** Tokens to set are whole thousands, free the margin as well and still hold the need. */
function limitRelief(
  limit: Quantity,
  missing: Quantity,
  { solution, need }: ReliefFigures,
): LimitRelief {
  const cell = solution.quantityOf(budgetTerms.allocatedCell);
  const by = cell && derive('missing * 2**30 / cell', { missing, cell });
  const margin = cell && (marginGiB * 2 ** 30) / cell.interval.lo;
  const tokens =
    by && margin && Math.floor((limit.interval.lo - by.interval.hi - margin) / 1000) * 1000;
  const isEnough =
    tokens !== undefined && tokens > 0 && (need === undefined || tokens >= need.tokens.interval.hi);
  return { limit, by, flag: isEnough ? `--max-total-tokens ${tokens}` : undefined };
}

/** The fraction less what was missing: only what the allocator lacked for this one request. */
export function ceilingOf(
  fraction: Quantity,
  missing: Quantity,
  total: Quantity,
): Quantity | undefined {
  const ceiling = derive('fraction - missing / total', { fraction, missing, total });
  // A fraction that is only known from below has no ceiling.
  return ceiling === undefined || !Number.isFinite(ceiling.interval.hi)
    ? undefined
    : {
        ...ceiling,
        basis: 'assumed',
        assumptions: [...new Set([...ceiling.assumptions, assumptions.costsUnchanged])],
      };
}

/** The largest hundredth that frees the margin as well and still gives a pool for the need. */
function rowBelow(
  ceiling: Quantity,
  total: Quantity,
  whatIf: WhatIf,
  need: Need | undefined,
): WhatIfRow | undefined {
  const highest = ceiling.interval.lo - marginGiB / total.interval.lo;
  const row = whatIf.row(fractionOf(Math.floor(highest * 100) / 100));
  const isPool = (row.pool?.interval.lo ?? 0) > 0;
  const isEnough = need === undefined || (row.tokens?.interval.lo ?? 0) >= need.tokens.interval.hi;
  return isPool && isEnough ? row : undefined;
}

/** True where even the most that could be set gives no pool, or none that holds the need. */
function cannotServe(row: WhatIfRow, need: Need | undefined): boolean {
  const isNothing = row.pool !== undefined && row.pool.interval.hi <= 0;
  const isLess =
    need?.kind !== 'request' &&
    need !== undefined &&
    row.tokens !== undefined &&
    row.tokens.interval.hi < need.tokens.interval.lo;
  return isNothing || isLess;
}
