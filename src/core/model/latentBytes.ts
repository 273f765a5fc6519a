/**
 * Bytes per token of latent attention: one row for all heads, the same on every rank, and index keys
 * where attention is sparse.
 */
import {
  draftShare,
  draftShareSparse,
  indexLayers as indexLayerTable,
  latentCell,
  latentCellFp4,
  sparseCell,
  sparseRow,
} from '../sglang/layout/cellFormula';
import { isSince } from '../sglang/layout/eraTable';
import { attentionLayersPerLayer } from '../sglang/layout/layerArchitecture';
import type { BytesContext, TokenBytes } from './bytesContext';
import { decidingStages, stageRange } from './layerPlan';
import type { IndexOwners, LatentAttention } from './modelLayout';

/** Bytes per token of the layout. */
export function latentBytes(
  context: BytesContext,
  { latentRank, ropeDim, indexDim, index }: LatentAttention,
): TokenBytes {
  context.facts.config('kv_lora_rank', latentRank);
  context.facts.config('qk_rope_head_dim', ropeDim);
  if (indexDim === undefined) {
    context.lower(
      context.dtype.format === 'fp4' ? latentCellFp4 : latentCell,
      `${context.dtype.format} cache`,
    );
    context.shareWithDraft(draftShare);
    context.scope.define('allocated', context.scope.term('target_cell'));
  } else {
    context.facts.config('index_head_dim', indexDim);
    indexLayers(context, index);
    context.scope.read(sparseRow[rowKind(context)]);
    context.lower(indexLayerTable, 'sparse attention');
    context.lower(sparseCell, 'sparse attention');
    context.shareWithDraft(draftShareSparse);
  }
  return context.result({ pool: context.pool('allocated', undefined), windowPool: undefined });
}

function rowKind(context: BytesContext): keyof typeof sparseRow {
  const { rawSparseRows = false } = context.options;
  const { isFp8E4m3 } = context.dtype;
  if (rawSparseRows || isFp8E4m3 === false) {
    return 'raw';
  }
  return isFp8E4m3 === true ? 'scaled' : 'byElementSize';
}

/** Layers with index keys on the stage that decides; a release that is not known leaves bounds. */
function indexLayers(context: BytesContext, index: readonly IndexOwners[]): void {
  const { layers, architecture } = context.layout;
  const { parallel, release, keepsAllIndexKeys = false } = context.options;
  const stages = parallel.pp ?? 1;
  const each = attentionLayersPerLayer(architecture);
  const isRead = ({ since }: IndexOwners): boolean | undefined =>
    since === undefined || isSince(release, since);
  const certain = index.findIndex(one => isRead(one) === true);
  const read = index.slice(0, certain < 0 ? index.length : certain + 1);
  const possible = read.filter(one => isRead(one) !== false);
  const owners = [
    ...(keepsAllIndexKeys ? [] : possible.map(({ owns }) => owns)),
    ...(keepsAllIndexKeys || certain < 0 ? [() => true] : []),
  ];
  const bounds = owners.map(owns => {
    const loads = Array.from({ length: stages }, (_, stage) => {
      const [start, end] = stageRange(layers.kinds.length, stages, stage);
      const held = Array.from({ length: end - start }, (__, at) => start + at);
      return { layers: held.length, weight: held.filter(owns).length * each };
    });
    return decidingStages(loads).map(stage => loads[stage]?.weight ?? 0);
  });
  const all = bounds.flat();
  const sources = [...layers.sources, ...possible.map(({ source }) => source)];
  context.facts.countedBetween(
    'active_index_layers',
    { lo: Math.min(...all), hi: Math.max(...all) },
    sources,
  );
}
