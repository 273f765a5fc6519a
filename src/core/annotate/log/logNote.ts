/**
 * The one number that matters after a line, at most forty characters. Most lines have none.
 */
import type { RunAccount } from '../../account/account';
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
      return sizingNote(account, record);
    case 'not-enough-memory':
    case 'no-memory-left': {
      const minimum = account.fraction.minimum;
      return minimum && message('note.minimum', { minimum });
    }
    case 'kv-allocated':
      return poolNote(account, record);
    case 'pool-end':
      return gapNote(account, record);
    case 'summary':
      return requestsNote(account);
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

/** Bytes per token of this very pool, on the binding rank's lines as on all others. */
function poolNote(account: RunAccount, record: LogRecord): Message | undefined {
  const rank = account.ranks.find(({ rank: key }) => key === record.rank);
  const isTarget = rank?.figures.kvPool?.size.record === record;
  const cell = account.solution.quantityOf(budgetTerms.allocatedCell);
  if (!isTarget || rank.figures.swaPool || !cell) {
    return undefined;
  }
  return message('note.bytes-per-token', { cell });
}

function gapNote(account: RunAccount, record: LogRecord): Message | undefined {
  const gap = account.solution.quantityOf(budgetTerms.requestTable);
  const rank = account.ranks.find(({ figures }) => figures.poolEnd?.record === record);
  return gap && rank ? message('note.gap', { gap }) : undefined;
}

/** How many full-length requests the pool holds. */
function requestsNote(account: RunAccount): Message | undefined {
  const tokens = account.quantities.get('maxTotalTokens');
  const context = account.quantities.get('contextLength');
  const requests = tokens && context && derive('tokens / context', { tokens, context });
  return requests && message('note.requests', { requests });
}
