/**
 * The budget's facts as plain data and back, so that the page can ask the same graph what would be
 * otherwise. Leaves out every formula: they are in sglang/budgetFormula.ts.
 */
import { WhatIf } from '../account/whatIf';
import { budgetTerms } from '../sglang/budgetFormula';
import type { BudgetTerms } from '../sglang/budgetFormula';
import type { Fact } from '../terms/fact';
import type { Term } from '../terms/term';
import type { PageFact } from './pageModel';

const nameOfTerm: ReadonlyMap<Term, keyof BudgetTerms> = new Map(
  (Object.keys(budgetTerms) as (keyof BudgetTerms)[]).map(name => [budgetTerms[name], name]),
);

export function isBudgetTerm(name: string): name is keyof BudgetTerms {
  return Object.hasOwn(budgetTerms, name);
}

/** The facts that other values are tried on. */
export function factsAsData(whatIf: WhatIf): PageFact[] {
  return whatIf.base.flatMap((fact): PageFact[] => {
    const term = nameOfTerm.get(fact.term);
    const { interval, basis, assumptions = [], provenance, nominal } = fact;
    return term === undefined
      ? []
      : [
          {
            term,
            lo: finite(interval.lo),
            hi: finite(interval.hi),
            basis,
            assumptions,
            lines: provenance.flatMap(source => (source.kind === 'printed' ? [source.line] : [])),
            ...(nominal !== undefined && {
              nominal: typeof nominal === 'bigint' ? String(nominal) : nominal,
            }),
          },
        ];
  });
}

function finite(bound: number): number | null {
  return Number.isFinite(bound) ? bound : null;
}

/** The budget of these facts. */
export function whatIfOfData(facts: readonly PageFact[]): WhatIf {
  return WhatIf.ofBase(facts.map(factOfData));
}

function factOfData({ term, lo, hi, basis, assumptions, lines, nominal }: PageFact): Fact {
  return {
    term: budgetTerms[term],
    interval: { lo: lo ?? -Infinity, hi: hi ?? Infinity },
    basis,
    assumptions,
    provenance: lines.map(line => ({ kind: 'printed', line })),
    ...(nominal !== undefined && {
      nominal: typeof nominal === 'string' ? BigInt(nominal) : nominal,
    }),
  };
}
