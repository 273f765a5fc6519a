/**
 * What the budget counts for a draft whose share no line tells: what the typed fraction leaves beside
 * the pools of the target. It supposes that this fraction was in effect, so the fraction that the pools
 * imply is found without it.
 */
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import { printedCell } from '../sglang/printedCell';
import { factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import { solve } from '../terms/solve';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { assumptions } from './assumption';
import { argumentQuantity } from './figure';
import type { RankFigures } from './rankFigures';
import { assumed } from './statedFact';

/**
 * The same facts, with the share of the draft where it is open above and a fraction was typed that
 * allows one. Where the draft's own pool bounds it, the fraction only confirms that pool.
 */
export function withTypedDraftShare(
  run: Run,
  binding: RankFigures | undefined,
  facts: readonly Fact[],
): readonly Fact[] {
  const { draftCell, fraction } = budgetTerms;
  const stated = facts.find(({ term }) => term === draftCell);
  const typed = argumentQuantity(run, 'mem_fraction_static', units.one);
  const isKnown = facts.some(({ term }) => term === fraction);
  if (
    stated === undefined ||
    typed === undefined ||
    isKnown ||
    !(isOpen(stated) || isNear(stated))
  ) {
    return facts;
  }
  const others = facts.filter(one => one !== stated);
  const known = [...others, opened(stated), factOf(fraction, typed)];
  const solution = solve([draftCell], known, { explain: false });
  const share = solution.contradiction === undefined ? solution.quantityOf(draftCell) : undefined;
  const told = share && (isOpen(stated) ? asTyped(share) : asItsPool(stated, share, binding));
  return told === undefined ? facts : facts.map(one => (one === stated ? told : one));
}

/** The same facts without what supposes that the typed fraction was in effect. */
export function withoutTypedShare(facts: readonly Fact[]): readonly Fact[] {
  return facts.map(one => (rests(one, assumptions.fractionAsTyped) ? opened(one) : one));
}

function asTyped({ interval: { lo, hi }, provenance }: Quantity): Fact | undefined {
  const share = { lo: Math.max(0, lo), hi };
  return hi >= 0 && Number.isFinite(hi)
    ? assumed(budgetTerms.draftCell, share, assumptions.fractionAsTyped, { provenance })
    : undefined;
}

/** By how much of what the draft's pool takes a token the share may differ from it, and still be it. */
const alikeShare = 0.25;

function asItsPool(
  stated: Fact,
  share: Quantity,
  binding: RankFigures | undefined,
): Fact | undefined {
  const pool = binding?.draftPools[0];
  const cell = printedCell(pool?.size.quantity, pool?.tokens?.quantity);
  if (cell === undefined || Math.abs(middle(share) - middle(cell)) > alikeShare * middle(cell)) {
    return undefined;
  }
  const found = factOf(stated.term, cell);
  // Of a release that may be one that counts nothing, the pool is the most.
  const least = stated.interval.lo === 0 ? 0 : cell.interval.lo;
  return { ...found, interval: { lo: least, hi: cell.interval.hi } };
}

function isOpen({ interval }: Fact): boolean {
  return interval.hi === Infinity;
}

function isNear(stated: Fact): boolean {
  return rests(stated, assumptions.draftNearTarget);
}

function rests({ assumptions: named }: Fact, id: string): boolean {
  return named?.includes(id) === true;
}

function opened({ term }: Fact): Fact {
  return { term, interval: { lo: 0, hi: Infinity }, basis: 'proved', provenance: [] };
}

function middle({ interval: { lo, hi } }: Quantity): number {
  return (lo + hi) / 2;
}
