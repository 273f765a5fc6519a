/**
 * The fraction in force as a fact: what a line, an error or the arguments say of it. Leaves out what
 * the pools imply; that is solved.
 */
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import { isWithin } from '../sglang/release';
import { factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import { point } from '../units/interval';
import { assumptions } from './assumption';
import { fieldQuantity } from './figure';
import { multiplierInForce } from './fractionMultiplier';
import type { RankFigures } from './rankFigures';
import { availableSample } from './rankFigures';
import { assumed } from './statedFact';

/**
 * The fraction in force: multiplied, repeated by an error, or, where the sizing code prints its
 * result and no line shows A, the one of the launch arguments, which then gives A.
 */
export function fractionFacts(
  run: Run,
  binding: RankFigures | undefined,
  printed: readonly Fact[],
): Fact[] {
  const known = multipliedFraction(run);
  const typed = run.serverArguments?.values.get('mem_fraction_static');
  const isOpen =
    printed.some(({ term }) => term === budgetTerms.rest) &&
    (binding === undefined || availableSample(binding) === undefined) &&
    !printed.some(({ term }) => term === budgetTerms.available);
  return known.length > 0 || !isOpen || typeof typed?.value !== 'number'
    ? known
    : [
        assumed(budgetTerms.fraction, point(typed.value), assumptions.notMultiplied, {
          provenance: [{ kind: 'printed', line: typed.line }],
          nominal: typed.value,
        }),
      ];
}

/** The fraction after what the release multiplied it by, where a line or the arguments tell. */
function multipliedFraction(run: Run): Fact[] {
  const record = run.records.find(
    ({ form, fields }) => form.id === 'fraction-adjusted' && fields['after'] !== undefined,
  );
  const printed = record?.fields['after'];
  const after = record && printed && fieldQuantity(record, printed);
  if (after !== undefined) {
    return [factOf(budgetTerms.fraction, after)];
  }
  const multiplier = multiplierInForce(run);
  const typed = run.serverArguments?.values.get('mem_fraction_static');
  if (multiplier === undefined || typeof typed?.value !== 'number') {
    return fractionOfError(run);
  }
  const product = typed.value * multiplier.factor;
  return [
    assumed(budgetTerms.fraction, point(product), assumptions.aiterMultiplies, {
      provenance: [{ kind: 'printed', line: typed.line }],
      nominal: product,
    }),
  ];
}

/** An error of the sizing code repeats the fraction; up to 0.5.4 aiter may have multiplied it. */
function fractionOfError(run: Run): Fact[] {
  const record = run.records.find(
    ({ form, fields }) => form.phase === 'sizing' && form.event === 'fatal' && fields['fraction'],
  );
  const printed = record?.fields['fraction'];
  const fraction = record && printed && fieldQuantity(record, printed);
  if (fraction === undefined) {
    return [];
  }
  return isWithin(run.release, { from: '0.5.4.post1' }) || record?.form.id === 'no-memory-left'
    ? [factOf(budgetTerms.fraction, fraction)]
    : [
        assumed(budgetTerms.fraction, fraction.interval, assumptions.notMultiplied, {
          provenance: fraction.provenance,
          ...(fraction.nominal !== undefined && { nominal: fraction.nominal }),
        }),
      ];
}
