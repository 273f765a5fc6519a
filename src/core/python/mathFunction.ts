/** Functions of Python's math module on numbers. */
import type { Machine } from './machine';
import { applyOperator, numberTerm } from './operation';
import type { Value } from './value';
import { fromTerm, numberOf } from './value';

/** Functions of the math module, which the package reaches as a library. */
export function mathFunction(
  machine: Machine,
  name: string,
  positional: readonly Value[],
): Value | undefined {
  const [value, ...others] = positional;
  const term = value && numberTerm(machine, value);
  if (term === undefined || others.length > 0) {
    return undefined;
  }
  if (name === 'ceil' || name === 'floor') {
    return fromTerm(applyOperator(machine, name, [term]));
  }
  if (name === 'trunc') {
    return fromTerm(applyOperator(machine, 'int', [term]));
  }
  const exact = machine.valuation.exact(term);
  if (name === 'sqrt' && term.kind === 'constant' && exact !== undefined && exact >= 0) {
    return numberOf(Math.sqrt(Number(exact)));
  }
  return undefined;
}
