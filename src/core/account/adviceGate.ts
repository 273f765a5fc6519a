/**
 * Where a recommended fraction would mislead, and why (design section 6): another formula, memory that
 * is not the card's alone, a budget of which a part is not in the log. Leaves out the value itself.
 */
import type { Run } from '../log/run';
import type { Quantity } from '../units/quantity';
import type { Advice, NoAdviceReason } from './advice';
import { minimumBelowFraction } from './hiddenReserve';
import type { FreedMemory } from './sharedCard';
import { cardCapacityOf } from './sharedCard';
import type { SizingReason } from './sizingReason';
import { hasStateModel } from './stateModel';

/** The cases where a recommended fraction would mislead (design section 6). */
export function adviseUnless(
  run: Run,
  {
    freed,
    hasStateRule,
    total,
    sizing,
  }: {
    readonly freed: FreedMemory | undefined;
    readonly hasStateRule: boolean;
    readonly total: Quantity | undefined;
    readonly sizing: SizingReason | undefined;
  },
  advise: () => Advice,
): Advice {
  const none = (
    reason: Exclude<NoAdviceReason, 'inputs-missing' | 'need-does-not-fit'>,
  ): Advice => ({
    kind: 'none',
    reason,
    need: undefined,
    levers: [],
  });
  if (run.formulaOwner.value !== 'sglang') {
    return none('formula-owner');
  }
  if (minimumBelowFraction(run) !== undefined) {
    return none('hidden-reserve');
  }
  if (sizing !== undefined) {
    return none(sizing);
  }
  const argument = (name: string) => run.serverArguments?.values.get(name)?.value;
  if (argument('device') === 'cpu' || isHostMemory(run)) {
    return none('host-memory');
  }
  if (isSharedSize(run, total)) {
    return none('maybe-host-memory');
  }
  if (hasStateModel(run) && !hasStateRule) {
    return none('state-pool');
  }
  if (freed !== undefined) {
    return none('shared-card');
  }
  if (run.records.some(({ stream }) => stream.includes('SGLangEngine'))) {
    return none('training');
  }
  return argument('enable_memory_saver') === true ? none('memory-saver') : advise();
}

/**
 * GiB that no card has free by itself, but GB10, Thor and their like: cards of up to 96 GiB have less,
 * the next ones have 141 GB.
 */
const sharedSizeGiB = { lo: 100, hi: 126 };

/** False where the log shows what the card holds. */
function isSharedSize(run: Run, total: Quantity | undefined): boolean {
  const device = run.serverArguments?.values.get('device')?.value ?? 'cuda';
  return (
    device === 'cuda' &&
    total !== undefined &&
    total.interval.lo >= sharedSizeGiB.lo &&
    total.interval.hi <= sharedSizeGiB.hi &&
    cardCapacityOf(run) === undefined
  );
}

/** No card has so much: the free memory of such a device is the host's. */
const moreThanAnyCardGiB = 403;

function isHostMemory(run: Run): boolean {
  return run.records.some(
    ({ form, fields }) =>
      form.id === 'load-begin' && Number(fields['avail']?.value ?? 0) > moreThanAnyCardGiB,
  );
}
