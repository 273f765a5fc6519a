/**
 * State of linear-attention and state-space layers: bytes of a slot from the config, and how a budget
 * is split between slots and keys and values. Leaves out where the budget comes from.
 */
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { headsPerRank } from '../sglang/layout/cellFormula';
import { isSince } from '../sglang/layout/eraTable';
import { FormulaScope } from '../sglang/layout/formulaScope';
import {
  convolutionSlot,
  fullMemoryRatio,
  givenSlotsFrom,
  groupedSlot,
  prefillWithoutDraftsFrom,
  slotOnRank,
  separateSlot,
  prefixCacheFrom,
  slotsWithoutCache,
  stageStateFrom,
  stateSplit,
  tailSlot,
} from '../sglang/layout/stateFormula';
import type { SlotChoice } from '../sglang/layout/stateFormula';
import type { Solution } from '../terms/solve';
import { solve } from '../terms/solve';
import type { Quantity } from '../units/quantity';
import { LayoutFacts } from './layoutFacts';
import { countLayers, mostInAStage } from './layerPlan';
import type { ModelLayout } from './modelLayout';
import type { Receipt } from './receipt';
import { receiptOf } from './receipt';
import type { Answer } from './refusal';
import { RefusedError, answer } from './refusal';
import type { StateDimension } from './stateShape';
import type { ParallelPlan } from './tokenBytes';

/** What beside the config decides state. */
export interface StateOptions {
  readonly release: ReleaseInterval;
  readonly parallel: ParallelPlan;
  /** `--mamba-ssm-dtype`. */
  readonly stateDtype?: string;
  /** `--mamba-full-memory-ratio`. */
  readonly fullMemoryRatio?: number;
  /** `--max-mamba-cache-size`. */
  readonly maxSlots?: number;
  readonly maxRunningRequests?: number;
  readonly disableRadixCache?: boolean;
  /** True with any speculation, without a draft model too: its draft tokens must be known. */
  readonly isSpeculative?: boolean;
  /** Draft tokens a step; absent without speculation. */
  readonly draftTokens?: number;
  /** Slots that a running request takes; 3 with the prefix cache, 1 without. */
  readonly slotsPerRequest?: number;
  /** A request may take more slots: the class of the model is not one that the release names. */
  readonly areSlotsOpen?: boolean;
  /** What the server does of prefill and decoding; undefined for both. */
  readonly role?: 'prefill' | 'decode';
  /** True for a prefill server that may change its role, or whose pools share one buffer. */
  readonly mayVerify?: boolean;
}

/** Bytes of one slot with their receipt. */
export interface SlotBytes {
  /** Of all state layers, as the budget of early releases has it. */
  readonly quantity: Quantity;
  /** Of the state layers on a rank of the fullest stage. */
  readonly onRank: Quantity;
  readonly receipt: Receipt;
  /** State layers of all stages, and of the stage that has most. */
  readonly layers: number;
  readonly stageLayers: number;
}

const slotTexts = {
  grouped: groupedSlot,
  separate: separateSlot,
  convolution: convolutionSlot,
  tail: tailSlot,
} as const;

const stateDtypeSizes: ReadonlyMap<string, number> = new Map([
  ['float32', 4],
  ['bfloat16', 2],
  ['float16', 2],
]);

/** From here on draft states are counted for as many requests as slots can serve. */
const servedFrom = '0.5.13';

/** The first release that serves models with state layers. */
const stateFrom = '0.5.2';

