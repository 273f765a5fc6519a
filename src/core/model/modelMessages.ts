/** Receipts and refusals as messages. */
import type { Message } from '../message/message';
import { foreign, message } from '../message/message';
import type { Quantity } from '../units/quantity';
import { Unit, units } from '../units/unit';
import type { ReceiptLine, ReceiptSource } from './receipt';
import type { TokenBytes } from './bytesContext';
import type { ConfigPlace } from './configTree';
import { perFullToken } from './perFullToken';
import type { Refusal } from './refusal';

/** A line of a receipt. */
export function receiptMessage(line: ReceiptLine): Message {
  const { name: part, sources, spread } = line;
  const value = shownValue(line.quantity);
  if (spread !== undefined) {
    return message(spread === 'replicated' ? 'receipt.replicated' : 'receipt.divided', {
      part,
      value,
    });
  }
  return sources.length === 0
    ? message('receipt.result', { part, value })
    : message('receipt.input', { part, value, origins: sources.map(sourceMessage) });
}

/** A key, flag or assumption behind a value. */
export interface Origin {
  readonly message: Message;
  /** In the config. */
  readonly place: ConfigPlace | undefined;
}

/** What a line of a receipt rests on, and how it is spread over the ranks. */
export function originsOf({ sources, spread }: ReceiptLine): readonly Origin[] {
  return [
    ...sources.map(source => ({
      message: sourceMessage(source),
      place: source.kind === 'config' ? source.place : undefined,
    })),
    ...(spread === undefined
      ? []
      : [{ message: message(`spread.${spread}`, {}), place: undefined }]),
  ];
}

const perToken = Unit.parse('1/token');

/** Dimensions are counts for people; that they are per token is for the formula. */
export function shownValue(quantity: Quantity): Quantity {
  return quantity.unit === perToken ? { ...quantity, unit: units.one } : quantity;
}

function sourceMessage(source: ReceiptSource): Message {
  switch (source.kind) {
    case 'config':
      return source.place === undefined
        ? message('origin.key-only', { key: foreign(source.key) })
        : message('origin.key', { key: foreign(source.key), line: source.place.line });
    case 'flag':
      return message('origin.flag', { flag: foreign(source.flag) });
    case 'default':
      return message('origin.default', { flag: foreign(source.flag) });
    case 'assumption':
      return message('origin.assumption', { assumption: foreign(source.assumption) });
  }
}

/** Why there is no answer. */
export function refusalMessage(refusal: Refusal): Message {
  switch (refusal.kind) {
    case 'not-a-config':
      return message('refusal.not-a-config', {});
    case 'missing-key':
      return refusal.alternatives.length === 0
        ? message('refusal.missing-key', { key: foreign(refusal.key) })
        : message('refusal.missing-one-of', {
            keys: [refusal.key, ...refusal.alternatives].map(key =>
              message('origin.key-only', { key: foreign(key) }),
            ),
          });
    case 'unusable-value':
      return message('refusal.unusable-value', {
        key: foreign(refusal.key),
        found: foreign(refusal.found),
        line: refusal.place.line,
      });
    case 'unknown-attention':
      return message('refusal.unknown-attention', {
        key: foreign(refusal.key),
        line: refusal.place.line,
      });
    case 'open-flag':
      return message('refusal.open-flag', { flag: foreign(refusal.flag) });
    case 'indivisible':
      return message('refusal.indivisible', {
        key: foreign(refusal.key),
        count: refusal.count,
        ranks: refusal.ranks,
      });
    case 'not-together':
      return message('refusal.not-together', {
        flag: foreign(refusal.flag),
        other: foreign(refusal.other),
      });
    case 'not-in-release':
      return message('refusal.not-in-release', { what: foreign(refusal.what) });
  }
}

/** Bytes per token in one sentence: one number, or what the budget counts and what the buffers take. */
export function cellMessage({ bytes, hasDraft }: CellFigures): Message | undefined {
  const budgeted = bytes.solution.quantityOf(bytes.budgeted);
  const allocated = bytes.solution.quantityOf(bytes.allocated);
  if (budgeted === undefined) {
    return undefined;
  }
  const { lo, hi } = budgeted.interval;
  const whole = perFullToken(bytes)?.budgeted;
  if (whole !== undefined) {
    return message('plan.budgeted-window', { cell: whole });
  }
  const isEqual = lo === allocated?.interval.lo && hi === allocated.interval.hi;
  if (isEqual || bytes.windowPool !== undefined || allocated === undefined) {
    return message('plan.budgeted', { cell: budgeted });
  }
  const isMore = budgeted.interval.lo > allocated.interval.hi;
  return message(hasDraft && isMore ? 'plan.with-draft' : 'plan.allocated', {
    budgeted,
    allocated,
  });
}

/** Bytes per token in each dtype that the cache may have, where nothing says which. */
export function dtypeMessage(choices: readonly DtypeBytes[]): Message | undefined {
  const cells = choices.flatMap(({ dtype, bytes }) => {
    const cell = perFullToken(bytes)?.budgeted ?? bytes.solution.quantityOf(bytes.budgeted);
    return cell ? [message('plan.in-dtype', { cell, dtype: foreign(dtype) })] : [];
  });
  return cells.length === 0 ? undefined : message('plan.by-dtype', { choices: cells });
}

interface DtypeBytes {
  readonly dtype: string;
  readonly bytes: TokenBytes;
}

interface CellFigures {
  readonly bytes: TokenBytes;
  readonly hasDraft: boolean;
}
