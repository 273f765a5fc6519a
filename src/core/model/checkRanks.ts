/**
 * Whether the engine can spread a model over its ranks: heads of queries are divided over the ranks of
 * attention, heads of keys and values too, or whole multiples of ranks share one. Leaves out everything
 * else that may stop a start.
 */
import type { ModelLayout } from './modelLayout';
import { RefusedError } from './refusal';
import type { ParallelPlan } from './tokenBytes';

/** Refuses ranks that do not divide; the layers of SGLang assert it at every start. */
export function checkRanks(
  { attention, queryHeads }: ModelLayout,
  { tp, dp = 1, dpAttention = false, attnCp = 1 }: ParallelPlan,
): void {
  const groups = dpAttention ? dp : 1;
  if (tp % (groups * attnCp) !== 0) {
    const [key, count] =
      groups > 1 ? (['--dp', dp] as const) : (['--attn-cp-size', attnCp] as const);
    throw new RefusedError({ kind: 'indivisible', key, count, ranks: tp });
  }
  const ranks = tp / (groups * attnCp);
  if (queryHeads !== undefined) {
    requireDivisible(queryHeads.path, queryHeads.value, ranks);
  }
  const shared = attention.kind === 'heads' ? attention.kvHeads : undefined;
  if (shared !== undefined && shared.value > ranks) {
    requireDivisible(shared.path, shared.value, ranks);
  } else if (shared !== undefined && ranks % shared.value !== 0) {
    throw new RefusedError({ kind: 'indivisible', key: shared.path, count: shared.value, ranks });
  }
}

function requireDivisible(key: string, count: number, ranks: number): void {
  if (count % ranks !== 0) {
    throw new RefusedError({ kind: 'indivisible', key, count, ranks });
  }
}
