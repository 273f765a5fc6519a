/**
 * Pools and limits that a log does not print, from its config and the figures that it does print:
 * tokens from the fraction in force, pools from tokens, requests and their table. Everything here is
 * assumed as far as the config is. Leaves out runs whose pools were never made.
 */
import type { Run } from '../log/run';
import { draftBytes } from '../model/draftBytes';
import { isDraftLonger, isRaised } from '../model/headRoom';
import type { SizedModel, SizedPools, SizedRequests } from '../model/poolSizer';
import { PoolSizer } from '../model/poolSizer';
import type { StateSplit } from '../model/statePool';
import type { PoolTokens } from '../model/tokenPools';
import { visionReservation } from '../model/visionReservation';
import { budgetTerms } from '../sglang/budgetFormula';
import { isSince } from '../sglang/layout/eraTable';
import type { QuantityId } from '../sglang/quantityId';
import { derive, factOf } from '../terms/derive';
import type { Fact } from '../terms/fact';
import type { Solution } from '../terms/solve';
import type { Term } from '../terms/term';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { largestPowerOfTwo } from './limitFacts';
import { ofConfig } from './layoutBudget';
import type { RankFigures } from './rankFigures';
import { isSizedAfterCapture } from './resizedPool';
import type { RunLayout } from './runLayout';
import type { Outcome } from './verdict';

/** What is known of the run before anything is predicted. */
export interface KnownRun {
  readonly run: Run;
  readonly binding: RankFigures | undefined;
  readonly facts: readonly Fact[];
  readonly solution: Solution;
  readonly outcome: Outcome;
  /** The fraction that the sizing used, where it is known. */
  readonly fraction: Quantity | undefined;
}

type Predicted = readonly (readonly [QuantityId, Quantity | undefined])[];

/** What the config adds, by id; ids that the log prints are not left out here. */
export function predictedPools(
  join: RunLayout,
  known_: KnownRun,
): ReadonlyMap<QuantityId, Quantity> {
  const rows = [...ofModel(join), ...(hasPools(known_.outcome) ? ofPools(join, known_) : [])];
  return new Map(rows.flatMap(([id, value]) => (value ? [[id, ofConfig(value)] as const] : [])));
}

/** What holds for the model whether its server started or not. */
function ofModel(join: RunLayout): Predicted {
  const { slot, options } = join;
  return [
    ['contextLength', contextOf(join)],
    ['bytesPerSlot', slot?.onRank],
    ['slotsPerRequest', slot && options.areSlotsOpen !== true ? slotsOf(options) : undefined],
  ];
}

/** Flags that decide the slots of a request; else the class in the config does, by the release's lists. */
const slotFlags = {
  cache: '--disable-radix-cache',
  strategy: '--mamba-radix-cache-strategy',
  overlap: '--disable-overlap-schedule',
  class: undefined,
} as const;

function slotsOf({ slotsPerRequest = 3, slotDecider }: RunLayout['options']): Quantity {
  const flag = slotFlags[slotDecider];
  const slots = givenQuantity(BigInt(slotsPerRequest), units.one, flag ?? '');
  return flag === undefined
    ? { ...slots, provenance: [{ kind: 'config', key: 'architectures' }] }
    : slots;
}

/** Tokens of the longest request: as the flag says, else the config. */
export function contextOf({ config, options }: RunLayout): Quantity | undefined {
  if (options.contextLength !== undefined) {
    return givenQuantity(BigInt(options.contextLength), units.token, '--context-length');
  }
  const own = config.layout.contextLength;
  return (
    own && {
      ...givenQuantity(BigInt(own.value), units.token, own.path),
      provenance: [{ kind: 'config', key: own.path }],
    }
  );
}

/** Runs that came so far that pools were made, or that the log leaves before it shows them. */
function hasPools({ kind, phase }: Outcome): boolean {
  const came = phase !== 'init' && phase !== 'weights';
  const isMade = ['ok', 'graph-oom', 'runtime-oom', 'pool-exhausted', 'slots-exhausted'];
  return came && (isMade.includes(kind) || kind === 'incomplete');
}

const baseTerms: readonly Term[] = [
  budgetTerms.total,
  budgetTerms.available,
  budgetTerms.reservation,
];

