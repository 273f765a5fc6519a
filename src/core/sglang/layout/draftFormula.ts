/**
 * Buffers of a draft model and the tokens that drafting adds, as formula text by release (reference
 * 1.4). Leaves out what the budget counts for a draft: that is cellFormula.ts and windowFormula.ts.
 */
import type { ReleaseInterval } from '../form/releaseInterval';
import type { EraTable } from './eraTable';
import { isSince } from './eraTable';

/** What a token takes in the layers of a draft, by how the target keeps its own. */
export const draftRow = {
  shared: 'draft_row = allocated * draft_layers / num_layers',
  /** Every layer of a draft has index keys of its own. */
  sparse: `
draft_latent_row = allocated_row * draft_layers * kv_element_size
draft_row = draft_latent_row + index_row * draft_layers * byte
`,
  /** A draft keeps all tokens in its layers, but for those that keep a window. */
  window: `
draft_row = full_row * draft_layers + draft_window_layers * (swa_full_tokens_ratio * swa_row - full_row)
`,
  /** Dimensions of its own. */
  own: 'draft_row = draft_cell',
} as const;

/** Groups of decoding each keep all of a draft. */
export const draftBuffers: EraTable = [
  { from: '0.1.3', text: 'draft_buffers = draft_row' },
  { from: '0.5.16', text: 'draft_buffers = draft_row * dcp_size' },
];

/** From this release up to the next one EAGLE raises the tokens of target and draft above the budget. */
const raisedFrom = '0.4.3.post3';
const raisedBefore = '0.5.7';

/** Whether the release raises the tokens for drafts; undefined where the log does not tell. */
export function raisesForDrafts(release: ReleaseInterval): boolean | undefined {
  const [isBegun, isOver] = [isSince(release, raisedFrom), isSince(release, raisedBefore)];
  if (isBegun === false || isOver === true) {
    return false;
  }
  return isBegun === true && isOver === false ? true : undefined;
}

/** Whether the release is before those: then the draft's pool alone may have more tokens. */
export function raisesDraftAlone(release: ReleaseInterval): boolean | undefined {
  const isBegun = isSince(release, raisedFrom);
  return isBegun === undefined ? undefined : !isBegun;
}

/** What all rows of the request table may draft and verify at once, on top of the profiled tokens. */
export const headroom = '(rows * (steps * branches + drafts) + 100) * token';

/** Earlier releases give the draft's pool alone more tokens. */
export const longerDraft = '(rows * steps + 100) * token';
