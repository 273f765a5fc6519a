/**
 * Lines about host memory. The hierarchical cache counts in decimal gigabytes, unlike every line
 * about device memory.
 */
import { bytes, count, decimalGb, gib, mib, share, tokens, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const hostForms = [
  {
    id: 'host-pool',
    phase: 'host',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['GB host memory'],
    pattern: pattern`Allocating (?:<plain> GB host memory for (?<what>hierarchical KV cache|hierarchical Mamba cache|NSA indexer|DSA indexer|V4 (?:paged|state) pool '[^'\n]{0,80}'|MiniMax sparse index-K|MiniMax NVFP4 index cache)(?: \(<states#> state slots, )?|(?<pool>[\w.-]{1,60}) hierarchical KV host pool: <tokens#> tokens, <counted> GB host memory(?<packed>, packed MTP KV layers: target_layers=<targetLayers#>, draft_layers=<draftLayers#>, total_layers=\d{1,6})?)`,
    fields: {
      what: word(['what', 'pool']),
      tokens: tokens(),
      states: count(),
      targetLayers: count(),
      draftLayers: count(),
      size: decimalGb('hostKvPool', ['plain', 'counted']),
    },
    spellings: [
      {
        has: ['states'],
        releases: [{ from: '0.5.23' }],
        emitters: ['mem_cache/pool_host/mamba.py::MambaPoolHost.__init__'],
      },
      {
        has: ['plain'],
        lacks: ['tokens'],
        releases: [{ from: '0.4.1.post5' }],
        emitters: [
          'mem_cache/hisparse_memory_pool.py::DeepSeekV4SingleKVPoolHost.init_kv_buffer',
          'mem_cache/memory_pool.py::HostKVCache.__init__',
          'mem_cache/memory_pool.py::MHATokenToKVPoolHost.__init__',
          'mem_cache/memory_pool.py::MLATokenToKVPoolHost.__init__',
          'mem_cache/memory_pool_host.py::MambaPoolHost.__init__',
          'mem_cache/pool_host/mamba.py::MambaPoolHost.__init__',
          'mem_cache/memory_pool_host.py::NSAIndexerPoolHost.__init__',
          'mem_cache/memory_pool_host.py::DeepSeekV4PagedHostPool.__init__',
          'mem_cache/memory_pool_host.py::DeepSeekV4StateHostPool.__init__',
          'mem_cache/memory_pool_host.py::DSAIndexerPoolHost.__init__',
          'mem_cache/memory_pool_host.py::MHATokenToKOnlyPoolHost.__init__',
          'mem_cache/pool_host/mha.py::MHATokenToKOnlyPoolHost.__init__',
          'mem_cache/pool_host/dsa.py::DSAIndexerPoolHost.__init__',
          'mem_cache/pool_host/minimax_m3_nvfp4.py::MiniMaxM3Nvfp4IndexKPoolHost.__init__',
        ],
      },
      {
        has: ['tokens'],
        releases: [{ from: '0.5.17' }],
        emitters: [
          'mem_cache/pool_host/base.py::HostKVCache.__init__',
          'mem_cache/pool_host/base.py::HostKVCache._allocate_host_buffer',
        ],
      },
    ],
  },
  {
    id: 'host-pool-chosen',
    phase: 'host',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['HiCache auto-sizing: ratio'],
    pattern: pattern`HiCache auto-sizing: ratio <before> -> <after>; <limit> GiB host memory per rank \(fraction <fraction>, <ranks#> ranks on this host\), host pools <pools> GiB`,
    fields: {
      before: { ...share(), decimals: 3 },
      after: { ...share(), decimals: 3 },
      limit: { ...gib(), decimals: 1 },
      fraction: share(),
      ranks: count(),
      pools: { ...gib(), decimals: 1 },
    },
    spellings: [
      {
        releases: [{ from: '0.5.21' }],
        emitters: ['mem_cache/hicache_auto_size.py::auto_size_hicache'],
      },
    ],
  },
  {
    id: 'host-memory-free',
    phase: 'host',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['HiCache memory headroom: '],
    pattern: pattern`HiCache memory headroom: host <host> GiB, cgroup <group> GiB`,
    fields: { host: { ...gib(), decimals: 1 }, group: { ...gib(), decimals: 1 } },
    spellings: [
      {
        releases: [{ from: '0.5.21' }],
        emitters: ['mem_cache/host_memory.py::available_host_memory_bytes'],
      },
    ],
  },
  {
    id: 'host-staging',
    phase: 'pools',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['HiCache staging prepared'],
    pattern: pattern`HiCache staging prepared before KV sizing: <staged> MiB, <layers#> layers`,
    fields: { staged: { ...mib(), decimals: 1 }, layers: count() },
    spellings: [
      {
        releases: [{ from: '0.5.21' }],
        emitters: ['mem_cache/kv_cache_builder.py::prepare_hicache_staging.prepare'],
      },
    ],
  },
  {
    // No amount that was free follows it: nothing was left, or the system refused the pages.
    id: 'host-memory-refused',
    phase: 'host',
    event: 'fatal-if-raised',
    owner: 'sglang',
    level: 'error',
    anchors: [
      'No host memory is left for HiCache',
      'Not enough host memory for M3.1',
      'hipHostMalloc of ',
      'Pinned host memory allocation of ',
      'MooncakeHostMemAllocator.alloc returned',
      'memfabric host memory exhausted',
    ],
    pattern: pattern`(?:(?<nothing>No host memory is left for HiCache)|(?<caches>Not enough host memory for M3\.1 NVFP4)|hipHostMalloc of <hip> GB for a HiCache host pool failed|Pinned host memory allocation of <pinned> GiB \(<pinnedBytes#> bytes\) returned|MooncakeHostMemAllocator\.alloc returned a null pointer for <mapped> GB \(<mappedBytes#> bytes\)|memfabric host memory exhausted: need <shared>GB, only <sharedFree>GB left of the <sharedAll>GB reserve)`,
    fields: {
      hip: decimalGb(),
      pinned: { ...gib(), decimals: 1, groups: ['pinned', 'mapped', 'shared'] },
      bytes: bytes(undefined, ['pinnedBytes', 'mappedBytes']),
      free: gib(undefined, ['sharedFree']),
      reserved: gib(undefined, ['sharedAll']),
    },
    spellings: [
      {
        has: ['nothing'],
        releases: [{ from: '0.5.21' }],
        emitters: ['mem_cache/hicache_auto_size.py::auto_size_hicache'],
      },
      {
        has: ['caches'],
        releases: [{ from: '0.5.23' }],
        emitters: [
          'mem_cache/hybrid_cache/hybrid_pool_assembler.py::build_minimax_sparse_hicache_stack',
        ],
      },
      {
        has: ['hip'],
        releases: [{ from: '0.5.22' }],
        emitters: ['mem_cache/pool_host/common.py::_hip_host_malloc'],
      },
      {
        has: ['pinned'],
        releases: [{ from: '0.5.23' }],
        emitters: ['mem_cache/pool_host/common.py::alloc_with_pin_memory_xpu'],
      },
      {
        has: ['mapped'],
        releases: [{ from: '0.5.23' }],
        emitters: [
          'mem_cache/storage/mooncake_store/mooncake_store.py::MooncakeHostTensorAllocator.allocate',
        ],
      },
      {
        has: ['shared'],
        releases: [{ from: '0.5.20' }],
        emitters: ['mem_cache/pool_host/npu_memfabric.py::ensure_memfabric_capacity'],
      },
    ],
  },
  {
    id: 'host-pool-refused',
    phase: 'host',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: ['Not enough host memory'],
    pattern: pattern`Not enough host memory(?: available| for (?<what>[^.\n]{1,80}))?\. Requesting <asked> GB but only have <free> GB free`,
    fields: { what: word(), asked: decimalGb('hostKvPool'), free: decimalGb() },
    spellings: [
      {
        lacks: ['what'],
        releases: [{ from: '0.4.1.post5' }],
        emitters: [
          'mem_cache/memory_pool.py::HostKVCache.__init__',
          'mem_cache/memory_pool.py::MHATokenToKVPoolHost.__init__',
          'mem_cache/memory_pool.py::MLATokenToKVPoolHost.__init__',
          'mem_cache/memory_pool_host.py::HostKVCache.__init__',
          'mem_cache/hisparse_memory_pool.py::DeepSeekV4SingleKVPoolHost.init_kv_buffer',
          'mem_cache/memory_pool_host.py::MambaPoolHost.__init__',
          'mem_cache/pool_host/base.py::HostKVCache.__init__',
          'mem_cache/pool_host/base.py::HostKVCache._allocate_host_buffer',
          'mem_cache/pool_host/mamba.py::MambaPoolHost.__init__',
        ],
      },
      {
        has: ['what'],
        releases: [{ from: '0.5.11' }],
        emitters: [
          'mem_cache/memory_pool_host.py::NSAIndexerPoolHost.__init__',
          'mem_cache/memory_pool_host.py::DeepSeekV4PagedHostPool.__init__',
          'mem_cache/memory_pool_host.py::DeepSeekV4StateHostPool.__init__',
          'mem_cache/memory_pool_host.py::DSAIndexerPoolHost.__init__',
          'mem_cache/memory_pool_host.py::MHATokenToKOnlyPoolHost.__init__',
          'mem_cache/pool_host/mha.py::MHATokenToKOnlyPoolHost.__init__',
          'mem_cache/pool_host/dsa.py::DSAIndexerPoolHost.__init__',
          'mem_cache/pool_host/unified.py::_SharedPageEnvelopeHostBacking.__init__',
          'mem_cache/pool_host/minimax_m3_nvfp4.py::MiniMaxM3Nvfp4IndexKPoolHost.__init__',
        ],
      },
    ],
  },
  {
    id: 'host-pool-too-small',
    phase: 'host',
    event: 'fatal-if-raised',
    owner: 'sglang',
    level: 'error',
    anchors: ['The host memory should be larger than the device memory'],
    pattern: pattern`The host memory should be larger than the device memory with the current protocol`,
    fields: {},
    spellings: [
      {
        releases: [{ from: '0.4.1.post5', to: '0.5.14' }],
        emitters: [
          'mem_cache/memory_pool.py::HostKVCache.__init__',
          'mem_cache/memory_pool.py::MHATokenToKVPoolHost.__init__',
          'mem_cache/memory_pool.py::MLATokenToKVPoolHost.__init__',
          'mem_cache/memory_pool_host.py::HostKVCache.__init__',
        ],
      },
    ],
  },
  {
    id: 'host-pool-smaller',
    phase: 'host',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['is smaller than the device pool'],
    pattern: pattern`HiCache (?<pool>[\w.-]{1,60}|host KV|[\w.-]{1,60} host) (?:host )?pool \(<host#> tokens\) is smaller than the device pool \(<device#> tokens\)`,
    fields: { pool: word(), host: tokens(), device: tokens() },
    spellings: [
      {
        releases: [{ from: '0.5.15' }],
        emitters: [
          'mem_cache/memory_pool_host.py::MambaPoolHost.__init__',
          'mem_cache/pool_host/base.py::HostKVCache.__init__',
          'mem_cache/pool_host/base.py::HostKVCache._allocate_host_buffer',
          'mem_cache/pool_host/mamba.py::MambaPoolHost.__init__',
        ],
      },
    ],
  },
  {
    id: 'host-pool-synchronised',
    phase: 'host',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Sync fixed-size HiCache host token capacity'],
    pattern: pattern`Sync fixed-size HiCache host token capacity from <before#> to <after#>(?=\.|$)`,
    fields: { before: tokens(), after: tokens() },
    spellings: [
      {
        releases: [{ from: '0.5.15' }],
        emitters: ['mem_cache/pool_host/base.py::sync_fixed_hicache_size'],
      },
    ],
  },
  {
    id: 'host-draft-pool',
    phase: 'host',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['HiCache draft KV registered'],
    pattern: pattern`HiCache draft KV registered: (?<pool>[\w.-]{1,80}) \(host <slots#> slots\)`,
    fields: { pool: word(), slots: count() },
    spellings: [
      {
        releases: [{ from: '0.5.11', to: '0.5.18' }],
        emitters: ['managers/cache_controller.py::HiCacheController.set_draft_kv_pool'],
      },
    ],
  },
  {
    id: 'host-retraction-pool',
    phase: 'host',
    event: 'fatal-if-raised',
    owner: 'sglang',
    level: 'error',
    anchors: ['Retraction host pool is smaller', 'Retraction host KV pool exhausted'],
    pattern: pattern`Retraction host (?:pool is smaller than its device pool: pool=(?<pool>[\w.-]{1,80}), host_slots=<host#>, device_slots=<device#>|KV pool exhausted after reclaim: request=[^,\n]{1,80}, required_slots=<needed#>, available_slots=<available#>)`,
    fields: {
      pool: word(),
      host: count(),
      device: count(),
      needed: count(),
      available: count(),
    },
    spellings: [
      {
        releases: [{ from: '0.5.18', to: '0.5.18' }],
        emitters: [
          'mem_cache/unified_radix_cache.py::UnifiedRadixCache.retraction_backup',
          'mem_cache/unified_radix_cache.py::UnifiedRadixCache.validate_retraction_host_capacity',
        ],
      },
    ],
  },
  {
    id: 'sparse-host-pool-full',
    phase: 'serving',
    event: 'note',
    owner: 'sglang',
    level: 'error',
    anchors: ['host mem pool alloc failed for '],
    pattern: pattern`HiSparse(?<logged>:)? host mem pool alloc failed for (?:<tokens#> (?:decode backup )?tokens|<pages#> (?:host )?pages)`,
    fields: { tokens: tokens(), pages: count() },
    spellings: [
      {
        has: ['tokens'],
        releases: [{ from: '0.5.10rc0', to: '0.5.12.post1' }],
        emitters: [
          'managers/hisparse_coordinator.py::HiSparseCoordinator.admit_request_into_staging',
          'managers/hisparse_coordinator.py::HiSparseCoordinator._eager_backup_previous_token',
          'disaggregation/decode.py::DecodePreallocQueue._pre_alloc',
        ],
      },
      {
        has: ['pages'],
        releases: [{ from: '0.5.13' }],
        emitters: [
          'mem_cache/memory_pool_host.py::HiSparseHostPoolMixin.alloc_paged_token_slots',
          'mem_cache/pool_host/hisparse.py::HiSparseHostPoolMixin.alloc_paged_token_slots',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
