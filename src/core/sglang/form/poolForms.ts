/**
 * Lines that say how large the pools of keys and values became: full, sliding window, compressed,
 * unified. "GB" here is GiB on every line. Leaves out recurrent state and Apple MLX.
 */
import { bytes, count, gib, mib, requests, tokens, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const poolForms = [
  {
    id: 'kv-allocated',
    phase: 'pools',
    event: 'pool',
    owner: 'sglang',
    level: 'info',
    anchors: ['KV Cache is allocated', 'KV Cache VA upper bound'],
    pattern: pattern`(?:(?<pool>Full|SWA) )?KV Cache (?:is allocated|(?<virtual>VA upper bound))\.(?: dtype: (?<dtype>[\w.]+),)?(?: \.\.\.)?(?: #tokens: <tokens#>,)?(?: K size: <k> GB(?:, V size: <v> GB)?(?<dot>\.(?=\s*$))?| KV size: <kv> GB)?`,
    fields: {
      pool: word(),
      virtual: word(),
      dtype: word(),
      tokens: tokens('maxTotalTokens'),
      k: gib(),
      v: gib(),
      kv: gib('kvPool'),
    },
    informs: ['kvPool', 'swaPool', 'draftPool', 'allocatedBytesPerToken'],
    labels: ['#tokens:', 'K size:', 'V size:', 'KV size:'],
    closes: ['v', 'kv'],
    wraps: /^(?:#tokens: |K size: |V size: |KV size: )/,
    spellings: [
      {
        has: ['k', 'v', 'dot'],
        lacks: ['tokens', 'dtype', 'pool'],
        releases: [{ from: '0.4.1.post6', to: '0.4.3.post2' }],
        emitters: ['mem_cache/memory_pool.py::MHATokenToKVPool.__init__'],
      },
      {
        has: ['k', 'v', 'tokens'],
        lacks: ['dtype', 'pool', 'virtual', 'dot'],
        releases: [{ from: '0.4.3.post3', to: '0.5.12.post1' }],
        emitters: [
          'mem_cache/memory_pool.py::MHATokenToKVPool.__init__',
          'mem_cache/memory_pool.py::KVCache._finalize_allocation_log',
        ],
      },
      {
        has: ['kv', 'tokens'],
        lacks: ['dtype', 'pool', 'virtual'],
        releases: [{ from: '0.4.5.post3', to: '0.5.12.post1' }],
        emitters: [
          'mem_cache/memory_pool.py::AscendMLAPagedTokenToKVPool.__init__',
          'mem_cache/memory_pool.py::MLATokenToKVPool.__init__',
          'mem_cache/memory_pool.py::KVCache._finalize_allocation_log',
        ],
      },
      {
        has: ['k', 'v', 'tokens', 'dtype'],
        lacks: ['pool', 'virtual'],
        releases: [{ from: '0.5.13' }],
        emitters: ['mem_cache/memory_pool.py::KVCache._finalize_allocation_log'],
      },
      {
        has: ['kv', 'tokens', 'dtype'],
        lacks: ['pool', 'virtual'],
        releases: [{ from: '0.5.13' }],
        emitters: ['mem_cache/memory_pool.py::KVCache._finalize_allocation_log'],
      },
      {
        has: ['tokens', 'dtype', 'pool'],
        lacks: ['virtual'],
        releases: [{ from: '0.5.17' }],
        emitters: ['mem_cache/memory_pool.py::KVCache._finalize_allocation_log'],
      },
      {
        has: ['tokens', 'dtype', 'virtual'],
        releases: [{ from: '0.5.18' }],
        emitters: ['mem_cache/memory_pool.py::KVCache._finalize_allocation_log'],
      },
    ],
  },
  {
    id: 'kv-skipped',
    phase: 'pools',
    event: 'pool',
    owner: 'sglang',
    level: 'info',
    anchors: ['KV Cache skipped (no-op pool)'],
    pattern: pattern`KV Cache skipped \(no-op pool\)\. Logical #tokens: <tokens#>, physical K/V size: ~<size> KB`,
    fields: { tokens: tokens('maxTotalTokens'), size: { unit: 'KiB', rounding: 'printed' } },
    spellings: [
      {
        releases: [{ from: '0.5.12' }],
        emitters: ['mem_cache/memory_pool.py::NoOpMHATokenToKVPool._finalize_allocation_log'],
      },
    ],
  },
  {
    id: 'swa-pool',
    phase: 'pools',
    event: 'pool',
    owner: 'sglang',
    level: 'info',
    anchors: ['SWAKVPool '],
    pattern: pattern`SWAKVPool (?:mem usage|(?<virtual>VA upper bound)): (?:(?<rounded>-?\d+\.\d\d)|<exact>) GB, swa size: <swa#>, full size: <full#>`,
    fields: {
      virtual: word(),
      rounded: gib(),
      exact: { unit: 'GiB', rounding: 'exact' },
      swa: tokens('swaTokens'),
      full: tokens('fullTokens'),
    },
    ends: ['full'],
    labels: ['swa size:', 'full size:'],
    spellings: [
      {
        has: ['exact'],
        releases: [{ from: '0.5.3.post3', to: '0.5.6.post2' }],
        emitters: ['mem_cache/memory_pool.py::SWAKVPool.__init__'],
      },
      {
        has: ['rounded'],
        lacks: ['virtual'],
        releases: [{ from: '0.5.7' }],
        emitters: [
          'mem_cache/memory_pool.py::SWAKVPool.__init__',
          'mem_cache/swa_memory_pool.py::SWAKVPool.__init__',
        ],
      },
      {
        has: ['virtual'],
        releases: [{ from: '0.5.18' }],
        emitters: ['mem_cache/swa_memory_pool.py::SWAKVPool.__init__'],
      },
    ],
  },
  {
    id: 'swa-split',
    phase: 'sizing',
    event: 'sizing',
    owner: 'sglang',
    level: 'info',
    anchors: ['liding window memory pool'],
    pattern: pattern`Use (?:(?<capital>S)|s)liding window memory pool(?<all> \(all SWA\))?\.(?: full_layer_tokens=<full#>,)? swa_layer_tokens=<swa#>`,
    fields: { full: tokens('fullTokens'), swa: tokens('swaTokens') },
    ends: ['swa'],
    spellings: [
      {
        has: ['capital', 'full'],
        releases: [{ from: '0.4.9.post3', to: '0.5.6.post2' }],
        emitters: ['model_executor/model_runner.py::ModelRunner.set_num_token_hybrid'],
      },
      {
        has: ['full'],
        lacks: ['capital'],
        releases: [{ from: '0.5.7' }],
        emitters: [
          'model_executor/model_runner_kv_cache_mixin.py::ModelRunnerKVCacheMixin.set_num_tokens_hybrid_swa',
          'model_executor/model_runner_kv_cache_mixin.py::ModelRunnerKVCacheMixin._resolve_hybrid_swa_tokens',
          'model_executor/pool_configurator.py::HybridSWAPoolConfigurator._solve_pool_sizes',
        ],
      },
      {
        has: ['all'],
        lacks: ['capital'],
        releases: [{ from: '0.5.9' }],
        emitters: [
          'model_executor/model_runner_kv_cache_mixin.py::ModelRunnerKVCacheMixin.set_num_tokens_hybrid_swa',
          'model_executor/model_runner_kv_cache_mixin.py::ModelRunnerKVCacheMixin._resolve_hybrid_swa_tokens',
          'model_executor/pool_configurator.py::HybridSWAPoolConfigurator._solve_pool_sizes',
        ],
      },
    ],
  },
  {
    id: 'dsv4-pool-created',
    phase: 'pools',
    event: 'pool',
    owner: 'sglang',
    level: 'info',
    anchors: ['Initialize DeepSeekV4TokenToKVPool with'],
    pattern: pattern`Initialize DeepSeekV4TokenToKVPool with max_num_reqs=<rows#> swa_size=<swa#> c4_size=<c4#> c4_logical_size=<c4Logical#> c128_size=<c128#>(?: c4_state_pool_size=<c4State#> c128_state_pool_size=<c128State#>)?`,
    fields: {
      rows: requests(),
      swa: tokens('swaTokens'),
      c4: tokens(),
      c4Logical: tokens(),
      c128: tokens(),
      c4State: count(),
      c128State: count(),
    },
    informs: ['requestToTokenPool'],
    ends: ['c128State'],
    labels: ['c4_state_pool_size=', 'c128_state_pool_size='],
    spellings: [
      {
        has: ['c4State'],
        releases: [{ from: '0.5.12' }],
        emitters: ['mem_cache/deepseek_v4_memory_pool.py::DeepSeekV4TokenToKVPool.__init__'],
      },
    ],
  },
  {
    id: 'unified-pool',
    phase: 'pools',
    event: 'pool',
    owner: 'sglang',
    level: 'info',
    anchors: ['[unified-memory-pool] UnifiedKVPool allocated'],
    pattern: pattern`\[unified-memory-pool\] UnifiedKVPool allocated: total_bytes=<size> GB \(=<bytes#> B\), <pools#> sub-pool`,
    fields: { size: gib(), bytes: bytes('kvPool'), pools: count() },
    spellings: [
      {
        releases: [{ from: '0.5.15' }],
        emitters: ['mem_cache/unified_memory_pool.py::UnifiedKVPool.__init__'],
      },
    ],
  },
  {
    id: 'unified-pool-split',
    phase: 'sizing',
    event: 'sizing',
    owner: 'sglang',
    level: 'info',
    anchors: ['[unified-memory-pool]   total_bytes='],
    pattern: pattern`\[unified-memory-pool\] +total_bytes=<bytes#>(?: \(=<size> GB\), full_max_total_num_tokens=<full#>, swa_max_total_num_tokens=<swa#>, joint_available=<joint#> slots|, max_total_num_tokens=<tokens#>, max_mamba_cache_size=<slots#>, max_num_reqs=<rows#>, speculative_num_draft_tokens=(?<draftTokens>\w+))`,
    fields: {
      bytes: bytes(),
      size: gib(),
      full: tokens('fullTokens'),
      swa: tokens('swaTokens'),
      joint: count(),
      tokens: tokens('maxTotalTokens'),
      slots: count('stateSlots'),
      rows: requests(),
      draftTokens: word(),
    },
    spellings: [
      {
        releases: [{ from: '0.5.15' }],
        emitters: [
          'mem_cache/unified_memory_pool.py::init_unified_swa_pools',
          'mem_cache/unified_memory_pool.py::init_unified_mamba_pools',
        ],
      },
    ],
  },
  {
    id: 'virtual-arena',
    phase: 'pools',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['KvVmmArena['],
    pattern: pattern`KvVmmArena\[(?<name>[^\]]{0,80})\] ready: device=<device#> (?:reserved=<reserved>|reserved_va=<reservedVirtual>) GiB granularity=<granularity#> KiB(?: handle_type=(?<handle>\w+))?`,
    fields: {
      name: word(),
      device: count(),
      reserved: gib(undefined, ['reserved', 'reservedVirtual']),
      granularity: { unit: 'KiB', rounding: 'exact' },
      handle: word(),
    },
    spellings: [
      {
        has: ['reserved'],
        releases: [{ from: '0.5.16', to: '0.5.17' }],
        emitters: ['mem_cache/kv_vmm_backing.py::KvVmmArena.__init__'],
      },
      {
        has: ['reservedVirtual'],
        releases: [{ from: '0.5.18' }],
        emitters: ['mem_cache/kv_vmm_backing.py::KvVmmArena.__init__'],
      },
    ],
  },
  {
    id: 'capturer-cache',
    phase: 'pools',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: [
      'HostCache[',
      'DeviceCache[',
      'Routing experts host buffer allocated',
      'Routing experts device buffer allocated',
    ],
    pattern: pattern`(?:HostCache\[[^\]]{0,80}\] allocated: shape=[^=\n]{0,200}, size=<host> GB|DeviceCache\[[^\]]{0,80}\] allocated: shape=[^=\n]{0,200}, size=<device> MB|Routing experts host buffer allocated\. #tokens: <tokens#>, size: <routingHost> GB|Routing experts device buffer allocated\. #shape: [^:\n]{0,200}, size: <routingDevice> MB)`,
    fields: {
      tokens: tokens(),
      host: gib(undefined, ['host', 'routingHost']),
      device: { ...mib(), groups: ['device', 'routingDevice'] },
    },
    spellings: [
      {
        has: ['host'],
        releases: [{ from: '0.5.12' }],
        emitters: ['state_capturer/base.py::BaseHostCache._log_allocation'],
      },
      {
        has: ['device'],
        releases: [{ from: '0.5.12' }],
        emitters: ['state_capturer/base.py::BaseDeviceCache._log_allocation'],
      },
      {
        has: ['routingHost'],
        releases: [{ from: '0.5.7', to: '0.5.11' }],
        emitters: [
          'layers/moe/routed_experts_capturer.py::_RoutedExpertsHostCache._finalize_allocation_log',
        ],
      },
      {
        has: ['routingDevice'],
        releases: [{ from: '0.5.7', to: '0.5.11' }],
        emitters: [
          'layers/moe/routed_experts_capturer.py::_RoutedExpertsDeviceCache._finalize_allocation_log',
        ],
      },
    ],
  },
  {
    id: 'pool-end',
    phase: 'pools',
    event: 'pool-end',
    owner: 'sglang',
    level: 'info',
    anchors: ['Memory pool end.'],
    pattern: pattern`Memory pool end\.(?: avail mem=<avail> GB)?`,
    fields: { avail: gib('poolEndAvailable') },
    informs: ['requestToTokenPool'],
    labels: ['avail mem='],
    spellings: [
      {
        has: ['avail'],
        releases: [{ from: '0.1.17' }],
        emitters: [
          'managers/controller/model_runner.py::ModelRunner.init_memory_pool',
          'model_executor/model_runner.py::ModelRunner.init_memory_pool',
          'mem_cache/kv_cache_configurator.py::KVCacheConfigurator.configure',
          'model_executor/model_runner_kv_cache_mixin.py::ModelRunnerKVCacheMixin.init_memory_pool',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
