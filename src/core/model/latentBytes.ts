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
import { attentionLayersPerLayer } from '../sglang/layout/layerArchitecture';
import type { BytesContext, TokenBytes } from './bytesContext';
import { decidingStages, stageRange } from './layerPlan';
import type { LatentAttention } from './modelLayout';

/** Bytes per token of the layout. */
export function latentBytes(
  context: BytesContext,
  { latentRank, ropeDim, indexDim, ...index }: LatentAttention,
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

function indexLayers(
  context: BytesContext,
  { ownsIndex, indexSource }: Pick<LatentAttention, 'ownsIndex' | 'indexSource'>,
) {
  const { layers, architecture } = context.layout;
  const { parallel, keepsAllIndexKeys = false } = context.options;
  const stages = parallel.pp ?? 1;
  const each = attentionLayersPerLayer(architecture);
  const loads = Array.from({ length: stages }, (_, stage) => {
    const [start, end] = stageRange(layers.kinds.length, stages, stage);
    const held = Array.from({ length: end - start }, (__, at) => start + at);
    const isOwner = ownsIndex && !keepsAllIndexKeys ? ownsIndex : () => true;
    return { layers: held.length, weight: held.filter(isOwner).length * each };
  });
  const [lo = 0, hi = 0] = decidingStages(loads).map(stage => loads[stage]?.weight ?? 0);
  const sources = [...layers.sources, ...(indexSource ? [indexSource] : [])];
  context.facts.countedBetween('active_index_layers', { lo, hi }, sources);
}
