/**
 * The records of a run without those of its draft workers. A draft sizes a pool of its own, with
 * what the target has left free, and up to 0.5.9 drops the result (reference 1.4): its figures say
 * nothing of the target's budget.
 */
import type { LogRecord } from './record';
import type { Run } from './run';

/** In the order of the file, those of the main process included. */
export function targetRecords(run: Pick<Run, 'records' | 'ranks'>): readonly LogRecord[] {
  const drafts = new Set(run.ranks.flatMap(({ draft }) => draft));
  return drafts.size === 0 ? run.records : run.records.filter(record => !drafts.has(record));
}
