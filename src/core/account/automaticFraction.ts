/**
 * Whether a run's fraction is the one that its release sets without a flag, and which terms made it;
 * else what the release would have set. Equality with a value that people type proves nothing. The card is as a log or a person says, or not much larger than
 * what was free before loading. Silent where the log does not show its launch arguments.
 */
import type { Run } from '../log/run';
import type { AutoFraction, FractionOptions } from '../model/autoFraction';
import { autoFraction } from '../model/autoFraction';
import type { ModelLayout } from '../model/modelLayout';
import type { Answer } from '../model/refusal';
import { derive } from '../terms/derive';
import { fractionReleases } from '../sglang/layout/fractionReleases';
import type { Quantity } from '../units/quantity';
import { hull, point, width } from '../units/interval';
import { units } from '../units/unit';
import { assumptions } from './assumption';
import { argumentQuantity } from './figure';
import { towerMultiplier } from './fractionMultiplier';
import { readGraphConfig } from './graphConfig';
import type { RunLayoutOptions } from './layoutOptions';
import {
  RunArguments,
  draftKindOf,
  exchangeOf,
  layoutOptionsOf,
  withoutUndefined,
} from './layoutOptions';
import type { RankFigures } from './rankFigures';
import { isSizedAfterCapture } from './resizedPool';
import type { RunLayout } from './runLayout';

/** The automatic value against the one in the launch arguments. */
export interface AutomaticFraction {
  /** `automatic`: the arguments show the release's own value. `typed`: another one. */
  readonly origin: 'automatic' | 'typed';
  /** What the release sets, with the terms that make it. */
  readonly value: AutoFraction;
  readonly claimed: Quantity;
}

/** A card is at most this much larger than what was free before loading, by context and ECC. */
const contextShare = 0.08;

/** What is known of the run. */
interface KnownFraction {
  /** GiB free before loading. */
  readonly total: Quantity | undefined;
  /** MiB. */
  readonly card: Quantity | undefined;
}

/** The comparison; undefined where arguments, card or release leave it open. */
export function automaticFraction(
  run: Run,
  binding: RankFigures | undefined,
  joined: Answer<RunLayout> | undefined,
  known: KnownFraction,
): AutomaticFraction | undefined {
  const claimed = argumentQuantity(run, 'mem_fraction_static', units.one);
  const question = questionOf(run, binding, joined, known);
  if (claimed === undefined || question === undefined) {
    return undefined;
  }
  const { layout, asked } = question;
  if (autoFraction(layout, { ...asked, inForce: nearly(claimed) }) !== undefined) {
    const value = onlyValue(layout, asked, claimed);
    return value && { origin: 'automatic', value, claimed };
  }
  // Without a config a vision tower may have multiplied the value.
  const other = layout && betweenEnds(layout, asked);
  return (
    other && {
      origin: 'typed',
      // Terms of several releases are no calculation.
      value: fractionReleases(asked.release)?.length === 1 ? other : { ...other, receipt: [] },
      claimed,
    }
  );
}

/**
 * What the release would set without the flag, to six hundredths; wider only by a vision tower whose
 * size no config gives. Undefined where launch arguments, card or release leave it open.
 */
export function ownFraction(
  run: Run,
  binding: RankFigures | undefined,
  joined: Answer<RunLayout> | undefined,
  known: KnownFraction,
): Quantity | undefined {
  const question = questionOf(run, binding, joined, known);
  if (question === undefined || run.serverArguments === undefined) {
    return undefined;
  }
  const { layout, asked } = question;
  const capacity = asked.card;
  const [least, most] = [capacity.interval.lo, capacity.interval.hi].map(value => {
    const end = { ...capacity, interval: point(value), nominal: value };
    const own = autoFraction(layout, { ...asked, card: end });
    return layout === undefined ? own?.plain : own?.effective;
  });
  const own = least && most && hullOf(least, most);
  if (own === undefined || width(own.interval) >= widestOwn) {
    return undefined;
  }
  const { lo, hi } = layout === undefined ? towerMultiplier(run) : point(1);
  return lo === 1 ? own : scaled(own, lo, hi);
}

