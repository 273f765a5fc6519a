/**
 * A config.json against one run: bytes per token for the log's release and flags, checked with the
 * sizes that the log prints. Where the log leaves the dtype or the ranks open, printed sizes decide,
 * and only if they leave one answer. Leaves out the budget and what follows from it.
 */
import { derive } from '../terms/derive';
import { solve } from '../terms/solve';
import type { Run } from '../log/run';
import { openDtypes } from '../model/kvDtype';
import { countLayers } from '../model/layerPlan';
import type { ModelLayout } from '../model/modelLayout';
import type { PoolCheck, PrintedPool } from '../model/poolCheck';
import { checkPool, fittingDtypes, impliedBytesPerToken } from '../model/poolCheck';
import type { Answer } from '../model/refusal';
import type { SlotBytes } from '../model/statePool';
import { slotBytes } from '../model/statePool';
import type { TokenBytes } from '../model/tokenBytes';
import { tokenBytes } from '../model/tokenBytes';
import { isSince } from '../sglang/layout/eraTable';
import type { Quantity } from '../units/quantity';
import { averageRequest } from './averageRequest';
import { largestPowerOfTwo } from './limitFacts';
import type { RunLayoutOptions } from './layoutOptions';
import { RunArguments, hasOwnDraft, layoutOptionsOf } from './layoutOptions';
import type { PoolFigure, RankFigures } from './rankFigures';
import type { AskedDtype } from './runKvDtype';
import { askedDtypeOf, canCacheIn, kvDtypeOf } from './runKvDtype';

/** A config as it is given to the account. */
export interface GivenConfig {
  readonly layout: ModelLayout;
  /** The file, as a person named it. */
  readonly name: string;
}

/** A printed pool and what the layout has for it. */
export interface LayoutCheck extends PoolCheck {
  readonly pool: PoolFigure;
  /** Bytes per token that the printed sizes imply. */
  readonly implied: Quantity | undefined;
}

/** A config joined to a run. */
export interface RunLayout {
  readonly config: GivenConfig;
  readonly options: RunLayoutOptions;
  readonly bytes: TokenBytes;
  readonly slot: SlotBytes | undefined;
  readonly checks: readonly LayoutCheck[];
  /** `unchecked` where the log prints no size that the layout has. */
  readonly agreement: 'agrees' | 'differs' | 'unchecked';
  /** Dtypes that the printed sizes allow, where they decided the dtype. */
  readonly inferredDtypes: readonly string[];
  /** Whether neither log nor config asks for the dtype that the printed sizes decided. */
  readonly isDtypeUnasked: boolean;
  /** Bytes per token that a sizing line prints, where the layout has others. */
  readonly refuted?: Pick<LayoutCheck, 'expected' | 'implied'>;
  /** Set where a dtype was asked for and the sizes are those of others. */
  readonly idleFlag: string | undefined;
  /** Set where a dtype was asked for and the log names the one in use. */
  readonly askedDtype: AskedDtype | undefined;
  /** Tokens that a request took on average; undefined without a busy decode line. */
  readonly averageRequest: Quantity | undefined;
  /** Tensor-parallel ranks, where printed sizes decided them. */
  readonly inferredRanks: number | undefined;
  /** The class that the log names, where it is not the first of the config's `architectures`. */
  readonly shownModel: string | undefined;
}

/** One try at options. */
interface Attempt {
  readonly options: RunLayoutOptions;
  readonly bytes: TokenBytes;
  readonly checks: readonly LayoutCheck[];
  readonly agrees: boolean | undefined;
}

/** Joins a config to a run, or says which key or release stands against it. */
export function layoutOfRun(
  run: Run,
  binding: RankFigures | undefined,
  config: GivenConfig,
): Answer<RunLayout> {
  const pools = printedPools(binding);
  const options = layoutOptionsOf(run, binding);
  const flag = openFlag(run, config.layout, options);
  if (flag !== undefined) {
    return { kind: 'refused', refusal: { kind: 'open-flag', flag } };
  }
  const first = tokenBytes(config.layout, options);
  if (first.kind === 'refused') {
    return first;
  }
  const slots = slotBytes(config.layout, options);
  if (slots?.kind === 'refused') {
    return slots;
  }
  const shown: Shown = { run, pools };
  const found = decide(config.layout, attempt(options, first.value, pools), shown);
  const joined = withDraft(config.layout, found, { run, binding });
  const { agrees, bytes, checks, options: decided } = joined;
  const isInferred = decided.kvDtype !== options.kvDtype;
  return {
    kind: 'known',
    value: {
      config,
      options: decided,
      bytes,
      slot: slots?.value,
      checks,
      agreement: agrees === undefined ? 'unchecked' : agrees ? 'agrees' : 'differs',
      inferredDtypes: isInferred ? allowedDtypes(config.layout, options, shown) : [],
      isDtypeUnasked: isInferred && isDtypeUnasked(config.layout, options),
      averageRequest: averageRequest(run),
      idleFlag: isInferred ? options.kvDtype : undefined,
      askedDtype: askedDtypeOf(run, kvDtypeOf(run, binding)),
      shownModel: run.modelClass === config.layout.architecture ? undefined : run.modelClass,
      inferredRanks: decided.parallel.tp === options.parallel.tp ? undefined : decided.parallel.tp,
    },
  };
}

