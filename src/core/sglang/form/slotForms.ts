/**
 * Pools of a serving server that have no entry left: tokens, request slots, slots of state. Entries of
 * a pool are not GPU memory. Leaves out the batch lines that show how full a pool is.
 */
import { count, requests, tokens, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const slotForms = [
  {
    id: 'retraction-failed',
    phase: 'serving',
    event: 'fatal-if-raised',
    owner: 'sglang',
    level: 'error',
    anchors: [
      'No space left for only one request',
      'Out of memory even after retracting all other requests',
    ],
    pattern: pattern`(?:(?<failed>Failed to retract any request\. )?No space left for only one request(?:, self\.token_to_kv_pool_allocator\.available_size\(\)=<available#>)?|(?<all>Out of memory even after retracting all other requests))`,
    fields: { available: tokens() },
    ends: ['available'],
    spellings: [
      {
        has: ['failed'],
        releases: [{ from: '0.4.7.post1', to: '0.5.6.post2' }],
        emitters: ['managers/schedule_batch.py::ScheduleBatch.retract_decode'],
      },
      {
        has: ['available'],
        releases: [{ from: '0.4.9.post3', to: '0.5.6.post2' }],
        emitters: ['managers/schedule_batch.py::ScheduleBatch.retract_decode'],
      },
      {
        has: ['all'],
        releases: [{ from: '0.5.7', to: '0.5.9' }],
        emitters: ['managers/schedule_batch.py::ScheduleBatch.retract_decode'],
      },
    ],
  },
  {
    id: 'token-slots-exhausted',
    phase: 'serving',
    event: 'fatal-if-raised',
    owner: 'sglang',
    level: 'error',
    anchors: ['refill out of memory.', 'Decode out of memory.', '. Try to lower your batch size'],
    pattern: pattern`(?:(?<stage>Prefill|Decode) o|(?<bare>O))ut of memory(?: \((?<fork>\w{1,40})\))?\.(?: This should (?:(?<nerver>nerver)|(?<never>never)) happen\.| (?<lower>Try to lower your batch size)\.)?(?:\n? ?Try to allocate <needed#> tokens\.\n? ?(?:Ava(?:ilable|(?<liable>liable)) (?:full )?tokens: <available#>)?(?: \((?:full_)?available_size=<free#> \+ (?:full_)?evictable_size=<evictable#>\))?)?`,
    fields: {
      stage: word(),
      fork: word(),
      needed: tokens(),
      available: tokens(),
      free: tokens(),
      evictable: tokens(),
    },
    ends: ['available'],
    closes: ['available'],
    wraps: /^(?:Try to allocate \d|Ava(?:ilable|liable) (?:full )?tokens: )/,
    spellings: [
      {
        has: ['nerver'],
        releases: [{ from: '0.1.6', to: '0.1.14' }],
        emitters: [
          'managers/router/infer_batch.py::Batch.prepare_for_decode',
          'managers/router/infer_batch.py::Batch.prepare_for_extend',
        ],
      },
      {
        has: ['never'],
        releases: [{ from: '0.1.15', to: '0.2.9.post1' }],
        emitters: [
          'managers/controller/infer_batch.py::Batch.prepare_for_decode',
          'managers/controller/infer_batch.py::Batch.prepare_for_extend',
          'managers/schedule_batch.py::Batch.prepare_for_decode',
          'managers/schedule_batch.py::Batch.prepare_for_extend',
        ],
      },
      {
        has: ['liable'],
        releases: [{ from: '0.3.4.post2', to: '0.4.6.post3' }],
        emitters: [
          'managers/schedule_batch.py::ScheduleBatch.alloc_token_slots',
          'managers/schedule_batch.py::ScheduleBatch.alloc_paged_token_slots_decode',
          'managers/schedule_batch.py::ScheduleBatch.alloc_paged_token_slots_extend',
        ],
      },
      {
        has: ['fork'],
        releases: [],
      },
      {
        has: ['bare', 'lower'],
        releases: [{ from: '0.5.3.post2' }],
        emitters: [
          'mem_cache/common.py::alloc_token_slots',
          'mem_cache/allocation.py::alloc_token_slots',
        ],
      },
      {
        has: ['free'],
        releases: [{ from: '0.4.9.post3' }],
        emitters: [
          'managers/schedule_batch.py::ScheduleBatch.alloc_token_slots',
          'mem_cache/common.py::alloc_paged_token_slots_decode',
          'mem_cache/common.py::alloc_paged_token_slots_extend',
          'mem_cache/allocation.py::alloc_paged_token_slots_decode',
          'mem_cache/allocation.py::alloc_paged_token_slots_extend',
        ],
      },
      {
        has: ['available'],
        lacks: ['liable'],
        releases: [{ from: '0.4.6.post4' }],
        emitters: ['managers/schedule_batch.py::ScheduleBatch.alloc_token_slots'],
      },
      {
        has: ['lower'],
        releases: [{ from: '0.2.10' }],
        emitters: [
          'managers/schedule_batch.py::Batch.prepare_for_decode',
          'managers/schedule_batch.py::Batch.prepare_for_extend',
        ],
      },
    ],
  },
  {
    id: 'request-slots-exhausted',
    phase: 'serving',
    event: 'fatal-if-raised',
    owner: 'sglang',
    level: 'error',
    anchors: ['Please set a smaller number for'],
    pattern: pattern`(?:alloc_req_slots runs out of memory|(?<old>Out of memory))\. Please set a smaller number for .--max-running-requests.\.(?: (?<self>self\.)?req_to_token_pool\.available_size\(\)=<available#>, num_reqs=<needed#>,)?`,
    fields: { available: count(), needed: requests() },
    ends: ['needed'],
    spellings: [
      {
        has: ['old'],
        releases: [{ from: '0.1.22', to: '0.4.3.post2' }],
        emitters: [
          'managers/controller/infer_batch.py::Batch.prepare_for_extend',
          'managers/schedule_batch.py::Batch.prepare_for_extend',
          'managers/schedule_batch.py::ScheduleBatch.alloc_req_slots',
        ],
      },
      {
        has: ['self', 'needed'],
        releases: [{ from: '0.4.3.post3', to: '0.5.3.post3' }],
        emitters: ['managers/schedule_batch.py::ScheduleBatch.alloc_req_slots'],
      },
      {
        has: ['needed'],
        lacks: ['self'],
        releases: [{ from: '0.5.3.post2' }],
        emitters: [
          'mem_cache/allocation.py::alloc_req_slots',
          'mem_cache/common.py::alloc_req_slots',
        ],
      },
    ],
  },
  {
    id: 'state-slots-exhausted',
    phase: 'serving',
    event: 'fatal-if-raised',
    owner: 'sglang',
    level: 'error',
    anchors: ['Not enough space for mamba'],
    pattern: pattern`Not enough space for mamba (?<what>cache|ping pong idx), try to increase --mamba-full-memory-ratio(?: or --max-mamba-cache-size)?\.(?: mid=(?<index>[^,\n]{0,60}), self\.mamba_pool\.size=<size#>, self\.mamba_(?:(?<pool>pool)|allocator)\.available_size\(\)=<available#>, len\(reqs\)=<requests#>)?`,
    fields: { what: word(), size: count('stateSlots'), available: count(), requests: requests() },
    ends: ['requests'],
    spellings: [
      {
        lacks: ['size'],
        releases: [{ from: '0.5.7' }],
        emitters: [
          'mem_cache/memory_pool.py::HybridReqToTokenPool.alloc',
          'mem_cache/memory_pool.py::HybridReqToTokenPool._alloc_ping_pong_buffer',
        ],
      },
      {
        has: ['size', 'pool'],
        releases: [{ from: '0.5.7', to: '0.5.12.post1' }],
        emitters: ['mem_cache/memory_pool.py::HybridReqToTokenPool.alloc'],
      },
      {
        has: ['size'],
        lacks: ['pool'],
        releases: [{ from: '0.5.13' }],
        emitters: ['mem_cache/memory_pool.py::HybridReqToTokenPool.alloc'],
      },
    ],
  },
  {
    id: 'pool-estimate-wrong',
    phase: 'serving',
    event: 'fatal-if-raised',
    owner: 'sglang',
    level: 'error',
    anchors: ['KV cache is full! ', 'req_pool_indices is full! '],
    pattern: pattern`(?:(?<kv>KV cache)|req_pool_indices) is full! (?:There is a bug in memory estimation|Bug in memory estimation)\.(?: available=<available#>, evictable=<evictable#>, protected=<protected#>, required_alloc=<needed#>)?`,
    fields: { available: tokens(), evictable: tokens(), protected: tokens(), needed: tokens() },
    ends: ['needed'],
    spellings: [
      {
        has: ['kv'],
        lacks: ['available'],
        releases: [{ from: '0.4.7.post1', to: '0.5.10.post1' }],
        emitters: ['disaggregation/decode.py::DecodePreallocQueue._pre_alloc'],
      },
      {
        lacks: ['kv'],
        releases: [{ from: '0.4.7.post1' }],
        emitters: ['disaggregation/decode.py::DecodePreallocQueue._pre_alloc'],
      },
    ],
  },
  {
    id: 'eviction-insufficient',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'warning',
    anchors: ['Eviction insufficient: needed '],
    pattern: pattern`Eviction insufficient: needed <needed#> tokens, available <available#> after evicting <evicted#>/<asked#> tokens`,
    fields: { needed: tokens(), available: tokens(), evicted: tokens(), asked: tokens() },
    spellings: [
      {
        releases: [{ from: '0.5.11' }],
        emitters: ['disaggregation/decode.py::DecodePreallocQueue._pre_alloc'],
      },
    ],
  },
] as const satisfies readonly LineForm[];
