/**
 * Failures of a serving server: slots, leak checks and requests that do not fit. Tokens and slots here
 * are entries of the pools, not GPU memory.
 */
import { count, requests, tokens, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const servingForms = [
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
        emitters: ['mem_cache/common.py::alloc_token_slots'],
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
  {
    id: 'pool-leak',
    phase: 'serving',
    event: 'fatal-if-raised',
    owner: 'sglang',
    level: 'warning',
    anchors: [
      'Warning: available_size=',
      'Warning: available req slots=',
      'leak detected!',
      'Mem Leak Detected!',
    ],
    pattern: pattern`(?:Warning: available_size=<oldAvailable#>, (?:self\.)?max_total_num_token(?<plural>s)?=<oldTotal#>|Warning: available req slots=<oldSlots#>, total slots=<oldRows#>|(?<=(?<kind>[\w -]{1,60}))(?<=(?<kv>KV cache pool )|(?<rows>(?:M|: M)emory pool )|(?<allocator>token_to_kv_pool_allocator memory )|(?<requests>req_to_token_pool memory )|(?<pool>(?:^|: )pool memory )|)leak detected(?:(?<alone>!)\s*$|!)(?:(?<space> )?available_size=<available#>)?(?:, (?:protected_size|(?<session>session_held))=<protected#>)?(?:, (?:self\.max_total_num_tokens|total_size)=<total#>)?|(?<short>(?<one>(?:Full|SWA) Pool )?Mem Leak Detected!)(?: total_tokens=<counted#> vs self\.max_total_num_tokens=<total2#>)?)`,
    fields: {
      kind: word(['kind', 'short']),
      available: count(undefined, ['available', 'oldAvailable', 'oldSlots']),
      total: count(undefined, ['total', 'total2', 'oldTotal', 'oldRows']),
      protected: count(),
      counted: count(),
    },
    ends: ['total', 'available'],
    spellings: [
      {
        has: ['oldTotal'],
        lacks: ['plural'],
        releases: [{ from: '0.1.3', to: '0.1.16' }],
        emitters: ['managers/router/model_rpc.py::ModelRpcServer.forward_step'],
      },
      {
        has: ['plural'],
        releases: [{ from: '0.1.17', to: '0.3.5.post2' }],
        emitters: [
          'managers/controller/tp_worker.py::ModelTpServer.forward_step',
          'managers/tp_worker.py::ModelTpServer.check_memory',
          'managers/scheduler.py::Scheduler.check_memory',
        ],
      },
      {
        has: ['oldSlots'],
        releases: [{ from: '0.2.8', to: '0.3.5.post2' }],
        emitters: [
          'managers/tp_worker.py::ModelTpServer.check_memory',
          'managers/scheduler.py::Scheduler.check_memory',
        ],
      },
      {
        has: ['kv', 'alone'],
        releases: [{ from: '0.1.3', to: '0.3.5.post2' }],
        emitters: [
          'managers/router/model_rpc.py::ModelRpcServer.forward_step',
          'managers/scheduler.py::Scheduler.check_memory',
        ],
      },
      {
        has: ['rows', 'alone'],
        releases: [{ from: '0.2.8', to: '0.3.5.post2' }],
        emitters: ['managers/scheduler.py::Scheduler.check_memory'],
      },
      {
        has: ['kv', 'available', 'space'],
        releases: [{ from: '0.4.4', to: '0.4.4.post3' }],
        emitters: ['managers/scheduler.py::Scheduler.check_memory'],
      },
      {
        has: ['kv', 'available', 'total'],
        lacks: ['space', 'protected'],
        releases: [{ from: '0.3.6', to: '0.4.2' }],
        emitters: ['managers/scheduler.py::Scheduler.check_memory'],
      },
      {
        has: ['kv', 'available', 'protected'],
        lacks: ['space'],
        releases: [{ from: '0.4.2.post1', to: '0.4.3.post4' }],
        emitters: ['managers/scheduler.py::Scheduler.check_memory'],
      },
      {
        has: ['rows', 'available'],
        releases: [{ from: '0.3.6', to: '0.4.4.post3' }],
        emitters: ['managers/scheduler.py::Scheduler.check_memory'],
      },
      {
        has: ['allocator'],
        releases: [{ from: '0.4.4.post4', to: '0.5.10.post1' }],
        emitters: [
          'managers/scheduler.py::Scheduler.check_memory',
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin.check_memory',
        ],
      },
      {
        has: ['requests', 'session'],
        releases: [{ from: '0.5.10rc0' }],
        emitters: [
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin._check_req_pool',
          'managers/scheduler_components/invariant_checker.py::SchedulerInvariantChecker._check_req_pool',
        ],
      },
      {
        has: ['requests', 'available', 'total'],
        lacks: ['session'],
        releases: [{ from: '0.4.4.post4', to: '0.5.9' }],
        emitters: [
          'managers/scheduler.py::Scheduler.check_memory',
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin._check_req_pool',
        ],
      },
      {
        has: ['pool'],
        releases: [{ from: '0.5.11' }],
        emitters: [
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin._report_leak',
          'managers/scheduler_components/invariant_checker.py::SchedulerInvariantChecker._report_leak',
        ],
      },
      {
        has: ['one'],
        releases: [{ from: '0.5.11' }],
        emitters: [
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin.self_check_during_busy',
          'managers/scheduler_components/invariant_checker.py::SchedulerInvariantChecker.self_check_during_busy',
        ],
      },
      {
        has: ['counted'],
        releases: [{ from: '0.5.4', to: '0.5.10.post1' }],
        emitters: [
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin._check_runtime_mem_leak',
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin.self_check_during_busy',
        ],
      },
    ],
  },
  {
    id: 'request-truncated',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'warning',
    anchors: [
      'Request longer than memory pool size',
      'Request length is longer than the KV cache pool',
    ],
    pattern: pattern`(?:(?<oldest>Request longer than memory pool size, truncated)|Request length is longer than the KV cache pool size or the max context length\. Truncated(?:(?<old>!!!)|\. len\(req\.origin_input_ids\)=<length#>, max_req_input_len=<maximum#>))`,
    fields: { length: tokens(), maximum: tokens('maxRequestTokens') },
    ends: ['maximum'],
    spellings: [
      {
        has: ['oldest'],
        releases: [{ from: '0.1.22', to: '0.2.5' }],
        emitters: ['managers/controller/tp_worker.py::ModelTpServer.handle_generate_request'],
      },
      {
        has: ['old'],
        releases: [{ from: '0.2.6', to: '0.4.1.post6' }],
        emitters: [
          'managers/controller/tp_worker.py::ModelTpServer.handle_generate_request',
          'managers/scheduler.py::Scheduler.handle_embedding_request',
          'managers/scheduler.py::Scheduler.handle_generate_request',
          'managers/tp_worker.py::ModelTpServer.handle_embedding_request',
        ],
      },
      {
        has: ['length'],
        releases: [{ from: '0.4.1.post7' }],
        emitters: ['managers/utils.py::validate_input_length'],
      },
    ],
  },
  {
    id: 'request-too-long',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'error',
    anchors: ['exceeds the maximum allowed length', 'exceeds the maximum number of tokens: '],
    pattern: pattern`(?:Input length \(<length#> tokens\) exceeds the maximum allowed length \(<maximum#> tokens\)|Request [^\s]{1,80} exceeds the maximum number of tokens: <lengthOther#> > <maximumOther#>)`,
    fields: {
      length: tokens(undefined, ['length', 'lengthOther']),
      maximum: tokens('maxRequestTokens', ['maximum', 'maximumOther']),
    },
    ends: ['maximum'],
    spellings: [
      {
        has: ['length'],
        releases: [{ from: '0.4.1.post7' }],
        emitters: ['managers/utils.py::validate_input_length'],
      },
      {
        has: ['lengthOther'],
        releases: [{ from: '0.4.7.post1' }],
        emitters: [
          'disaggregation/decode.py::DecodePreallocQueue._check_if_req_exceed_kv_capacity',
          'disaggregation/prefill.py::PrefillBootstrapQueue._check_if_req_exceed_kv_capacity',
        ],
      },
    ],
  },
  {
    id: 'request-beyond-context',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'error',
    anchors: [
      "longer than the model's context length",
      "exceeds the model's maximum context length",
    ],
    pattern: pattern`(?:The input \(<length#> tokens\) is longer than the model's context length \(<context#> tokens\)|Requested token count exceeds the model's maximum context length of <contextAsked#> tokens\. You requested a total of <asked#> tokens)`,
    fields: {
      length: tokens(undefined, ['length', 'asked']),
      context: tokens('contextLength', ['context', 'contextAsked']),
    },
    spellings: [],
  },
  {
    id: 'swa-request-too-long',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'error',
    anchors: ['requires too many SWA KV tokens'],
    pattern: pattern`requires too many SWA KV tokens for decode preallocation: <needed#> > <available#>`,
    fields: { needed: tokens(), available: tokens('swaTokens') },
    ends: ['available'],
    spellings: [
      {
        releases: [{ from: '0.5.12' }],
        emitters: [
          'disaggregation/decode.py::DecodePreallocQueue._check_if_req_exceed_kv_capacity',
        ],
      },
    ],
  },
  {
    id: 'feature-pool-full',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'warning',
    anchors: ['MmItemMemoryPool has no free chunk', 'multimodal pool has no free chunk'],
    pattern: pattern`(?:MmItemMemoryPool|CUDA VMM multimodal pool) has no free chunk (?:large enough )?for a <needed> MiB tensor \(pool size: <size> MiB\)`,
    fields: {
      needed: { unit: 'MiB', rounding: 'printed' },
      size: { unit: 'MiB', rounding: 'printed', quantity: 'multimodalReservation' },
    },
    spellings: [
      {
        releases: [{ from: '0.5.11' }],
        emitters: [
          'multimodal/transport/cuda_ipc.py::MmItemMemoryPool._warn_pool_full_once',
          'utils/cuda_ipc_transport_utils.py::MmItemMemoryPool._warn_pool_full_once',
          'utils/cuda_vmm_transport_utils.py::CudaVmmMemoryPool._warn_pool_full_once',
        ],
      },
    ],
  },
  {
    id: 'kernel-loaded-late',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'warning',
    anchors: ['device-loaded after serving started'],
    pattern: pattern`Triton kernel '(?<kernel>[^'\n]{1,120})' device-loaded after serving started \(free device mem: (?<free>[^)\n]{0,40})\)`,
    fields: { kernel: word(), free: word() },
    spellings: [
      { releases: [{ from: '0.5.18' }], emitters: ['utils/triton_load_watch.py::_on_kernel_load'] },
    ],
  },
  {
    id: 'new-token-ratio',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'warning',
    anchors: ['Cache not flushed because there are pending'],
    pattern: pattern`Cache not flushed because there are pending requests\. #queue-req: <queue#>, #running-req: <running#>`,
    fields: { queue: requests(), running: requests() },
    ends: ['running'],
    spellings: [],
  },
] as const satisfies readonly LineForm[];
