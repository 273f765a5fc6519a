/**
 * One rank's memory from free-before-load to free-at-ready, as entries that each have their lines,
 * and a last one for what nobody explains. Taking a line away makes that entry grow by exactly what
 * the line explained.
 */
import { derive, sum } from '../terms/derive';
import type { Quantity } from '../units/quantity';
import type { Figure } from './figure';
import { fieldQuantity } from './figure';
import type { PoolFigure, RankFigures } from './rankFigures';
import type { GraphKind } from './graphKind';

/** What memory went to; `start` and `end` are the free memory between which the rest lies. */
export type LedgerId =
  | 'start'
  | 'context'
  | 'weights'
  | 'draftWeights'
  | 'loraPool'
  | 'kvPool'
  | 'swaPool'
  | 'draftPool'
  | 'statePool'
  | 'requestToTokenPool'
  | 'graphMemory'
  | 'symmetricMemory'
  | 'unaccounted'
  | 'end';

/** A share of an entry that the same line prints apart: keys and values, kinds of state. */
export interface LedgerPart {
  readonly id: 'keys' | 'values' | 'conv' | 'ssm' | 'intermediateSsm' | 'intermediateConv';
  readonly size: Quantity;
}

/** One entry. `lines` are 1-based; empty for what follows from other entries. */
export interface LedgerEntry {
  readonly id: LedgerId;
  readonly size: Quantity;
  readonly lines: readonly number[];
  /** Which graphs; only on entries of graphs. */
  readonly graph?: GraphKind;
  /** Shares that add up to the entry; absent where they are not printed apart. */
  readonly parts?: readonly LedgerPart[];
}

/**
 * The ledger of a rank; empty where the free memory before or after is not printed.
 * `requestTable` comes from the run's equations and counts only after a `Memory pool end` line.
 */
export function ledgerOf(rank: RankFigures, requestTable: Quantity | undefined): LedgerEntry[] {
  const start = startOf(rank);
  const end = lastAvailable(rank);
  if (start === undefined || end === undefined) {
    return [];
  }
  const explained: LedgerEntry[] = [
    ...entry('weights', weightsOf(rank)),
    ...rank.loraPool.flatMap(pool => entry('loraPool', pool)),
    ...entry('context', rank.draftContext),
    ...entry('draftWeights', rank.draftWeights),
    ...entry('kvPool', rank.kvPool?.size, { parts: keysAndValues(rank.kvPool) }),
    ...entry('swaPool', rank.swaPool?.size, { parts: keysAndValues(rank.swaPool) }),
    ...rank.draftPools.flatMap(pool =>
      entry('draftPool', pool.size, { parts: keysAndValues(pool) }),
    ),
    ...entry('statePool', rank.statePool, { parts: stateParts(rank.statePool) }),
    ...rank.stateBuffers.flatMap(buffer => entry('statePool', buffer)),
    ...(requestTable && rank.poolEnd
      ? [{ id: 'requestToTokenPool' as const, size: requestTable, lines: linesOf(requestTable) }]
      : []),
    ...entry('symmetricMemory', rank.symmetricMemory),
    ...rank.graphs.flatMap(({ size, kind }) => entry('graphMemory', size, { graph: kind })),
  ];
  const spent = sum(explained.map(({ size }) => size));
  const unaccounted =
    spent === undefined
      ? derive('start - last', { start: start.quantity, last: end.quantity })
      : derive('start - spent - last', {
          start: start.quantity,
          spent,
          last: end.quantity,
        });
  return [
    ...entry('start', start),
    ...explained,
    ...(unaccounted ? [{ id: 'unaccounted' as const, size: unaccounted, lines: [] }] : []),
    ...entry('end', end),
  ];
}

function entry(
  id: LedgerId,
  shown: Figure | undefined,
  more: { readonly graph?: GraphKind; readonly parts?: readonly LedgerPart[] } = {},
): LedgerEntry[] {
  const { graph, parts = [] } = more;
  return shown
    ? [
        {
          id,
          size: shown.quantity,
          lines: linesOf(shown.quantity),
          ...(graph !== undefined && { graph }),
          ...(parts.length > 0 && { parts }),
        },
      ]
    : [];
}

function keysAndValues(pool: PoolFigure | undefined): LedgerPart[] {
  const [keys, values] = pool?.parts ?? [];
  return keys && values
    ? [
        { id: 'keys', size: keys.quantity },
        { id: 'values', size: values.quantity },
      ]
    : [];
}

const stateFields = ['conv', 'ssm', 'intermediateSsm', 'intermediateConv'] as const;

function stateParts(pool: Figure | undefined): LedgerPart[] {
  return stateFields.flatMap(id => {
    const field = pool?.record.fields[id];
    const size = pool && field && fieldQuantity(pool.record, field);
    return size === undefined ? [] : [{ id, size }];
  });
}

/** The 1-based lines that a quantity was printed on. */
export function linesOf(quantity: Quantity): number[] {
  const lines = quantity.provenance.flatMap(source =>
    source.kind === 'printed' ? [source.line] : [],
  );
  return [...new Set(lines)].sort((a, b) => a - b);
}

function startOf({ loadBegin, loadEnd, weights }: RankFigures): Figure | undefined {
  if (loadBegin !== undefined) {
    return loadBegin;
  }
  const quantity = loadEnd && weights && sum([loadEnd.quantity, weights.quantity]);
  return quantity && { id: 'loadBeginAvailable', quantity, record: loadEnd.record };
}

/** As printed; before releases that print it, the difference of the samples around the load. */
function weightsOf({ loadBegin, loadEnd, weights }: RankFigures): Figure | undefined {
  if (weights !== undefined || loadBegin === undefined || loadEnd === undefined) {
    return weights;
  }
  const quantity = derive('begin - last', {
    begin: loadBegin.quantity,
    last: loadEnd.quantity,
  });
  return quantity && { id: 'weights', quantity, record: loadEnd.record };
}

/** Free memory when the rank was ready: the summary's, else after its last graph. */
export function availableAtReady(rank: RankFigures): Figure | undefined {
  const lastGraph = rank.graphs.findLast(({ availableAfter }) => availableAfter);
  return rank.finalAvailable ?? lastGraph?.availableAfter;
}

/** The last free memory that the rank printed before it was ready (or gave up). */
export function lastAvailable(rank: RankFigures): Figure | undefined {
  return availableAtReady(rank) ?? rank.poolEnd ?? rank.draftLoadEnd ?? rank.loadEnd;
}
