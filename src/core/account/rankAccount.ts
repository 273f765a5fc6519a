/**
 * One rank's quantities and its ledger. Leaves out what needs other ranks: who decides is told to it.
 */
import { budgetedPools } from './budgetedPools';
import { printedAt } from './figure';
import type { LogRecord, RankKey } from '../log/record';
import type { QuantityId } from '../sglang/quantityId';
import { sum } from '../terms/derive';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { rankTotal } from './hostMemory';
import type { LedgerEntry } from './ledger';
import { availableAtReady, ledgerOf } from './ledger';
import type { RankFigures } from './rankFigures';
import { quantityOfPool, servedPools } from './servingLoad';

/** Quantities by id; what is not known is absent. */
export type Quantities = ReadonlyMap<QuantityId, Quantity>;

/** One rank's quantities and ledger. */
export interface RankAccount {
  readonly rank: RankKey;
  readonly quantities: Quantities;
  readonly ledger: readonly LedgerEntry[];
  /** True for the rank whose free memory decides the pool of all. */
  readonly isBinding: boolean;
  /**
   * True where it has really less than another one that shares its pool, and none has less than it:
   * for several where they are equally low, for none where all ranks are equal.
   */
  readonly decides: boolean;
  readonly figures: RankFigures;
}

/**
 * What one rank has and what its memory went to.
 * @param requestTable GiB of the request table, from the equations of the run.
 * @param role what the rank is among the others; `hasPools` tells whether the run came to its pools.
 */
export function rankAccount(
  figures: RankFigures,
  records: readonly LogRecord[],
  requestTable: Quantity | undefined,
  role: Pick<RankAccount, 'isBinding' | 'decides'> & { readonly hasPools: boolean },
): RankAccount {
  const budgeted = budgetedPools(figures, records);
  const ledger = ledgerOf(figures, requestTable, role.hasPools, budgeted);
  return {
    rank: figures.rank,
    quantities: new Map([
      ...servedQuantities(records),
      ...rankQuantities(figures, ledger, records),
    ]),
    ledger,
    isBinding: role.isBinding,
    decides: role.decides,
    figures,
  };
}

/** Tokens of the pools as batch lines show them, for logs without the lines of the pools. */
function servedQuantities(records: readonly LogRecord[]): [QuantityId, Quantity][] {
  return [...servedPools(records)].map(([pool, size]) => [quantityOfPool[pool], size]);
}

function rankQuantities(
  figures: RankFigures,
  ledger: readonly LedgerEntry[],
  records: readonly LogRecord[],
): Quantities {
  const { kvPool, swaPool, summary } = figures;
  const shown: readonly (readonly [QuantityId, Quantity | undefined])[] = [
    ['contextAndComm', figures.contextAndComm?.quantity],
    ['loadBeginAvailable', figures.loadBegin?.quantity],
    ['loadEndAvailable', figures.loadEnd?.quantity],
    ['weights', ledger.find(({ id }) => id === 'weights')?.size ?? figures.weights?.quantity],
    ['draftWeights', figures.draftWeights?.quantity],
    ['kvPool', kvPool?.size.quantity],
    ['swaPool', swaPool?.size.quantity],
    ['maxTotalTokens', kvPool?.tokens?.quantity],
    ['swaTokens', swaPool?.tokens?.quantity],
    ['fullTokens', swaPool && kvPool?.tokens?.quantity],
    ['draftPool', figures.draftPools[0]?.size.quantity],
    ['statePool', figures.statePool?.quantity],
    ['stateSlots', figures.stateSlots?.quantity],
    ['loraPool', sum(figures.loraPool.map(({ quantity }) => quantity))],
    ['symmetricMemory', figures.symmetricMemory?.quantity],
    ['hostKvPool', rankTotal(records)],
    ['graphMemory', sum(figures.graphs.map(({ size }) => size.quantity))],
    ['poolEndAvailable', figures.poolEnd?.quantity],
    ['finalAvailable', availableAtReady(figures)?.quantity],
    ['unaccounted', ledger.find(({ id }) => id === 'unaccounted')?.size],
    ['contextLength', summary && fieldOf(figures, 'context')],
    ['maxRunningRequests', summary && fieldOf(figures, 'running')],
  ];
  return new Map(shown.flatMap(([id, quantity]) => (quantity ? [[id, quantity] as const] : [])));
}

function fieldOf({ summary }: RankFigures, name: 'context' | 'running'): Quantity | undefined {
  const field = summary?.fields[name];
  const unit = name === 'context' ? units.token : units.request;
  return field
    ? {
        ...givenQuantity(field.value, unit, name),
        provenance: [printedAt(summary, field)],
        printed: Number(field.value),
      }
    : undefined;
}
