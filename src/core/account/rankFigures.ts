/**
 * What one rank printed, by meaning: free memory at each checkpoint, weights, pools, graphs. Keeps
 * target and draft apart. Leaves out everything that needs other ranks or an equation.
 */
import type { LogRecord, RankKey } from '../log/record';
import type { RankLog } from '../log/run';
import { derive, sum } from '../terms/derive';
import type { Figure } from './figure';
import { figure } from './figure';
import type { GraphKind } from './graphKind';
import { graphKindOf } from './graphKind';
import { inGiB } from './scale';
import { freeAfterResize, resizedDraftPool, resizedLine, resizedPool } from './resizedPool';

/** A pool that a KV line shows: its bytes on this rank and its tokens. */
export interface PoolFigure {
  readonly size: Figure;
  readonly tokens: Figure | undefined;
  readonly dtype: string | undefined;
  /** K and V apart, where the line prints them apart. */
  readonly parts: readonly Figure[];
}

/** A phase of graph capture and what it took. */
export interface GraphFigure {
  readonly size: Figure;
  readonly availableAfter: Figure | undefined;
  readonly worker: 'target' | 'draft';
  readonly kind: GraphKind;
}

/** The figures of one rank. What was not printed is undefined. */
export interface RankFigures {
  readonly rank: RankKey;
  /** Before the free memory of the ledger's start. */
  readonly contextAndComm: Figure | undefined;
  /** Of a draft worker that initialises after the target. */
  readonly draftContext: Figure | undefined;
  readonly loraPool: readonly Figure[];
  readonly symmetricMemory: Figure | undefined;
  readonly loadBegin: Figure | undefined;
  readonly loadEnd: Figure | undefined;
  readonly weights: Figure | undefined;
  readonly draftLoadEnd: Figure | undefined;
  readonly draftWeights: Figure | undefined;
  readonly kvPool: PoolFigure | undefined;
  readonly swaPool: PoolFigure | undefined;
  readonly draftPools: readonly PoolFigure[];
  /** Pools of which nothing tells whether they are the target's, its window's or a draft's. */
  readonly unsortedPools: readonly PoolFigure[];
  readonly statePool: Figure | undefined;
  /** Buffers of state beside the pool, each with its line. */
  readonly stateBuffers: readonly Figure[];
  readonly stateSlots: Figure | undefined;
  /** The last one: a draft worker prints its own. */
  readonly poolEnd: Figure | undefined;
  /** The target's, where a draft worker printed one after it. */
  readonly targetPoolEnd: Figure | undefined;
  readonly graphs: readonly GraphFigure[];
  /** True where a capture began or ended, with or without a size. */
  readonly hasCaptured: boolean;
  readonly summary: LogRecord | undefined;
  readonly finalAvailable: Figure | undefined;
}

/** Collects the figures of a rank. */
export function figuresOfRank(rank: RankLog): RankFigures {
  const target = (id: string): LogRecord | undefined => lastOf(rank.target, id);
  const draft = (id: string): LogRecord | undefined => lastOf(rank.draft, id);
  const begin = firstOf(rank.target, 'load-begin');
  const end = target('load-end');
  const draftEnd = draft('load-end');
  const pools = splitPools(rank.target);
  const state = target('state-pool');
  const resized = resizedLine(rank.target);
  const poolEnd = resized ?? draft('pool-end') ?? target('pool-end');
  const summary = lastOf(rank.records, 'summary');
  return {
    rank: rank.rank,
    contextAndComm: optional(target('init-end'), 'usage', 'contextAndComm'),
    draftContext: optional(draft('init-end'), 'usage', 'contextAndComm'),
    loraPool: loraPools(rank.records),
    symmetricMemory: symmetricMemory(rank.records),
    loadBegin: optional(begin, 'avail', 'loadBeginAvailable'),
    loadEnd: optional(end, 'avail', 'loadEndAvailable'),
    weights: optional(end, 'usage', 'weights'),
    draftLoadEnd: optional(draftEnd, 'avail', 'loadEndAvailable'),
    draftWeights: optional(draftEnd, 'usage', 'draftWeights'),
    kvPool: pools.full,
    swaPool: pools.swa,
    draftPools: draftPools(rank),
    unsortedPools:
      pools.full === undefined && pools.swa === undefined
        ? allocatedPools(rank.target, 'kvPool')
        : [],
    statePool: state && stateFigure(state),
    stateBuffers: rank.records.flatMap(stateBuffer),
    stateSlots: optional(state, 'slots', 'stateSlots'),
    poolEnd:
      (resized && freeAfterResize(resized)) ?? optional(poolEnd, 'avail', 'poolEndAvailable'),
    targetPoolEnd: draft('pool-end') && optional(target('pool-end'), 'avail', 'poolEndAvailable'),
    graphs: [...graphFigures(rank.target, 'target'), ...graphFigures(rank.draft, 'draft')],
    hasCaptured: rank.records.some(({ form }) => form.event.startsWith('capture-')),
    summary,
    finalAvailable: optional(summary, 'available', 'finalAvailable'),
  };
}