/** Bytes of a slot; undefined for a model without state layers. */
export function slotBytes(
  layout: ModelLayout,
  options: StateOptions,
): Answer<SlotBytes> | undefined {
  const { state, layers } = layout;
  if (state === undefined) {
    return undefined;
  }
  return answer(() => {
    if (isSince(options.release, stateFrom) === false) {
      throw new RefusedError({ kind: 'not-in-release', what: 'state layers' });
    }
    const scope = new FormulaScope(options.release);
    const facts = new LayoutFacts(scope);
    const { tp, pp = 1, dp = 1, dpAttention = false, attnCp = 1 } = options.parallel;
    facts.flag('tp_size', tp, '--tp');
    facts.flag('attn_dp_size', dpAttention ? dp : 1, '--enable-dp-attention');
    facts.flag('attn_cp_size', attnCp, '--attn-cp-size');
    facts.flag('conv_element_size', 2, 'SGLANG_MAMBA_CONV_DTYPE');
    stateElement(facts, options.stateDtype, layout.stateDtype);
    for (const [name, { value, from }] of Object.entries(state.dimensions)) {
      facts.counted(name as StateDimension, value, from);
    }
    const count = countLayers(layers, ['state', 'both']);
    facts.counted('state_layers', count, layers.sources);
    scope.lower(headsPerRank);
    scope.read(slotTexts[state.kind]);
    const stageLayers = mostInAStage(layers, pp, ['state', 'both']);
    const isStaged = stageLayers === count ? false : isSince(options.release, stageStateFrom);
    facts.countedBetween(
      'stage_state_layers',
      { lo: isStaged === false ? count : stageLayers, hi: isStaged === true ? stageLayers : count },
      layers.sources,
    );
    scope.read(slotOnRank);
    const terms = [scope.term('mamba_cache_per_req'), scope.term('slot_on_rank')] as const;
    const solution = solve(terms, scope.facts, { explain: false });
    const [quantity, onRank] = terms.map(term => solution.quantityOf(term));
    if (quantity === undefined || onRank === undefined) {
      throw new RefusedError({ kind: 'not-in-release', what: 'state' });
    }
    const roots = isStaged === false ? terms.slice(0, 1) : terms;
    return {
      quantity,
      onRank: isStaged === false ? quantity : onRank,
      receipt: receiptOf(roots, solution, facts, []),
      layers: count,
      stageLayers,
    };
  });
}

function stateElement(
  facts: LayoutFacts,
  flag: string | undefined,
  declared: string | undefined,
): void {
  const given = flag === undefined ? undefined : stateDtypeSizes.get(flag);
  const own = declared === undefined ? undefined : stateDtypeSizes.get(declared);
  if (given !== undefined) {
    facts.flag('ssm_element_size', given, '--mamba-ssm-dtype');
  } else if (own !== undefined) {
    facts.scope.know('ssm_element_size', BigInt(own), {
      provenance: [{ kind: 'config', key: 'mamba_ssm_dtype' }],
    });
  } else {
    facts.flag('ssm_element_size', 4, '--mamba-ssm-dtype');
  }
}

/** The split of a budget. */
export interface StateSplit {
  readonly slots: Quantity | undefined;
  /** GiB of state, of all slots. */
  readonly memory: Quantity | undefined;
  /** GiB that all state takes of the budget, with the intermediate states of draft tokens. */
  readonly taken: Quantity | undefined;
  /** GiB that are left for keys and values. */
  readonly rest: Quantity | undefined;
  readonly slotsPerRequest: number;
}

/**
 * Splits `rest` (GiB, A - P * (1 - f)) between state and keys and values; undefined where the
 * release has no such split, or speculation takes states of so many tokens as nobody said.
 * @param layers state layers of the model and of its fullest stage.
 */
