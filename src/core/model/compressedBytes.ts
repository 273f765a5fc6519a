/**
 * Bytes per token of compressed attention: layers with compress ratios beside a window, as one number
 * a token of the full pool.
 */
import {
  compressedCell,
  compressedPage,
  compressedShare,
  compressedWindowRatio,
  paddedPagesFrom,
  ringSizes,
} from '../sglang/layout/compressedFormula';
import { isSince } from '../sglang/layout/eraTable';
import type { BytesContext, TokenBytes } from './bytesContext';
import { stageRange } from './layerPlan';
import type { CompressedAttention } from './modelLayout';

/** Bytes per token of the layout. */
export function compressedBytes(context: BytesContext, attention: CompressedAttention): TokenBytes {
  const { headDim, ropeDim, indexDim, window, ratios, ratiosSource } = attention;
  context.facts.config('head_dim', headDim);
  context.facts.config('qk_rope_head_dim', ropeDim);
  context.facts.config('index_head_dim', indexDim);
  context.facts.config('window_size', window);
  ratioCounts(context, ratios, ratiosSource);
  const isSpeculative = context.options.draft !== undefined;
  const rings = isSpeculative ? ringSizes.speculative : ringSizes.plain;
  context.facts.flag('ring4_size', rings[4], '--speculative-algorithm');
  context.facts.flag('ring128_size', rings[128], '--speculative-algorithm');
  context.facts.assumed('compress_state_size', 4, 'compression state in float32');
  context.facts.flag('hisparse_ratio', 1, '--enable-hisparse');
  pageTokens(context);
  const { windowRatio } = context.options;
  if (windowRatio === undefined) {
    context.facts.assumed(
      'swa_full_tokens_ratio',
      compressedWindowRatio,
      `swa_full_tokens_ratio = ${compressedWindowRatio}`,
    );
  } else {
    context.facts.flag('swa_full_tokens_ratio', windowRatio, '--swa-full-tokens-ratio');
  }
  context.scope.read('qk_nope_head_dim = head_dim - qk_rope_head_dim');
  context.lower(compressedCell, 'compressed attention');
  context.scope.read(isSpeculative ? compressedShare.speculative : compressedShare.plain);
  context.scope.define('allocated', context.scope.term('target_cell'));
  return context.result({ pool: context.pool('allocated', undefined), windowPool: undefined });
}

/** The page that bytes follow from: as given, else what the releases set. */
function pageTokens({ options, facts }: BytesContext): void {
  if (isSince(options.release, paddedPagesFrom) === false) {
    return;
  }
  const page = compressedPage(options.page);
  if (page === options.page) {
    facts.flag('compressed_page', page, '--page-size');
  } else {
    facts.assumed('compressed_page', page, `page_size = ${page}`);
  }
}

/** Layers by ratio: of the stage from 0.5.13 on, of the whole list (drafts too) before. */
function ratioCounts(
  context: BytesContext,
  ratios: readonly number[],
  source: CompressedAttention['ratiosSource'],
): void {
  const { layers } = context.layout;
  const stages = context.options.parallel.pp ?? 1;
  const slices = Array.from({ length: stages }, (_, stage) =>
    ratios.slice(...stageRange(layers.kinds.length, stages, stage)),
  );
  const isSliced = isSince(context.options.release, '0.5.13');
  const choices = [
    ...(isSliced === true ? [] : [ratios]),
    ...(isSliced === false ? [] : [fullestSlice(slices)]),
  ];
  const count = (
    name: 'compressed_layers' | 'ratio4_layers' | 'ratio128_layers',
    ratio?: number,
  ) => {
    const counts = choices.map(
      list => list.filter(each => ratio === undefined || each === ratio).length,
    );
    const [lo, hi] = [Math.min(...counts), Math.max(...counts)];
    if (lo === hi) {
      context.facts.counted(name, lo, [source, ...layers.sources]);
    } else {
      context.facts.between(name, { lo, hi }, '--pp');
    }
  };
  count('compressed_layers');
  count('ratio4_layers', 4);
  count('ratio128_layers', 128);
}

function fullestSlice(slices: readonly (readonly number[])[]): readonly number[] {
  const weight = (slice: readonly number[]): number =>
    slice.length + slice.filter(ratio => ratio === 4).length * 2;
  return slices.reduce((best, next) => (weight(next) > weight(best) ? next : best), []);
}
