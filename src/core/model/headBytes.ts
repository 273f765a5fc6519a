/**
 * Bytes per token of attention with heads of keys and values, with or without a pool of their own for
 * window layers. Leaves out latent and compressed rows.
 */
import {
  draftShare,
  headCell,
  headCellFp4,
  headCellMxfp8,
  headsPerRank,
  sparseHeadCell,
} from '../sglang/layout/cellFormula';
import { isSince } from '../sglang/layout/eraTable';
import { replacesZeroValueDim, zeroValuesReplacedFrom } from '../sglang/layout/layerArchitecture';
import { poolsWindow } from '../sglang/layout/windowArchitecture';
import {
  onlyWindowBudget,
  ownWindowBudget,
  windowBudget,
  windowCells,
  windowDraft,
  windowRows,
  windowRowsMxfp8,
} from '../sglang/layout/windowFormula';
import { solve } from '../terms/solve';
import type { BytesContext, TokenBytes } from './bytesContext';
import { countLayers, decidingStages, stageRange } from './layerPlan';
import type { HeadAttention, HeadIndex } from './modelLayout';
import { RefusedError } from './refusal';
import { decidingWindows } from './windowStages';

/** Bytes per token of the layout. */
export function headBytes(context: BytesContext, attention: HeadAttention): TokenBytes {
  headDimensions(context, attention);
  if (attention.index !== undefined) {
    return sparseHeads(context, attention.index);
  }
  const { layers, architecture, asksForWindowPool } = context.layout;
  const windows = countLayers(layers, ['window']);
  const isPooled =
    windows > 0 &&
    (context.options.windowPool ??
      poolsWindow(architecture, asksForWindowPool, context.options.release));
  if (isPooled === false) {
    plainHeads(context);
    context.shareWithDraft(draftShare);
    context.scope.define('allocated', context.scope.term('target_cell'));
    return context.result({ pool: context.pool('target_cell', 'key_cell'), windowPool: undefined });
  }
  return windowBytes(context, attention, isPooled);
}

/** From here on the card decides whether rows beside packed experts have a layout that is not known here. */
const packedRowsFrom = '0.5.23';

/** Rows of the index head of a layer: keys and values, keys alone, or no index. */
const rowsOfKind = { none: 0, both: 2, keys: 1 } as const;

/** Index rows beside keys and values; a log prints the sum of both. */
function sparseHeads(
  context: BytesContext,
  { dim, layers: kinds, source, packed }: HeadIndex,
): TokenBytes {
  const { options, facts } = context;
  if (packed !== undefined && isSince(options.release, packedRowsFrom) !== false) {
    const { path: key, place } = packed;
    throw new RefusedError({ kind: 'unknown-attention', key, place });
  }
  if (context.dtype.format !== 'plain') {
    throw new RefusedError({ kind: 'not-in-release', what: `${context.dtype.format} cache here` });
  }
  const stages = options.parallel.pp ?? 1;
  const slices = Array.from({ length: stages }, (_, stage) =>
    kinds.slice(...stageRange(kinds.length, stages, stage)),
  );
  const rowsOf = (slice: typeof kinds): number =>
    slice.reduce<number>((sum, kind) => sum + rowsOfKind[kind], 0);
  const loads = slices.map(slice => ({ layers: slice.length, weight: rowsOf(slice) }));
  const [lo = 0, hi = 0] = decidingStages(loads).map(stage => loads[stage]?.weight);
  facts.config('sparse_index_dim', dim);
  const mayBeFp8 =
    context.dtype.isFp8E4m3 !== false && isSince(options.release, indexByBackendFrom) !== false;
  facts.between('index_element_size', { lo: mayBeFp8 ? 1 : 2, hi: 2 }, '--attention-backend');
  facts.countedBetween('index_rows', { lo, hi }, [source]);
  context.lower(sparseHeadCell, 'sparse attention over heads');
  context.shareWithDraft(draftShare);
  context.scope.define('allocated', context.scope.term('target_cell'));
  return context.result({ pool: context.pool('target_cell', undefined), windowPool: undefined });
}

