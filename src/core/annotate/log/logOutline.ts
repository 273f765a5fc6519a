/**
 * The outline of a log: run, ranks, phases, each with its lines. Ranks that print in turns have no
 * lines of their own: they and their phases stand at the first line of theirs.
 */
import type { RunAccount } from '../../account/account';
import type { LogRecord } from '../../log/record';
import type { Message } from '../../message/message';
import { message } from '../../message/message';
import { shortVerdict } from './logVerdict';

/** A node: 1-based inclusive lines, and the line that selecting it reveals. */
export interface OutlineNode {
  readonly kind: 'run' | 'rank' | 'phase';
  readonly label: Message;
  readonly lines: readonly [first: number, last: number];
  readonly children: readonly OutlineNode[];
}

/** One node per run, in order. */
export function logOutline(accounts: readonly RunAccount[]): OutlineNode[] {
  return accounts.map((account, index) => ({
    kind: 'run',
    label: message('outline.run', { number: index + 1, summary: shortVerdict(account) }),
    lines: account.run.lines,
    children: account.run.ranks.map((rank, _, { length }) => ({
      kind: 'rank' as const,
      label:
        rank.rank === ''
          ? message('outline.only-rank', {})
          : message('outline.rank', { rank: { foreign: rank.rank } }),
      lines: extent(rank.records, length > 1),
      children: phases(rank.records, length > 1),
    })),
  }));
}

function extent(records: readonly LogRecord[], isInterleaved: boolean): readonly [number, number] {
  const first = records[0]?.line ?? 1;
  const last = isInterleaved ? first : Math.max(first, records.at(-1)?.endLine ?? first);
  return [first, last];
}

/** Consecutive records of one phase; serving is one node, however many batches there are. */
function phases(records: readonly LogRecord[], isInterleaved: boolean): OutlineNode[] {
  const groups: { phase: string; records: LogRecord[] }[] = [];
  for (const record of records) {
    const last = groups.at(-1);
    if (last?.phase === record.form.phase) {
      last.records.push(record);
    } else {
      groups.push({ phase: record.form.phase, records: [record] });
    }
  }
  return groups.map(group => ({
    kind: 'phase',
    label: message('outline.phase', { phase: group.phase }),
    lines: extent(group.records, isInterleaved),
    children: [],
  }));
}