function ofPools(
  join: RunLayout,
  { run, binding, facts, solution, fraction }: KnownRun,
): Predicted {
  const { config, bytes, slot, options } = join;
  const model: SizedModel = { layout: config.layout, bytes, slot, context: contextOf(join) };
  const sizer = new PoolSizer(model, options);
  const base = [
    ...facts.filter(({ term }) => baseTerms.includes(term) && term !== budgetTerms.reservation),
    ...reservationFacts(run, join, facts),
  ];
  const isSized = fraction !== undefined && base.length === baseTerms.length;
  const sized = isSized && !isResized(run, join) ? sizer.pools(base, fraction) : undefined;
  const state = stateOf(join, binding, sized?.state);
  const isPrinted = facts.some(({ term }) => term === budgetTerms.tokens);
  const tokens: PoolTokens = isPrinted
    ? { full: solution.quantityOf(budgetTerms.tokens), window: windowTokens(join, binding) }
    : (sized?.tokens ?? { full: undefined, window: undefined });
  const { full } = tokens;
  const isShared = run.serverArguments?.values.get('enable_unified_memory')?.value === true;
  if (isShared && (slot !== undefined || bytes.windowPool !== undefined)) {
    // One buffer for all pools: only their sum has a size.
    return full ? [['maxTotalTokens', full]] : [];
  }
  if (join.agreement === 'differs' || full === undefined || !(full.interval.hi > 0)) {
    return [];
  }
  const rowTokens = isPrinted ? sizer.rowTokensOf(full) : sized?.rowTokens;
  const limits = requestLimits(sizer, join, { full, rowTokens, state });
  const isHybrid = bytes.windowPool !== undefined;
  return [
    ['maxTotalTokens', full],
    ['kvPool', poolOf(join, bytes.pool.cell, full)],
    ['fullTokens', isHybrid ? full : undefined],
    ['swaTokens', tokens.window],
    ['swaPool', bytes.windowPool && poolOf(join, bytes.windowPool.cell, tokens.window)],
    ['draftPool', draftPool(run, join, full)],
    ['stateSlots', limits.held ? limits.held.slots : state?.slots],
    ['statePool', statePool(join, limits.held ? limits.held.slots : state?.slots)],
    ...(isRoomFor(limits.table, binding, solution)
      ? ([
          ['maxRunningRequests', limits.requests],
          ['requestToTokenPool', limits.table],
        ] as const)
      : []),
  ];
}

/** The reservation as a line says it, else the usual one of the release. */
function reservationFacts(
  run: Run,
  { config, options }: RunLayout,
  facts: readonly Fact[],
): readonly Fact[] {
  const known = facts.filter(({ term }) => term === budgetTerms.reservation);
  if (known.length === 0 || run.records.some(({ form }) => form.id === 'multimodal-reservation')) {
    return known;
  }
  const isForced = run.serverArguments?.values.get('enable_multimodal')?.value === true;
  const usual = visionReservation(config.layout, options.release, isForced);
  return [factOf(budgetTerms.reservation, usual)];
}

/** Pools that are not what the fraction gives: sized again after the capture of graphs, or raised for drafts. */
function isResized(run: Run, { options }: RunLayout): boolean {
  return isSizedAfterCapture(run) || isRaised(options);
}

/** Slots of state limit requests: without them nothing is known. */
function requestLimits(
  sizer: PoolSizer,
  { slot }: RunLayout,
  { full, rowTokens, state }: Pick<SizedPools, 'rowTokens' | 'state'> & { readonly full: Quantity },
): SizedRequests {
  return slot !== undefined && state === undefined
    ? { requests: undefined, table: undefined }
    : sizer.requests(full, rowTokens, state);
}

/** Free memory drifts by this between samples, in GiB. */
const driftGiB = 0.3;

/**
 * False where the log's own figures leave no room for such a table between the pools and "Memory
 * pool end": benchmarks run with other limits than servers.
 */
function isRoomFor(
  table: Quantity | undefined,
  binding: RankFigures | undefined,
  solution: Solution,
): boolean {
  const end = binding?.poolEnd?.quantity;
  const available = binding?.loadEnd?.quantity;
  const pool = solution.quantityOf(budgetTerms.kvPool);
  const gap =
    end && available && pool && derive('available - pool - end', { available, pool, end });
  return (
    table === undefined || gap === undefined || table.interval.lo <= gap.interval.hi + driftGiB
  );
}