/** Values of the config, and by formula what it leaves out. */
function headDimensions(context: BytesContext, attention: HeadAttention): void {
  const { kvHeads, headCount, hiddenSize, headDim, valueDim, isNested } = attention;
  const asDefault = isNested ? ['head_dim = hidden_size // num_attention_heads'] : [];
  if (context.options.leavesHeadsOpen === true) {
    context.scope.bound('num_key_value_heads', { lo: 1, hi: Infinity }, { provenance: [] });
  } else {
    context.facts.config('num_key_value_heads', kvHeads);
  }
  context.facts.config('head_dim', headDim, attention.headDimAssumptions);
  const isValueDim = valueDim !== undefined && !isReplacedZero(context, valueDim.value);
  context.facts.config('v_head_dim', isValueDim ? valueDim : undefined);
  if (headDim === undefined) {
    context.facts.config('hidden_size', hiddenSize, asDefault);
  }
  if (headDim === undefined || kvHeads === undefined) {
    context.facts.config('num_attention_heads', headCount);
  }
  if (headDim === undefined) {
    context.scope.read('head_dim = hidden_size // num_attention_heads');
  }
  if (!isValueDim) {
    context.scope.read('v_head_dim = head_dim');
  }
  if (kvHeads === undefined) {
    context.scope.read('num_key_value_heads = num_attention_heads');
    context.lower(headsPerRank, 'attention');
  }
}

/** A value dimension of zero is that of the keys, but for some classes and releases. */
function isReplacedZero({ layout, options }: BytesContext, valueDim: number): boolean {
  if (valueDim !== 0 || replacesZeroValueDim(layout.architecture)) {
    return valueDim === 0;
  }
  const isReplaced = isSince(options.release, zeroValuesReplacedFrom);
  if (isReplaced === undefined) {
    throw new RefusedError({ kind: 'not-in-release', what: 'v_head_dim = 0' });
  }
  return isReplaced;
}

/** From here on backends decide whether index rows beside an FP8 cache are FP8 too. */
const indexByBackendFrom = '0.5.21';

/** From here on the backends of prefill and decoding decide what FP4 needs beside its values. */
const fp4ByBackendFrom = '0.5.21';

function plainHeads(context: BytesContext): void {
  if (context.dtype.format === 'fp4') {
    fp4Backends(context);
  }
  const tables = { plain: headCell, fp4: headCellFp4, mxfp8: headCellMxfp8 } as const;
  context.lower(tables[context.dtype.format], `${context.dtype.format} cache`);
}

/** What backends need beside the values, within bounds; a log's or a flag's name tells the scales. */
function fp4Backends({ dtype, facts, options, layout }: BytesContext): void {
  if (isSince(options.release, fp4ByBackendFrom) === false) {
    return;
  }
  const { attention } = layout;
  const isWhole = attention.kind === 'heads' && (attention.headDim?.value ?? 16) % 16 === 0;
  if (dtype.scaleCopies === undefined || !isWhole) {
    throw new RefusedError({ kind: 'open-flag', flag: '--kv-cache-dtype' });
  }
  facts.between('fp4_scale_copies', dtype.scaleCopies, '--attention-backend');
  facts.between('fp4_workspace_size', { lo: 0, hi: 2 }, '--attention-backend');
}

