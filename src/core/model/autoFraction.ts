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
  graphReserve,
  noAttentionReserve,
  postCaptureFraction,
  prefillGraphsFrom,
  prefillReserve,
  speculativeReserve,
  visionMultiplier,
} from '../sglang/layout/fractionFormula';
import { FormulaScope } from '../sglang/layout/formulaScope';
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
  /** False for `--language-only` and for models whose tower is not loaded. */
  readonly multimodal?: boolean;
  /** The aiter attention backend with a context above 8192. */
  readonly aiterLongContext?: boolean;
  /** The fraction that a log shows in force: decides what is open, or shows that it was typed. */
  readonly inForce?: Quantity;
}

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
  sizes(scope, facts, options);
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
        receipt: receiptOf([term], solution, facts.places, []),
        term,
        solution,
        card: solution.quantityOf(card),
      }
    : undefined;
}

/** Card, ranks, chunk and graph sizes: given, or as the release sets them. */
function sizes(scope: FormulaScope, facts: LayoutFacts, options: FractionOptions): void {
  const { tp, pp = 1, dp = 1 } = options.parallel;
  scope.take('card', options.card);
  facts.flag('tp_size', tp, '--tp');
  facts.flag('pp_size', pp, '--pp');
  facts.flag('dp_size', dp, '--dp');
  facts.flag('speculative', options.speculation === undefined ? 0 : 1, '--speculative-algorithm');
  const { chunkedPrefillSize, maxPrefillTokens, graphMaxBatch } = options;
  const prefill =
    chunkedPrefillSize !== undefined && chunkedPrefillSize <= 0
      ? maxPrefillTokens
      : chunkedPrefillSize;
  if (prefill === undefined) {
    scope.lower(defaultChunk);
  } else {
    facts.flag('chunked_prefill_size', prefill, '--chunked-prefill-size');
  }
  if (graphMaxBatch === undefined) {
    scope.lower(defaultGraphSize);
  } else {
    facts.flag('cuda_graph_max_bs', graphMaxBatch, '--cuda-graph-max-bs');
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
    } else {
      facts.flag('max_running_requests', maxRunningRequests, '--max-running-requests');
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
  scope.lower(speculativeReserve[speculationKind(options.speculation)]);
  scope.lower(prefillTable(scope, facts, layout, options, isDecode));
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

/** Prefill graphs are opt-in up to 0.5.9 and captured by default since. */
function prefillTable(
  scope: FormulaScope,
  facts: LayoutFacts,
  layout: ModelLayout | undefined,
  options: FractionOptions,
  isDecode: boolean,
): EraTable {
  const isLatent = layout?.attention.kind === 'latent';
  const { prefillGraphs, piecewiseMaxTokens } = options;
  if (piecewiseMaxTokens === undefined) {
    // Chunks of the prefill are the largest graphs; models with latent attention stop at 2048.
    scope.read(
      isLatent ? 'piecewise_max_tokens = 2048' : 'piecewise_max_tokens = chunked_prefill_size',
    );
  } else {
    facts.flag('piecewise_max_tokens', piecewiseMaxTokens, '--piecewise-cuda-graph-max-tokens');
  }
  const table = isLatent ? prefillReserve.latent : prefillReserve.heads;
  if (isDecode || prefillGraphs === false) {
    return prefillReserve.none;
  }
  return prefillGraphs === true
    ? table
    : [
        ...prefillReserve.none,
        { from: prefillGraphsFrom, text: table[table.length - 1]?.text ?? '' },
      ];
}

function multipliers(
  scope: FormulaScope,
  facts: LayoutFacts,
  layout: ModelLayout | undefined,
  options: FractionOptions,
): void {
  const { vision } = layout ?? {};
  const isSkipped =
    options.disaggregation === 'decode' && isSince(options.release, '0.5.17') !== false;
  if (vision === undefined || options.multimodal === false || isSkipped) {
    scope.read('multiplier = 1');
  } else {
    const { layers, width } = vision;
    if (layers === undefined) {
      facts.flag('vit_layers', usualTower.layers, 'vision_config');
    }
    if (width === undefined) {
      facts.flag('vit_hidden_size', usualTower.width, 'vision_config');
    }
    facts.config('vit_layers', layers);
    facts.config('vit_hidden_size', width);
    scope.lower(visionMultiplier);
  }
  if (options.aiterLongContext === true) {
    scope.lower(aiterMultiplier);
  } else {
    scope.read('backend_multiplier = 1');
  }
}
