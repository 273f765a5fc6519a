/**
 * What every kind of attention needs to make bytes per token: the layout, the flags, a scope with the
 * sizes that all share, and the way to an answer. Leaves out the formulas of each kind.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { blockDraftCell, blockDraftShare, headsPerRank } from '../sglang/layout/cellFormula';
import type { EraTable } from '../sglang/layout/eraTable';
import { isSince } from '../sglang/layout/eraTable';
import { FormulaScope } from '../sglang/layout/formulaScope';
import { attentionLayersPerLayer } from '../sglang/layout/layerArchitecture';
import type { Solution } from '../terms/solve';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import { isFollowed } from './declaredCache';
import type { KvDtype } from './kvDtype';
import { resolveKvDtype } from './kvDtype';
import { LayoutFacts } from './layoutFacts';
import type { LayerKind } from './layerPlan';
import { countLayers, evenStagesFrom, mostInAStage } from './layerPlan';
import type { ModelLayout } from './modelLayout';
import { perFullTokenTerms } from './perFullToken';
import type { Receipt, Spread } from './receipt';
import { receiptOf } from './receipt';
import { RefusedError } from './refusal';

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
  /** What says how many layers, where it is no flag. */
  readonly layersFrom?: string;
  /** Its own bytes per token (`block` only). */
  readonly cell?: number;
}

/** What beside the config decides bytes per token. */
export interface LayoutOptions {
  readonly release: ReleaseInterval;
  readonly parallel: ParallelPlan;
  /** `--kv-cache-dtype`, or a dtype as a log prints it; undefined is `auto`. */
  readonly kvDtype?: string;
  /** What says so, where it is not the flag. */
  readonly kvDtypeFrom?: string;
  /** What tells the tensor-parallel ranks, where it is not the flag. */
  readonly ranksFrom?: string;
  /** True for `--enable-mla`, false for `--disable-mla`: see `hasLatentRows`. */
  readonly latentRows?: boolean;
  readonly draft?: DraftPlan;
  readonly windowRatio?: number;
  /** Set where a log or a flag tells whether window layers have a pool of their own. */
  readonly windowPool?: boolean;
  /** Kernels that read FP8 rows without scales (trtllm, and on ROCm tilelang or aiter). */
  readonly rawSparseRows?: boolean;
  /** `--page-size`, where bytes depend on it. */
  readonly page?: number;
  /** Leaves the heads of keys and values open, to be found from printed sizes. */
  readonly leavesHeadsOpen?: boolean;
  /** Every layer keeps index keys: hierarchical cache, HiSparse, disaggregation. */
  readonly keepsAllIndexKeys?: boolean;
}

/** Keys and values of one pool, in bytes per token of that pool. */
export interface PoolBytes {
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

const cachedKinds: readonly LayerKind[] = ['full', 'window', 'both'];

/** Models with state layers count the cached layers of a stage from here on, of all stages before. */
const stateStagesFrom = '0.5.8';

/** One layout for one set of flags, on the way to bytes per token. */
export class BytesContext {
  readonly layout: ModelLayout;
  readonly options: LayoutOptions;
  readonly scope: FormulaScope;
  readonly facts: LayoutFacts;
  readonly dtype: KvDtype;

  constructor(layout: ModelLayout, options: LayoutOptions) {
    this.layout = layout;
    this.options = options;
    this.scope = new FormulaScope(options.release);
    this.facts = new LayoutFacts(this.scope);
    this.dtype = resolveKvDtype(options.kvDtype, layout, options.release);
    this.#stateSizes();
  }

  /** What the budget adds for a draft, by the table of the target's kind. */
  shareWithDraft(table: EraTable): void {
    const { draft } = this.options;
    const isBlock = draft?.kind === 'block';
    if (draft === undefined) {
      this.scope.define('budgeted', this.scope.term('target_cell'));
    } else if (isBlock) {
      this.lower(draft.cell === undefined ? blockDraftShare : blockDraftCell, 'draft');
    } else {
      this.lower(table, 'draft');
    }
  }

  /** Adds the formulas of the release; refuses what the release does not have. */
  lower(table: EraTable, what: string): void {
    if (!this.scope.lower(table)) {
      throw new RefusedError({ kind: 'not-in-release', what });
    }
  }

  /** A pool by the names of its cell and of the share of its keys. */
  pool(cell: string, keys: string | undefined): PoolBytes {
    const hasKeys = keys !== undefined && this.dtype.format === 'plain';
    return {
      cell: this.scope.term(cell),
      keys: hasKeys ? this.scope.term(keys) : undefined,
    };
  }

  /** The answer, once all formulas are named. */
  result(pools: Pick<TokenBytes, 'pool' | 'windowPool'>): TokenBytes {
    const budgeted = this.scope.term('budgeted');
    const allocated = this.scope.term('allocated');
    const terms = [pools.pool, pools.windowPool].flatMap(pool =>
      pool ? [pool.cell, ...(pool.keys ? [pool.keys] : [])] : [],
    );
    // Up to 0.5.10 the budget is divided twice: the receipt has what a token comes to.
    const whole = pools.windowPool && perFullTokenTerms(this.scope)?.budgeted;
    const results = [budgeted, allocated, ...(whole ? [whole] : [])];
    const solution = solve([...results, ...terms], this.scope.facts, { explain: false });
    return {
      budgeted,
      allocated,
      ...pools,
      scope: this.scope,
      facts: this.facts,
      solution,
      receipt: receiptOf(
        [whole ?? budgeted, allocated, ...(pools.windowPool ? [pools.windowPool.cell] : [])],
        solution,
        this.facts,
        this.#spreads(),
      ),
    };
  }

