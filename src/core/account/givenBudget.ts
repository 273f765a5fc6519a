/**
 * The budget of values that a person gives, without a log: what the pool would get, the floor of the
 * fraction, what to set. Supposes the plain profile: one stage, no reservation, no state pool.
 */
import { budgetTerms } from '../sglang/budgetFormula';
import { factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import { givenQuantity } from '../units/givenQuantity';
import { point } from '../units/interval';
import type { PythonNumber } from '../units/pythonNumber';
import { units } from '../units/unit';
import type { Advice } from './advice';
import { adviseFraction, fractionTable } from './advice';
import type { Fractions } from './fraction';
import type { WhatIfRow } from './whatIf';
import { WhatIf } from './whatIf';

/** What the sizing formula needs, as typed. */
export interface GivenValues {
  /** P, GiB. */
  readonly total: PythonNumber;
  /** A, GiB. */
  readonly available: PythonNumber;
  readonly fraction: PythonNumber;
  readonly bytesPerToken: PythonNumber;
  /** Tokens that the pool is to hold; undefined: as many as leave enough free. */
  readonly needTokens: PythonNumber | undefined;
}

/** The budget of given values. */
export interface GivenBudget {
  readonly solution: Solution;
  readonly fraction: Fractions;
  readonly advice: Advice;
  readonly table: readonly WhatIfRow[];
  readonly whatIf: WhatIf;
}

/** No limit on the tokens, within the exact integers of float64. */
const noLimit = 2 ** 53;

/** Calculates the budget. */
export function budgetOfValues(values: GivenValues): GivenBudget {
  const fraction = givenQuantity(values.fraction, units.one, 'f');
  const facts: readonly Fact[] = [
    factOf(budgetTerms.total, givenQuantity(values.total, units.GiB, 'P')),
    factOf(budgetTerms.available, givenQuantity(values.available, units.GiB, 'A')),
    factOf(budgetTerms.fraction, fraction),
    factOf(budgetTerms.cell, givenQuantity(values.bytesPerToken, units.bytesPerToken, 'cell')),
    exactly(budgetTerms.reservation, 0),
    exactly(budgetTerms.state, 0),
    exactly(budgetTerms.draftCell, 0),
    exactly(budgetTerms.draftBufferCell, 0),
    exactly(budgetTerms.cellDifference, 0),
    exactly(budgetTerms.headroom, 0),
    exactly(budgetTerms.page, 1),
    exactly(budgetTerms.padding, 1),
    exactly(budgetTerms.cap, noLimit),
    exactly(budgetTerms.stageMinimum, noLimit),
  ];
  const solution = solve(Object.values(budgetTerms), facts);
  const whatIf = new WhatIf(facts, solution, exactly(budgetTerms.outside, 0));
  const minimum = solution.quantityOf(budgetTerms.minimum);
  const need =
    values.needTokens === undefined
      ? undefined
      : {
          kind: 'given' as const,
          tokens: givenQuantity(values.needTokens, units.token, 'need'),
        };
  const advice = adviseFraction(
    whatIf,
    solution,
    { run: undefined, requestTable: undefined, graphs: undefined },
    need,
  );
  const offered = advice.kind === 'fraction' ? advice.row.fraction.nominal : undefined;
  const marks = [Number(values.fraction), offered].flatMap(mark => mark ?? []);
  return {
    solution,
    fraction: {
      claimed: fraction,
      effective: fraction,
      implied: undefined,
      minimum,
      maximum: undefined,
    },
    advice,
    table: fractionTable(whatIf, minimum, marks),
    whatIf,
  };
}

function exactly(term: Term, value: number): Fact {
  return { term, interval: point(value), basis: 'proved', provenance: [], nominal: BigInt(value) };
}
