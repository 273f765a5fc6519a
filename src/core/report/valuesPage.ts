/** Values that a person gave as the page shows them: no ranks and no log, the same what-if. */
import { currentFraction } from '../account/currentFraction';
import { adviceMessage } from '../account/accountCure';
import { derivationOrder } from '../account/derivationOrder';
import type { GivenBudget } from '../account/givenBudget';
import { message } from '../message/message';
import { budgetTerms } from '../sglang/budgetFormula';
import type { QuantityId } from '../sglang/quantityId';
import { factsAsData } from './budgetData';
import { fractionRows } from './fractionRows';
import type { PageFigure, PageRun } from './pageModel';
import type { PageWriter } from './pageWriter';
import { shortFigure } from './pageWriter';
import { derivationSteps } from './stepsPage';
import { valuesVerdict } from './valuesReport';

const shownTerms = [
  ['maxTotalTokens', budgetTerms.tokens],
  ['restMemory', budgetTerms.rest],
  ['totalBeforeLoad', budgetTerms.total],
  ['availableAfterLoad', budgetTerms.available],
  ['bytesPerToken', budgetTerms.cell],
] as const;

/** Builds the page's part for given values. */
export function valuesPage(budget: GivenBudget, write: PageWriter): PageRun {
  const { solution, fraction, advice, whatIf } = budget;
  const verdict = valuesVerdict(budget);
  const isTooLittle = verdict?.id === 'verdict.not-enough-memory';
  const current = currentFraction(fraction);
  const minimum = fraction.minimum?.interval.hi;
  const offered = advice.kind === 'fraction' ? advice.row.fraction.nominal : undefined;
  const figure = (id: QuantityId, term: (typeof shownTerms)[number][1]): PageFigure[] => {
    const quantity = solution.quantityOf(term);
    return quantity ? [shortFigure(id, quantity, write)] : [];
  };
  return {
    headline: {
      tone: isTooLittle ? 'bad' : verdict ? 'good' : 'neutral',
      verdict: verdict ? write.message(verdict) : write.message(message('page.unknown', {})),
      sentence: '',
      lines: [],
    },
    ...(isTooLittle && {
      action: {
        sentence: write.message(adviceMessage(budget)),
        ...(advice.kind === 'fraction' && { flag: advice.flag }),
      },
    }),
    facts: [],
    figures: shownTerms.flatMap(([id, term]) => figure(id, term)),
    problems: [],
    ranks: [],
    fractions: [],
    rows: fractionRows(budget, write),
    whatIf: {
      facts: factsAsData(whatIf),
      fraction: (isTooLittle ? offered : undefined) ?? current ?? 0.88,
      ...(current !== undefined && { current }),
      ...(offered !== undefined && { offered }),
      ...(minimum !== undefined && { minimum }),
    },
    steps: derivationSteps(solution, derivationOrder, write),
    serving: [],
    courses: [],
    assumptions: [],
  };
}
