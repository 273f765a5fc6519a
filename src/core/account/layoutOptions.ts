/**
 * What a run's log says of the flags that decide a layout: release, parallel sizes, dtype of the
 * cache, drafts, window and state pools. Leaves out the config and every judgement of sizes.
 */
import type { Run } from '../log/run';
import type { FractionOptions } from '../model/autoFraction';
import type { StateOptions } from '../model/statePool';
import type { DraftPlan, LayoutOptions } from '../model/tokenBytes';
import { lacksPrefixCache } from '../sglang/layout/prefixCache';
import { ownRequestLimit } from '../sglang/layout/requestLimit';
import type { SlotDecider, SlotStrategy } from '../sglang/layout/slotsPerRequest';
import { areSlotsOpen, slotDecider, slotsPerRequest } from '../sglang/layout/slotsPerRequest';
import { simplestDecimal } from '../units/simplestDecimal';
import { largestPowerOfTwo } from './limitFacts';
import type { RankFigures } from './rankFigures';
import { isDpAttention } from './replicas';
import { hasStateModel } from './stateModel';
import type { RunKvDtype } from './runKvDtype';
import { kvDtypeOf } from './runKvDtype';

/** Options of a layout and its state, as a log gives them. */
export interface RunLayoutOptions
  extends LayoutOptions, Omit<StateOptions, 'release' | 'parallel'> {
  /** `printed` where a line of the sizing names the dtype, `flag` where only the arguments do. */
  readonly dtypeBasis: RunKvDtype['basis'];
  /** True where the log shows no argument that would name the dtype: then it may be FP8. */
  readonly isDtypeOpen: boolean;
  /** False where only ranks show the sizes, and there may be more ranks. */
  readonly areSizesGiven: boolean;
  readonly slotDecider: SlotDecider;
  readonly page?: number;
  readonly contextLength?: number;
  readonly maxTotalTokens?: number;
  readonly chunkedPrefillSize?: number;
  readonly disableOverlap?: boolean;
  readonly draftSteps?: number;
  readonly draftBranches?: number;
  /** `--disaggregation-decode-extra-slots`. */
  readonly extraSlots?: number;
}

/** Reads launch arguments by name; undefined for those that were not printed, are None, or of another type. */
export class RunArguments {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  #value(name: string) {
    return this.#run.serverArguments?.values.get(name)?.value ?? undefined;
  }

  /** True where the launch arguments that the log shows have it, whatever its value. */
  shows(name: string): boolean {
    return this.#run.serverArguments?.values.has(name) === true;
  }

  /** A whole number; undefined for none. */
  count(name: string): number | undefined {
    const value = this.#value(name);
    return typeof value === 'bigint' && value > 0n ? Number(value) : undefined;
  }

  /** A whole number of any sign. */
  integer(name: string): number | undefined {
    const value = this.#value(name);
    return typeof value === 'bigint' ? Number(value) : undefined;
  }

  number(name: string): number | undefined {
    const value = this.#value(name);
    return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : undefined;
  }

  word(name: string): string | undefined {
    const value = this.#value(name);
    return typeof value === 'string' ? value : undefined;
  }

  is(name: string): boolean {
    return this.#value(name) === true;
  }
}

/** The kind of draft that an algorithm runs; undefined where it has no pool of its own. */
export function draftKindOf(algorithm: string | undefined): DraftPlan['kind'] | undefined {
  switch (algorithm?.toUpperCase()) {
    case undefined:
    case 'NGRAM':
    case 'NONE':
      return undefined;
    case 'STANDALONE':
      return 'standalone';
    case 'DFLASH':
    case 'DSPARK':
      return 'block';
    default:
      return 'eagle';
  }
}

/** How experts exchange tokens, by the name of the backend. */
export function exchangeOf(name: string | undefined): FractionOptions['exchange'] {
  switch (name) {
    case undefined:
    case 'none':
      return undefined;
    case 'deepep':
      return name;
    case 'flashinfer':
    case 'megamoe':
      return 'captured';
    default:
      return 'other';
  }
}

/** What a server does of prefill and decoding, by the word of the flag; undefined for both. */
export function roleOf(mode: string | undefined): 'prefill' | 'decode' | undefined {
  return mode === 'prefill' || mode === 'decode' ? mode : undefined;
}

