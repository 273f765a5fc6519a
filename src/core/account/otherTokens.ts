/**
 * A last line of the start that counts other tokens than the pool of the same rank has. Leaves out
 * pools whose line counts something else: beside a window, behind a host pool, over several ranks.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import { largestPage } from '../sglang/printedCell';
import { factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { RunAccount } from './account';
import { fieldQuantity } from './figure';

/** Arguments by which a pool has other tokens than the server counts. */
const recounting = [
  'dcp_size',
  'attn_dcp_size',
  'enable_hisparse',
  'enable_unified_memory',
] as const;

/** What the last line says of the tokens where no padding explains it; else nothing. */
export function otherTokens({
  run,
  budget: { binding },
}: Pick<RunAccount, 'run' | 'budget'>): Fact[] {
  const { kvPool, swaPool, summary } = binding ?? {};
  const pool = kvPool?.tokens?.quantity;
  const field = summary?.fields['tokens'];
  const counted = summary && field && fieldQuantity(summary, field);
  const isPlain =
    swaPool === undefined &&
    run.formulaOwner.value === 'sglang' &&
    run.records.every(({ form }) => form.id !== 'post-capture-pool' && form.id !== 'dsv4-pools') &&
    recounting.every(name => isOff(run.serverArguments?.values.get(name)?.value));
  const isOther = pool && counted && Math.abs(pool.interval.lo - counted.interval.lo) > largestPage;
  return isPlain && counted && isOther === true ? [factOf(budgetTerms.tokens, counted)] : [];
}

function isOff(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === 1n;
}
