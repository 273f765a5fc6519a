/**
 * Gives the bytes per token of a run to a sizing function that gets them from elsewhere: what memory
 * is divided by to make tokens, found by its unit, never by its name.
 */
import type { GivenValue } from '../../python/machine';
import { sourceKey, sourceOf } from '../../python/machine';
import { numberTerms } from '../../python/readFunction';
import { fromTerm } from '../../python/value';
import type { OperatorTerm, Term } from '../../terms/term';
import { topologicalOrder } from '../../terms/term';
import type { Quantity } from '../../units/quantity';
import { units } from '../../units/unit';
import type { FunctionValues } from './functionValues';

/**
 * The expressions of the divisor, each with the given amount. Empty where the function knows the
 * amount itself, or where an expression means other amounts in other places.
 */
export function divisorBindings(
  values: FunctionValues,
  bytesPerToken: Quantity,
): ReadonlyMap<string, GivenValue> {
  const { run } = values.reading;
  const terms = new Map<string, Set<Term | undefined>>();
  for (const [expression, value] of run.trace.values) {
    const key = sourceKey(sourceOf(run.module, expression));
    const known = terms.get(key) ?? new Set();
    known.add(value.kind === 'number' ? value.term : undefined);
    terms.set(key, known);
  }
  const divisors = new Set<Term | undefined>(unknownDivisors(values));
  const bindings = new Map<string, GivenValue>();
  for (const [key, [term, ...others]] of terms) {
    if (others.length === 0 && divisors.has(term)) {
      bindings.set(key, { kind: 'quantity', quantity: bytesPerToken });
    }
  }
  return bindings;
}

/** True where something that the function computes, or what it calls, is divided by unknown bytes per token. */
export function lacksDivisor(values: FunctionValues): boolean {
  return topologicalOrder(numberTerms(values.reading.run)).some(
    term =>
      term.kind === 'operator' && isDivision(term) && isMissingDivisor(values, term.operands[1]),
  );
}

/** What memory is divided by to make tokens, where its value is missing. */
function unknownDivisors(values: FunctionValues): Term[] {
  const { returns, trace } = values.reading.run;
  return [...trace.values.values()].flatMap(value => {
    const unit = values.unitOf(value);
    // A scale that is none of ours leaves the result without a unit; the divisor stays what it is.
    const isTokens = unit === units.token || (unit === undefined && value === returns);
    const term = isTokens && value.kind === 'number' ? quotientBelow(value.term) : undefined;
    const divisor = term?.operands[1];
    return isMissingDivisor(values, divisor) ? [divisor] : [];
  });
}

function isMissingDivisor(values: FunctionValues, term: Term | undefined): term is Term {
  const number = term && fromTerm(term);
  return (
    number !== undefined &&
    values.unitOf(number) === units.bytesPerToken &&
    values.quantityOf(number) === undefined
  );
}

function isDivision({ operator }: OperatorTerm): boolean {
  return operator === '/' || operator === '//';
}

/** The division itself, below a rounding. */
function quotientBelow(term: Term): OperatorTerm | undefined {
  if (term.kind !== 'operator') {
    return undefined;
  }
  const [first] = term.operands;
  return isDivision(term)
    ? term
    : first && term.operands.length === 1
      ? quotientBelow(first)
      : undefined;
}
