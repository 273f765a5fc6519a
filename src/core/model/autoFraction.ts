/**
 * The fraction that a release takes where no flag gives one, with the terms that made it: the card,
 * reserves, graph sizes, and the multipliers of vision towers and of the aiter backend. The same
 * multipliers hit a typed value in some releases. Leaves out devices that are no GPUs.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import type { EraTable } from '../sglang/layout/eraTable';
import { isSince } from '../sglang/layout/eraTable';
import {
  activationTokens,
  aiterMultiplier,
  attentionReserve,
  automaticFraction,
  defaultChunk,
  defaultGraphSize,
  effectiveFraction,
  exchangeGraphs,
  exchangeReserve,
  graphReserve,
  graphsUpToRequests,
  graphsWithinRequests,
  graphsWithinRequestsFrom,
  largestPrefillGraph,
  noAttentionReserve,
  noExchangeReserve,
  openPrefillReserve,
  postCaptureFraction,
  prefillGraphsWithinContext,
  prefillGraphsWithinPool,
  prefillReserve,
  speculativeReserve,
  visionMultiplier,
} from '../sglang/layout/fractionFormula';
import { languageOnlyFrom, textModelFrom } from '../sglang/layout/multimodalArchitecture';
import { prefillGraphRules } from '../sglang/layout/prefillGraphRule';
import type { PrefillGraphTraits } from '../sglang/layout/prefillGraphRule';
import { FormulaScope } from '../sglang/layout/formulaScope';
import { compareReleases } from '../sglang/release';
import { factOf } from '../terms/derive';
import type { Solution } from '../terms/solve';
import { solve } from '../terms/solve';
import type { Term } from '../terms/term';
import type { Quantity } from '../units/quantity';
import { LayoutFacts } from './layoutFacts';
import type { ModelLayout } from './modelLayout';
import type { Receipt } from './receipt';
import { receiptOf } from './receipt';
import type { ParallelPlan } from './tokenBytes';

/** What decides the fraction. */
export interface FractionOptions {
  readonly release: ReleaseInterval;
  /** MiB, as `nvidia-smi` shows it. */
  readonly card: Quantity;
  readonly parallel: ParallelPlan;
  readonly chunkedPrefillSize?: number;
  /** Used where chunked prefill is off. */
  readonly maxPrefillTokens?: number;
  readonly graphMaxBatch?: number;
  readonly disableGraphs?: boolean;
  /** Whether prefill graphs are captured; undefined follows the release. */
  readonly prefillGraphs?: boolean;
  readonly piecewiseMaxTokens?: number;
  readonly speculation?: 'eagle' | 'standalone' | 'ngram' | 'block';
  readonly draftTokens?: number;
  readonly maxRunningRequests?: number;
  readonly disaggregation?: 'prefill' | 'decode';
  /** `SGLANG_ENABLE_POST_CAPTURE_KV_SIZING`. */
  readonly postCapture?: boolean;
  /** `--language-only`: the tower is not loaded, and since 0.5.9 not reserved for. */
  readonly languageOnly?: boolean;
  /** `--enable-multimodal`, or that it is off; undefined follows the release and the class. */
  readonly multimodal?: boolean;
  /** `--moe-a2a-backend`: how experts exchange tokens. */
  readonly exchange?: Exchange;
  /** `--max-total-tokens`: no default prefill graph is larger. */
  readonly maxTotalTokens?: number;
  /** `--context-length`: some releases capture no larger prefill graph. */
  readonly contextLength?: number;
  /** `--enable-hierarchical-cache`. */
  readonly hostCache?: boolean;
  /** The aiter attention backend with a context above 8192. */
  readonly aiterLongContext?: boolean;
  /** The fraction that a log shows in force: decides what is open, or shows that it was typed. */
  readonly inForce?: Quantity;
}

/** DeepEP; a backend beside which later releases capture prefill graphs; any other one. */
export type Exchange = 'deepep' | 'captured' | 'other';

/** The fraction and its receipt. */
export interface AutoFraction {
  /** After multipliers: what the formula uses. */
  readonly effective: Quantity;
  /** Before multipliers, rounded to three digits by most releases. */
  readonly plain: Quantity;
  /** What multiplies the plain value; 1 where nothing does. */
  readonly multiplier: Quantity | undefined;
  readonly receipt: Receipt;
  readonly term: Term;
  readonly solution: Solution;
  /** MiB of the card: as given, or as the fraction in force leaves it. */
  readonly card: Quantity | undefined;
}