export function splitState(
  perSlot: Quantity,
  rest: Quantity,
  options: StateOptions,
  layers: Pick<SlotBytes, 'layers' | 'stageLayers'> = { layers: 1, stageLayers: 1 },
): StateSplit | undefined {
  const draftTokens = stateTokens(options);
  if (draftTokens === undefined) {
    return undefined;
  }
  // Draft states are kept for the requests that the slots can serve.
  const isServed = draftTokens > 0 && isSince(options.release, servedFrom) !== false;
  if (options.areSlotsOpen === true && isServed) {
    return undefined;
  }
  const scope = new FormulaScope(options.release);
  const facts = new LayoutFacts(scope);
  const { dp = 1, dpAttention = false } = options.parallel;
  const { maxRunningRequests = 0 } = options;
  const slotsPerRequest = hasPrefixCache(options) ? (options.slotsPerRequest ?? 3) : 1;
  scope.take('rest_memory', rest);
  scope.take('mamba_cache_per_req', perSlot);
  facts.flag('attn_dp_size', dpAttention ? dp : 1, '--enable-dp-attention');
  facts.flag('draft_tokens', draftTokens, '--speculative-num-draft-tokens');
  facts.flag('max_running_requests', maxRunningRequests, '--max-running-requests');
  facts.flag('slots_per_request', slotsPerRequest, '--disable-radix-cache');
  facts.flag('state_layers', layers.layers, '--pp');
  facts.flag('stage_state_layers', layers.stageLayers, '--pp');
  memoryRatio(facts, options);
  const { choice, slots: given } = slotChoice(options);
  if (given !== undefined) {
    facts.flag('max_mamba_cache_size', given, '--max-mamba-cache-size');
  }
  if (!scope.lower(stateSplit[choice])) {
    return undefined;
  }
  const names = ['slots', 'state_memory', 'state_taken', 'kv_memory'] as const;
  const [slots, memory, taken, left] = names.map(name => scope.term(name));
  const solution: Solution = solve(
    [slots, memory, taken, left].flatMap(term => term ?? []),
    scope.facts,
    { explain: false },
  );
  return {
    slots: slots && solution.quantityOf(slots),
    memory: memory && solution.quantityOf(memory),
    taken: taken && solution.quantityOf(taken),
    rest: left && solution.quantityOf(left),
    slotsPerRequest,
  };
}

/** Draft tokens whose states are kept; undefined where that is not known. */
function stateTokens(options: StateOptions): number | undefined {
  const { release, role, isSpeculative, draftTokens, mayVerify } = options;
  const skips =
    role === 'prefill' && mayVerify !== true && isSince(release, prefillWithoutDraftsFrom);
  if (skips === true || isSpeculative !== true) {
    return skips === true ? 0 : (draftTokens ?? 0);
  }
  return skips === undefined ? undefined : draftTokens;
}

/** Whether requests share state: the flag, and early releases, have it otherwise. */
function hasPrefixCache({ release, disableRadixCache = false }: StateOptions): boolean {
  return !disableRadixCache && isSince(release, prefixCacheFrom) !== false;
}

/** How slots are chosen, and the number that is given for it. */
function slotChoice(options: StateOptions): {
  readonly choice: SlotChoice;
  readonly slots: number | undefined;
} {
  const { release, maxSlots, maxRunningRequests } = options;
  const isCached = hasPrefixCache(options);
  const holds = !isCached || isSince(release, givenSlotsFrom) !== false;
  if (maxSlots !== undefined && holds) {
    return { choice: 'given', slots: maxSlots };
  }
  if (isCached) {
    return { choice: 'ratio', slots: undefined };
  }
  if (maxRunningRequests !== undefined) {
    return { choice: 'requests', slots: undefined };
  }
  return isSince(release, slotsWithoutCache.ratioFrom) === false
    ? { choice: 'given', slots: slotsWithoutCache.slots }
    : { choice: 'ratio', slots: undefined };
}

function memoryRatio(facts: LayoutFacts, { release, fullMemoryRatio: given }: StateOptions): void {
  if (given !== undefined) {
    facts.flag('mamba_full_memory_ratio', given, '--mamba-full-memory-ratio');
    return;
  }
  const [first, second] = fullMemoryRatio;
  const isLater = isSince(release, second.from);
  if (isLater === undefined) {
    facts.between(
      'mamba_full_memory_ratio',
      { lo: first.value, hi: second.value },
      '--mamba-full-memory-ratio',
    );
  } else {
    facts.flag(
      'mamba_full_memory_ratio',
      isLater ? second.value : first.value,
      '--mamba-full-memory-ratio',
    );
  }
}