function firstOf(records: readonly LogRecord[], form: string): LogRecord | undefined {
  return records.find(record => record.form.id === form);
}

function lastOf(records: readonly LogRecord[], form: string): LogRecord | undefined {
  return records.findLast(record => record.form.id === form);
}

function optional(
  record: LogRecord | undefined,
  field: string,
  id: Figure['id'],
): Figure | undefined {
  return record && figure(record, field, id);
}

/** Several fields of one line added up; undefined unless all are there. */
function totalFigure(
  record: LogRecord,
  fields: readonly string[],
  id: Figure['id'],
): Figure | undefined {
  const figures = fields.map(field => figure(record, field, id));
  const quantity = sum(figures.flatMap(part => (part ? [part.quantity] : [])));
  return quantity && figures.every(part => part !== undefined)
    ? { id, quantity, record }
    : undefined;
}

function stateFigure(record: LogRecord): Figure | undefined {
  const always = ['conv', 'ssm'];
  const intermediate = ['intermediateSsm', 'intermediateConv'];
  const hasIntermediate = intermediate.some(field => record.fields[field] !== undefined);
  return totalFigure(record, hasIntermediate ? [...always, ...intermediate] : always, 'statePool');
}

/** @param isVirtual whether a mere reservation of addresses counts as well. */
function allocatedPools(
  records: readonly LogRecord[],
  id: Figure['id'],
  isVirtual = false,
): PoolFigure[] {
  return records.flatMap(record => {
    if (
      record.form.id !== 'kv-allocated' ||
      (record.words['virtual'] !== undefined && !isVirtual)
    ) {
      return [];
    }
    const k = figure(record, 'k', id);
    const v = figure(record, 'v', id);
    const size = figure(record, 'kv', id) ?? totalFigure(record, ['k', 'v'], id);
    return size === undefined
      ? []
      : [
          {
            size,
            tokens: figure(record, 'tokens', 'maxTotalTokens'),
            dtype: record.words['dtype'],
            parts: k && v ? [k, v] : [],
          },
        ];
  });
}

/** The last that was allocated, or those that got their memory after the capture, each as printed. */
function draftPools({ records, draft }: RankLog): PoolFigure[] {
  const resized = records.flatMap(resizedDraftPool);
  return resized.length > 0 ? resized : allocatedPools(draft, 'draftPool').slice(-1);
}

/**
 * The full-attention pool and the sliding-window pool. In an unlabelled pair the window pool comes
 * first (reference, Appendix B 9: up to 0.5.16; later releases label the lines).
 */
function splitPools(records: readonly LogRecord[]): {
  readonly full: PoolFigure | undefined;
  readonly swa: PoolFigure | undefined;
} {
  if (resizedLine(records) !== undefined) {
    return { full: resizedPool(records, allocatedPools(records, 'kvPool', true)), swa: undefined };
  }
  const shared = sharedPool(records);
  if (shared !== undefined) {
    return { full: shared, swa: undefined };
  }
  const pools = allocatedPools(records, 'kvPool');
  const labelled = (label: string): PoolFigure | undefined =>
    pools.find(({ size }) => size.record.words['pool'] === label);
  const labelledWindow = labelled('SWA');
  if (labelledWindow !== undefined || labelled('Full') !== undefined) {
    return { full: labelled('Full'), swa: labelledWindow && asWindow(labelledWindow) };
  }
  const parts = pools.filter(({ size }) => sparsePart.test(size.record.words['pool'] ?? ''));
  if (parts.length > 0) {
    return { full: wholeOf(parts), swa: undefined };
  }
  const hasWindow = records.some(({ form }) => form.id === 'swa-pool' || form.id === 'swa-split');
  if (!hasWindow) {
    return { full: isOnePool(pools) ? pools.at(-1) : undefined, swa: undefined };
  }
  // One line of an unlabelled pair says which pool it is by its tokens alone.
  if (pools.length < 2) {
    return poolsByTokens(records, pools[0]);
  }
  const [window, full] = pools.slice(-2);
  return { full, swa: window && asWindow(window) };
}

/** Keys and values of sparse attention, and the keys that choose among them, in lines of their own. */
const sparsePart = / (?:main NVFP4|index)$/;

/** The last of both parts together; undefined where one is not in the log. */
function wholeOf(parts: readonly PoolFigure[]): PoolFigure | undefined {
  const lastWith = (end: string): PoolFigure | undefined =>
    parts.findLast(({ size }) => size.record.words['pool']?.endsWith(end));
  const [main, index] = [lastWith('NVFP4'), lastWith('index')];
  const quantity = main && index && sum([main.size.quantity, index.size.quantity]);
  return quantity && { ...main, size: { ...main.size, quantity }, dtype: undefined, parts: [] };
}

/**
 * One buffer for keys, values, windows and states, where the release makes one: the lines of its parts
 * print nothing as their size, and more tokens than it can hold at once.
 */
