/**
 * The sizes of a run's parallel dimensions, from its launch arguments or, as lower bounds, from the
 * ranks that printed. Also the order of ranks. Leaves out what the sizes mean for memory.
 */
import type { RankKey } from './record';
import type { ParallelSizes } from './run';
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

/** Sizes of the parallel dimensions of a run. */
export function readParallelSizes(
  args: ServerArguments | undefined,
  ranks: readonly RankKey[],
): ParallelSizes {
  const fromArgs = (name: string): number | undefined => {
    const value = args?.values.get(name)?.value;
    return typeof value === 'bigint' ? Number(value) : undefined;
  };
  const fromRanks = (part: string): number | undefined => {
    const indexes = ranks.flatMap(rank => new RegExp(`(?:^| )${part}(\\d+)`).exec(rank)?.[1] ?? []);
    return indexes.length === 0 ? undefined : Math.max(...indexes.map(Number)) + 1;
  };
  const tp = fromArgs('tp_size');
  const pp = fromArgs('pp_size');
  const dp = fromArgs('dp_size');
  const isAttentionDp =
    args?.values.get('enable_dp_attention')?.value === true || isNestedDp(ranks);
  return {
    tp: tp ?? fromRanks('TP'),
    pp: pp ?? fromRanks('PP'),
    dp: dp ?? fromRanks('DP'),
    ep: fromArgs('ep_size') ?? fromRanks('EP'),
    cp: fromArgs('attn_cp_size') ?? fromRanks('ATTN_CP'),
    nnodes: fromArgs('nnodes'),
    ranksSeen: ranks.length,
    ranksExpected: tp === undefined ? undefined : tp * (pp ?? 1) * (isAttentionDp ? 1 : (dp ?? 1)),
    basis: tp === undefined ? 'ranks' : 'arguments',
  };
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
