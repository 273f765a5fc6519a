/**
 * What else a fraction moves besides the KV pool: slots of a state pool, and the host pool of the
 * hierarchical cache where a ratio sizes it. Each follows from printed figures; nothing is said where
 * a flag fixes the size, or where the arguments that would say so are not in the log.
 */
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import { derive, factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import type { Quantity } from '../units/quantity';
import { assumptions } from './assumption';
import type { RankFigures } from './rankFigures';
import { rankTotal } from './hostMemory';

/** Facts of the binding rank that the budget's terms `stateSlots` and `hostPool` need. */
export function movingFacts(
  run: Run,
  binding: RankFigures | undefined,
  solution: Pick<Solution, 'quantityOf'>,
): Fact[] {
  const tokens = solution.quantityOf(budgetTerms.tokens);
  return binding === undefined ? [] : [...slotFact(binding), ...hostFact(run, binding, tokens)];
}

function slotFact({ statePool, stateSlots }: RankFigures): Fact[] {
  const [state, slots] = [statePool?.quantity, stateSlots?.quantity];
  const bytes = state && slots && derive('state * 2**30 / slots', { state, slots });
  return bytes ? [factOf(budgetTerms.slotBytes, bytes)] : [];
}

function hostFact(run: Run, { rank }: RankFigures, tokens: Quantity | undefined): Fact[] {
  const values = run.serverArguments?.values;
  const fixed = values?.get('hicache_size')?.value;
  const isByRatio = values?.has('hicache_ratio') === true && Number(fixed ?? 0) === 0;
  const records = run.ranks.find(each => each.rank === rank)?.records ?? [];
  const host = isByRatio ? rankTotal(records) : undefined;
  const cell = host && tokens && derive('host * 10**9 / tokens', { host, tokens });
  return cell
    ? [
        {
          ...factOf(budgetTerms.hostCell, cell),
          basis: 'assumed',
          assumptions: [...new Set([...cell.assumptions, assumptions.hostFollowsTokens])],
        },
      ]
    : [];
}
