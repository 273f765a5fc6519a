/**
 * State of linear-attention and state-space layers: bytes of one slot, and how many slots a budget
 * gives, by release (reference 1.5). State is kept per request, not per token. Leaves out the
 * optional checkpoint pool and replay rings, which have log lines of their own.
 */
import type { EraTable } from './eraTable';

/**
 * Bytes of one slot: a window of convolution inputs and the recurrent state, in every state layer.
 * Groups that do not divide by the ranks are extended until they do.
 */
export const groupedSlot = `
_sharded_groups = state_groups if state_groups % attn_tp_size == 0 else attn_tp_size
conv_width = (state_intermediate_size + 2 * _sharded_groups * state_size) // attn_tp_size
conv_layer = conv_width * (conv_kernel - 1) * conv_element_size
state_layer = state_heads // attn_tp_size * state_head_dim * state_size * ssm_element_size
mamba_cache_per_req = (conv_layer + state_layer) * state_layers
`;

/** As groupedSlot where queries, keys and values have convolutions of their own (KDA). */
export const separateSlot = `
conv_width = 3 * (state_heads * state_head_dim // attn_tp_size)
conv_layer = conv_width * (conv_kernel - 1) * conv_element_size
state_layer = state_heads // attn_tp_size * state_head_dim * state_head_dim * ssm_element_size
mamba_cache_per_req = (conv_layer + state_layer) * state_layers
`;

/** A convolution over the hidden width and no recurrent state. */
export const convolutionSlot = `
conv_width = state_intermediate_size // attn_tp_size
conv_layer = conv_width * (conv_kernel - 1) * conv_element_size
mamba_cache_per_req = conv_layer * state_layers
`;

/** Inputs of convolutions, divided by the ranks, and a hidden state that is whole on each. */
export const tailSlot = `
conv_width = state_intermediate_size // attn_tp_size
conv_layer = (conv_width * (conv_kernel - 1) + state_size) * conv_element_size
mamba_cache_per_req = conv_layer * state_layers
`;

/** What a rank keeps of it: the layers of its pipeline stage. */
export const slotOnRank = 'slot_on_rank = mamba_cache_per_req // state_layers * stage_state_layers';

/** From here on a stage keeps state for its own layers; before, for all. */
export const stageStateFrom = '0.5.10';

/** How the number of slots is chosen. */
export type SlotChoice = 'ratio' | 'given' | 'requests';

const shared = `
state_memory = slots * mamba_cache_per_req / 2**30
kv_memory = state_rest - state_memory
`;

/** All that is taken before keys and values: slots, and intermediate states beside them. */
const bothTaken = 'state_taken = state_memory + intermediate / 2**30';
const slotsTaken = 'state_taken = state_memory';

/** 0.5.7 charges intermediate states of draft tokens before the split, for the requests of all groups. */
const intermediateOfAll = `
intermediate = mamba_cache_per_req * max_running_requests * draft_tokens
state_rest = rest_memory - intermediate / 2**30
`;

const noIntermediate = 'state_rest = rest_memory';

/** Since 0.5.8 those of one group, however slots are chosen. */
const intermediateFirst = `
request_share = max_running_requests // attn_dp_size
intermediate = mamba_cache_per_req * request_share * draft_tokens
state_rest = rest_memory - intermediate / 2**30
`;

/** The first releases count no draft tokens. */
const plainSlots = `
state_rest = rest_memory
${shared}${slotsTaken}
`;

/** Up to 0.5.6 a slot carries the states of all draft tokens. */
const slotsWithDraft = `
state_rest = rest_memory
state_memory = slots * mamba_cache_per_req * (1 + draft_tokens) / 2**30
kv_memory = state_rest - state_memory
${slotsTaken}
`;

/** From 0.5.13 on only as many requests as the slots can serve have intermediate states. */
const intermediateAfter = `
served = min(max_running_requests // attn_dp_size, slots // slots_per_request)
intermediate = mamba_cache_per_req * served * draft_tokens
state_rest = rest_memory - intermediate / 2**30
`;

/** From 0.5.17 on the padding slot is charged, and the fullest pipeline stage decides. */
const paddedSlots = `
stage_slot = int(mamba_cache_per_req * (stage_state_layers / state_layers))
`;

/** Requests of one group: from 0.5.23 on at least one. */
const requestsOfGroup = 'max_running_requests // attn_dp_size';
const oneOfGroup = `max(1, ${requestsOfGroup})`;

const paddedAfter = (ofGroup: string): string => `
served = min(${ofGroup}, slots // slots_per_request)
intermediate = stage_slot * (served + 1) * draft_tokens
state_rest = rest_memory - intermediate / 2**30
state_memory = (slots + 1) * stage_slot / 2**30
kv_memory = state_rest - state_memory
${bothTaken}
`;

const paddedShare = `
${paddedSlots}
state_share = rest_memory * mamba_full_memory_ratio / (1 + mamba_full_memory_ratio) * 2**30
padding_share = stage_slot * (1 + draft_tokens)
slots = int((state_share - padding_share) // (stage_slot * (1 + draft_tokens / slots_per_request)))
`;

