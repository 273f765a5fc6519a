/**
 * Lines of the sizing code: what was budgeted, clamped or refused, and the print that people (and
 * our own code action) add to the sizing function. Start-up errors of sizing are here too.
 */
import { bytesPerToken, count, exactShare, gib, mib, requests, share, tokens, word } from './field';
import type { LineForm } from './lineForm';
import { anywhere, pattern } from './pattern';

export const sizingForms = [
  {
    id: 'debug-profile',
    phase: 'sizing',
    event: 'sizing',
    owner: 'patch',
    level: 'debug',
    anchors: ['DEBUG profile_max_num_token:'],
    pattern: pattern`DEBUG profile_max_num_token: avail=<available> GiB, total=<total> GiB, fraction=<fraction>, reserved=<reserved> GiB, rest=<rest> GiB, cell_size=<cellSize>, max_tokens=<tokens#>`,
    fields: {
      available: gib('availableAfterLoad'),
      total: gib('totalBeforeLoad'),
      fraction: exactShare('memFractionEffective'),
      reserved: gib('slack'),
      rest: gib('restMemory'),
      cellSize: bytesPerToken('exact', 'budgetedBytesPerToken'),
      tokens: tokens('profiledTokens'),
    },
    ends: ['tokens'],
    spellings: [],
  },
  {
    id: 'debug-variable',
    phase: 'sizing',
    event: 'sizing',
    owner: 'patch',
    level: 'debug',
    anchors: [
      '[Mem] total_gpu_mem',
      '[Mem] avail_gpu_mem',
      '[Mem] rest_memory',
      '[Mem] cell_size',
      '[Mem] max_num_tokens',
    ],
    pattern: pattern`\[Mem\] (?:total_gpu_mem(?:ory)? = <total>|avail_gpu_mem(?:ory)? = <available>|rest_memory = <rest>|cell_size = <cellSize#>|max_num_tokens? = <tokens#>)`,
    fields: {
      total: { unit: 'GiB', rounding: 'exact', quantity: 'totalBeforeLoad' },
      available: { unit: 'GiB', rounding: 'exact', quantity: 'availableAfterLoad' },
      rest: { unit: 'GiB', rounding: 'exact', quantity: 'restMemory' },
      cellSize: bytesPerToken('exact', 'budgetedBytesPerToken'),
      tokens: tokens('profiledTokens'),
    },
    ends: ['total', 'available', 'rest', 'cellSize', 'tokens'],
    spellings: [],
  },
  {
    id: 'memory-profiling',
    phase: 'sizing',
    event: 'sizing',
    owner: 'fork',
    level: 'info',
    anchors: ['Memory profiling: available_gpu_memory'],
    pattern: pattern`Memory profiling: available_gpu_memory=<available> GB, total_gpu_memory=<total> GB,(?: mem_fraction_static=<fraction>,)?(?: rest_memory=<rest> GB)?`,
    fields: {
      available: gib('availableAfterLoad'),
      total: gib('totalBeforeLoad'),
      fraction: share('memFractionEffective'),
      rest: gib('restMemory'),
    },
    closes: ['rest'],
    wraps: /^(?:mem_fraction_static|rest_memory|total_gpu_memory)=/,
    labels: ['mem_fraction_static=', 'rest_memory='],
    spellings: [],
  },
  {
    id: 'kv-dtype',
    phase: 'sizing',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Using KV cache dtype'],
    pattern: pattern`Using KV cache dtype: (?<dtype>[\w.]+)`,
    fields: { dtype: word() },
    spellings: [
      {
        releases: [{ from: '0.5.3rc1', to: '0.5.12.post1' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.configure_kv_cache_dtype',
          'model_executor/model_runner.py::ModelRunner.init_memory_pool',
        ],
      },
    ],
  },
  {
    id: 'kv-dtype-set',
    phase: 'arguments',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['Setting KV cache dtype to '],
    pattern: pattern`Setting KV cache dtype to (?<dtype>\w+)(?:\.$| for (?<subject>[\w -]+))`,
    fields: { dtype: word(), subject: word() },
    spellings: [
      {
        releases: [{ from: '0.5.3rc2' }],
        emitters: [
          'server_args.py::ServerArgs._handle_model_specific_adjustments',
          'server_args.py::ServerArgs._set_default_dsa_kv_cache_dtype',
          'server_args.py::ServerArgs._set_default_nsa_kv_cache_dtype',
          'arg_groups/deepseek_v4_hook.py::apply_deepseek_v4_defaults',
          'arg_groups/overrides.py::_deepseek_v4_kv_cache_dtype',
          'arg_groups/overrides.py::_dsa_kv_cache_dtype_default',
        ],
      },
    ],
  },
  {
    id: 'token-clamp',
    phase: 'sizing',
    event: 'sizing',
    owner: 'sglang',
    level: 'warning',
    anchors: ['is larger than the profiled value'],
    pattern: pattern`max_total_tokens=<asked#> is larger than the profiled value <profiled#>(?=[.\s]|$)`,
    fields: { asked: tokens(), profiled: tokens('profiledTokens') },
    spellings: [
      {
        releases: [{ from: '0.2.8' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.init_memory_pool',
          'model_executor/model_runner_kv_cache_mixin.py::ModelRunnerKVCacheMixin.init_memory_pool',
        ],
      },
    ],
  },
  {
    id: 'dsv4-budget',
    phase: 'sizing',
    event: 'sizing',
    owner: 'sglang',
    level: 'info',
    anchors: ['memory calculation: bytes_per_full_token'],
    pattern: pattern`(?:(?<upstream>DSV4)|DSv4|SW KV) memory calculation: bytes_per_full_token=<perToken>, available_bytes=<available> GB,${anywhere('c128_state_fixed=<c128Fixed> GB')}${anywhere('fp4_logits_workspace=<fp4Workspace> MiB')}(?: \w+=[^,\s]+(?: GB| MiB)?,)* full_token=<tokens#>`,
    fields: {
      perToken: bytesPerToken('printed', 'budgetedBytesPerToken'),
      available: gib('restMemory'),
      c128Fixed: gib(),
      fp4Workspace: mib(),
      tokens: tokens('fullTokens'),
    },
    ends: ['tokens'],
    labels: ['full_token=', 'c128_state_fixed='],
    spellings: [
      {
        has: ['upstream'],
        lacks: ['c128Fixed'],
        releases: [{ from: '0.5.12', to: '0.5.14' }],
        emitters: [
          'model_executor/pool_configurator.py::DSV4PoolConfigurator.calculate_pool_sizes',
        ],
      },
      {
        has: ['upstream', 'c128Fixed'],
        releases: [{ from: '0.5.15' }],
        emitters: [
          'model_executor/pool_configurator.py::DSV4PoolConfigurator.calculate_pool_sizes',
        ],
      },
    ],
  },
  {
    id: 'dsv4-pools',
    phase: 'sizing',
    event: 'sizing',
    owner: 'sglang',
    level: 'info',
    anchors: ['pool sizes: full='],
    pattern: pattern`(?:DSV4|DSv4) pool sizes: full=<full#>, swa=<swa#>, c4=<c4#>, c128=<c128#>, c4_state=<c4State#>, c128_state=<c128State#>`,
    fields: {
      full: tokens('fullTokens'),
      swa: tokens('swaTokens'),
      c4: tokens(),
      c128: tokens(),
      c4State: count(),
      c128State: count(),
    },
    ends: ['c128State'],
    labels: ['c4_state=', 'c128_state='],
    spellings: [
      {
        releases: [{ from: '0.5.12' }],
        emitters: ['model_executor/pool_configurator.py::DSV4PoolConfigurator._to_config'],
      },
    ],
  },
  {
    id: 'dsv4-stage',
    phase: 'sizing',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['DSV4 pool PP slice'],
    pattern: pattern`DSV4 pool PP slice: rank=<stage#> layers=\[<first#>,<last#>\) local=<local#>/<all#>`,
    fields: { stage: count(), first: count(), last: count(), local: count(), all: count() },
    ends: ['all'],
    spellings: [
      {
        releases: [{ from: '0.5.13' }],
        emitters: ['model_executor/pool_configurator.py::DSV4PoolConfigurator.__init__'],
      },
    ],
  },
  {
    id: 'multimodal-reservation',
    phase: 'sizing',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['of the KV budget for post-sizing multimodal'],
    pattern: pattern`Reserving <reserved> GB of the KV budget`,
    fields: { reserved: gib('multimodalReservation') },
    spellings: [
      {
        releases: [{ from: '0.5.18' }],
        emitters: ['mem_cache/kv_cache_configurator.py::mm_runtime_reservation_gb'],
      },
    ],
  },
  {
    id: 'multimodal-ipc',
    phase: 'init',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['for multimodal features'],
    pattern: pattern`Using CUDA (?<transport>IPC|VMM) for multimodal features[^:]{0,80}: reserving up to <reserved#> MiB on base GPU <gpu#> across <workers#> tokenizer`,
    fields: { transport: word(), reserved: mib(), gpu: count(), workers: count() },
    spellings: [
      {
        releases: [{ from: '0.5.16' }],
        emitters: ['server_args.py::ServerArgs._handle_multimodal_feature_transport'],
      },
    ],
  },
  {
    id: 'not-enough-memory',
    phase: 'sizing',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: ['Please try to increase --mem-fraction-static'],
    pattern: pattern`Not enough(?<typo>t)? memory\. Please try to increase --mem-fraction-static\.(?: Current value: (?<qualified>self\.server_args\.)?mem_fraction_static=<fraction>)?`,
    fields: { fraction: exactShare('memFractionStatic') },
    ends: ['fraction'],
    labels: ['Current value:', 'mem_fraction_static='],
    closes: ['fraction'],
    wraps: /^Current value:/,
    spellings: [
      {
        has: ['typo'],
        releases: [{ from: '0.1.6', to: '0.1.17' }],
        emitters: [
          'managers/controller/model_runner.py::ModelRunner.init_memory_pool',
          'managers/router/model_runner.py::ModelRunner.init_memory_pool',
        ],
      },
      {
        lacks: ['typo', 'fraction'],
        releases: [{ from: '0.1.18', to: '0.5.3rc1' }, { from: '0.5.10rc0' }],
        emitters: [
          'managers/controller/model_runner.py::ModelRunner.init_memory_pool',
          'model_executor/model_runner.py::ModelRunner.init_memory_pool',
          'model_executor/model_runner_kv_cache_mixin.py::MemoryPoolConfig.__post_init__',
          'model_executor/pool_configurator.py::MemoryPoolConfig.__post_init__',
        ],
      },
      {
        has: ['qualified', 'fraction'],
        releases: [{ from: '0.5.3rc2', to: '0.5.9' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.init_memory_pool',
          'model_executor/model_runner_kv_cache_mixin.py::ModelRunnerKVCacheMixin.init_memory_pool',
        ],
      },
      {
        has: ['fraction'],
        lacks: ['qualified'],
        releases: [{ from: '0.5.10rc0' }],
        emitters: [
          'model_executor/model_runner_kv_cache_mixin.py::MemoryPoolConfig.__post_init__',
          'model_executor/pool_configurator.py::MemoryPoolConfig.__post_init__',
        ],
      },
    ],
  },
  {
    id: 'no-memory-left',
    phase: 'sizing',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: ['Loaded weights leave no GPU memory'],
    pattern: pattern`Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=<fraction>\.(?: Raise --mem-fraction-static above <suggested> \(minimum viable = 1 - available/pre = <minimum>\)\.)?`,
    fields: {
      fraction: exactShare('memFractionStatic'),
      suggested: share(),
      minimum: share(),
    },
    spellings: [
      {
        has: ['minimum'],
        releases: [{ from: '0.5.14' }],
        emitters: [
          'model_executor/model_runner_kv_cache_mixin.py::ModelRunnerKVCacheMixin._profile_available_bytes',
          'mem_cache/kv_cache_configurator.py::KVCacheConfigurator._profile_available_bytes',
        ],
      },
    ],
  },
  {
    id: 'state-does-not-fit',
    phase: 'sizing',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: ['Not enough GPU memory for hybrid'],
    pattern: pattern`Not enough GPU memory for hybrid \(mamba/linear-attention\) state cache\. Computed max_mamba_cache_size=<slots#> \(total_rest_memory=<rest> GB, mamba_cache_per_req=<perSlot> MB\)`,
    fields: {
      slots: count('stateSlots'),
      rest: gib('restMemory'),
      perSlot: mib('bytesPerSlot'),
    },
    spellings: [
      {
        releases: [{ from: '0.5.13' }],
        emitters: [
          'mem_cache/kv_cache_configurator.py::KVCacheConfigurator._handle_max_mamba_cache',
          'model_executor/model_runner_kv_cache_mixin.py::ModelRunnerKVCacheMixin.handle_max_mamba_cache',
        ],
      },
    ],
  },
  {
    id: 'state-too-small',
    phase: 'sizing',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: ['state cache is too small to serve any requests'],
    pattern: pattern`(?:Hybrid \(mamba/linear-attention\)|(?<mlx>MLX auxiliary-state)) (?:state )?cache is too small to serve any requests[.:] max_mamba_cache_size=<slots#>(?:, mamba_ratio=<ratio>, resulting max_num_reqs=<requests#>)?`,
    fields: {
      slots: count('stateSlots'),
      ratio: exactShare('slotsPerRequest'),
      requests: requests(),
    },
    spellings: [
      {
        has: ['requests'],
        releases: [{ from: '0.5.13' }],
        emitters: [
          'mem_cache/kv_cache_configurator.py::KVCacheConfigurator.resolve_max_num_reqs',
          'model_executor/model_runner_kv_cache_mixin.py::ModelRunnerKVCacheMixin._resolve_max_num_reqs',
        ],
      },
    ],
  },
  {
    id: 'swa-cap-too-large',
    phase: 'sizing',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: ['leaves no room for the full KV pool'],
    pattern: pattern`SWA pool cap \(<swa#> tokens, <swaSize> GiB\) leaves no room for the full KV pool within the available <available> GiB`,
    fields: { swa: tokens('swaTokens'), swaSize: gib('swaPool'), available: gib('restMemory') },
    spellings: [
      {
        releases: [{ from: '0.5.14' }],
        emitters: [
          'model_executor/pool_configurator.py::SWAChunkCapPoolConfigurator.calculate_pool_sizes',
        ],
      },
    ],
  },
  {
    id: 'swa-too-small',
    phase: 'sizing',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: ['tokens) cannot hold even one request'],
    pattern: pattern`SWA pool \(<swa#> tokens\) cannot hold even one request: the prefill admission floor is sliding_window_size \(<window#>\) \+ page_size \(<page#>\)`,
    fields: { swa: tokens('swaTokens'), window: tokens(), page: tokens() },
    spellings: [
      {
        releases: [{ from: '0.5.16' }],
        emitters: [
          'model_executor/pool_configurator.py::HybridSWAPoolConfigurator._solve_pool_sizes',
        ],
      },
    ],
  },
  {
    id: 'pool-too-small',
    phase: 'sizing',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: ['Memory pool size is too small'],
    pattern: pattern`Memory pool size is too small`,
    fields: {},
    spellings: [
      {
        releases: [{ from: '0.3.4.post1' }],
        emitters: [
          'managers/tp_worker.py::TpModelWorker.__init__',
          'managers/tp_worker.py::TpModelWorker.alloc_memory_pool',
        ],
      },
    ],
  },
  {
    id: 'unsupported-kv-dtype',
    phase: 'sizing',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: ['Unsupported kv_cache_dtype'],
    pattern: pattern`Unsupported kv_cache_dtype: (?<dtype>[\w.]+)`,
    fields: { dtype: word() },
    spellings: [
      {
        releases: [{ from: '0.2.14' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.configure_kv_cache_dtype',
          'model_executor/model_runner.py::ModelRunner.init_memory_pool',
          'mem_cache/kv_cache_dtype.py::configure_kv_cache_dtype',
        ],
      },
    ],
  },
  {
    id: 'draft-needs-pool-config',
    phase: 'sizing',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: ['Draft worker requires memory_pool_config'],
    pattern: pattern`Draft worker requires memory_pool_config`,
    fields: {},
    spellings: [
      {
        releases: [{ from: '0.5.10rc0' }],
        emitters: [
          'mem_cache/kv_cache_configurator.py::KVCacheConfigurator.configure',
          'model_executor/model_runner_kv_cache_mixin.py::ModelRunnerKVCacheMixin.init_memory_pool',
        ],
      },
    ],
  },
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
    id: 'draft-cell-unknown',
    phase: 'sizing',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['Could not resolve DFLASH draft KV bytes/token'],
    pattern: pattern`Could not resolve DFLASH draft KV bytes/token`,
    fields: {},
    spellings: [
      {
        releases: [{ from: '0.5.18' }],
        emitters: [
          'model_executor/model_runner_components/spec_aux_hidden_state.py::_resolve_dflash_draft_cell_size',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