function scaled(own: Quantity, least: number, most: number): Quantity {
  const { unit, basis, assumptions: named, provenance, interval } = own;
  return {
    interval: { lo: interval.lo * least, hi: interval.hi * most },
    unit,
    basis,
    assumptions: named,
    provenance,
  };
}

/**
 * The automatic value where an equal one shows that nobody typed it: one formula of a known release
 * gives it, and people do not type it. The terms are those of one release; none where several would
 * make it in different ways.
 */
function onlyValue(
  layout: ModelLayout | undefined,
  asked: FractionOptions,
  claimed: Quantity,
): AutoFraction | undefined {
  if (isMultipleOf(hundredth, claimed)) {
    return undefined;
  }
  const releases = fractionReleases(asked.release) ?? [];
  const ways = releases.flatMap(release => {
    const value = autoFraction(layout, { ...asked, release, inForce: nearly(claimed) });
    return value && isTelling(layout, { ...asked, release }, claimed, value) ? [value] : [];
  });
  // Of several releases one or the other gives many a value of three digits.
  if (isMultipleOf(thousandth, claimed) && ways.length < releases.length) {
    return undefined;
  }
  const [first] = ways;
  const isOne = ways.every(way => first && receiptKey(way) === receiptKey(first));
  return first && (isOne ? first : { ...first, receipt: [] });
}

/**
 * A value of three digits tells where the release gives nothing else. One of more digits is a product
 * with a rounded one, which a card that is only about known cannot make by chance.
 */
function isTelling(
  layout: ModelLayout | undefined,
  asked: FractionOptions,
  claimed: Quantity,
  { plain }: AutoFraction,
): boolean {
  if (!isMultipleOf(thousandth, claimed) && isMultipleOf(thousandth, plain)) {
    return true;
  }
  const given = autoFraction(layout, asked)?.effective;
  return given !== undefined && width(given.interval) < 1e-9;
}

function receiptKey({ receipt }: AutoFraction): string {
  return receipt
    .filter(({ name }) => !name.startsWith('release >='))
    .map(({ name, quantity: { interval } }) => `${name} ${interval.lo} ${interval.hi}`)
    .join();
}

/**
 * The automatic value where the card is only about known. It grows with the card, so the ends bound
 * it; far apart they say nothing beside a typed value.
 */
function betweenEnds(layout: ModelLayout, options: FractionOptions): AutoFraction | undefined {
  const { card } = options;
  const at = (value: number): AutoFraction | undefined =>
    autoFraction(layout, { ...options, card: { ...card, interval: point(value), nominal: value } });
  const { lo, hi } = card.interval;
  const [least, most] = [at(lo), at(hi)];
  if (least === undefined || most === undefined || lo === hi) {
    return least;
  }
  const effective = hullOf(least.effective, most.effective);
  return width(effective.interval) < widest
    ? {
        ...least,
        effective,
        plain: hullOf(least.plain, most.plain),
        receipt: [],
        card,
      }
    : undefined;
}

function hullOf(least: Quantity, most: Quantity): Quantity {
  const { exact, nominal, printed, ...open } = least;
  const value = exact ?? nominal ?? printed;
  return value !== undefined && value === (most.exact ?? most.nominal ?? most.printed)
    ? least
    : { ...open, interval: hull(least.interval, most.interval) };
}

const hundredth = 100;
const thousandth = 1000;

/** True for a value that is known and has no more digits. */
function isMultipleOf(parts: number, { interval: { lo, hi } }: Quantity): boolean {
  return hi - lo < 1e-9 && Math.abs(lo * parts - Math.round(lo * parts)) < 1e-9 * parts;
}

/** An automatic value that is not known to two hundredths says nothing beside a typed one. */
const widest = 0.02;

/** A card that is only about known leaves a large reserve as open as this; the lower end bounds offers. */
const widestOwn = 0.06;

/** Products of floats may differ in the last places. */
function nearly(claimed: Quantity): Quantity {
  const { lo, hi } = claimed.interval;
  const { exact, printed, nominal, ...open } = claimed;
  const value = exact ?? printed ?? nominal;
  return {
    ...open,
    interval: { lo: lo - 1e-12, hi: hi + 1e-12 },
    ...(value !== undefined && { nominal: Number(value) }),
  };
}

