/** What a page needs from the edge to have texts: the renderer of messages and quantities. */
import { linesOf } from '../account/ledger';
import type { Message } from '../message/message';
import { message } from '../message/message';
import type { QuantityId } from '../sglang/quantityId';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';
import type { PageFigure } from './pageModel';

/** Renders for the page, as plain text. */
export interface PageWriter {
  readonly message: (message: Message) => string;
  /** All that is known of a number. */
  readonly quantity: (quantity: Quantity) => string;
  /** One number, marked where it is not exact. */
  readonly short: (quantity: Quantity) => string;
  /** What stands for a term in a formula. */
  readonly symbol: (term: Term) => string;
}

/** What is shown of a value that is not known. */
export const unknownText = '?';

/** A figure by the short name of its quantity. */
export function shortFigure(id: QuantityId, quantity: Quantity, write: PageWriter): PageFigure {
  return {
    label: write.message(message('page.short-name', { short: id })),
    text: write.short(quantity),
    lines: linesOf(quantity),
  };
}

/** A value that may be unknown. */
export function textOf(quantity: Quantity | undefined, write: PageWriter): string {
  return quantity === undefined ? unknownText : write.quantity(quantity);
}

/** The number to draw for a quantity: as printed or calculated, else the middle of its bounds. */
export function drawnValue({ exact, printed, nominal, interval }: Quantity): number {
  const { lo, hi } = interval;
  const value = Number(exact ?? printed ?? nominal ?? (lo + hi) / 2);
  return Number.isFinite(value) ? value : Number.isFinite(lo) ? lo : Number.isFinite(hi) ? hi : 0;
}