const paddedGiven = `
${paddedSlots}
slots = max_mamba_cache_size // attn_dp_size
`;

const paddedRequests = (ofGroup: string): string => `
${paddedSlots}
slots = ${ofGroup}
intermediate = stage_slot * (slots + 1) * draft_tokens
state_rest = rest_memory - intermediate / 2**30
state_memory = (slots + 1) * stage_slot / 2**30
kv_memory = state_rest - state_memory
${bothTaken}
`;

/**
 * Slots, GiB of state and GiB that are left for keys and values, from the GiB that the formula gives
 * to all pools.
 */
export const stateSplit: Readonly<Record<SlotChoice, EraTable>> = {
  ratio: [
    {
      from: '0.5.3.post2',
      text: `
state_share = rest_memory * mamba_full_memory_ratio / (1 + mamba_full_memory_ratio)
slots = int(state_share * 2**30 // mamba_cache_per_req // (1 + draft_tokens)) // attn_dp_size
${slotsWithDraft}`,
    },
    {
      from: '0.5.7',
      text: `
${intermediateOfAll}
state_share = state_rest * mamba_full_memory_ratio / (1 + mamba_full_memory_ratio)
slots = int(state_share * 2**30 // mamba_cache_per_req)
${shared}${bothTaken}
`,
    },
    {
      from: '0.5.8',
      text: `
${intermediateFirst}
state_share = state_rest * mamba_full_memory_ratio / (1 + mamba_full_memory_ratio)
slots = int(state_share * 2**30 // mamba_cache_per_req)
${shared}${bothTaken}
`,
    },
    {
      from: '0.5.13',
      text: `
state_share = rest_memory * mamba_full_memory_ratio / (1 + mamba_full_memory_ratio) * 2**30
slots = int(state_share // (mamba_cache_per_req * (1 + draft_tokens / slots_per_request)))
${intermediateAfter}${shared}${bothTaken}
`,
    },
    { from: '0.5.17', text: paddedShare + paddedAfter(requestsOfGroup) },
    { from: '0.5.23', text: paddedShare + paddedAfter(oneOfGroup) },
  ],
  given: [
    {
      from: '0.5.2',
      text: `
slots = max_mamba_cache_size // attn_dp_size
${plainSlots}`,
    },
    {
      from: '0.5.3.post2',
      text: `
slots = max_mamba_cache_size // attn_dp_size
${slotsWithDraft}`,
    },
    {
      from: '0.5.7',
      text: `
${noIntermediate}
slots = max_mamba_cache_size // attn_dp_size
${shared}${slotsTaken}
`,
    },
    {
      from: '0.5.8',
      text: `
${intermediateFirst}
slots = max_mamba_cache_size // attn_dp_size
${shared}${bothTaken}
`,
    },
    {
      from: '0.5.13',
      text: `
slots = max_mamba_cache_size // attn_dp_size
${intermediateAfter}${shared}${bothTaken}
`,
    },
    { from: '0.5.17', text: paddedGiven + paddedAfter(requestsOfGroup) },
    { from: '0.5.23', text: paddedGiven + paddedAfter(oneOfGroup) },
  ],
  requests: [
    {
      from: '0.5.2',
      text: `
slots = max_running_requests // attn_dp_size
${plainSlots}`,
    },
    {
      from: '0.5.3.post2',
      text: `
slots = max_running_requests // attn_dp_size
${slotsWithDraft}`,
    },
    {
      from: '0.5.7',
      text: `
${noIntermediate}
slots = max_running_requests // attn_dp_size
${shared}${slotsTaken}
`,
    },
    {
      from: '0.5.8',
      text: `
${intermediateFirst}
slots = max_running_requests // attn_dp_size
${shared}${bothTaken}
`,
    },
    {
      from: '0.5.13',
      text: `
slots = max_running_requests // attn_dp_size
intermediate = mamba_cache_per_req * slots * draft_tokens
state_rest = rest_memory - intermediate / 2**30
${shared}${bothTaken}
`,
    },
    { from: '0.5.17', text: paddedRequests(requestsOfGroup) },
    { from: '0.5.23', text: paddedRequests(oneOfGroup) },
  ],
};

/** The share of state against keys and values, by release. */
export const fullMemoryRatio = [
  { from: '0.5.3.post2', value: 0.2 },
  { from: '0.5.3.post3', value: 0.9 },
] as const;

/** Slots without a prefix cache where nothing is given, up to 0.5.8; since, the ratio decides. */
export const slotsWithoutCache = { slots: 512, ratioFrom: '0.5.9' } as const;

/** From here on there is a prefix cache beside state, and a share of the budget decides its slots. */
export const prefixCacheFrom = '0.5.3.post2';

/** The first release whose `--max-mamba-cache-size` holds with the prefix cache on. */
export const givenSlotsFrom = '0.5.7';

/**
 * From here on a prefill server, which verifies no drafts, keeps no states of draft tokens, unless it may
 * change its role or all pools share one buffer.
 */
export const prefillWithoutDraftsFrom = '0.5.22';
