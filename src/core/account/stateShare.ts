/**
 * How a state pool moves with the fraction: not at all where its slots are typed or its size is
 * printed as fixed, and with a fixed share of the budget, in whole slots, where they are automatic
 * (reference 1.5). Silent where the
 * printed pool is neither, as with the intermediate states of speculation.
 */
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import { isWithin } from '../sglang/release';
import { derive, factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import { givenQuantity } from '../units/givenQuantity';
import { point } from '../units/interval';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { assumptions } from './assumption';
import { chargedState } from './chargedState';
import { fixedState } from './poolFacts';
import type { RankFigures } from './rankFigures';
import { fact } from './statedFact';

/** Share of state to keys and values where the flag is not typed, from 0.5.3.post3 on. */
const usualRatio = 0.9;

/** Slots by which the printed pool can differ from its share: the floor, and a padding slot. */
const looseSlots = 2;

/** What stays true of the state pool when the fraction changes; empty where nothing is known. */
export function stateFacts(
  run: Run,
  binding: RankFigures | undefined,
  solution: Pick<Solution, 'quantityOf'>,
): Fact[] {
  const { statePool, stateSlots } = binding ?? {};
  if (statePool === undefined) {
    return fixedStateFacts(run);
  }
  const state = statePool.quantity;
  if (binding && hasTypedSlots(run)) {
    return [factOf(budgetTerms.state, chargedState(run, binding) ?? state)];
  }
  const rest = solution.quantityOf(budgetTerms.rest);
  const slots = stateSlots?.quantity;
  const share = shareOf(run);
  const loose =
    slots &&
    derive(`state * ${looseSlots} / slots`, {
      state,
      slots: givenQuantity(slots.interval.lo, units.one, 'slots'),
    });
  const gap = rest && share && derive('state - rest * share', { state, rest, share });
  if (!gap || !loose || !isNear(gap, loose.interval.hi)) {
    return [];
  }
  return [
    factOf(budgetTerms.stateShare, share),
    // The same said of the rest that keys and values get: from their tokens back to the fraction.
    fact(budgetTerms.shareDifference, point(0), [], { nominal: 0 }),
    {
      term: budgetTerms.stateRemainder,
      interval: { lo: -loose.interval.hi, hi: loose.interval.hi },
      basis: 'assumed',
      assumptions: [assumptions.stateIsShare],
      provenance: state.provenance,
    },
  ];
}

/**
 * States of fixed size follow the limit of requests (`_get_c128_state_fixed_bytes`, 0.5.15): they stay
 * where it is typed, and where none is as long as tokens do not lower the automatic one.
 */
function fixedStateFacts(run: Run): Fact[] {
  const isTyped =
    typeof run.serverArguments?.values.get('max_running_requests')?.value === 'bigint';
  return (fixedState(run) ?? []).map(found =>
    isTyped
      ? found
      : {
          ...found,
          basis: 'assumed',
          assumptions: [...new Set([...(found.assumptions ?? []), assumptions.costsUnchanged])],
        },
  );
}

function isNear({ interval }: Quantity, most: number): boolean {
  return interval.lo <= most && interval.hi >= -most;
}

function hasTypedSlots(run: Run): boolean {
  const argument = (name: string) => run.serverArguments?.values.get(name)?.value;
  return (
    typeof argument('max_mamba_cache_size') === 'bigint' ||
    (argument('disable_radix_cache') === true &&
      typeof argument('max_running_requests') === 'bigint')
  );
}

function shareOf(run: Run): Quantity | undefined {
  const typed = run.serverArguments?.values.get('mamba_full_memory_ratio')?.value;
  const isKnown = typeof typed === 'number' || isWithin(run.release, { from: '0.5.3.post3' });
  if (!isKnown) {
    return undefined;
  }
  const ratio = typeof typed === 'number' ? typed : usualRatio;
  const share = ratio / (1 + ratio);
  return givenQuantity(share, units.one, 'mamba_full_memory_ratio');
}