/** The options; absent keys are at their defaults. */
export function layoutOptionsOf(run: Run, binding: RankFigures | undefined): RunLayoutOptions {
  const args = new RunArguments(run);
  const { parallel, release } = run;
  const dtype = kvDtypeOf(run, binding);
  const draft = draftOf(run, args);
  const isSpeculative = args.word('speculative_algorithm') !== undefined;
  const draftTokens = args.count('speculative_num_draft_tokens');
  const disableRadixCache =
    args.is('disable_radix_cache') ||
    (hasStateModel(run) && lacksPrefixCache(release, run.modelClass));
  const strategy = args.word('mamba_scheduler_strategy') ?? args.word('mamba_radix_cache_strategy');
  const slots: SlotStrategy = {
    disableRadixCache,
    ...(strategy !== undefined && { strategy }),
    ...(run.modelClass !== undefined && { architecture: run.modelClass }),
    page: args.count('page_size') ?? 1,
    isSpeculative,
    disableOverlap: args.is('disable_overlap_schedule'),
  };
  return withoutUndefined<RunLayoutOptions>({
    release,
    parallel: withoutUndefined<LayoutOptions['parallel']>({
      tp: parallel.tp ?? 1,
      pp: parallel.pp,
      dp: parallel.dp,
      dpAttention: isDpAttention(run) ? true : undefined,
      attnCp: parallel.cp,
      dcp: args.count('dcp_size'),
    }),
    kvDtype: dtype.name,
    kvDtypeFrom: dtype.basis === 'printed' ? 'printed dtype' : undefined,
    ranksFrom: parallel.basis === 'ranks' ? 'printed ranks' : undefined,
    dtypeBasis: dtype.basis,
    isDtypeOpen: dtype.basis === 'none' && !args.shows('kv_cache_dtype'),
    // Servers of one rank print no rank.
    areSizesGiven:
      parallel.basis === 'arguments' || !run.ranks.some(({ rank }) => /\bTP\d/.test(rank)),
    latentRows: args.is('enable_mla') ? true : args.is('disable_mla') ? false : undefined,
    draft,
    draftTokens,
    draftSteps: args.count('speculative_num_steps'),
    draftBranches: args.count('speculative_eagle_topk'),
    role: roleOf(args.word('disaggregation_mode')),
    extraSlots: args.integer('disaggregation_decode_extra_slots'),
    mayVerify:
      args.is('enable_pd_role_switch') || args.is('enable_unified_memory') ? true : undefined,
    windowRatio: printedRatio(binding) ?? args.number('swa_full_tokens_ratio'),
    windowPool: windowPoolOf(run, binding, args),
    rawSparseRows: sparseBackends.some(name => readsRawRows(args.word(name))) ? true : undefined,
    keepsAllIndexKeys:
      args.is('enable_hierarchical_cache') || roleOf(args.word('disaggregation_mode')) !== undefined
        ? true
        : undefined,
    stateDtype: args.word('mamba_ssm_dtype'),
    fullMemoryRatio: args.number('mamba_full_memory_ratio'),
    maxSlots: args.count('max_mamba_cache_size'),
    isSpeculative: isSpeculative ? true : undefined,
    maxRunningRequests:
      args.count('max_running_requests') ??
      ownRequestLimit(release, { isSpeculative, isCompressed: false }),
    disableRadixCache: disableRadixCache ? true : undefined,
    slotsPerRequest: slotsPerRequest(release, slots),
    slotDecider: slotDecider(release, slots),
    areSlotsOpen: areSlotsOpen(release, slots) ? true : undefined,
    page: args.count('page_size'),
    chunkedPrefillSize: args.count('chunked_prefill_size'),
    disableOverlap: args.is('disable_overlap_schedule') ? true : undefined,
    contextLength: args.count('context_length'),
    maxTotalTokens: args.count('max_total_tokens'),
  });
}

/** Classes of drafts that are layers of the target's checkpoint. */
const ownDraft = /(?:NextN|MTP)$/;

/** True for a draft of the target's own checkpoint, whose layers have the dimensions of the target's. */
export function hasOwnDraft(run: Run): boolean {
  const args = new RunArguments(run);
  const kinds = run.ranks.flatMap(({ draft }) => draft.flatMap(({ words }) => words['type'] ?? []));
  const path = args.word('speculative_draft_model_path');
  const isNamed =
    args.word('speculative_algorithm')?.toUpperCase() === 'NEXTN' ||
    kinds.some(kind => ownDraft.test(kind));
  return isNamed || (path === undefined ? kinds.length === 0 : path === args.word('model_path'));
}

function draftOf(run: Run, args: RunArguments): DraftPlan | undefined {
  const kind = draftKindOf(args.word('speculative_algorithm'));
  const hasDraft = run.ranks.some(({ draft }) => draft.length > 0);
  return kind === undefined ? (hasDraft ? { kind: 'eagle' } : undefined) : { kind };
}

/** A log with a KV line and without one of a window pool has none. */
function windowPoolOf(
  run: Run,
  binding: RankFigures | undefined,
  args: RunArguments,
): boolean | undefined {
  const isShown = run.records.some(({ form }) => form.id === 'swa-pool' || form.id === 'swa-split');
  if (isShown || binding?.swaPool !== undefined) {
    return true;
  }
  const pool = binding?.kvPool;
  const isOther = pool !== undefined && pool.size.record.words['pool'] === undefined;
  return args.is('disable_hybrid_swa_memory') || isOther ? false : undefined;
}

/** Window tokens per full token, where both pools are printed: the shortest ratio that gives them. */
function printedRatio(binding: RankFigures | undefined): number | undefined {
  const full = binding?.kvPool?.tokens?.quantity.interval.lo;
  const window = binding?.swaPool?.tokens?.quantity.interval.lo;
  if (full === undefined || window === undefined || full <= 0) {
    return undefined;
  }
  const page = Math.max(largestPowerOfTwo(full), largestPowerOfTwo(window));
  return simplestDecimal({ lo: window / full, hi: (window + page) / full });
}

const sparseBackends = [
  'nsa_prefill_backend',
  'nsa_decode_backend',
  'dsa_prefill_backend',
  'dsa_decode_backend',
] as const;

/** Whether the kernels of a backend read FP8 rows of sparse attention without scales. */
export function readsRawRows(backend: string | undefined): boolean {
  return backend?.includes('trtllm') === true;
}

/** Options that were not given are absent, not undefined. */
export function withoutUndefined<T extends object>(values: {
  readonly [K in keyof T]: T[K] | undefined;
}): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
