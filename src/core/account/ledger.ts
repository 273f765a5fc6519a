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

/**
 * How an entry is named: a pool beside that of the window, graphs of one kind among several; what
 * nobody explains says which large parts no line shows.
 */
export type LedgerName =
  | LedgerId
  | 'fullPool'
  | `graphs-${GraphKind}`
  | 'unaccountedWithWeights'
  | 'unaccountedWithPool'
  | 'unaccountedWithBoth';

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
  /** Where it is more than the id. */
  readonly name?: LedgerName;
}

/** The name of an entry, for `name.ledger`. */
export function ledgerName({ id, name }: LedgerEntry): LedgerName {
  return name ?? id;
}

/**
 * The ledger of a rank; empty where the free memory before or after is not printed. Without a
 * sample after the last part it has no end and says nothing of the rest.
 * `requestTable` comes from the run's equations and counts only where a later sample shows the pools.
 * @param hasPools whether the run came to its pools, although this rank may not show it.
 * @param budgeted pools that only the sizing line shows (budgetedPools.ts).
 */
export function ledgerOf(
  rank: RankFigures,
  requestTable: Quantity | undefined,
  hasPools = isSized(rank),
  budgeted: readonly LedgerEntry[] = [],
): LedgerEntry[] {
  const start = startOf(rank);
  if (start === undefined || lastAvailable(rank) === undefined) {
    return [];
  }
  const end = availableAfterParts(rank, hasPools);
  const explained: LedgerEntry[] = [
    ...entry('weights', weightsOf(rank)),
    ...rank.loraPool.flatMap(pool => entry('loraPool', pool)),
    ...entry('context', rank.draftContext),
    ...entry('draftWeights', rank.draftWeights),
    ...budgeted,
    ...entry('kvPool', rank.kvPool?.size, {
      parts: keysAndValues(rank.kvPool),
      name: rank.swaPool && 'fullPool',
    }),
    ...entry('swaPool', rank.swaPool?.size, { parts: keysAndValues(rank.swaPool) }),
    ...rank.draftPools.flatMap(pool =>
      entry('draftPool', pool.size, { parts: keysAndValues(pool) }),
    ),
    ...entry('statePool', rank.statePool, { parts: stateParts(rank.statePool) }),
    ...rank.stateBuffers.flatMap(buffer => entry('statePool', buffer)),
    ...(requestTable && (rank.poolEnd ?? rank.finalAvailable)
      ? [{ id: 'requestToTokenPool' as const, size: requestTable, lines: linesOf(requestTable) }]
      : []),
    ...entry('symmetricMemory', rank.symmetricMemory),
    ...rank.graphs.flatMap(({ size, kind }) =>
      entry('graphMemory', size, {
        graph: kind,
        name: rank.graphs.length > 1 ? `graphs-${kind}` : undefined,
      }),
    ),
  ];
  const spent = sum(explained.map(({ size }) => size));
  const left =
    spent === undefined
      ? start.quantity
      : derive('start - spent', { start: start.quantity, spent });
  const unaccounted = end && left && derive('left - last', { left, last: end.quantity });
  return [
    ...entry('start', start),
    ...explained,
    ...(unaccounted
      ? [
          {
            id: 'unaccounted' as const,
            size: unaccounted,
            lines: [],
            ...hiddenParts(rank, budgeted),
          },
        ]
      : []),
    ...entry('end', end),
  ];
}

/** Which of the large parts the rest holds because no line shows them. */
function hiddenParts(
  rank: RankFigures,
  budgeted: readonly LedgerEntry[],
): Pick<LedgerEntry, 'name'> {
  const isShown = rank.kvPool !== undefined || rank.swaPool !== undefined || budgeted.length > 0;
  const hasNoPool = isSized(rank) && !isShown;
  const hasNoWeights = weightsOf(rank) === undefined;
  return hasNoWeights
    ? { name: hasNoPool ? 'unaccountedWithBoth' : 'unaccountedWithWeights' }
    : hasNoPool
      ? { name: 'unaccountedWithPool' }
      : {};
}

