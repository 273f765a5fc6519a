/** A quantity as the JSON contract has it (design section 4). */
import type { Message } from '../message/message';
import type { Quantity } from '../units/quantity';

/** Turns a message into a sentence. */
export type Wording = (message: Message) => string;

/** A quantity of the contract. `value` is the one number to show; the bounds always hold. */
export function quantityJson(quantity: Quantity) {
  const { interval, unit, basis, assumptions, provenance, printed, exact, nominal } = quantity;
  const value = exact ?? printed ?? nominal;
  return {
    lo: finite(interval.lo),
    hi: finite(interval.hi),
    ...(value !== undefined && { value: Number(value) }),
    unit: unit.name,
    ...(printed !== undefined && { printed }),
    basis,
    ...(assumptions.length > 0 && { assumptions }),
    provenance: provenance.map(source =>
      source.kind === 'printed' ? { kind: source.kind, line: source.line } : source,
    ),
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
