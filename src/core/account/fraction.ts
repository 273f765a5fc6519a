/**
 * The memory fraction in its five meanings: what was claimed, what the formula used, what the pools
 * imply, the smallest that leaves anything for KV, and the largest the other flags allow.
 */
import type { Run } from '../log/run';
import { budgetTerms } from '../sglang/budgetFormula';
import { derive } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import { solve } from '../terms/solve';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { assumptions } from './assumption';
import { argumentQuantity, fieldQuantity } from './figure';
import type { RankFigures } from './rankFigures';
import { availableAtReady } from './ledger';
import { slackAfterCapture } from './resizedPool';
import { withoutTypedShare } from './typedDraftShare';

/** Each undefined where the log (or the person) does not tell. */
export interface Fractions {
  readonly claimed: Quantity | undefined;
  readonly effective: Quantity | undefined;
  readonly implied: Quantity | undefined;
  readonly minimum: Quantity | undefined;
  readonly maximum: Quantity | undefined;
}

/** Decides the five from the run's facts and their solution. */
export function fractionsOf(
  run: Run,
  facts: readonly Fact[],
  solution: Solution,
  binding: RankFigures | undefined,
  claim: number | undefined,
): Fractions {
  const claimed =
    claim === undefined ? claimInLog(run) : givenQuantity(claim, units.one, '--claim');
  const own = facts.find(({ term }) => term === budgetTerms.fraction);
  const effective = asTyped(own && solution.quantityOf(budgetTerms.fraction), claimInLog(run));
  const others = facts.filter(({ term }) => term !== budgetTerms.fraction);
  const late = slackAfterCapture(run);
  const implied =
    late.length > 0
      ? fractionOfSlack([...others, ...late])
      : impliedFraction(withoutTypedShare(others));
  return {
    claimed,
    effective,
    implied,
    minimum: clip(solution.quantityOf(budgetTerms.minimum)),
    maximum: maximumOf(effective ?? implied, binding, solution),
  };
}

/** A printed fraction may be rounded: where the typed one lies within it, that is the one to show. */
function asTyped(
  effective: Quantity | undefined,
  typed: Quantity | undefined,
): Quantity | undefined {
  const value = typed?.nominal;
  return effective &&
    value !== undefined &&
    effective.exact === undefined &&
    effective.interval.lo <= value &&
    value <= effective.interval.hi
    ? { ...effective, printed: value, nominal: value }
    : effective;
}

/** From pools alone. Absent where nothing was sized: then no pool says anything. */
function impliedFraction(facts: readonly Fact[]): Quantity | undefined {
  const sized = [
    budgetTerms.rest,
    budgetTerms.kvPool,
    budgetTerms.tokens,
    budgetTerms.profiled,
    budgetTerms.uncapped,
  ];
  // That nothing was left, as an error says, is no size.
  const isSize = ({ term, interval }: Fact): boolean =>
    sized.includes(term) && (term !== budgetTerms.rest || Number.isFinite(interval.lo));
  if (!facts.some(isSize)) {
    return undefined;
  }
  const solution = solve([budgetTerms.fraction, budgetTerms.tokens], facts, {
    explain: false,
  });
  return clip(solution.quantityOf(budgetTerms.fraction));
}

/** What the fraction kept free is all that a pool sized after the capture of graphs tells. */
function fractionOfSlack(facts: readonly Fact[]): Quantity | undefined {
  const terms = [budgetTerms.slack, budgetTerms.total];
  const known = facts.filter(({ term }) => terms.includes(term));
  return clip(
    solve([budgetTerms.fraction], known, { explain: false }).quantityOf(budgetTerms.fraction),
  );
}

/** A fraction outside 0..1 is no fraction: such a bound is dropped, and without one it is nothing. */
function clip(quantity: Quantity | undefined, top = Infinity): Quantity | undefined {
  if (quantity === undefined) {
    return undefined;
  }
  const { lo, hi } = quantity.interval;
  const [isBelow, isAbove] = [lo < -1, hi >= 1];
  if (lo > 1 || hi < -1 || (isBelow && isAbove)) {
    return undefined;
  }
  return { ...quantity, interval: { lo: isBelow ? -Infinity : lo, hi: isAbove ? top : hi } };
}

/** What the log says was asked for: the argument dump, else the value that a line repeats. */
export function claimInLog(run: Run): Quantity | undefined {
  const argument = argumentQuantity(run, 'mem_fraction_static', units.one);
  if (argument !== undefined) {
    return argument;
  }
  for (const record of run.records) {
    const field = record.fields['fraction'];
    const repeats = record.form.event === 'fatal' || record.form.id === 'kvcached-budget';
    if (repeats && field !== undefined) {
      return fieldQuantity(record, field);
    }
  }
  return undefined;
}

/**
 * Above it the measured costs no longer fit, with the other flags unchanged: each further
 * hundredth of f takes P/100 from what was free at the end.
 */
function maximumOf(
  fraction: Quantity | undefined,
  binding: RankFigures | undefined,
  solution: Solution,
): Quantity | undefined {
  const last = binding && availableAtReady(binding);
  const total = solution.quantityOf(budgetTerms.total);
  if (!fraction || !last || !total) {
    return undefined;
  }
  const maximum = derive('fraction + last / total', { fraction, last: last.quantity, total });
  // A fraction that is only known from below has no ceiling.
  if (maximum === undefined || !Number.isFinite(maximum.interval.hi)) {
    return undefined;
  }
  return clip(
    {
      ...maximum,
      basis: 'assumed',
      assumptions: [...new Set([...maximum.assumptions, assumptions.costsUnchanged])],
    },
    1,
  );
}