/**
 * Free memory after the last part that was printed; undefined where no later line shows it.
 * @param hasPools whether the run came to its pools: then a sample before them is no end.
 */
export function availableAfterParts(rank: RankFigures, hasPools: boolean): Figure | undefined {
  const sample = lastAvailable(rank);
  const isOfPools = (end: Figure | undefined): boolean =>
    sample?.id !== 'loadEndAvailable' || (end !== undefined && isLater(sample, end));
  const isBeforePools = hasPools && !(isSized(rank) && isOfPools(rank.poolEnd));
  return sample && !isBeforePools && isAfterParts(rank, sample) ? sample : undefined;
}

/** True where the rank shows that its pools were made. */
export function isSized(rank: RankFigures): boolean {
  const { hasCaptured, kvPool, poolEnd, summary, unsortedPools } = rank;
  return (
    hasCaptured ||
    unsortedPools.length > 0 ||
    [kvPool, poolEnd, summary].some(shown => shown !== undefined)
  );
}

/** True where no part of the rank's memory was printed after the sample. */
function isAfterParts(rank: RankFigures, sample: Figure): boolean {
  const parts = [
    rank.loadEnd,
    rank.draftLoadEnd,
    ...rank.loraPool,
    rank.kvPool?.size,
    rank.swaPool?.size,
    ...[...rank.draftPools, ...rank.unsortedPools].map(({ size }) => size),
    rank.statePool,
    ...rank.stateBuffers,
    rank.symmetricMemory,
    ...rank.graphs.map(({ size }) => size),
  ];
  return parts.every(part => part === undefined || !isLater(part, sample));
}

/** Later in one file; of lines of different files nothing tells. */
function isLater(one: Figure, other: Figure): boolean {
  return one.record.file === other.record.file && one.record.line > other.record.line;
}

function entry(
  id: LedgerId,
  shown: Figure | undefined,
  more: {
    readonly graph?: GraphKind;
    readonly parts?: readonly LedgerPart[];
    readonly name?: LedgerName | undefined;
  } = {},
): LedgerEntry[] {
  const { graph, parts = [], name } = more;
  return shown
    ? [
        {
          id,
          size: shown.quantity,
          lines: linesOf(shown.quantity),
          ...(graph !== undefined && { graph }),
          ...(parts.length > 0 && { parts }),
          ...(name !== undefined && { name }),
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

/** A 1-based line of one of the files of a run. */
export interface PrintedPlace {
  readonly line: number;
  /** Index into `LogReading.files`; undefined for the first of the run. */
  readonly file?: number | undefined;
}

/** Where a quantity was printed, in the order of files and lines. */
export function placesOf({ provenance }: Pick<Quantity, 'provenance'>): PrintedPlace[] {
  const places = provenance.flatMap(source =>
    source.kind === 'printed' ? [{ line: source.line, file: source.file ?? 0 }] : [],
  );
  const distinct = new Map(places.map(place => [`${place.file}:${place.line}`, place]));
  return [...distinct.values()].sort((a, b) => a.file - b.file || a.line - b.line);
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

/** Free memory when the rank was ready: the summary's, else the last after graphs were captured. */
export function availableAtReady(rank: RankFigures): Figure | undefined {
  const hasCaptured = rank.graphs.some(({ availableAfter }) => availableAfter);
  return rank.finalAvailable ?? (hasCaptured ? lastAvailable(rank) : undefined);
}

/** The last free memory that the rank printed before it was ready (or gave up). */
export function lastAvailable(rank: RankFigures): Figure | undefined {
  const lastGraph = rank.graphs.findLast(({ availableAfter }) => availableAfter);
  const samples = [lastGraph?.availableAfter, rank.poolEnd, rank.draftLoadEnd, rank.loadEnd];
  return (
    rank.finalAvailable ??
    samples.reduce(
      (last, next) =>
        last === undefined || (next !== undefined && isLater(next, last)) ? next : last,
      undefined,
    )
  );
}
