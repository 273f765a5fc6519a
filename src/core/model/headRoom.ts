/**
 * Tokens that EAGLE adds on top of what the budget gives, by release: to both pools from 0.4.3.post3
 * to 0.5.6.post2, to the draft's alone before. Leaves out the budget.
 */
import {
  headroom,
  longerDraft,
  raisesDraftAlone,
  raisesForDrafts,
} from '../sglang/layout/draftFormula';
import { derive } from '../terms/derive';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import type { LayoutOptions } from './bytesContext';

/** What a step of speculation drafts and verifies. */
export interface Speculation extends Pick<LayoutOptions, 'release' | 'draft'> {
  readonly draftSteps?: number;
  readonly draftBranches?: number;
  readonly draftTokens?: number;
  /** True with any speculation, without a draft model too. */
  readonly isSpeculative?: boolean;
  /** State layers keep states for every draft token. */
  readonly hasState?: boolean;
}

const flagNames = {
  draftSteps: '--speculative-num-steps',
  draftBranches: '--speculative-eagle-topk',
  draftTokens: '--speculative-num-draft-tokens',
} as const;

/** Whether the pools may have more tokens than the budget gives; true where it may be so. */
export function isRaised({ release, draft }: Speculation): boolean {
  return draft !== undefined && draft.kind !== 'block' && raisesForDrafts(release) !== false;
}

/** Whether the pool of the draft alone may have more. */
export function isDraftLonger({ release, draft }: Speculation): boolean {
  return draft !== undefined && draft.kind !== 'block' && raisesDraftAlone(release) !== false;
}

/** Flags that the added tokens follow from and that nobody gave. */
export function missingSpeculation(options: Speculation): readonly string[] {
  const names = isRaised(options)
    ? (['draftSteps', 'draftBranches', 'draftTokens'] as const)
    : isDraftLonger(options)
      ? (['draftSteps'] as const)
      : options.hasState === true && options.isSpeculative === true
        ? (['draftTokens'] as const)
        : [];
  return names.filter(name => options[name] === undefined).map(name => flagNames[name]);
}

/** Tokens added to what was profiled; undefined where flags are missing or the release is open. */
export function headroomTokens(
  rows: Quantity,
  { release, draftSteps, draftBranches, draftTokens }: Speculation,
): Quantity | undefined {
  if (raisesForDrafts(release) !== true || !draftSteps || !draftBranches || !draftTokens) {
    return undefined;
  }
  return derive(headroom, {
    rows,
    steps: givenQuantity(BigInt(draftSteps), units.one, flagNames.draftSteps),
    branches: givenQuantity(BigInt(draftBranches), units.one, flagNames.draftBranches),
    drafts: givenQuantity(BigInt(draftTokens), units.one, flagNames.draftTokens),
    token: oneToken,
  });
}

/** Tokens of the draft's pool beyond those of the target's. */
export function longerDraftTokens(
  rows: Quantity,
  { release, draftSteps }: Speculation,
): Quantity | undefined {
  return raisesDraftAlone(release) === true && draftSteps
    ? derive(longerDraft, {
        rows,
        steps: givenQuantity(BigInt(draftSteps), units.one, flagNames.draftSteps),
        token: oneToken,
      })
    : undefined;
}

const oneToken: Quantity = { ...givenQuantity(1n, units.token, 'token'), provenance: [] };