  #stateSizes(): void {
    const { tp, pp = 1, dp = 1, dpAttention = false, attnCp = 1, dcp = 1 } = this.options.parallel;
    this.facts.flag('tp_size', tp, this.options.ranksFrom ?? '--tp');
    this.facts.flag('pp_size', pp, '--pp');
    this.facts.flag('dp_size', dp, '--dp');
    this.facts.flag('attn_dp_size', dpAttention ? dp : 1, '--enable-dp-attention');
    this.facts.flag('attn_cp_size', attnCp, '--attn-cp-size');
    this.facts.flag('dcp_size', dcp, '--dcp-size');
    this.#elementSize();
    const { layers } = this.layout;
    this.#cachedLayers(pp);
    this.facts.counted('num_hidden_layers', layers.kinds.length, layers.sources);
    this.#draftLayers();
    this.lower(headsPerRank, 'attention');
  }

  /** Without a dtype of its own a cache has that of the model, or of what the checkpoint declares. */
  #elementSize(): void {
    const { kvDtype, kvDtypeFrom } = this.options;
    const isDefault = kvDtype === undefined || kvDtype === 'auto';
    const { declaredCache, dtype } = this.layout;
    const isDeclared = declaredCache && isFollowed(declaredCache, this.options.release) !== false;
    this.facts.between('kv_element_size', this.dtype.elementSize, kvDtypeFrom ?? kvDtypeFlag, {
      isDefault: isDefault && kvDtypeFrom === undefined,
      sources: isDefault
        ? [isDeclared ? declaredCache.source : dtype].flatMap(source => source ?? [])
        : [],
    });
  }

  /** Cached layers of the stage that has most; older releases split layers in other ways. */
  #cachedLayers(pp: number): void {
    const { layers, architecture, loops } = this.layout;
    const { release } = this.options;
    const isLooped = loops && isSince(release, loops.since);
    const most = attentionLayersPerLayer(architecture, loops?.count.value);
    const least = attentionLayersPerLayer(architecture);
    const each = isLooped === undefined ? [least, most] : [isLooped ? most : least];
    const sources = loops && isLooped !== false ? [...layers.sources, loops.count] : layers.sources;
    const isEven = isSince(release, evenStagesFrom);
    const isCounted = layers.kinds.includes('state') && isSince(release, stateStagesFrom) === false;
    const counts = isCounted
      ? [countLayers(layers, cachedKinds)]
      : [true, false]
          .filter(even => isEven === undefined || isEven === even)
          .map(even => mostInAStage(layers, pp, cachedKinds, even));
    const [lo, hi] = [
      Math.min(...counts) * Math.min(...each),
      Math.max(...counts) * Math.max(...each),
    ];
    if (lo === hi) {
      const split = pp > 1 ? ['layers are split as by default over the stages'] : [];
      this.facts.counted('num_layers', lo, sources, split);
    } else {
      this.facts.between('num_layers', { lo, hi }, '--pp');
    }
  }

  #draftLayers(): void {
    const { draft } = this.options;
    if (draft === undefined) {
      this.facts.flag('draft_layers', 0, '--speculative-algorithm');
    } else if (draft.layers !== undefined) {
      this.facts.flag(
        'draft_layers',
        draft.layers,
        draft.layersFrom ?? '--speculative-draft-model-path',
      );
    } else if (this.layout.draftLayers !== undefined && this.layout.draftLayers.value > 0) {
      this.facts.config('draft_layers', this.layout.draftLayers);
    } else if (draft.kind === 'standalone' && draft.cell === undefined) {
      // Another model of any depth, which is not deeper than the one that it drafts for.
      const most = Math.max(1, this.layout.layers.kinds.length);
      this.facts.between('draft_layers', { lo: 1, hi: most }, '--speculative-draft-model-path');
    } else {
      this.facts.assumed('draft_layers', 1, 'the draft caches one layer');
    }
    if (draft?.cell !== undefined) {
      this.facts.flag('draft_cell', draft.cell, '--speculative-draft-model-path');
    }
  }

  /** Latent rows are the same on every rank; heads are divided while there are enough. */
  #spreads(): Spread[] {
    const { attention } = this.layout;
    if (attention.kind !== 'heads') {
      return ['latent_row', 'allocated_row'].map(name => ({ name, spread: 'replicated' }));
    }
    const { tp, dp = 1, dpAttention = false, attnCp = 1 } = this.options.parallel;
    const ranks = tp / (dpAttention ? dp : 1) / attnCp;
    const heads = attention.kvHeads?.value ?? attention.headCount?.value ?? ranks;
    return [{ name: 'kv_heads', spread: heads < ranks ? 'replicated' : 'divided' }];
  }
}
