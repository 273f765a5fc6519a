/**
 * Entries of a row of the request table beyond the context, by release (read in 0.1.3 to 0.5.23): room
 * for the tokens that a step of speculation drafts, in whole pages since 0.5.16. Leaves out rows.
 */
import type { Interval } from '../../units/interval';
import { point } from '../../units/interval';
import type { ReleaseInterval } from '../form/releaseInterval';
import { isSince } from './eraTable';

/** What a step of speculation writes. */
export interface EntryFlags {
  readonly page: number;
  readonly isSpeculative: boolean;
  /** False for drafts that keep no keys and values: those of n-grams. */
  readonly hasDraftPool: boolean;
  readonly draftTokens?: number;
  readonly draftSteps?: number;
  readonly draftBranches?: number;
}

/** Nobody drafts more tokens a step: an assumption where their number is not known. */
export const mostDraftTokens = 64;

/** Entries beyond the context, at least and at most. */
export function extraEntries(release: ReleaseInterval, flags: EntryFlags): Interval {
  const isEarly = isSince(release, '0.3.1.post2');
  if (isEarly !== true) {
    return isEarly === false ? point(8) : { lo: 4, hi: Math.max(8, withDrafts(release, flags).hi) };
  }
  return withDrafts(release, flags);
}

function withDrafts(release: ReleaseInterval, flags: EntryFlags): Interval {
  const { isSpeculative, draftTokens } = flags;
  if (!isSpeculative) {
    return point(4);
  }
  const few = draftTokens ?? 1;
  const many = draftTokens ?? mostDraftTokens;
  const counts = isSince(release, '0.5.1');
  const plain = { lo: counts === true ? 4 + few : 4, hi: counts === false ? 4 : 4 + many };
  const { lo, hi } = inPages(release, flags, few, many);
  return { lo: Math.max(plain.lo, lo), hi: Math.max(plain.hi, hi) };
}

/** Room for two steps; from 0.5.13 on beside several branches, from 0.5.16 on beside any pages. */
function inPages(
  release: ReleaseInterval,
  { page, hasDraftPool, draftSteps, draftBranches }: EntryFlags,
  few: number,
  many: number,
): Interval {
  const isBegun = isSince(release, '0.5.13');
  if (page === 1 || isBegun === false) {
    return point(0);
  }
  const isWhole = isSince(release, '0.5.16');
  const least = { steps: draftSteps ?? 1, branches: draftBranches ?? 1, tokens: few };
  const most = { steps: draftSteps ?? many, branches: draftBranches ?? many, tokens: many };
  const room = (step: StepSize, isLater: boolean): number => {
    const isPaged = step.branches > 1 && (hasDraftPool || isSince(release, '0.5.14') !== true);
    const size = 2 * stepSize(step, isPaged ? page : 1);
    return isLater ? size + page - 1 : step.branches > 1 ? size : 0;
  };
  return {
    lo: isBegun === true ? room(least, isWhole === true) : 0,
    hi: room(most, isWhole !== false),
  };
}

interface StepSize {
  readonly steps: number;
  readonly branches: number;
  readonly tokens: number;
}

/** Tokens that a step may write: each branch in pages of its own. */
function stepSize({ steps, branches, tokens }: StepSize, page: number): number {
  const pages = page === 1 ? steps : Math.floor((2 * (page - 1) + steps) / page) * page;
  return Math.max(pages * branches, tokens);
}
