/**
 * Lines about host memory. The hierarchical cache counts in decimal gigabytes, unlike every line
 * about device memory.
 */
import { count, decimalGb, tokens, word } from './field';
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
    pattern: pattern`Allocating (?:<plain> GB host memory for (?<what>hierarchical KV cache|hierarchical Mamba cache|NSA indexer|DSA indexer|V4 (?:paged|state) pool '[^'\n]{0,80}'|MiniMax sparse index-K)|(?<pool>[\w.-]{1,60}) hierarchical KV host pool: <tokens#> tokens, <counted> GB host memory)`,
    fields: {
      what: word(['what', 'pool']),
      tokens: tokens(),
      size: decimalGb('hostKvPool', ['plain', 'counted']),
    },
    spellings: [
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
        ],
      },
      {
        has: ['tokens'],
        releases: [{ from: '0.5.17' }],
        emitters: ['mem_cache/pool_host/base.py::HostKVCache.__init__'],
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
        releases: [{ from: '0.5.11' }],
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
        releases: [{ from: '0.5.18' }],
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
        emitters: ['mem_cache/memory_pool_host.py::HiSparseHostPoolMixin.alloc_paged_token_slots'],
      },
    ],
  },
] as const satisfies readonly LineForm[];
