/** Receipts and refusals as messages. */
import type { Message } from '../message/message';
import { foreign, message } from '../message/message';
import type { Quantity } from '../units/quantity';
import { Unit, units } from '../units/unit';
import type { ReceiptLine, ReceiptSource } from './receipt';
import type { Refusal } from './refusal';

/** A line of a receipt. */
export function receiptMessage(line: ReceiptLine): Message {
  const { name: part, sources, spread } = line;
  const value = withoutPerToken(line.quantity);
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

const perToken = Unit.parse('1/token');

/** Dimensions are counts for people; that they are per token is for the formula. */
function withoutPerToken(quantity: Quantity): Quantity {
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
    case 'not-in-release':
      return message('refusal.not-in-release', { what: foreign(refusal.what) });
  }
}
