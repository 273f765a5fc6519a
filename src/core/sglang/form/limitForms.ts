/**
 * Lines about limits that the server sets or lowers by itself: requests, chunks, known capacity.
 */
import { count, mib, requests, tokens, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const limitForms = [
  {
    id: 'requests-finalised',
    phase: 'sizing',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['from the finalized token capacity'],
    pattern: pattern`Max concurrent requests \(per dp worker\) from the finalized token capacity: max_num_reqs=<requests#>`,
    fields: { requests: requests('maxRunningRequests') },
    spellings: [{ releases: [{ from: '0.5.13', to: '0.5.13.post1' }] }],
  },
  {
    id: 'requests-reduced',
    phase: 'sizing',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['max_running_requests was reduced from'],
    pattern: pattern`max_running_requests was reduced from the requested <asked#> to <granted#> \(per (?:(?<attention>attention-DP)|dp) worker\) due to the available KV cache (?<auxiliary>or auxiliary-state )?capacity`,
    fields: { asked: requests(), granted: requests('maxRunningRequests') },
    spellings: [
      {
        lacks: ['attention', 'auxiliary'],
        releases: [{ from: '0.5.14' }],
        emitters: [
          'mem_cache/kv_cache_configurator.py::KVCacheConfigurator.resolve_max_num_reqs',
          'model_executor/model_runner_kv_cache_mixin.py::ModelRunnerKVCacheMixin._resolve_max_num_reqs',
        ],
      },
      {
        has: ['auxiliary'],
        lacks: ['attention'],
        releases: [{ from: '0.5.16', to: '0.5.16' }],
        emitters: [
          'hardware_backend/mlx/model_runner_stub.py::MlxModelRunnerStub._resolve_max_running_requests',
        ],
      },
      {
        has: ['attention', 'auxiliary'],
        releases: [{ from: '0.5.17' }],
        emitters: [
          'hardware_backend/mlx/model_runner_stub.py::MlxModelRunnerStub._resolve_max_running_requests',
        ],
      },
    ],
  },
  {
    id: 'requests-capped-by-state',
    phase: 'sizing',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['by the mamba state cache'],
    pattern: pattern`max_running_requests is capped to <granted#> by the mamba state cache \(max_mamba_cache_size=<slots#>, <perRequest#> state slots per request\)`,
    fields: {
      granted: requests('maxRunningRequests'),
      slots: count('stateSlots'),
      perRequest: count('slotsPerRequest'),
    },
    spellings: [
      {
        releases: [{ from: '0.5.17' }],
        emitters: ['mem_cache/kv_cache_configurator.py::KVCacheConfigurator.resolve_max_num_reqs'],
      },
    ],
  },
  {
    id: 'requests-reset-speculative',
    phase: 'arguments',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['Max running requests is reset to'],
    pattern: pattern`Max running requests is reset to <requests#> for speculative decoding\.(?<hint> You can override)?`,
    fields: { requests: requests('maxRunningRequests') },
    spellings: [
      {
        has: ['hint'],
        releases: [{ from: '0.5.4.post1' }],
        emitters: [
          'arg_groups/speculative_hook.py::_handle_dflash',
          'arg_groups/speculative_hook.py::_handle_dspark',
          'arg_groups/speculative_hook.py::_handle_eagle_family',
          'arg_groups/speculative_hook.py::_handle_frozen_kv_mtp',
          'arg_groups/speculative_hook.py::_handle_ngram',
        ],
      },
      { lacks: ['hint'], releases: [{ from: '0.5.4', to: '0.5.4' }] },
    ],
  },
  {
    id: 'requests-set',
    phase: 'arguments',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['Setting max_running_requests to'],
    pattern: pattern`Setting max_running_requests to <requests#> for (?<model>\w+)`,
    fields: { requests: requests('maxRunningRequests'), model: word() },
    spellings: [
      {
        releases: [{ from: '0.5.12' }],
        emitters: ['arg_groups/deepseek_v4_hook.py::apply_deepseek_v4_defaults'],
      },
    ],
  },
  {
    id: 'chunk-adjusted',
    phase: 'arguments',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['chunked prefill size is adjusted'],
    pattern: pattern`DP attention is enabled\. (?:The )?chunked prefill size is adjusted (?:from <before#> )?to <after#>(?=[ .])`,
    fields: { before: tokens(), after: tokens() },
    spellings: [
      {
        releases: [{ from: '0.3.6' }],
        emitters: [
          'server_args.py::ServerArgs.__post_init__',
          'server_args.py::ServerArgs._handle_data_parallelism',
          'arg_groups/parallel_hook.py::handle_data_parallelism',
        ],
      },
    ],
  },
  {
    id: 'cpu-capacity-unknown',
    phase: 'sizing',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['is larger than numa node number'],
    pattern: pattern`TP size \(<tp#>\) ?is larger than numa node number \(<nodes#>\)`,
    fields: { tp: count(), nodes: count() },
    spellings: [
      {
        releases: [{ from: '0.5.2' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.init_threads_binding',
          'utils/numa_utils.py::init_threads_binding',
        ],
      },
    ],
  },
  {
    id: 'card-capacity',
    phase: 'arguments',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['Reported total GPU memory per device (MiB)'],
    pattern: pattern`Reported total GPU memory per device \(MiB\): (?<each>\[[\d, ]*\]|[^\n,]{0,200}), using min: <minimum#> MiB`,
    fields: { each: word(), minimum: mib('cardCapacity') },
    spellings: [
      { releases: [{ from: '0.5.10rc0' }], emitters: ['utils/common.py::_cuda_mem_fallback'] },
    ],
  },
  {
    id: 'pool-below-context',
    phase: 'summary',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: [', fewer than --context-length'],
    pattern: pattern`KV pool holds <tokens#> tokens, fewer than --context-length <context#>(?=\.|$)`,
    fields: { tokens: tokens(), context: tokens('contextLength') },
    spellings: [
      {
        releases: [{ from: '0.5.23' }],
        emitters: ['managers/tp_worker.py::TpModelWorker.get_worker_info'],
      },
    ],
  },
  {
    id: 'kv-sharding',
    phase: 'pools',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Page-interleave KV sharding'],
    pattern: pattern`Page-interleave KV sharding enabled: shard_rank=<shard#> shard_size=<shards#> page_size=<page#> prefix_tokens=<prefix#> chunk_tokens=<chunk#> scratch_rows=<rows#> x2 \(<scratch> MiB per rank, charged against the KV budget\)(?<symmetric>, NCCL symmetric scratch)?`,
    fields: {
      shard: count(),
      shards: count(),
      page: tokens(),
      prefix: tokens(),
      chunk: tokens(),
      rows: count(),
      scratch: mib(),
    },
    spellings: [
      {
        lacks: ['symmetric'],
        releases: [{ from: '0.5.21', to: '0.5.22' }],
        emitters: [
          'mem_cache/page_interleave_pool.py::PageInterleaveKVPoolMixin._init_page_shard_state',
        ],
      },
      {
        has: ['symmetric'],
        releases: [{ from: '0.5.23' }],
        emitters: [
          'mem_cache/page_interleave_pool.py::PageInterleaveKVPoolMixin._init_page_shard_state',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
