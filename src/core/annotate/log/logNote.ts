/**
 * The one number that matters after a line, at most forty characters. Most lines have none.
 */
import type { RunAccount } from '../../account/account';
import type { RankAccount } from '../../account/rankAccount';
import type { RankFigures } from '../../account/rankFigures';
import { withinReplica } from '../../account/replicas';
import { fieldQuantity } from '../../account/figure';
import type { LogRecord } from '../../log/record';
import type { Message } from '../../message/message';
import { message } from '../../message/message';
import { budgetTerms } from '../../sglang/budgetFormula';
import { derive } from '../../terms/derive';
import type { Quantity } from '../../units/quantity';

/** The note of a record in its run; undefined where there is nothing worth saying. */
export function logNote(account: RunAccount, record: LogRecord): Message | undefined {
  switch (record.form.id) {
    case 'debug-profile':
    case 'memory-profiling':
      return isFirst(account, record) ? sizingNote(account, record) : undefined;
    case 'not-enough-memory':
    case 'no-memory-left': {
      const { minimum } = account.fraction;
      return minimum && isFirst(account, record) ? message('note.minimum', { minimum }) : undefined;
    }
    case 'kv-allocated':
      return poolNote(account, record);
    case 'pool-end':
      return gapNote(account, record);
    case 'summary':
      return requestsNote(account, record);
    case 'torch-out-of-memory':
    case 'graph-failed':
      return missingNote(account, record);
    default:
      return undefined;
  }
}

function quantity(record: LogRecord, field: string): Quantity | undefined {
  const value = record.fields[field];
  return value && fieldQuantity(record, value);
}

function sizingNote(account: RunAccount, record: LogRecord): Message | undefined {
  const rest = quantity(record, 'rest');
  const minimum = account.fraction.minimum;
  if (rest && minimum && rest.interval.hi <= 0) {
    return message('note.rest-negative', { rest, minimum });
  }
  const tokens = quantity(record, 'tokens');
  return rest && tokens && message('note.rest', { rest, tokens });
}

/** Every rank of a replica prints the same pools: the lines of one say it, the deciding one's if any. */
function shownRanks({ run, ranks }: RunAccount): RankAccount[] {
  const shown: RankAccount[] = [];
  const told = new Set<RankFigures>();
  for (const rank of [...ranks].sort((a, b) => Number(b.isBinding) - Number(a.isBinding))) {
    if (!told.has(rank.figures)) {
      shown.push(rank);
      const all = ranks.map(({ figures }) => figures);
      withinReplica(run, all, rank.figures).forEach(figures => told.add(figures));
    }
  }
  return shown;
}

function poolNote(account: RunAccount, record: LogRecord): Message | undefined {
  const own = shownRanks(account).find(({ figures }) => figures.kvPool?.size.record === record);
  const cell = account.solution.quantityOf(budgetTerms.allocatedCell);
  if (own === undefined || own.figures.swaPool || !cell) {
    return undefined;
  }
  return message('note.bytes-per-token', { cell });
}

function gapNote(account: RunAccount, record: LogRecord): Message | undefined {
  const gap = account.solution.quantityOf(budgetTerms.requestTable);
  return gap && shownRanks(account).some(({ figures }) => figures.poolEnd?.record === record)
    ? message('note.gap', { gap })
    : undefined;
}

/** Ranks repeat what all of them calculate: the first says it. */
function isFirst({ run }: RunAccount, record: LogRecord): boolean {
  return run.records.find(({ form }) => form === record.form) === record;
}

/** What the allocator lacked for the request that failed. */
function missingNote({ shortage }: RunAccount, record: LogRecord): Message | undefined {
  const { missing } = shortage?.record === record ? shortage : {};
  return missing && message('note.missing', { missing });
}

/** How many full-length requests the pool holds; on the deciding rank's line, or the only one. */
function requestsNote(account: RunAccount, record: LogRecord): Message | undefined {
  const shown = shownRanks(account);
  const own = shown.find(({ figures }) => figures.summary === record);
  const isOnly = shown.every(({ figures }) => figures.summary === undefined);
  if (own === undefined && !(isOnly && isFirst(account, record))) {
    return undefined;
  }
  const { quantities } = own?.quantities.has('maxTotalTokens') === true ? own : account;
  const tokens = quantities.get('maxTotalTokens');
  const context = quantities.get('contextLength') ?? account.quantities.get('contextLength');
  const requests = tokens && context && derive('tokens / context', { tokens, context });
  return requests && message('note.requests', { requests });
}
