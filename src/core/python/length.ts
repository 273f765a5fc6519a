/** len(): of known values, and of unknown ones that a table names. */
import { units } from '../units/unit';
import { itemsOf } from './evaluate';
import { defaultValue, hasValue, inputValue } from './inputs';
import type { Machine } from './machine';
import type { Value } from './value';
import { fromTerm, numberOf } from './value';

/** The number of items; an unknown count is a plain number without a value. */
export function lengthOf(machine: Machine, value: Value, source: string): Value {
  const items = itemsOf(machine, value);
  if (items !== undefined) {
    return numberOf(BigInt(items.length));
  }
  if (value.kind === 'opaque') {
    const found = machine.facts.inputs.length(value.path);
    if (found !== undefined && hasValue(machine, found.row)) {
      return inputValue(machine, found);
    }
    const assumed = machine.facts.defaults.length(value.path);
    if (assumed !== undefined) {
      return defaultValue(machine, assumed, value.path);
    }
    if (found !== undefined) {
      return inputValue(machine, found);
    }
  }
  return fromTerm(machine.unknown(source, { unit: units.one, isInteger: true }));
}
