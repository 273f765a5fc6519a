/** The report of values that a person gave: what they come to, and what other fractions give. */
import type { GivenBudget } from '../account/givenBudget';
import { adviceMessage } from '../account/accountCure';
import type { Message } from '../message/message';
import { message } from '../message/message';
import { budgetTerms } from '../sglang/budgetFormula';
import type { Block, Report } from './reportModel';
import { derivation, table } from './runReport';

/** Builds the report. */
export function valuesReport(budget: GivenBudget): Report {
  const verdict = valuesVerdict(budget);
  const headline: Block[] = verdict
    ? [{ kind: 'sentence', message: verdict, isHeadline: true }]
    : [];
  const cure: Block[] =
    verdict?.id === 'verdict.not-enough-memory'
      ? [{ kind: 'sentence', message: adviceMessage(budget), isHeadline: false }]
      : [];
  const flag: Block[] =
    cure.length > 0 && budget.advice.kind === 'fraction'
      ? [{ kind: 'flag', flag: budget.advice.flag }]
      : [];
  return {
    sections: [
      { id: 'run' as const, blocks: [...headline, ...cure, ...flag] },
      { id: 'derivation' as const, blocks: derivation(budget) },
      { id: 'table' as const, blocks: table(budget) },
    ].filter(({ blocks }) => blocks.length > 0),
  };
}

/** What the values come to; undefined where the budget cannot be known. */
export function valuesVerdict({ solution, fraction }: GivenBudget): Message | undefined {
  const rest = solution.quantityOf(budgetTerms.rest);
  const tokens = solution.quantityOf(budgetTerms.tokens);
  const { effective, minimum } = fraction;
  if (rest === undefined || effective === undefined) {
    return undefined;
  }
  if (minimum !== undefined && rest.interval.hi <= 0) {
    return message('verdict.not-enough-memory', { rest, fraction: effective, minimum });
  }
  return tokens && message('verdict.values', { rest, tokens, fraction: effective });
}
