/**
 * Bytes per token of a model on one rank: what the budget divides by, what the buffers take, and the
 * receipt of both. The formulas are texts of the sglang layer; this file chooses among them by the
 * kind of attention and fills them in. Leaves out tokens and pools.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import {
  blockDraftCell,
  blockDraftShare,
  draftShare,
  draftShareSparse,
  headCell,
  headCellFp4,
  headCellMxfp8,
  headsPerRank,
  indexLayers,
  latentCell,
  latentCellFp4,
  sparseCell,
  sparseRow,
} from '../sglang/layout/cellFormula';
import {
  compressedCell,
  compressedShare,
  compressedWindowRatio,
  ringSizes,
} from '../sglang/layout/compressedFormula';
import type { EraTable } from '../sglang/layout/eraTable';
import { isSince } from '../sglang/layout/eraTable';
import { FormulaScope } from '../sglang/layout/formulaScope';
import { attentionLayersPerLayer } from '../sglang/layout/layerArchitecture';
import { poolsWindow } from '../sglang/layout/windowArchitecture';
import {
  onlyWindowBudget,
  ownWindowBudget,
  windowBudget,
  windowCells,
  windowRows,
} from '../sglang/layout/windowFormula';
import type { Solution } from '../terms/solve';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import type { KvDtype } from './kvDtype';
import { resolveKvDtype } from './kvDtype';
import { LayoutFacts } from './layoutFacts';
import type { LayerKind } from './layerPlan';
import { countLayers, mostInAStage, stageRange } from './layerPlan';
import type {
  CompressedAttention,
  HeadAttention,
  LatentAttention,
  ModelLayout,
} from './modelLayout';
import type { Receipt, Spread } from './receipt';
import { receiptOf } from './receipt';
import type { Answer } from './refusal';
import { RefusedError, answer } from './refusal';

/** How the model is spread over ranks. Absent sizes are 1. */
export interface ParallelPlan {
  readonly tp: number;
  readonly pp?: number;
  readonly dp?: number;
  /** Attention is data parallel: its ranks are tp / dp. */
  readonly dpAttention?: boolean;
  readonly attnCp?: number;
  readonly dcp?: number;
}

/** A draft model beside the target. */
export interface DraftPlan {
  readonly kind: 'eagle' | 'standalone' | 'block';
  /** Cached layers of the draft; else what the config says, else one. */
  readonly layers?: number;
  /** Its own bytes per token (`block` only). */
  readonly cell?: number;
}

/** What beside the config decides bytes per token. */
export interface LayoutOptions {
  readonly release: ReleaseInterval;
  readonly parallel: ParallelPlan;
  /** `--kv-cache-dtype`, or a dtype as a log prints it; undefined is `auto`. */
  readonly kvDtype?: string;
  readonly draft?: DraftPlan;
  readonly windowRatio?: number;
  /** Set where a log or a flag tells whether window layers have a pool of their own. */
  readonly windowPool?: boolean;
  /** Kernels that read FP8 rows without scales (trtllm, and on ROCm tilelang or aiter). */
  readonly rawSparseRows?: boolean;
  /** Leaves the heads of keys and values open, to be found from printed sizes. */
  readonly leavesHeadsOpen?: boolean;
  /** Every layer keeps index keys: hierarchical cache, HiSparse, disaggregation. */
  readonly keepsAllIndexKeys?: boolean;
}

/** Keys and values of one pool, in bytes per token of that pool. */
interface PoolBytes {
  readonly cell: Term;
  /** The share of the keys, where a log prints keys and values apart. */
  readonly keys: Term | undefined;
}

/** Bytes per token, as terms over facts. */
export interface TokenBytes {
  /** What a token costs the budget. */
  readonly budgeted: Term;
  /** What a token takes in the buffers of the target: of the full pool where there are two. */
  readonly allocated: Term;
  readonly pool: PoolBytes;
  /** The pool of window layers; undefined where there is none or nothing decides. */
  readonly windowPool: PoolBytes | undefined;
  readonly scope: FormulaScope;
  readonly facts: LayoutFacts;
  readonly solution: Solution;
  readonly receipt: Receipt;
}

