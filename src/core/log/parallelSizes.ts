/**
 * The sizes of a run's parallel dimensions, from its launch arguments or, as lower bounds, from the
 * ranks that printed. Also the order of ranks. Leaves out what the sizes mean for memory.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { isWithin } from '../sglang/release';
import type { RankKey } from './record';
import type { ParallelDimension, ParallelSizes, RankLog } from './run';
import type { ServerArguments } from './serverArguments';

/** Orders ranks by the numbers of their parts. */
export function compareRanks(left: RankKey, right: RankKey): number {
  const a = [...left.matchAll(/\d+/g)].map(Number);
  const b = [...right.matchAll(/\d+/g)].map(Number);
  for (const [index, part] of a.entries()) {
    const difference = part - (b[index] ?? -1);
    if (difference !== 0) {
      return difference;
    }
  }
  return a.length - b.length;
}

/** Name of the argument and letters of the prefix. */
const dimensions = {
  tp: ['tp_size', 'TP'],
  pp: ['pp_size', 'PP'],
  dp: ['dp_size', 'DP'],
  ep: ['ep_size', 'EP'],
  cp: ['attn_cp_size', 'ATTN_CP'],
} as const satisfies Record<ParallelDimension, readonly [string, string]>;

/** Dimensions whose ranks share the minimum of free memory (reference 1.3). */
const sharing: readonly ParallelDimension[] = ['tp', 'pp', 'cp'];

/** Releases whose schedulers print a part of the rank only where its size is above 1 (reference 6). */
const shortPrefixes = { from: '0.4.6.post2' };

/** Releases that always print the tensor-parallel rank. */
const longPrefixes = { from: '0.1.0', to: '0.4.6.post1' };

/** Sizes of the parallel dimensions of a run. */
export function readParallelSizes(
  args: ServerArguments | undefined,
  logs: readonly RankLog[],
  release: ReleaseInterval,
): ParallelSizes {
  const ranks = logs.map(({ rank }) => rank);
  const fromArgs = (name: string): number | undefined => {
    const value = args?.values.get(name)?.value;
    return typeof value === 'bigint' ? Number(value) : undefined;
  };
  const indexesOf = (dimension: ParallelDimension): ReadonlySet<number> => {
    const part = new RegExp(`(?:^| )${dimensions[dimension][1]}(\\d+)`);
    return new Set(
      ranks.flatMap(rank => {
        const index = part.exec(rank)?.[1];
        return index === undefined ? [] : [Number(index)];
      }),
    );
  };
  const sizeOf = (dimension: ParallelDimension): number | undefined =>
    fromArgs(dimensions[dimension][0]) ?? leastSize(indexesOf(dimension));
  const isUnknown = (dimension: ParallelDimension): boolean => {
    const indexes = indexesOf(dimension);
    const isTold = fromArgs(dimensions[dimension][0]) !== undefined || indexes.size === 0;
    const isAlone = indexes.size === 1 && !isWithin(release, longPrefixes);
    return !isTold && (isAlone || !isAlmostWhole(indexes));
  };
  const isServer = isWithin(release, shortPrefixes) && logs.some(servesAs);
  const isShort = (dimension: ParallelDimension): boolean => {
    const indexes = indexesOf(dimension);
    return indexes.size < (leastSize(indexes) ?? 0) || (isServer && indexes.size === 1);
  };
  const tp = fromArgs('tp_size');
  const pp = fromArgs('pp_size');
  const dp = fromArgs('dp_size');
  const isAttentionDp =
    args?.values.get('enable_dp_attention')?.value === true || isNestedDp(ranks);
  return {
    tp: sizeOf('tp'),
    pp: sizeOf('pp'),
    dp: sizeOf('dp'),
    ep: sizeOf('ep'),
    cp: sizeOf('cp'),
    nnodes: fromArgs('nnodes'),
    ranksSeen: ranks.length,
    ranksExpected: tp === undefined ? undefined : tp * (pp ?? 1) * (isAttentionDp ? 1 : (dp ?? 1)),
    basis: tp === undefined ? 'ranks' : 'arguments',
    atLeast: new Set((Object.keys(dimensions) as ParallelDimension[]).filter(isUnknown)),
    hidesRanks: tp === undefined && sharing.some(isShort),
  };
}

/** The size that the indexes need; undefined where there are none. */
function leastSize(indexes: ReadonlySet<number>): number | undefined {
  return indexes.size === 0 ? undefined : Math.max(...indexes) + 1;
}

/** From the first rank on without a gap, or most of a power of two. */
function isAlmostWhole(indexes: ReadonlySet<number>): boolean {
  const size = leastSize(indexes) ?? 0;
  return indexes.size === size || (indexes.size * 2 > size && Number.isInteger(Math.log2(size)));
}

/** True for the rank of a scheduler; offline benchmarks print their rank in every case. */
function servesAs({ rank, records }: RankLog): boolean {
  return records.some(
    record =>
      record.rank === rank && (record.form.event === 'summary' || record.form.event === 'serving'),
  );
}

/** DP attention: each TP index occurs in one DP group only. */
export function isNestedDp(ranks: readonly RankKey[]): boolean {
  const groupOf = new Map<string, string>();
  for (const rank of ranks) {
    const dp = /\bDP(\d+)/.exec(rank)?.[1];
    const tp = /\bTP(\d+)/.exec(rank)?.[1];
    if (dp === undefined || tp === undefined) {
      return false;
    }
    if (groupOf.has(tp) && groupOf.get(tp) !== dp) {
      return false;
    }
    groupOf.set(tp, dp);
  }
  return new Set(groupOf.values()).size > 1;
}
