/**
 * Data-parallel replicas: each sizes its pool by its own cards, unless attention is data parallel,
 * where all ranks share one minimum (reference 1.3). Leaves out what a replica's ranks share.
 */
import type { RankKey } from '../log/record';
import { isNestedDp } from '../log/parallelSizes';
import type { Run } from '../log/run';
import { derive, sum } from '../terms/derive';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { assumptions } from './assumption';
import { fieldQuantity } from './figure';
import type { RankFigures } from './rankFigures';

/** The number of the replica in a rank's name; undefined where it has none. */
function replicaOf(rank: RankKey): string | undefined {
  return /\bDP(\d+)/.exec(rank)?.[1];
}

/** True where all ranks serve one model together, and attention is split in groups of them. */
export function isDpAttention({ serverArguments, ranks }: Run): boolean {
  return (
    serverArguments?.values.get('enable_dp_attention')?.value === true ||
    isNestedDp(ranks.map(({ rank }) => rank))
  );
}

/** Groups of data-parallel attention; 1 without it, undefined where their number is not known. */
export function attentionGroups(run: Run): number | undefined {
  return isDpAttention(run) ? run.parallel.dp : 1;
}

/** True where the log shows replicas that share no memory. */
function isReplicated(run: Run): boolean {
  return !isDpAttention(run) && new Set(run.ranks.map(({ rank }) => replicaOf(rank))).size > 1;
}

/** The ranks that size their pools together with this one: those of its replica, else all. */
export function withinReplica(
  run: Run,
  ranks: readonly RankFigures[],
  own: RankFigures | undefined,
): readonly RankFigures[] {
  return own === undefined || !isReplicated(run)
    ? ranks
    : ranks.filter(({ rank }) => replicaOf(rank) === replicaOf(own.rank));
}

/**
 * Tokens of all replicas. Proved where each shows its own, else that of one times their number,
 * where those that are shown are alike; undefined for a server of one.
 */
export function clusterTokens(
  run: Run,
  ranks: readonly RankFigures[],
  tokens: Quantity | undefined,
): Quantity | undefined {
  const { dp, basis } = run.parallel;
  const seen = new Set(ranks.flatMap(({ rank }) => replicaOf(rank) ?? []));
  // Without launch arguments every replica has to be in the log, from the first to the last.
  if (dp === undefined || dp < 2 || (basis === 'ranks' && seen.size < dp)) {
    return undefined;
  }
  const shown = [...seen].flatMap(replica => tokensOf(ranks, replica) ?? []);
  if (shown.length === dp) {
    return sum(shown);
  }
  const isAlike = shown.every(({ printed }) => printed === tokens?.printed);
  const all =
    tokens &&
    isAlike &&
    derive('tokens * replicas', { tokens, replicas: givenQuantity(dp, units.one, 'replicas') });
  return all
    ? {
        ...all,
        basis: 'assumed',
        assumptions: [...new Set([...all.assumptions, assumptions.replicasAlike])],
      }
    : undefined;
}

/** What the ranks of a replica print of its pool. */
function tokensOf(ranks: readonly RankFigures[], replica: string): Quantity | undefined {
  for (const { kvPool, rank, summary } of ranks) {
    const field = summary?.fields['tokens'];
    const printed = summary && field && fieldQuantity(summary, field);
    const tokens = kvPool?.tokens?.quantity ?? printed;
    if (replicaOf(rank) === replica && tokens !== undefined) {
      return tokens;
    }
  }
  return undefined;
}
