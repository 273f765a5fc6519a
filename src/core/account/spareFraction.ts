/**
 * What the release's own fraction says of an offer: what it leaves is for prefill chunks, data-parallel
 * attention and graphs. A server that runs is offered no more in place of free memory, unless a request
 * needs it; a start that failed with an unknown need none either where that is far beyond it. Plans offer
 * by the same rule.
 */
import { wholeHundredth } from '../model/reserve';
import { width } from '../units/interval';
import type { Quantity } from '../units/quantity';
import type { Advice } from './advice';
import { fractionOf } from './advice';
import type { WhatIf, WhatIfRow } from './whatIf';

/** What bounds an offer beside the reserve. */
export interface SpareBounds {
  /** The fraction that the release sets without the flag; undefined where it is not known. */
  readonly own: Quantity | undefined;
  /** The fraction that the budget uses now. */
  readonly inForce: Quantity | undefined;
  /** Tokens of one full-length request. */
  readonly request: Quantity | undefined;
  /** What the release multiplies a typed value by; undefined for nothing. */
  readonly factor: number | undefined;
}

/**
 * The offer within the bounds: up to the release's own fraction, or where that holds too little, up to
 * the smallest that holds what is needed. None where the present one is there already.
 * @param needed the smallest fraction that holds what is needed, where one does.
 */
export function spareWithin(
  offer: Advice | undefined,
  needed: Advice,
  whatIf: Pick<WhatIf, 'row'>,
  bounds: SpareBounds,
): Advice | undefined {
  const { own, inForce, factor = 1 } = bounds;
  if (offer?.kind === 'fraction' && !isTelling(offer.row)) {
    return undefined;
  }
  if (offer?.kind !== 'fraction' || own === undefined) {
    return offer;
  }
  const most = wholeHundredth(own.interval.lo / factor);
  const row = whatIf.row(fractionOf(most * factor));
  // What cannot be counted is no reason for more than the release would take.
  const isOwn = row.tokens === undefined || holds(row, bounds);
  const within: Advice | undefined = isOwn
    ? { ...offer, row, isOwn, flag: `--mem-fraction-static ${most}` }
    : needed.kind === 'fraction' && needed.need !== undefined
      ? needed
      : undefined;
  if (within?.kind !== 'fraction' || isAbove(within.row, offer.row.fraction)) {
    return offer;
  }
  return inForce !== undefined && !isAbove(within.row, inForce)
    ? { kind: 'none', reason: 'kept-by-release', need: offer.need, levers: [] }
    : within;
}

/** A value that is open by more than this is none to offer in its place. */
const closeWidth = 0.1;

/**
 * The offer to a start that failed where nothing tells what the pool has to hold. Where it leaves less
 * than half of what the release itself would keep, and that still gives half as large a pool, it is the
 * release's own fraction; else the own one is only told.
 */
export function startWithin(
  offer: Advice,
  whatIf: Pick<WhatIf, 'row'>,
  { own, factor = 1 }: Pick<SpareBounds, 'own' | 'factor'>,
): Advice {
  if (offer.kind !== 'fraction' || offer.need !== undefined || own === undefined) {
    return offer;
  }
  const most = wholeHundredth(own.interval.lo / factor);
  const row = whatIf.row(fractionOf(most * factor));
  if (!isAbove(offer.row, row.fraction)) {
    return offer;
  }
  const isKept = isHalfOf(offer.row.left, row.left);
  const isClose = width(own.interval) < closeWidth;
  if (isClose && !isKept && isHalfOf(row.pool, offer.row.pool)) {
    return { ...offer, row, own, isOwn: true, flag: `--mem-fraction-static ${most}` };
  }
  return own.interval.hi < offer.row.fraction.interval.lo ? { ...offer, own } : offer;
}

/** True where the least is at least half of the least of the other. */
function isHalfOf(amount: Quantity | undefined, other: Quantity | undefined): boolean {
  return (amount?.interval.lo ?? 0) * 2 >= (other?.interval.lo ?? Infinity);
}

/** False where the tokens that a row gives are all but unknown. */
function isTelling({ tokens }: WhatIfRow): boolean {
  return tokens === undefined || tokens.interval.lo * 2 >= tokens.interval.hi;
}

function holds({ tokens, left }: WhatIfRow, { request }: SpareBounds): boolean {
  const held = tokens?.interval.lo ?? 0;
  return left !== undefined && held > 0 && held >= (request?.interval.hi ?? 0);
}

function isAbove({ fraction }: WhatIfRow, other: Quantity): boolean {
  return fraction.interval.lo > other.interval.hi;
}
