/**
 * The pools of compressed attention, which no line prints as allocated: the line of the sizing code
 * says what they get of the budget, and states of fixed size apart. Leaves out pools that a limit made
 * smaller, and lines that take out more than is known.
 */
import type { LogRecord } from '../log/record';
import { derive, sum } from '../terms/derive';
import type { Quantity } from '../units/quantity';
import { fieldQuantity } from './figure';
import type { LedgerEntry } from './ledger';
import { linesOf } from './ledger';
import { fixedNames, takesOutOther } from './poolFacts';
import type { RankFigures } from './rankFigures';

/** Entries of a ledger; none where a line shows the pools, or where they were not made as budgeted. */
export function budgetedPools(
  { kvPool, swaPool, unsortedPools, poolEnd, summary }: RankFigures,
  records: readonly LogRecord[],
): readonly LedgerEntry[] {
  const isShown = kvPool !== undefined || swaPool !== undefined || unsortedPools.length > 0;
  const lines = records.filter(({ form }) => form.id === 'dsv4-budget');
  const [record] = lines;
  const tokens = record?.fields['tokens'];
  // The line of a draft would follow; its share is in the bytes of the target.
  if (isShown || record === undefined || lines.length > 1 || poolEnd === undefined) {
    return [];
  }
  if (takesOutOther(record) || tokens?.value !== summary?.fields['tokens']?.value) {
    return [];
  }
  const amount = (name: string): Quantity | undefined => {
    const field = record.fields[name];
    return field && fieldQuantity(record, field);
  };
  const budget = amount('available');
  const fixed = sum(fixedNames.flatMap(name => amount(name) ?? []));
  const pool = budget && (fixed ? derive('budget - fixed', { budget, fixed }) : budget);
  return [
    ...(pool ? [{ id: 'kvPool' as const, size: pool, lines: linesOf(pool) }] : []),
    ...(fixed && fixed.interval.hi > 0
      ? [{ id: 'statePool' as const, size: fixed, lines: linesOf(fixed) }]
      : []),
  ];
}
