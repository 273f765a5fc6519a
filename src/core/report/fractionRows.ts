/** The page's table of fractions: what each gives, with floor, ceiling, current and offered value. */
import type { RunAccount } from '../account/account';
import { currentFraction } from '../account/currentFraction';
import { concurrentRequests } from '../model/requestCost';
import type { WhatIfRow } from '../account/whatIf';
import { budgetTerms } from '../sglang/budgetFormula';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import type { PageMark, PageRow } from './pageModel';
import type { PageWriter } from './pageWriter';
import { drawnValue, textOf, unknownText } from './pageWriter';

type Account = Pick<RunAccount, 'table' | 'fraction' | 'solution' | 'advice'> &
  Partial<Pick<RunAccount, 'outcome' | 'relief'>>;

/** The rows in rising order; bounds are rows of their own. Empty where nothing can be known. */
export function fractionRows(account: Account, write: PageWriter): PageRow[] {
  const { table, fraction, solution } = account;
  const context = solution.quantityOf(budgetTerms.context);
  const length = context && { ...context, unit: units.token };
  const current = currentFraction(fraction);
  const offered = offeredFraction(account);
  const rows = table.map((row): PageRow => {
    const value = drawnValue(row.fraction);
    const marks: PageMark[] = [];
    if (value === current) marks.push('current');
    if (value === offered) marks.push('offered');
    return { ...rowOf(row, length, write), marks };
  });
  return rows.length === 0
    ? []
    : [
        ...rows,
        ...boundRow(fraction.minimum, 'floor', write),
        ...boundRow(fraction.maximum, 'ceiling', write),
      ].sort((a, b) => a.value - b.value);
}

/** A value that a sentence of the report offers. */
export function offeredFraction({ advice, outcome, relief }: Account): number | undefined {
  const isOffer = outcome === undefined || outcome.kind === 'not-enough-memory';
  if (isOffer) {
    return advice.kind === 'fraction' ? advice.row.fraction.nominal : undefined;
  }
  return relief?.isStuck === true ? undefined : relief?.row?.fraction.nominal;
}

/** What one fraction gives. */
export function rowOf(row: WhatIfRow, length: Quantity | undefined, write: PageWriter): PageRow {
  const { pool, tokens, left } = row;
  const isPossible = pool !== undefined && pool.interval.hi > 0;
  const requests = isPossible && tokens && length ? concurrentRequests(tokens, length) : undefined;
  return {
    value: drawnValue(row.fraction),
    fraction: write.quantity(row.fraction),
    pool: textOf(pool, write),
    tokens: textOf(tokens, write),
    requests: textOf(requests, write),
    left: textOf(left, write),
    marks: [],
    isPossible,
  };
}

function boundRow(
  bound: Quantity | undefined,
  mark: 'floor' | 'ceiling',
  write: PageWriter,
): PageRow[] {
  return bound === undefined
    ? []
    : [
        {
          value: mark === 'floor' ? bound.interval.hi : bound.interval.lo,
          fraction: write.quantity(bound),
          pool: unknownText,
          tokens: unknownText,
          requests: unknownText,
          left: unknownText,
          marks: [mark],
          isPossible: mark === 'ceiling',
        },
      ];
}
