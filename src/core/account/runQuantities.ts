/**
 * The quantities of a run by the ids of the contract: those of the rank that decides, what the sizing
 * code prints, and what follows from the budget. Leaves out what a config predicts.
 */
import type { Run } from '../log/run';
import { targetRecords } from '../log/targetRecords';
import { budgetTerms } from '../sglang/budgetFormula';
import type { QuantityId } from '../sglang/quantityId';
import { derive } from '../terms/derive';
import type { Solution } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { fieldQuantity } from './figure';
import type { Fractions } from './fraction';
import type { Quantities, RankAccount } from './rankAccount';
import type { RankFigures } from './rankFigures';
import { clusterTokens } from './replicas';
import { inGiB } from './scale';
import { cardCapacityOf } from './sharedCard';
import { sizingFigures } from './sizingFacts';
import { restAtStateError } from './stateModel';

const solved: readonly (readonly [QuantityId, Term])[] = [
  ['totalBeforeLoad', budgetTerms.total],
  ['availableAfterLoad', budgetTerms.available],
  ['restMemory', budgetTerms.rest],
  ['budgetedBytesPerToken', budgetTerms.cell],
  ['allocatedBytesPerToken', budgetTerms.allocatedCell],
  ['bytesPerToken', budgetTerms.cell],
  ['profiledTokens', budgetTerms.profiled],
  ['requestToTokenPool', budgetTerms.requestTable],
];

/** What is known of the run; an id of which nothing is known is absent. */
export function runQuantities(
  run: Run,
  binding: RankFigures | undefined,
  fraction: Fractions,
  solution: Solution,
  ranks: readonly RankAccount[],
): Quantities {
  const quantities = new Map<QuantityId, Quantity>();
  if (run.isMixed) {
    return quantities;
  }
  const put = (id: QuantityId, quantity: Quantity | undefined): void => {
    if (quantity !== undefined) {
      quantities.set(id, quantity);
    }
  };
  const own = ranks.find(({ figures }) => figures === binding) ?? ranks[0];
  for (const [id, quantity] of own?.quantities ?? []) {
    put(id, quantity);
  }
  for (const { id, quantity } of targetRecords(run).flatMap(sizingFigures).reverse()) {
    put(id, quantity);
  }
  put('swaTokens', tokensOfRing(run));
  for (const [id, term] of solved) {
    put(id, solution.quantityOf(term));
  }
  // Releases profile window hybrids by cells of their own: rest over these bytes is no count of theirs.
  if (own?.figures.swaPool !== undefined && quantities.get('profiledTokens')?.basis === 'assumed') {
    quantities.delete('profiledTokens');
  }
  put('memFractionStatic', fraction.claimed);
  put('memFractionEffective', fraction.effective);
  if (fraction.effective !== undefined) {
    put('slack', solution.quantityOf(budgetTerms.slack));
  }
  // A pool that was never allocated has no tokens, whatever the formula would have given.
  if (own?.figures.kvPool !== undefined || run.records.some(({ form }) => form.id === 'summary')) {
    put(
      'maxTotalTokens',
      own?.figures.kvPool?.tokens?.quantity ??
        solution.quantityOf(budgetTerms.tokens) ??
        tokensOfSummary(run),
    );
  }
  put('restMemory', restAtStateError(run) ?? quantities.get('restMemory') ?? restOfPlugin(run));
  const figures = ranks.map(rank => rank.figures);
  put('clusterTokens', clusterTokens(run, figures, quantities.get('maxTotalTokens')));
  put('maxRequestTokens', longestRequest(run));
  put('cardCapacity', capacityInMiB(run));
  return quantities;
}

/** What a plug-in that sizes the pool itself prints as left for it, in bytes. */
function restOfPlugin(run: Run): Quantity | undefined {
  const record = run.records.find(({ form }) => form.id === 'kvcached-budget');
  const field = record?.fields['available'];
  const amount = record && field && fieldQuantity(record, field);
  return amount && inGiB(amount);
}

/** A ring holds the window of every request, in place of the tokens that were sized for it. */
function tokensOfRing(run: Run): Quantity | undefined {
  const record = targetRecords(run).find(({ form }) => form.id === 'swa-ring');
  const field = record?.fields['after'];
  return record && field && fieldQuantity(record, field);
}

/** Tokens as the last line of the start prints them, for pools that no equation of ours sizes. */
function tokensOfSummary(run: Run): Quantity | undefined {
  const record = targetRecords(run).findLast(({ form }) => form.id === 'summary');
  const field = record?.fields['tokens'];
  return record && field && fieldQuantity(record, field);
}

/** The most that one request may have, as the line that refused one prints it. */
function longestRequest(run: Run): Quantity | undefined {
  const record = run.records.findLast(
    ({ form }) => form.id === 'request-too-long' || form.id === 'request-truncated',
  );
  const field = record?.fields['maximum'];
  return record && field && fieldQuantity(record, field);
}

function capacityInMiB(run: Run): Quantity | undefined {
  const capacity = cardCapacityOf(run);
  const gib = capacity && capacity.unit !== units.MiB ? inGiB(capacity) : undefined;
  return gib ? derive('gib * 2**10', { gib }) : capacity;
}