/** The flag that decides the dtype, for receipts. */
const kvDtypeFlag = '--kv-cache-dtype';

/** Bytes per token, or the reason why the release has none for this layout. */
export function tokenBytes(layout: ModelLayout, options: LayoutOptions): Answer<TokenBytes> {
  return answer(() => new Builder(layout, options).build());
}

const cachedKinds: readonly LayerKind[] = ['full', 'window', 'both'];

class Builder {
  readonly #layout: ModelLayout;
  readonly #options: LayoutOptions;
  readonly #scope: FormulaScope;
  readonly #facts: LayoutFacts;
  readonly #dtype: KvDtype;

  constructor(layout: ModelLayout, options: LayoutOptions) {
    this.#layout = layout;
    this.#options = options;
    this.#scope = new FormulaScope(options.release);
    this.#facts = new LayoutFacts(this.#scope);
    this.#dtype = resolveKvDtype(options.kvDtype, layout, options.release);
  }

  build(): TokenBytes {
    this.#stateSizes();
    const { attention } = this.#layout;
    switch (attention.kind) {
      case 'heads':
        return this.#heads(attention);
      case 'latent':
        return this.#latent(attention);
      case 'compressed':
        return this.#compressed(attention);
    }
  }

  #stateSizes(): void {
    const { tp, pp = 1, dp = 1, dpAttention = false, attnCp = 1, dcp = 1 } = this.#options.parallel;
    this.#facts.flag('tp_size', tp, '--tp');
    this.#facts.flag('pp_size', pp, '--pp');
    this.#facts.flag('dp_size', dp, '--dp');
    this.#facts.flag('attn_dp_size', dpAttention ? dp : 1, '--enable-dp-attention');
    this.#facts.flag('attn_cp_size', attnCp, '--attn-cp-size');
    this.#facts.flag('dcp_size', dcp, '--dcp-size');
    this.#facts.between('kv_element_size', this.#dtype.elementSize, kvDtypeFlag);
    const { layers, architecture } = this.#layout;
    const each = attentionLayersPerLayer(architecture);
    const cached = mostInAStage(layers, pp, cachedKinds);
    const split = pp > 1 ? ['layers are split evenly over the stages'] : [];
    this.#facts.counted('num_layers', cached * each, layers.sources, split);
    this.#facts.counted('num_hidden_layers', layers.kinds.length, layers.sources);
    this.#draftLayers();
    this.#lower(headsPerRank, 'attention');
  }

  #draftLayers(): void {
    const { draft } = this.#options;
    if (draft === undefined) {
      this.#facts.flag('draft_layers', 0, '--speculative-algorithm');
    } else if (draft.layers !== undefined) {
      this.#facts.flag('draft_layers', draft.layers, '--speculative-draft-model-path');
    } else if (this.#layout.draftLayers !== undefined && this.#layout.draftLayers.value > 0) {
      this.#facts.config('draft_layers', this.#layout.draftLayers);
    } else {
      this.#facts.assumed('draft_layers', 1, 'the draft caches one layer');
    }
    if (draft?.cell !== undefined) {
      this.#facts.flag('draft_cell', draft.cell, '--speculative-draft-model-path');
    }
  }

  #heads(attention: HeadAttention): TokenBytes {
    this.#headDimensions(attention);
    const { layers, architecture, asksForWindowPool } = this.#layout;
    const windows = countLayers(layers, ['window']);
    const isPooled =
      windows > 0 &&
      (this.#options.windowPool ??
        poolsWindow(architecture, asksForWindowPool, this.#options.release));
    if (isPooled === false) {
      this.#plainHeads();
      this.#shareWithDraft(draftShare);
      this.#scope.define('allocated', this.#scope.term('target_cell'));
      return this.#result({ pool: this.#pool('target_cell', 'key_cell'), windowPool: undefined });
    }
    return this.#windows(attention, windows, isPooled);
  }

  /** Values of the config, and by formula what it leaves out. */
  #headDimensions(attention: HeadAttention): void {
    const { kvHeads, headCount, hiddenSize, headDim, valueDim, isNested } = attention;
    const asDefault = isNested ? ['head_dim = hidden_size // num_attention_heads'] : [];
    if (this.#options.leavesHeadsOpen === true) {
      this.#scope.bound('num_key_value_heads', { lo: 1, hi: Infinity }, { provenance: [] });
    } else {
      this.#facts.config('num_key_value_heads', kvHeads);
    }
    this.#facts.config('head_dim', headDim);
    this.#facts.config('v_head_dim', valueDim);
    if (headDim === undefined) {
      this.#facts.config('hidden_size', hiddenSize, asDefault);
    }
    if (headDim === undefined || kvHeads === undefined) {
      this.#facts.config('num_attention_heads', headCount);
    }
    if (headDim === undefined) {
      this.#scope.read('head_dim = hidden_size // num_attention_heads');
    }
    if (valueDim === undefined) {
      this.#scope.read('v_head_dim = head_dim');
    }
    if (kvHeads === undefined) {
      this.#scope.read('num_key_value_heads = num_attention_heads');
      this.#lower(headsPerRank, 'attention');
    }
  }

  #plainHeads(): void {
    const tables = { plain: headCell, fp4: headCellFp4, mxfp8: headCellMxfp8 } as const;
    this.#lower(tables[this.#dtype.format], `${this.#dtype.format} cache`);
  }

  /** Pools of their own for window layers; `isPooled` undefined leaves both budgets open. */
  #windows(attention: HeadAttention, windows: number, isPooled: boolean | undefined): TokenBytes {
    if (this.#dtype.format !== 'plain') {
      throw new RefusedError({
        kind: 'not-in-release',
        what: `${this.#dtype.format} cache with window layers`,
      });
    }
    const { layers } = this.#layout;
    const { windowRatio } = this.#options;
    const full = countLayers(layers, ['full', 'both']);
    this.#facts.counted('full_layers', full, layers.sources);
    this.#facts.counted('swa_layers', windows, layers.sources);
    if (windowRatio === undefined) {
      this.#facts.flag('swa_full_tokens_ratio', 0.8, '--swa-full-tokens-ratio');
    } else {
      this.#facts.flag('swa_full_tokens_ratio', windowRatio, '--swa-full-tokens-ratio');
    }
    const isOwn = this.#windowDimensions(attention);
    this.#lower(windowRows, 'window pool');
    this.#scope.read(windowCells);
    const budget = full === 0 ? onlyWindowBudget : isOwn ? ownWindowBudget : windowBudget;
    this.#lower(budget, 'window pool');
    if (isPooled === undefined) {
      this.#leaveOpen();
    }
    const pool = full === 0 ? 'window_cell' : 'full_cell';
    const keys = full === 0 ? 'window_key_cell' : 'key_cell';
    if (isPooled === true) {
      this.#scope.define('allocated', this.#scope.term(pool));
    }
    return this.#result({
      pool: this.#pool(isPooled === true ? pool : 'allocated', keys),
      windowPool:
        isPooled === true && full > 0 ? this.#pool('window_cell', 'window_key_cell') : undefined,
    });
  }

  /** Whether window layers have dimensions of their own in the config. */
  #windowDimensions({ windowKvHeads, windowHeadDim, windowValueDim }: HeadAttention): boolean {
    this.#facts.config('swa_num_key_value_heads', windowKvHeads);
    this.#facts.config('swa_head_dim', windowHeadDim);
    this.#facts.config('swa_v_head_dim', windowValueDim);
    if (windowKvHeads === undefined) {
      this.#scope.read('swa_num_key_value_heads = num_key_value_heads');
    }
    if (windowHeadDim === undefined) {
      this.#scope.read('swa_head_dim = head_dim');
    }
    if (windowValueDim === undefined) {
      this.#scope.read(
        windowHeadDim === undefined
          ? 'swa_v_head_dim = v_head_dim'
          : 'swa_v_head_dim = swa_head_dim',
      );
    }
    return windowHeadDim !== undefined;
  }

  #leaveOpen(): void {
    const pooled = this.#scope.term('budgeted');
    this.#plainHeads();
    this.#scope.define('pooled', pooled);
    this.#scope.bound('window_pool', { lo: 0, hi: 1 }, { provenance: [] });
    this.#scope.read(`
