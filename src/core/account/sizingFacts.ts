/**
 * The figures that the sizing code itself prints, by its terms. Leaves out samples of other moments.
 */
import type { LogRecord } from '../log/record';
import type { Run } from '../log/run';
import { targetRecords } from '../log/targetRecords';
import { factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';
import type { Figure } from './figure';
import { figure } from './figure';
import { termOfQuantity } from './termOfQuantity';

/** Lines that the sizing code itself prints. Their P and A are the formula's own. */
export function sizingFacts(run: Run): Fact[] {
  const printed = targetRecords(run).filter(({ form }) => form.event === 'sizing');
  const facts = new Map<Term, Fact>();
  for (const record of printed) {
    for (const { term, quantity } of sizingFields(record)) {
      // Every rank prints the same reduced values; the first says it.
      if (!facts.has(term)) {
        facts.set(term, factOf(term, quantity));
      }
    }
  }
  return [...facts.values()];
}

/** The fields of a sizing line that are terms of the budget. */
export function sizingFields(record: LogRecord): { term: Term; quantity: Quantity }[] {
  return sizingFigures(record).flatMap(({ id, quantity }) => {
    const term = termOfQuantity[id];
    return term ? [{ term, quantity }] : [];
  });
}

/** The figures of a sizing line, whoever's formula it is. */
export function sizingFigures(record: LogRecord): Figure[] {
  if (record.form.event !== 'sizing') {
    return [];
  }
  return Object.entries(record.form.fields).flatMap(([name, field]) => {
    const id = field.unit === 'text' ? undefined : field.quantity;
    return (id && figure(record, name, id)) ?? [];
  });
}