/** A flag that changes such a layout beyond what the formulas have. */
function openFlag(
  run: Run,
  layout: ModelLayout,
  { release, parallel }: RunLayoutOptions,
): string | undefined {
  const args = new RunArguments(run);
  const isSparse = hasSparseAttention(layout);
  if (isSparse && args.is('enable_hisparse')) {
    return '--enable-hisparse';
  }
  if (isSparse && (parallel.attnCp ?? 1) > 1 && isSince(release, '0.5.16') !== false) {
    return '--attn-cp-size';
  }
  const isOldSplit = isSince(release, '0.5.8') !== true && args.number('hybrid_kvcache_ratio');
  return isOldSplit && countLayers(layout.layers, ['window']) > 0
    ? '--hybrid-kvcache-ratio'
    : undefined;
}

type Pools = readonly { readonly pool: PoolFigure; readonly printed: PrintedPool }[];

/** A run and the pools that its deciding rank prints. */
interface Shown {
  readonly run: Run;
  readonly pools: Pools;
}

/** A run and its deciding rank. */
interface ShownRank {
  readonly run: Run;
  readonly binding: RankFigures | undefined;
}

/** The pools that the rank prints with their tokens. */
function printedPools(binding: RankFigures | undefined): Pools {
  const { kvPool, swaPool } = binding ?? {};
  return [
    ...(kvPool ? asPrinted(kvPool, 'full') : []),
    ...(swaPool ? asPrinted(swaPool, 'window') : []),
  ];
}

function asPrinted(pool: PoolFigure, which: 'full' | 'window'): Pools {
  const tokens = pool.tokens?.quantity;
  if (tokens === undefined) {
    return [];
  }
  const [keys, values] = pool.parts;
  const page = largestPowerOfTwo(tokens.interval.lo);
  const printed: PrintedPool =
    keys && values
      ? { tokens, keys: keys.quantity, values: values.quantity, which, page }
      : { tokens, size: pool.size.quantity, which, page };
  return [{ pool, printed }];
}

function attempt(options: RunLayoutOptions, bytes: TokenBytes, pools: Pools): Attempt {
  const checks = pools.flatMap(({ pool, printed }): LayoutCheck[] => {
    const check = checkPool(bytes, printed);
    return check.agrees === undefined
      ? []
      : [{ ...check, pool, implied: impliedBytesPerToken(printed) }];
  });
  return {
    options,
    bytes,
    checks,
    agrees: checks.length === 0 ? undefined : checks.every(({ agrees }) => agrees === true),
  };
}

/** Where the log leaves something open, the one alternative that gives the printed sizes. */
function decide(layout: ModelLayout, first: Attempt, shown: Shown): Attempt {
  const { pools } = shown;
  const isSettled = first.agrees === true && isDefinite(first.bytes);
  if (pools.length === 0 || isSettled || first.agrees === undefined) {
    return first;
  }
  for (const alternatives of alternativesOf(layout, first.options, shown)) {
    const fitting = alternatives.flatMap(options => {
      const bytes = tokenBytes(layout, options);
      const tried = bytes.kind === 'known' ? attempt(options, bytes.value, pools) : undefined;
      return tried?.agrees === true && isDefinite(tried.bytes) ? [tried] : [];
    });
    const [only] = fitting;
    const cells = new Set(fitting.map(({ bytes }) => cellsOf(bytes)));
    if (only !== undefined && cells.size === 1) {
      return only;
    }
  }
  return first;
}

/** With the dtype known, and the release as far as it matters. */
function isDefinite({ solution, allocated }: TokenBytes): boolean {
  return solution.quantityOf(allocated)?.exact !== undefined;
}

/** What decides where a log leaves something open, for receipts. */
const printedSizes = 'printed sizes';