/** Widths of a vision tower that the release supposes where the config says nothing. */
const usualTower = { layers: 24, width: 1024 } as const;

/** The automatic fraction; undefined where the release or the inputs leave it open. */
export function autoFraction(
  layout: ModelLayout | undefined,
  options: FractionOptions,
): AutoFraction | undefined {
  const scope = new FormulaScope(options.release);
  const facts = new LayoutFacts(scope);
  sizes(scope, facts, layout, options);
  reserves(scope, facts, layout, options);
  const isPostCapture =
    options.postCapture === true && isSince(options.release, '0.5.16') !== false;
  if (!scope.lower(isPostCapture ? postCaptureFraction : automaticFraction)) {
    return undefined;
  }
  multipliers(scope, facts, layout, options);
  scope.read(effectiveFraction);
  const term = scope.term('effective');
  const plainTerm = scope.term('fraction');
  const multiplierTerm = scope.term('multiplier');
  const { inForce } = options;
  const known = inForce === undefined ? scope.facts : [...scope.facts, factOf(term, inForce)];
  const card = scope.term('card');
  const solution = solve([term, card], known, { explain: false });
  if (solution.contradiction !== undefined) {
    return undefined;
  }
  const effective = solution.quantityOf(term);
  const plain = solution.quantityOf(plainTerm);
  return effective && plain
    ? {
        effective,
        plain,
        multiplier: solution.quantityOf(multiplierTerm),
        receipt: receiptOf([term], solution, facts, []),
        term,
        solution,
        card: solution.quantityOf(card),
      }
    : undefined;
}

/** Card, ranks, chunk and graph sizes: given, or as the release sets them. */
function sizes(
  scope: FormulaScope,
  facts: LayoutFacts,
  layout: ModelLayout | undefined,
  options: FractionOptions,
): void {
  const { tp, pp = 1, dp = 1 } = options.parallel;
  scope.take('card', options.card);
  facts.flag('tp_size', tp, '--tp');
  facts.flag('pp_size', pp, '--pp');
  facts.flag('dp_size', dp, '--dp');
  facts.flag('speculative', options.speculation === undefined ? 0 : 1, '--speculative-algorithm');
  const { chunkedPrefillSize, maxPrefillTokens, maxRunningRequests } = options;
  const prefill = isUnchunked(options) ? maxPrefillTokens : chunkedPrefillSize;
  if (prefill === undefined) {
    scope.lower(defaultChunk);
  } else {
    facts.flag('chunked_prefill_size', prefill, '--chunked-prefill-size');
  }
  if (maxRunningRequests !== undefined) {
    facts.flag('max_running_requests', maxRunningRequests, '--max-running-requests');
  }
  graphSize(scope, facts, layout, options);
}

function isUnchunked({ chunkedPrefillSize }: FractionOptions): boolean {
  return chunkedPrefillSize !== undefined && chunkedPrefillSize <= 0;
}

function graphSize(
  scope: FormulaScope,
  facts: LayoutFacts,
  layout: ModelLayout | undefined,
  options: FractionOptions,
): void {
  const { graphMaxBatch, maxRunningRequests } = options;
  if (graphMaxBatch !== undefined) {
    facts.flag('cuda_graph_max_bs', graphMaxBatch, '--cuda-graph-max-bs');
  } else if (maxRunningRequests === undefined) {
    scope.lower(defaultGraphSize);
  } else {
    scope.lower([
      ...defaultGraphSize,
      {
        from: graphsWithinRequestsFrom,
        text: `${defaultGraphSize.at(-1)?.text ?? ''}${graphsWithinRequests}`,
      },
    ]);
    raisedGraphs(scope, layout, options);
  }
}

