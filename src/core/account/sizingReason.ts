/**
 * Why a sizing that failed is not answered by a fraction of the target's budget: the draft worker
 * failed, a window pool is cut first, or the budget that the claim gives would have been enough.
 */
import type { Run } from '../log/run';
import { isWithin, mayBeWithin } from '../sglang/release';
import type { Quantity } from '../units/quantity';
import { fieldQuantity } from './figure';
import { aiterReleases, longestPlainContext } from './fractionMultiplier';
import type { Outcome } from './verdict';

export type SizingReason = 'draft-sizing' | 'window-cap' | 'lowered-fraction' | 'unexplained';

/** GiB of a budget above which "no memory left" is contradicted, beyond drift and rounding. */
const leastLeftGiB = 0.5;

/** Errors that say that nothing was left for the pool. */
const nothingLeft: ReadonlySet<string> = new Set(['not-enough-memory', 'no-memory-left']);

/** What is known of the sizing that failed. */
export interface FailedSizing {
  /** The budget by the claimed fraction, in GiB. */
  readonly rest: Quantity | undefined;
  /** Whether a line shows pools of the target. */
  readonly hasPools: boolean;
}

/** Releases in which a draft is loaded after the pools of the target, and sizes its own. */
const draftSizes = { from: '0.1.0', to: '0.5.13.post1' };

/** The reason; undefined where the failure is one of the budget. */
export function sizingReasonOf(
  run: Run,
  { kind, cause }: Outcome,
  { rest, hasPools }: FailedSizing,
): SizingReason | undefined {
  if (kind !== 'not-enough-memory' || cause === undefined) {
    return undefined;
  }
  const isOfDraft = run.ranks.some(({ draft }) => draft.includes(cause));
  if (isOfDraft && (hasPools || isWithin(run.release, draftSizes))) {
    return 'draft-sizing';
  }
  if (cause.form.id === 'swa-cap-too-large') {
    return 'window-cap';
  }
  if (!nothingLeft.has(cause.form.id)) {
    return undefined;
  }
  const argument = (name: string) => run.serverArguments?.values.get(name)?.value;
  const length = argument('context_length');
  const isShort = typeof length === 'bigint' && length <= longestPlainContext;
  if (
    argument('attention_backend') === 'aiter' &&
    !isShort &&
    mayBeWithin(run.release, aiterReleases)
  ) {
    return 'lowered-fraction';
  }
  return rest !== undefined && rest.interval.lo > leastLeftGiB ? 'unexplained' : undefined;
}

/** What a window pool was to take and what all pools have, GiB, where the error says it. */
export function windowCapOf({
  cause,
}: Outcome): { readonly cap: Quantity; readonly rest: Quantity } | undefined {
  if (cause?.form.id !== 'swa-cap-too-large') {
    return undefined;
  }
  const [cap, rest] = ['swaSize', 'available'].map(name => {
    const field = cause.fields[name];
    return field && fieldQuantity(cause, field);
  });
  return cap && rest && { cap, rest };
}
