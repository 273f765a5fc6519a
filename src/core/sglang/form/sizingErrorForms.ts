/**
 * Errors that end a start-up because a pool cannot be sized.
 */
import { bytes, count, exactShare, gib, mib, requests, share, tokens, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const sizingErrorForms = [
  {
    id: 'not-enough-memory',
    phase: 'sizing',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: ['Please try to increase --mem-fraction-static'],
    pattern: pattern`Not enough(?<typo>t)? memory\. Please try to increase --mem-fraction-static\.(?: Current value: (?<qualified>self\.server_args\.)?mem_fraction_static=<fraction>)?`,
    fields: { fraction: { ...exactShare('memFractionStatic'), decimals: 1 } },
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
    pattern: pattern`Loaded weights leave no GPU memory for the KV cache(?: under(?: --mem-fraction-static=<fraction>\.(?!\d)(?: Raise(?: --mem-fraction-static above(?: <suggested>(?: \(minimum viable = 1 - available/pre = <minimum>\)\.)?)?)?)?)?)?`,
    fields: {
      fraction: exactShare('memFractionStatic'),
      suggested: { ...share(), decimals: 3 },
      minimum: { ...share(), decimals: 4 },
    },
    closes: ['minimum'],
    wraps: /^(?:under |--mem-fraction-static|Raise |above |\d\.\d|\(minimum viable)/,
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
    pattern: pattern`(?<compressed>DSV4 )?SWA pool cap \(<swa#> tokens, <swaSize> Gi?B\) leaves no room for the full KV pool within the available <available> Gi?B`,
    fields: { swa: tokens('swaTokens'), swaSize: gib('swaPool'), available: gib('restMemory') },
    spellings: [
      {
        lacks: ['compressed'],
        releases: [{ from: '0.5.14' }],
        emitters: [
          'model_executor/pool_configurator.py::SWAChunkCapPoolConfigurator.calculate_pool_sizes',
          'model_executor/pool_configurator.py::SWARequestCapPoolConfigurator.calculate_pool_sizes',
        ],
      },
      {
        has: ['compressed'],
        releases: [{ from: '0.5.21' }],
        emitters: [
          'model_executor/pool_configurator.py::DSV4PoolConfigurator.calculate_pool_sizes',
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
          'model_executor/pool_configurator.py::MemoryPoolConfigurator.validate_swa_pool_size',
        ],
      },
    ],
  },
  {
    id: 'unified-pool-too-small',
    phase: 'sizing',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: [' cannot fit ONE worst-case request', ' leaves no allocatable page for sub-pool'],
    pattern: pattern`(?:byte budget <budget#> cannot fit ONE worst-case request \(bs=1 floor <floor#> =|(?<page>unified pool size) <size#> leaves no allocatable page for sub-pool)`,
    fields: { budget: bytes(undefined, ['budget', 'size']), floor: bytes() },
    spellings: [
      {
        lacks: ['page'],
        releases: [{ from: '0.5.19' }],
        emitters: ['mem_cache/unified_memory_pool.py::_check_bs1_feasibility_floor'],
      },
      {
        has: ['page'],
        releases: [{ from: '0.5.22' }],
        emitters: ['mem_cache/unified_memory_pool.py::UnifiedKVPool._max_slots_for_total_bytes'],
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
] as const satisfies readonly LineForm[];
