/** Quantities that no line prints: typed, bounded by what can be, or supposed. */
import type { Interval } from './interval';
import { point } from './interval';
import type { PythonNumber } from './pythonNumber';
import type { Quantity } from './quantity';
import type { Unit } from './unit';

/** A value that a person gave, exactly as typed; `name` is that of its flag, field or input. */
export function givenQuantity(value: PythonNumber, unit: Unit, name: string): Quantity {
  return {
    ...boundedQuantity(point(Number(value)), unit, Number(value)),
    provenance: [{ kind: 'given', name }],
    exact: value,
  };
}

/** Bounds that nothing can be outside of, with the value that is most likely. */
export function boundedQuantity(interval: Interval, unit: Unit, nominal: number): Quantity {
  return { interval, unit, basis: 'proved', assumptions: [], provenance: [], nominal };
}

/** Bounds that rest on an assumption. */
export function supposedQuantity(
  interval: Interval,
  unit: Unit,
  assumption: string,
  nominal: number,
): Quantity {
  return {
    ...boundedQuantity(interval, unit, nominal),
    basis: 'assumed',
    assumptions: [assumption],
  };
}