function sharedPool(records: readonly LogRecord[]): PoolFigure | undefined {
  const record = records.findLast(
    ({ form, words }) => form.id === 'unified-pool' && words['virtual'] === undefined,
  );
  const size = record && figure(record, 'bytes', 'kvPool');
  const quantity = size && inGiB(size.quantity);
  const dtype = lastOf(records, 'kv-allocated')?.words['dtype'];
  return quantity && { size: { ...size, quantity }, tokens: undefined, dtype, parts: [] };
}

/** The line that splits the tokens tells a window pool from a full one, unless both have as many. */
function poolsByTokens(
  records: readonly LogRecord[],
  pool: PoolFigure | undefined,
): { readonly full: PoolFigure | undefined; readonly swa: PoolFigure | undefined } {
  const split = lastOf(records, 'swa-split')?.fields;
  const [full, swa, own] = [split?.['full'], split?.['swa'], pool?.tokens?.quantity.nominal].map(
    count => (typeof count === 'object' ? Number(count.value) : count),
  );
  return own === undefined || full === swa
    ? { full: undefined, swa: undefined }
    : {
        full: own === full ? pool : undefined,
        swa: own === swa && pool ? asWindow(pool) : undefined,
      };
}

/**
 * Lines of different sizes are of different pools, of which nothing tells which is the target's:
 * the window line, or the end of the target's pools, is not in the log.
 */
function isOnePool(pools: readonly PoolFigure[]): boolean {
  const sizes = new Set(pools.map(({ size }) => size.quantity.nominal));
  return sizes.size <= 1;
}

function asWindow(pool: PoolFigure): PoolFigure {
  return { ...pool, size: { ...pool.size, id: 'swaPool' } };
}

/** Every capture that ended; where its line has no usage, what was free before less after. */
function graphFigures(records: readonly LogRecord[], worker: GraphFigure['worker']): GraphFigure[] {
  const found: GraphFigure[] = [];
  let begin: LogRecord | undefined;
  for (const record of records) {
    const isBegin = record.form.event === 'capture-begin' || record.words['begin'] !== undefined;
    if (isBegin) {
      begin = record;
    } else if (record.form.event === 'capture-end') {
      const availableAfter = figure(record, 'avail', 'finalAvailable');
      const size =
        figure(record, 'usage', 'graphMemory') ?? difference(begin, record, 'graphMemory');
      if (size !== undefined) {
        found.push({ size, availableAfter, worker, kind: graphKindOf(record) });
      }
      begin = undefined;
    }
  }
  return found;
}

/** What was free on one line less what was free on a later one. */
function difference(
  before: LogRecord | undefined,
  after: LogRecord,
  id: Figure['id'],
): Figure | undefined {
  const [first, last] = [before && figure(before, 'avail', id), figure(after, 'avail', id)];
  const quantity =
    first && last && derive('first - last', { first: first.quantity, last: last.quantity });
  return quantity && { id, quantity, record: after };
}

/** Adapters that were loaded before the server was ready: free memory before less after each. */
function loraPools(records: readonly LogRecord[]): Figure[] {
  const found: Figure[] = [];
  let start: LogRecord | undefined;
  for (const record of records) {
    const { form, words } = record;
    if (form.event === 'summary' || form.event === 'ready' || form.event === 'serving') {
      break;
    }
    if (form.id === 'lora-adapter' && words['action'] === 'loading') {
      const pool =
        words['step'] === 'completes' ? difference(start, record, 'loraPool') : undefined;
      found.push(...(pool === undefined ? [] : [pool]));
      start = words['step'] === 'starts' ? record : undefined;
    }
  }
  return found;
}

/** Allocated after the pools are sized (reference 5.2), as printed. */
function symmetricMemory(records: readonly LogRecord[]): Figure | undefined {
  return optional(lastOf(records, 'symmetric-memory-pool'), 'size', 'symmetricMemory');
}

/** Rings of every speculation, and those that only some have. */
function ringFields({ fields }: LogRecord): string[] {
  return [...['d', 'k', 'g'], ...['rawV', 'rawK', 'beta'].filter(name => fields[name])];
}

function stateBuffer(record: LogRecord): Figure[] {
  const size =
    record.form.id === 'state-ring-buffers'
      ? totalFigure(record, ringFields(record), 'statePool')
      : record.form.id === 'int8-state-pool'
        ? figure(record, 'size', 'statePool')
        : undefined;
  return size === undefined ? [] : [size];
}

/**
 * The sample that stands for A: after the last model load before the pools. A draft that loads
 * before the target's pool (0.5.14 on) lowers A; one that loads later does not.
 */
export function availableSample(rank: RankFigures): Figure | undefined {
  const { draftLoadEnd, kvPool, loadEnd, poolEnd, summary, targetPoolEnd } = rank;
  const pool = kvPool?.size ?? targetPoolEnd;
  const isFirst =
    pool === undefined
      ? poolEnd === undefined && summary === undefined
      : draftLoadEnd !== undefined && draftLoadEnd.record.line < pool.record.line;
  return draftLoadEnd && isFirst ? draftLoadEnd : loadEnd;
}