budgeted = pooled if window_pool else target_cell
allocated = full_cell if window_pool else target_cell
`);
  }

  #latent({ latentRank, ropeDim, indexDim, ...index }: LatentAttention): TokenBytes {
    this.#facts.config('kv_lora_rank', latentRank);
    this.#facts.config('qk_rope_head_dim', ropeDim);
    if (indexDim === undefined) {
      this.#lower(
        this.#dtype.format === 'fp4' ? latentCellFp4 : latentCell,
        `${this.#dtype.format} cache`,
      );
      this.#shareWithDraft(draftShare);
      this.#scope.define('allocated', this.#scope.term('target_cell'));
    } else {
      this.#facts.config('index_head_dim', indexDim);
      this.#indexLayers(index);
      this.#scope.read(sparseRow[this.#rowKind()]);
      this.#lower(indexLayers, 'sparse attention');
      this.#lower(sparseCell, 'sparse attention');
      this.#shareWithDraft(draftShareSparse);
    }
    return this.#result({ pool: this.#pool('allocated', undefined), windowPool: undefined });
  }

  #rowKind(): keyof typeof sparseRow {
    const { rawSparseRows = false } = this.#options;
    const { isFp8E4m3 } = this.#dtype;
    if (rawSparseRows || isFp8E4m3 === false) {
      return 'raw';
    }
    return isFp8E4m3 === true ? 'scaled' : 'byElementSize';
  }

  #indexLayers({ ownsIndex, indexSource }: Pick<LatentAttention, 'ownsIndex' | 'indexSource'>) {
    const { layers, architecture } = this.#layout;
    const { parallel, keepsAllIndexKeys = false } = this.#options;
    const stages = parallel.pp ?? 1;
    const each = attentionLayersPerLayer(architecture);
    const counts = Array.from({ length: stages }, (_, stage) => {
      const [start, end] = stageRange(layers.kinds.length, stages, stage);
      const owners = Array.from({ length: end - start }, (__, at) => start + at);
      const isOwner = ownsIndex && !keepsAllIndexKeys ? ownsIndex : () => true;
      return owners.filter(isOwner).length * each;
    });
    this.#facts.counted('active_index_layers', Math.max(...counts), [
      ...layers.sources,
      ...(indexSource ? [indexSource] : []),
    ]);
  }

  #compressed(attention: CompressedAttention): TokenBytes {
    const { headDim, ropeDim, indexDim, window, ratios, ratiosSource } = attention;
    this.#facts.config('head_dim', headDim);
    this.#facts.config('qk_rope_head_dim', ropeDim);
    this.#facts.config('index_head_dim', indexDim);
    this.#facts.config('window_size', window);
    this.#ratioCounts(ratios, ratiosSource);
    const isSpeculative = this.#options.draft !== undefined;
    const rings = isSpeculative ? ringSizes.speculative : ringSizes.plain;
    this.#facts.flag('ring4_size', rings[4], '--speculative-algorithm');
    this.#facts.flag('ring128_size', rings[128], '--speculative-algorithm');
    this.#facts.assumed('compress_state_size', 4, 'compression state in float32');
    this.#facts.flag('hisparse_ratio', 1, '--enable-hisparse');
    const { windowRatio } = this.#options;
    if (windowRatio === undefined) {
      this.#facts.assumed(
        'swa_full_tokens_ratio',
        compressedWindowRatio,
        `swa_full_tokens_ratio = ${compressedWindowRatio}`,
      );
    } else {
      this.#facts.flag('swa_full_tokens_ratio', windowRatio, '--swa-full-tokens-ratio');
    }
    this.#scope.read('qk_nope_head_dim = head_dim - qk_rope_head_dim');
    this.#lower(compressedCell, 'compressed attention');
    this.#scope.read(isSpeculative ? compressedShare.speculative : compressedShare.plain);
    this.#scope.define('allocated', this.#scope.term('target_cell'));
    return this.#result({ pool: this.#pool('allocated', undefined), windowPool: undefined });
  }

  /** Layers by ratio: of the stage from 0.5.13 on, of the whole list (drafts too) before. */
  #ratioCounts(ratios: readonly number[], source: CompressedAttention['ratiosSource']): void {
    const { layers } = this.#layout;
    const stages = this.#options.parallel.pp ?? 1;
    const slices = Array.from({ length: stages }, (_, stage) =>
      ratios.slice(...stageRange(layers.kinds.length, stages, stage)),
    );
    const isSliced = isSince(this.#options.release, '0.5.13');
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
        this.#facts.counted(name, lo, [source, ...layers.sources]);
      } else {
        this.#facts.between(name, { lo, hi }, '--pp');
      }
    };
    count('compressed_layers');
    count('ratio4_layers', 4);
    count('ratio128_layers', 128);
  }

  #shareWithDraft(table: EraTable): void {
    const { draft } = this.#options;
    const isBlock = draft?.kind === 'block';
    if (draft === undefined) {
      this.#scope.define('budgeted', this.#scope.term('target_cell'));
    } else if (isBlock) {
      this.#lower(draft.cell === undefined ? blockDraftShare : blockDraftCell, 'draft');
    } else {
      this.#lower(table, 'draft');
    }
  }

  #lower(table: EraTable, what: string): void {
    if (!this.#scope.lower(table)) {
      throw new RefusedError({ kind: 'not-in-release', what });
    }
  }

  #pool(cell: string, keys: string | undefined): PoolBytes {
    const hasKeys = keys !== undefined && this.#dtype.format === 'plain';
    return {
      cell: this.#scope.term(cell),
      keys: hasKeys ? this.#scope.term(keys) : undefined,
    };
  }

  #result(pools: Pick<TokenBytes, 'pool' | 'windowPool'>): TokenBytes {
    const budgeted = this.#scope.term('budgeted');
    const allocated = this.#scope.term('allocated');
    const terms = [pools.pool, pools.windowPool].flatMap(pool =>
      pool ? [pool.cell, ...(pool.keys ? [pool.keys] : [])] : [],
    );
    const solution = solve([budgeted, allocated, ...terms], this.#scope.facts, { explain: false });
    return {
      budgeted,
      allocated,
      ...pools,
      scope: this.#scope,
      facts: this.#facts,
      solution,
      receipt: receiptOf(
        [budgeted, allocated, ...(pools.windowPool ? [pools.windowPool.cell] : [])],
        solution,
        this.#facts.places,
        this.#spreads(),
      ),
    };
  }

  /** Latent rows are the same on every rank; heads are divided while there are enough. */
  #spreads(): Spread[] {
    const { attention } = this.#layout;
    if (attention.kind !== 'heads') {
      return ['latent_row', 'allocated_row'].map(name => ({ name, spread: 'replicated' }));
    }
    const { tp, dp = 1, dpAttention = false, attnCp = 1 } = this.#options.parallel;
    const ranks = tp / (dpAttention ? dp : 1) / attnCp;
    const heads = attention.kvHeads?.value ?? attention.headCount?.value ?? ranks;
    return [{ name: 'kv_heads', spread: heads < ranks ? 'replicated' : 'divided' }];
  }
}

function fullestSlice(slices: readonly (readonly number[])[]): readonly number[] {
  const weight = (slice: readonly number[]): number =>
    slice.length + slice.filter(ratio => ratio === 4).length * 2;
  return slices.reduce((best, next) => (weight(next) > weight(best) ? next : best), []);
}
