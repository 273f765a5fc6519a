/** Quantities of typed values and of suppositions, as plans and predictions need them. */
import type { Interval } from '../units/interval';
import { point } from '../units/interval';
import type { PythonNumber } from '../units/pythonNumber';
import type { Quantity } from '../units/quantity';
import type { Unit } from '../units/unit';

/** A value as it was given, by the name of its flag. */
export function known(value: PythonNumber, unit: Unit, name: string): Quantity {
  return {
    interval: point(Number(value)),
    unit,
    basis: 'proved',
    assumptions: [],
    provenance: [{ kind: 'given', name }],
    exact: value,
    nominal: Number(value),
  };
}

/** Bounds that rest on an assumption. */
export function supposed(
  interval: Interval,
  unit: Unit,
  assumption: string,
  nominal: number,
): Quantity {
  return { interval, unit, basis: 'assumed', assumptions: [assumption], provenance: [], nominal };
}