/** Whether the card is one that captures more for this class is not known. */
function raisedGraphs(
  scope: FormulaScope,
  layout: ModelLayout | undefined,
  { release, maxRunningRequests = 0 }: FractionOptions,
): void {
  const { from, architectures, mostRequests, text } = graphsUpToRequests;
  const isClass = architectures.some(name => name === layout?.architecture);
  if (isClass && maxRunningRequests <= mostRequests && isSince(release, from) !== false) {
    scope.bound('raised_graphs', { lo: 0, hi: 1 }, { provenance: [] });
    scope.read(text);
  }
}

function reserves(
  scope: FormulaScope,
  facts: LayoutFacts,
  layout: ModelLayout | undefined,
  options: FractionOptions,
): void {
  const { release, parallel, disaggregation } = options;
  const isAware = isSince(release, '0.5.15') !== false;
  const isDecode = isAware && disaggregation === 'decode';
  const isPrefill = isAware && disaggregation === 'prefill';
  if (isDecode) {
    const { maxRunningRequests, draftTokens = 1 } = options;
    facts.flag('draft_tokens', draftTokens, '--speculative-num-draft-tokens');
    if (maxRunningRequests === undefined) {
      scope.define('max_running_requests', scope.term('cuda_graph_max_bs'));
    }
  }
  scope.read(isDecode ? activationTokens.decode : activationTokens.chunk);
  const hasGraphs = !isPrefill && !(isAware && options.disableGraphs === true);
  scope.read(hasGraphs ? graphReserve.captured : graphReserve.none);
  if (parallel.dpAttention === true && !isPrefill) {
    scope.lower(attentionReserve);
  } else {
    scope.read(noAttentionReserve);
  }
  if (options.exchange === 'deepep' && hasGraphs) {
    scope.lower(exchangeReserve);
  } else {
    scope.read(noExchangeReserve);
  }
  scope.lower(speculativeReserve[speculationKind(options.speculation)]);
  prefillGraphReserve(scope, facts, layout, options, isDecode);
}

function speculationKind(
  speculation: FractionOptions['speculation'],
): keyof typeof speculativeReserve {
  switch (speculation) {
    case undefined:
      return 'none';
    case 'standalone':
    case 'ngram':
      return speculation;
    default:
      return 'other';
  }
}

/** Prefill graphs are opt-in up to 0.5.9 and since captured unless something rules them out. */
function prefillGraphReserve(
  scope: FormulaScope,
  facts: LayoutFacts,
  layout: ModelLayout | undefined,
  options: FractionOptions,
  isDecode: boolean,
): void {
  const isLatent = layout?.attention.kind === 'latent';
  largestPrefill(scope, facts, options, isLatent);
  const table = graphTable(options, isLatent);
  if (isDecode || options.prefillGraphs === false) {
    scope.lower(prefillReserve.none);
  } else if (options.prefillGraphs === true) {
    scope.lower(table);
  } else {
    scope.bound('prefill_graphs', { lo: 0, hi: 1 }, { provenance: [] });
    scope.lower([...prefillReserve.none, ...graphRows(table, traitsOf(layout, options))]);
  }
}

function graphTable({ exchange }: FractionOptions, isLatent: boolean): EraTable {
  const table = isLatent ? prefillReserve.latent : prefillReserve.heads;
  return exchange === 'deepep'
    ? [
        ...table,
        {
          from: exchangeGraphs.from,
          text: isLatent ? exchangeGraphs.latent : exchangeGraphs.heads,
        },
      ]
    : table;
}

/** The reserve from the first release with default graphs on, by what each release rules out. */
function graphRows(table: EraTable, traits: PrefillGraphTraits): EraTable {
  const none = prefillReserve.none[0].text;
  return prefillGraphRules.map(({ from, decide }) => {
    const on = table.findLast(row => compareReleases(row.from, from) <= 0)?.text ?? none;
    const open = `${on}\ngraphs_reserve = prefill_reserve\n${openPrefillReserve}`;
    return { from, text: { on, off: none, open }[decide(traits)] };
  });
}