function cardAround(total: Quantity): Quantity | undefined {
  const share: Quantity = {
    interval: { lo: 1, hi: 1 + contextShare },
    unit: units.one,
    basis: 'assumed',
    assumptions: [assumptions.cardAboveFree],
    provenance: [],
  };
  const card = derive('total * 1024 * share', { total, share });
  if (card === undefined) {
    return undefined;
  }
  const { exact, nominal, printed, ...open } = card;
  const isOpen = exact ?? nominal ?? printed;
  const { lo, hi } = open.interval;
  return isOpen === undefined || lo < hi
    ? { ...open, unit: units.MiB, interval: { lo: Math.floor(lo), hi: Math.ceil(hi) } }
    : undefined;
}

/** The layout, where there is a config, and what decides the fraction; undefined without a card. */
function questionOf(
  run: Run,
  binding: RankFigures | undefined,
  joined: Answer<RunLayout> | undefined,
  { total, card }: KnownFraction,
): { readonly layout: ModelLayout | undefined; readonly asked: FractionOptions } | undefined {
  const capacity = card ?? (total && cardAround(total));
  const join = joined?.kind === 'known' ? joined.value : undefined;
  return (
    capacity && {
      layout: join?.config.layout,
      asked: fractionOptions(run, join?.options ?? layoutOptionsOf(run, binding), capacity),
    }
  );
}

function fractionOptions(
  run: Run,
  { release, parallel, draftTokens }: RunLayoutOptions,
  card: Quantity,
): FractionOptions {
  const args = new RunArguments(run);
  const chunk = args.integer('chunked_prefill_size');
  // The fraction is set before data parallelism divides the chunk.
  const share = parallel.dpAttention === true ? (parallel.dp ?? 1) : 1;
  const algorithm = args.word('speculative_algorithm');
  const mode = args.word('disaggregation_mode');
  return withoutUndefined<FractionOptions>({
    release,
    parallel,
    card,
    ...(chunk !== undefined && { chunkedPrefillSize: chunk > 0 ? chunk * share : chunk }),
    maxPrefillTokens: args.count('max_prefill_tokens'),
    maxTotalTokens: args.count('max_total_tokens'),
    draftTokens,
    maxRunningRequests: args.count('max_running_requests'),
    ...graphOptions(args),
    postCapture: isSizedAfterCapture(run) ? true : undefined,
    languageOnly: args.is('language_only') ? true : undefined,
    multimodal: args.is('enable_multimodal') ? true : undefined,
    exchange: exchangeOf(args.is('enable_deepep_moe') ? 'deepep' : args.word('moe_a2a_backend')),
    ...(algorithm !== undefined && {
      speculation:
        algorithm.toUpperCase() === 'NGRAM' ? 'ngram' : (draftKindOf(algorithm) ?? 'eagle'),
    }),
    ...(mode === 'prefill' || mode === 'decode' ? { disaggregation: mode } : {}),
    ...(args.word('attention_backend') === 'aiter' && { aiterLongContext: isLong(args) }),
  });
}

/** Graphs as the arguments have them: flags of their own, from 0.5.14 on one config for both phases. */
function graphOptions(
  args: RunArguments,
): Pick<
  FractionOptions,
  'graphMaxBatch' | 'disableGraphs' | 'prefillGraphs' | 'piecewiseMaxTokens'
> {
  const { decode, prefill } = readGraphConfig(args.word('cuda_graph_config') ?? '');
  const isOptedIn = args.is('enable_piecewise_cuda_graph');
  const isOff = args.is('disable_piecewise_cuda_graph');
  return withoutUndefined<ReturnType<typeof graphOptions>>({
    graphMaxBatch: decode?.maxBatch ?? args.count('cuda_graph_max_bs'),
    disableGraphs: args.is('disable_cuda_graph') || decode?.isOff === true ? true : undefined,
    prefillGraphs: isOff ? false : isOptedIn ? true : prefill && !prefill.isOff,
    piecewiseMaxTokens: prefill?.maxBatch ?? args.count('piecewise_cuda_graph_max_tokens'),
  });
}

/** Above it the aiter backend has less. */
const longestPlainContext = 8192;

function isLong(args: RunArguments): boolean {
  return (args.count('context_length') ?? Infinity) > longestPlainContext;
}
