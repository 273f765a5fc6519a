/** Arithmetic over quantities, by the one graph: `derive('begin - end', { begin, end })`. */
import type { Quantity } from '../units/quantity';
import { input } from './build';
import type { Fact } from './fact';
import { readFormulas } from './formula';
import { solve } from './solve';
import type { Term } from './term';

/** What a quantity says of a term. */
export function factOf(term: Term, quantity: Quantity): Fact {
  const { interval, basis, assumptions, provenance, exact, printed, nominal } = quantity;
  const value = exact ?? printed ?? nominal;
  return {
    term,
    interval,
    basis,
    assumptions,
    provenance,
    ...(value !== undefined && { nominal: value }),
  };
}

/**
 * The value of a formula over named quantities, with basis, assumptions and provenance; undefined
 * where it has no unit (scales that do not fit) or no bound.
 */
export function derive(
  formula: string,
  known: Readonly<Record<string, Quantity>>,
): Quantity | undefined {
  const inputs = Object.entries(known).map(
    ([name, quantity]) => [name, input(name, quantity.unit), quantity] as const,
  );
  const terms = Object.fromEntries(inputs.map(([name, term]) => [name, term]));
  const term = readFormulas(`result = ${formula}`, terms).get('result');
  if (term === undefined) {
    return undefined;
  }
  const facts = inputs.map(([, node, quantity]) => factOf(node, quantity));
  return solve([term], facts, { explain: false }).quantityOf(term);
}

/** The sum of quantities of one unit; undefined for none. */
export function sum(quantities: readonly Quantity[]): Quantity | undefined {
  const names = quantities.map((_, index) => `q${index}`);
  const known = Object.fromEntries(quantities.map((quantity, index) => [`q${index}`, quantity]));
  return names.length === 0 ? undefined : derive(names.join(' + '), known);
}
