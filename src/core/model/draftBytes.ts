/**
 * What a draft's own buffers take for each token of the target's pool, whether the budget counts them
 * or not. Leaves out its weights, and its share of the budget: that is in the budgeted cell.
 */
import { draftBuffers, draftRow } from '../sglang/layout/draftFormula';
import { derive } from '../terms/derive';
import { solve } from '../terms/solve';
import type { Quantity } from '../units/quantity';
import type { LayoutOptions, TokenBytes } from './bytesContext';
import type { ModelLayout } from './modelLayout';

/** The target's dimensions stand for those of a draft whose config is not read. */
const alike = 'a layer of the draft takes what one of the model takes';

/** False for another model of its own, whose layers nobody gave. */
export function hasDraftLayers({ draftLayers }: ModelLayout, { draft }: LayoutOptions): boolean {
  return (
    draft === undefined ||
    draft.kind === 'eagle' ||
    draft.layers !== undefined ||
    draft.cell !== undefined ||
    (draftLayers?.value ?? 0) > 0
  );
}

/** B/token; undefined without a draft, and where its layers are not known. */
export function draftBytes(
  bytes: TokenBytes,
  layout: ModelLayout,
  options: LayoutOptions,
): Quantity | undefined {
  const { draft } = options;
  if (draft === undefined || !hasDraftLayers(layout, options)) {
    return undefined;
  }
  const { kind } = layout.attention;
  if (kind === 'compressed') {
    return withinShare(bytes);
  }
  const scope = bytes.scope.fork();
  const isSparse = layout.attention.kind === 'latent' && layout.attention.indexDim !== undefined;
  scope.read(
    draft.cell !== undefined
      ? draftRow.own
      : isSparse
        ? draftRow.sparse
        : bytes.windowPool !== undefined
          ? draftRow.window
          : draftRow.shared,
  );
  scope.lower(draftBuffers);
  const term = scope.term('draft_buffers');
  const found = solve([term], scope.facts, { explain: false }).quantityOf(term);
  const isOfCheckpoint = draft.layers === undefined && (layout.draftLayers?.value ?? 0) > 0;
  return found && draft.cell === undefined && !isOfCheckpoint ? supposedAlike(found) : found;
}

function supposedAlike(found: Quantity): Quantity {
  return { ...found, basis: 'assumed', assumptions: [...found.assumptions, alike] };
}

/** Compressed layers differ: the draft's takes no more than its share of the budget. */
function withinShare({ solution, budgeted, allocated }: TokenBytes): Quantity | undefined {
  const cell = solution.quantityOf(budgeted);
  const own = solution.quantityOf(allocated);
  const share = cell && own && derive('cell - own', { cell, own });
  if (share === undefined) {
    return undefined;
  }
  const { interval, unit, provenance, assumptions } = supposedAlike(share);
  return {
    interval: { lo: 0, hi: interval.hi },
    unit,
    provenance,
    basis: 'assumed',
    assumptions,
  };
}
