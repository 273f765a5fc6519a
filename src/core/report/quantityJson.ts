/** A quantity as the JSON contract has it (design section 4). */
import type { Message } from '../message/message';
import type { Quantity } from '../units/quantity';
import type { LinePlaces } from './linePlace';

/** Turns a message into a sentence. */
export type Wording = (message: Message) => string;

/**
 * A quantity of the contract. `value` is the one number to show and lies within the bounds, which
 * always hold: where other facts leave the printed number out, it is the bound nearest to that.
 * Lines are placed for values of one run.
 */
export function quantityJson(quantity: Quantity, places?: LinePlaces) {
  const { interval, unit, basis, assumptions, provenance, printed, exact, nominal } = quantity;
  const shown = exact ?? printed ?? nominal;
  return {
    lo: finite(interval.lo),
    hi: finite(interval.hi),
    ...(shown !== undefined && {
      value: Math.min(Math.max(Number(shown), interval.lo), interval.hi),
    }),
    unit: unit.name,
    ...(printed !== undefined && { printed }),
    basis,
    ...(assumptions.length > 0 && { assumptions }),
    provenance: provenance.map(source =>
      source.kind === 'printed'
        ? { kind: source.kind, line: source.line, ...places?.(source.line, source.file) }
        : source,
    ),
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