/** What may differ from the log's flags, one thing at a time, the likelier first. */
function alternativesOf(
  layout: ModelLayout,
  options: RunLayoutOptions,
  shown: Shown,
): readonly (readonly RunLayoutOptions[])[] {
  const { areSizesGiven, dtypeBasis, parallel, rawSparseRows } = options;
  const isSparse = hasSparseAttention(layout);
  return [
    areSizesGiven || layout.attention.kind !== 'heads'
      ? []
      : possibleRanks
          .filter(tp => tp > parallel.tp)
          .map(tp => ({ ...options, parallel: { ...parallel, tp }, ranksFrom: printedSizes })),
    dtypeBasis === 'printed'
      ? []
      : allowedDtypes(layout, options, shown).map(kvDtype => ({
          ...options,
          kvDtype,
          kvDtypeFrom: printedSizes,
        })),
    isSparse ? [{ ...options, rawSparseRows: rawSparseRows !== true }] : [],
  ];
}

/** Whether a layout has the indexer of sparse attention. */
function hasSparseAttention({ attention }: ModelLayout): boolean {
  return attention.kind === 'latent' && attention.indexDim !== undefined;
}

/** Whether arguments that the log shows ask for no dtype, nor does the config. */
function isDtypeUnasked(layout: ModelLayout, options: RunLayoutOptions): boolean {
  const { dtypeBasis, isDtypeOpen, release } = options;
  const isOpen = openDtypes(undefined, layout, release).length > 0;
  return dtypeBasis === 'none' && !isDtypeOpen && !isOpen;
}

/** Tensor-parallel sizes that servers are started with. */
const possibleRanks = [2, 4, 8, 16, 32, 64] as const;

function cellsOf({ solution, budgeted, allocated }: TokenBytes): string {
  return [budgeted, allocated].map(term => String(solution.quantityOf(term)?.exact)).join(' ');
}

function allowedDtypes(
  layout: ModelLayout,
  options: RunLayoutOptions,
  { run, pools }: Shown,
): readonly string[] {
  const choice = { ...options, isSparse: hasSparseAttention(layout) };
  const [first, ...others] = pools.map(({ printed }) =>
    fittingDtypes(layout, options, printed)
      .filter(({ dtype, fits }) => fits && canCacheIn(dtype, run, choice))
      .map(({ dtype }) => dtype),
  );
  return (first ?? []).filter(dtype => others.every(list => list.includes(dtype)));
}

/**
 * The layers of a draft, where its pool is a whole number of the target's layers. One with a checkpoint
 * of its own may have other dimensions: then only a single layer is told.
 */
function withDraft(layout: ModelLayout, found: Attempt, { run, binding }: ShownRank): Attempt {
  const { options, bytes } = found;
  const layers = options.draft && draftLayers(bytes, binding?.draftPools[0]);
  const isOther = options.draft?.kind === 'standalone' || (!hasOwnDraft(run) && layers !== 1);
  if (options.draft === undefined || layers === undefined || isOther) {
    return found;
  }
  const decided = {
    ...options,
    draft: { ...options.draft, layers, layersFrom: 'printed draft pool' },
  };
  const again = tokenBytes(layout, decided);
  return again.kind === 'known' ? { ...found, options: decided, bytes: again.value } : found;
}

function draftLayers(bytes: TokenBytes, pool: PoolFigure | undefined): number | undefined {
  const tokens = pool?.tokens?.quantity;
  const row = layerRow(bytes);
  if (pool === undefined || tokens === undefined || row === undefined) {
    return undefined;
  }
  const cell = impliedBytesPerToken({
    tokens,
    size: pool.size.quantity,
    page: largestPowerOfTwo(tokens.interval.lo),
  });
  const layers = cell && derive('cell / row', { cell, row });
  const whole = layers && Math.round((layers.interval.lo + layers.interval.hi) / 2);
  const isWhole =
    layers !== undefined &&
    whole !== undefined &&
    whole >= 1 &&
    layers.interval.lo <= whole &&
    whole <= layers.interval.hi &&
    layers.interval.hi - layers.interval.lo < 0.5;
  return isWhole ? whole : undefined;
}

/** What a token takes in a layer of the target: in one that keeps all tokens, where others keep a window. */
function layerRow({ solution, allocated, scope, windowPool }: TokenBytes): Quantity | undefined {
  if (windowPool !== undefined) {
    const row = scope.term('full_row');
    return solve([row], scope.facts, { explain: false }).quantityOf(row);
  }
  const target = solution.quantityOf(allocated);
  const count = scope.factOf('num_layers')?.interval.lo;
  return target && count && count > 0 ? derive(`target / ${count}`, { target }) : undefined;
}
