/**
 * What the budget counts for a draft whose share no line tells: what the typed fraction leaves beside
 * the pools of the target. It supposes that this fraction was in effect, so the fraction that the pools
 * imply is found without it.
 */
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import { factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import { solve } from '../terms/solve';
import { units } from '../units/unit';
import { assumptions } from './assumption';
import { argumentQuantity } from './figure';
import { assumed } from './statedFact';

/** The same facts, with the share where it is open above and a fraction was typed that allows one. */
export function withTypedDraftShare(run: Run, facts: readonly Fact[]): readonly Fact[] {
  const open = facts.find(
    ({ term, interval }) => term === budgetTerms.draftCell && interval.hi === Infinity,
  );
  const typed = argumentQuantity(run, 'mem_fraction_static', units.one);
  const isKnown = facts.some(({ term }) => term === budgetTerms.fraction);
  if (open === undefined || typed === undefined || isKnown) {
    return facts;
  }
  const { draftCell, fraction } = budgetTerms;
  const solution = solve([draftCell], [...facts, factOf(fraction, typed)], { explain: false });
  const share = solution.quantityOf(draftCell);
  if (solution.contradiction !== undefined || share === undefined || share.interval.hi < 0) {
    return facts;
  }
  const { lo, hi } = share.interval;
  const told = assumed(draftCell, { lo: Math.max(0, lo), hi }, assumptions.fractionAsTyped, {
    provenance: share.provenance,
  });
  return Number.isFinite(hi) ? facts.map(one => (one === open ? told : one)) : facts;
}

/** The same facts without what supposes that the typed fraction was in effect. */
export function withoutTypedShare(facts: readonly Fact[]): readonly Fact[] {
  return facts.map(one =>
    one.assumptions?.includes(assumptions.fractionAsTyped) === true
      ? { term: one.term, interval: { lo: 0, hi: Infinity }, basis: 'proved', provenance: [] }
      : one,
  );
}
