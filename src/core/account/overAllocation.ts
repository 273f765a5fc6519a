/**
 * Pools that take more than was budgeted for them: sparse attention with FP8 rows was budgeted without
 * scales up to 0.5.16 (reference 3.1). Needs bytes per token from a config.
 */
import { message } from '../message/message';
import { budgetTerms } from '../sglang/budgetFormula';
import { derive } from '../terms/derive';
import type { RunAccount } from './account';
import type { Problem } from './problem';
import { placeOf } from './problem';

/** GiB from which it is worth a line. */
const leastGiB = 0.5;

/** The problem, for a pool whose config says both bytes per token. */
export function overAllocated({
  layout,
  solution,
  quantities,
  run,
}: Pick<RunAccount, 'layout' | 'solution' | 'quantities' | 'run'>): Problem[] {
  const pool = quantities.get('kvPool');
  const tokens = quantities.get('maxTotalTokens');
  const budgeted = solution.quantityOf(budgetTerms.cell);
  const allocated = solution.quantityOf(budgetTerms.allocatedCell);
  const isJoined = layout?.kind === 'known' && layout.value.agreement !== 'differs';
  if (!isJoined || layout.value.bytes.windowPool || !tokens || !budgeted || !allocated) {
    return [];
  }
  const over = derive('tokens * (allocated - budgeted) / 2**30', { tokens, allocated, budgeted });
  if (over === undefined || over.interval.lo < leastGiB) {
    return [];
  }
  return [
    {
      code: 'over-allocated',
      severity: 'warning',
      ...placeOf(pool, { run }),
      message: message('problem.over-allocated', { over, budgeted, allocated }),
    },
  ];
}
