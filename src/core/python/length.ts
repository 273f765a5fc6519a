/** len(): of known values, and of unknown ones that a table names. */
import { units } from '../units/unit';
import { itemsOf } from './evaluate';
import { inputOrDefault } from './inputs';
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
    const { inputs, defaults } = machine.facts;
    const { path } = value;
    const told = inputOrDefault(machine, inputs.length(path), defaults.length(path), path);
    if (told !== undefined) {
      return told;
    }
  }
  return fromTerm(machine.unknown(source, { unit: units.one, isInteger: true }));
}