/** Pools of their own for window layers; `isPooled` undefined leaves both budgets open. */
function windowBytes(
  context: BytesContext,
  attention: HeadAttention,
  isPooled: boolean | undefined,
): TokenBytes {
  const { format } = context.dtype;
  if (format === 'fp4') {
    throw new RefusedError({ kind: 'not-in-release', what: 'fp4 cache with window layers' });
  }
  const { windowRatio } = context.options;
  if (windowRatio === undefined) {
    context.facts.unset('swa_full_tokens_ratio', 0.8, '--swa-full-tokens-ratio');
  } else {
    context.facts.flag('swa_full_tokens_ratio', windowRatio, '--swa-full-tokens-ratio');
  }
  const { draft } = context.options;
  const isBlock = draft?.kind === 'block';
  context.scope.read(isBlock ? windowDraft.own : windowDraft.shared);
  windowsOfDraft(context);
  const isOwn = windowDimensions(context, attention);
  context.lower(
    format === 'mxfp8' ? windowRowsMxfp8 : windowRows,
    format === 'mxfp8' ? 'mxfp8 cache with window layers' : 'window pool',
  );
  const full = windowLayers(context, windowRatio ?? 0.8);
  context.scope.read(windowCells);
  const budget = full === 0 ? onlyWindowBudget : isOwn ? ownWindowBudget : windowBudget;
  context.lower(budget, 'window pool');
  if (isBlock && draft.cell !== undefined && isSince(context.options.release, '0.5.15') !== false) {
    context.scope.read(windowDraft.added);
  }
  if (isPooled === undefined) {
    leaveOpen(context);
  }
  const pool = full === 0 ? 'window_cell' : 'full_cell';
  const keys = full === 0 ? 'window_key_cell' : 'key_cell';
  if (isPooled === true) {
    context.scope.define('allocated', context.scope.term(pool));
  }
  return context.result({
    pool: context.pool(isPooled === true ? pool : 'allocated', keys),
    windowPool:
      isPooled === true && full > 0 ? context.pool('window_cell', 'window_key_cell') : undefined,
  });
}

/** Layers of each kind on the stage that decides; returns those that keep all tokens. */
function windowLayers(context: BytesContext, ratio: number): number {
  const { scope, facts, layout } = context;
  const terms = [scope.term('full_row'), scope.term('swa_row')] as const;
  const solution = solve(terms, scope.facts, { explain: false });
  const [fullRow, windowRow] = terms.map(term => solution.intervalOf(term)?.lo ?? 1);
  const rows = { full: fullRow ?? 1, window: windowRow ?? 1, ratio };
  const { full, window } = decidingWindows(context, rows);
  facts.countedBetween('full_layers', full, layout.layers.sources);
  facts.countedBetween('swa_layers', window, layout.layers.sources);
  return full.hi;
}

/** Which layers of a draft keep a window is in its own config, which is not read. */
function windowsOfDraft({ options, facts, layout }: BytesContext): void {
  const { draft } = options;
  const layers = draft?.layers ?? Math.max(1, layout.draftLayers?.value ?? 1);
  const isOpen = draft !== undefined && draft.kind !== 'block';
  const flag = '--speculative-draft-model-path';
  facts.between('draft_window_layers', { lo: 0, hi: isOpen ? layers : 0 }, flag);
}

/** Whether window layers have dimensions of their own in the config. */
function windowDimensions(
  context: BytesContext,
  { windowKvHeads, windowHeadDim, windowValueDim }: HeadAttention,
): boolean {
  context.facts.config('swa_num_key_value_heads', windowKvHeads);
  context.facts.config('swa_head_dim', windowHeadDim);
  context.facts.config('swa_v_head_dim', windowValueDim);
  if (windowKvHeads === undefined) {
    context.scope.read('swa_num_key_value_heads = num_key_value_heads');
  }
  if (windowHeadDim === undefined) {
    context.scope.read('swa_head_dim = head_dim');
  }
  if (windowValueDim === undefined) {
    context.scope.read(
      windowHeadDim === undefined ? 'swa_v_head_dim = v_head_dim' : 'swa_v_head_dim = swa_head_dim',
    );
  }
  return windowHeadDim !== undefined;
}

function leaveOpen(context: BytesContext): void {
  const pooled = context.scope.term('budgeted');
  plainHeads(context);
  context.scope.define('pooled', pooled);
  context.scope.bound('window_pool', { lo: 0, hi: 1 }, { provenance: [] });
  context.scope.read(`
budgeted = pooled if window_pool else target_cell
allocated = full_cell if window_pool else target_cell
`);
}