/** Slots as printed, else as the budget gives them: on decode servers those that are printed are others. */
function stateOf(
  { slot, options }: RunLayout,
  binding: RankFigures | undefined,
  split: StateSplit | undefined,
): StateSplit | undefined {
  const isDecode = options.role === 'decode';
  const slots = (isDecode ? undefined : binding?.stateSlots?.quantity) ?? split?.slots;
  return slot && slots
    ? {
        slots,
        memory: undefined,
        taken: split?.taken,
        rest: undefined,
        slotsPerRequest: options.slotsPerRequest ?? 3,
      }
    : undefined;
}

/** GiB of all slots and of the one that pads them; unknown with speculation, which adds states. */
function statePool(
  { slot, options }: RunLayout,
  slots: Quantity | undefined,
): Quantity | undefined {
  return slot && slots && options.draft === undefined
    ? derive('(slots + 1) * each / 2**30', { slots, each: slot.onRank })
    : undefined;
}

/** GiB of the buffers for so many tokens; they have padding rows. */
function poolOf(
  { bytes, options }: RunLayout,
  cell: Term,
  tokens: Quantity | undefined,
): Quantity | undefined {
  const each = bytes.solution.quantityOf(cell);
  if (each === undefined || tokens === undefined) {
    return undefined;
  }
  const page = options.page ?? largestPowerOfTwo(tokens.interval.lo);
  const isPaged = isSince(options.release, '0.4.4');
  const rows = isPaged === false ? 1 : page;
  const padding: Quantity = {
    ...givenQuantity(BigInt(rows), units.token, 'padding'),
    interval: { lo: 1, hi: rows },
    provenance: [],
  };
  const { exact, ...open } = padding;
  return derive('(tokens + padding) * each / 2**30', {
    tokens,
    padding: rows === 1 ? { ...open, ...(exact !== undefined && { exact }) } : open,
    each,
  });
}

function windowTokens({ bytes, options }: RunLayout, binding: RankFigures | undefined) {
  const full = binding?.kvPool?.tokens?.quantity;
  if (bytes.windowPool === undefined || full === undefined) {
    return binding?.swaPool?.tokens?.quantity;
  }
  const ratio = bytes.scope.factOf('swa_full_tokens_ratio')?.nominal ?? options.windowRatio;
  const page = options.page ?? 1;
  return (
    binding?.swaPool?.tokens?.quantity ??
    (ratio === undefined
      ? undefined
      : derive('int(full * ratio) // page * page', {
          full,
          ratio: givenQuantity(ratio, units.one, '--swa-full-tokens-ratio'),
          page: givenQuantity(BigInt(page), units.token, '--page-size'),
        }))
  );
}

/**
 * A draft that the checkpoint brings along has layers of the target's kind. Early releases give it
 * tokens of its own, which are left open.
 */
function draftPool(run: Run, { bytes, config, options }: RunLayout, tokens: Quantity) {
  const argument = (name: string) => run.serverArguments?.values.get(name)?.value ?? undefined;
  const path = argument('speculative_draft_model_path');
  const isOwn = path === undefined || path === argument('model_path');
  const own = config.layout.draftLayers?.value ?? 0;
  const layers = options.draft?.layers ?? (isOwn && own > 0 ? own : undefined);
  const draft = draftBytes(bytes, config.layout, options);
  return layers === undefined || draft === undefined || isDraftLonger(options)
    ? undefined
    : derive('tokens * draft / 2**30', { tokens, draft });
}

/**
 * The fraction of the launch arguments, where the release multiplies it nowhere else: with a vision
 * tower up to 0.4.8 and with aiter up to 0.5.4 it is not the one in force.
 */
export function argumentInForce(
  run: Run,
  claimed: Quantity | undefined,
  hasVision: boolean,
): Quantity | undefined {
  const backend = run.serverArguments?.values.get('attention_backend')?.value;
  const isShown = isSince(run.release, '0.5.4.post1') === true;
  const isOther = typeof backend === 'string' && backend !== 'aiter' && !hasVision;
  const isArgument = run.serverArguments?.values.get('mem_fraction_static') !== undefined;
  return isArgument && (isShown || isOther) ? claimed : undefined;
}
