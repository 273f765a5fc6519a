/**
 * Whether the engine can spread a model over its ranks: heads of queries are divided over the ranks of
 * attention, heads of keys and values too, or whole multiples of ranks share one; and whether stages go
 * with speculation. Leaves out everything else that may stop a start.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { isSince } from '../sglang/layout/eraTable';
import { startsWithStages } from '../sglang/layout/pipelineSpeculation';
import type { ConfigNumber } from './configNumber';
import type { ModelLayout } from './modelLayout';
import { RefusedError } from './refusal';
import type { SizingOptions } from './poolSizer';
import type { LayoutOptions } from './tokenBytes';

/** Refuses ranks that do not divide; the layers of SGLang assert it at every start. */
export function checkRanks(
  { attention, queryHeads }: ModelLayout,
  { release, parallel: { tp, dp = 1, dpAttention = false, attnCp = 1 } }: LayoutOptions,
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
  // Early releases have no groups of attention either.
  if (shared !== undefined && isWithout(shared, tp, release)) {
    throw new RefusedError({
      kind: 'indivisible',
      key: shared.path,
      count: shared.value,
      ranks: tp,
    });
  }
  if (shared !== undefined && shared.value > ranks) {
    requireDivisible(shared.path, shared.value, ranks);
  } else if (shared !== undefined && ranks % shared.value !== 0) {
    throw new RefusedError({ kind: 'indivisible', key: shared.path, count: shared.value, ranks });
  }
}

/** From here on ranks share a head where there are fewer; before they had none. */
const sharedFrom = '0.1.18';

function isWithout({ value }: ConfigNumber, ranks: number, release: ReleaseInterval): boolean {
  return value < ranks && isSince(release, sharedFrom) === false;
}

/** Refuses speculation that the release does not start with pipeline stages. */
export function checkStages({
  release,
  parallel: { pp = 1 },
  draft,
  isSpeculative = draft !== undefined,
  role,
}: StartOptions): void {
  const isRefused = isSpeculative && !startsWithStages(release, draft?.kind, role === 'prefill');
  if (pp > 1 && isRefused) {
    throw new RefusedError({
      kind: 'not-together',
      flag: '--speculative-algorithm',
      other: '--pp',
    });
  }
}

type StartOptions = LayoutOptions & Pick<SizingOptions, 'isSpeculative' | 'role'>;

function requireDivisible(key: string, count: number, ranks: number): void {
  if (count % ranks !== 0) {
    throw new RefusedError({ kind: 'indivisible', key, count, ranks });
  }
}