function largestPrefill(
  scope: FormulaScope,
  facts: LayoutFacts,
  options: FractionOptions,
  isLatent: boolean,
): void {
  const { piecewiseMaxTokens, maxTotalTokens, contextLength } = options;
  if (piecewiseMaxTokens !== undefined) {
    facts.flag('piecewise_max_tokens', piecewiseMaxTokens, '--piecewise-cuda-graph-max-tokens');
  } else if (hasNoLargest(options, isLatent)) {
    facts.flag('piecewise_max_tokens', 0, '--chunked-prefill-size');
  } else {
    const { latent, heads, staged } = largestPrefillGraph;
    const { from, largest: text } = exchangeGraphs;
    const isExchanged = options.exchange === 'deepep';
    const isStaged = !isLatent && !isExchanged && (options.parallel.pp ?? 1) > 1;
    scope.lower([
      ...(isLatent ? latent : heads),
      ...(isExchanged ? [{ from, text }] : []),
      ...(isStaged ? [staged] : []),
    ]);
    if (maxTotalTokens !== undefined) {
      facts.flag('max_total_num_tokens', maxTotalTokens, '--max-total-tokens');
      scope.define('default_prefill_graph', scope.term('piecewise_max_tokens'));
      scope.lower([
        ...prefillGraphsWithinPool,
        ...(isExchanged ? [{ from, text: prefillGraphsWithinPool[0].text }] : []),
      ]);
    }
  }
  if (contextLength !== undefined) {
    facts.flag('context_length', contextLength, '--context-length');
    scope.define('default_prefill_graph', scope.term('piecewise_max_tokens'));
    scope.lower(prefillGraphsWithinContext);
  }
}

/** Without chunks there is no largest one, and no graph. */
function hasNoLargest(options: FractionOptions, isLatent: boolean): boolean {
  const { exchange, release } = options;
  const isOfChunks = isLatent
    ? isSince(release, '0.5.8') === false
    : exchange !== 'deepep' || isSince(release, exchangeGraphs.from) !== true;
  return isUnchunked(options) && isOfChunks && isSince(release, '0.5.7') !== false;
}

function traitsOf(layout: ModelLayout | undefined, options: FractionOptions): PrefillGraphTraits {
  const { pp = 1, dpAttention = false, attnCp = 1, dcp = 1 } = options.parallel;
  const attention = layout?.attention;
  return {
    architecture: layout?.architecture,
    isLatent: attention?.kind === 'latent',
    isSparse: attention?.kind === 'latent' && attention.indexDim !== undefined,
    isCompressed: attention?.kind === 'compressed',
    hasSeparateState: layout?.state?.kind === 'separate',
    isMultimodal: layout?.isMultimodal === true && options.multimodal !== false,
    isSpeculative: options.speculation !== undefined,
    isDpAttention: dpAttention,
    stages: pp,
    contextGroups: attnCp,
    decodeContextGroups: dcp,
    exchange: options.exchange ?? 'none',
    role: options.disaggregation ?? 'both',
    hasHostCache: options.hostCache === true,
    hasNoGraphs: options.disableGraphs === true,
  };
}

function multipliers(
  scope: FormulaScope,
  facts: LayoutFacts,
  layout: ModelLayout | undefined,
  options: FractionOptions,
): void {
  const { vision, architecture } = layout ?? {};
  if (vision === undefined || options.multimodal === false) {
    scope.read('multiplier = 1');
  } else {
    const { layers, width } = vision;
    facts.config('vit_layers', layers);
    facts.config('vit_hidden_size', width);
    if (layers === undefined) {
      facts.assumed('vit_layers', usualTower.layers, 'a vision tower of 24 layers');
    }
    if (width === undefined) {
      facts.assumed('vit_hidden_size', usualTower.width, 'a vision tower of width 1024');
    }
    const ends = [
      options.multimodal === true ? undefined : textModelFrom(architecture),
      options.languageOnly === true ? languageOnlyFrom : undefined,
      options.disaggregation === 'decode' ? '0.5.17' : undefined,
    ];
    scope.lower(until(visionMultiplier, ends));
  }
  if (options.aiterLongContext === true) {
    scope.lower(aiterMultiplier);
  } else {
    scope.read('backend_multiplier = 1');
  }
}

/** The table up to the first of these releases; nothing is multiplied from there on. */
function until(table: EraTable, ends: readonly (string | undefined)[]): EraTable {
  const [end] = ends.filter(from => from !== undefined).sort(compareReleases);
  return end === undefined
    ? table
    : [
        ...table.filter(({ from }) => compareReleases(from, end) < 0),
        { from: end, text: 'multiplier = 1' },
      ];
}
