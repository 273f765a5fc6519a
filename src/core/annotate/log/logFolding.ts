/**
 * What can be folded in a log: runs, and within a run the lines of one phase. Ranks print in turns,
 * so they cannot be folded apart.
 */
import type { RunAccount } from '../../account/account';

/** 1-based inclusive lines. */
export type FoldingLines = readonly [first: number, last: number];

/** Ranges that nest and never cross. */
export function logFolding(accounts: readonly RunAccount[]): FoldingLines[] {
  return accounts
    .flatMap(({ run }) => {
      const [first, last] = run.lines;
      return [run.lines, ...phases(run.records).map(clip(first, last))];
    })
    .filter(([first, last]) => last > first);
}

/** Lines of consecutive records of one phase, of all ranks. */
function phases(records: RunAccount['run']['records']): FoldingLines[] {
  const groups: { readonly phase: string; readonly first: number; last: number }[] = [];
  for (const { form, line, endLine } of records) {
    const group = groups.at(-1);
    if (group?.phase === form.phase) {
      group.last = Math.max(group.last, endLine);
    } else if (line > (group?.last ?? 0)) {
      groups.push({ phase: form.phase, first: line, last: endLine });
    }
  }
  return groups.map(({ first, last }) => [first, last]);
}

/** A run can share its lines with another one (several servers in one file): never beyond its own. */
function clip(from: number, to: number): (lines: FoldingLines) => FoldingLines {
  return ([first, last]) => [Math.max(from, first), Math.min(to, last)];
}
