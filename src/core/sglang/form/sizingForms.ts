/**
 * Lines of the sizing code: what was budgeted and clamped, and the print that people (and our own
 * code action) add to the sizing function. Leaves out its errors.
 */
import { bytesPerToken, count, exactShare, gib, mib, share, tokens, word } from './field';
import type { LineForm } from './lineForm';
import { anywhere, pattern } from './pattern';

/** Amounts that leave the budget before it is divided; the last is of a name that is not known. */
const fixedAmounts = [
  anywhere(' c128_state_fixed=<c128Fixed> GB'),
  anywhere(' c2_state_fixed=<c2Fixed> GB'),
  anywhere(' c4_state_fixed=<c4Fixed> GB'),
  anywhere(' swa_fixed=<swaFixed> GB'),
  anywhere(' swa_ring_fixed=<swaRingFixed> GB'),
  anywhere(' (?!(?:c128_state|c2_state|c4_state|swa|swa_ring)_fixed=)(?<otherFixed>\\w+_fixed)='),
].join('');

export const sizingForms = [
  {
    id: 'debug-profile',
    phase: 'sizing',
    event: 'sizing',
    owner: 'patch',
    level: 'debug',
    anchors: ['DEBUG profile_max_num_token:'],
    pattern: pattern`DEBUG profile_max_num_token: avail=<available> GiB, total=<total> GiB, fraction=<fraction>, reserved=<reserved> GiB, rest=<rest> GiB(?:, cell_size=<cellSize>, max_tokens=<tokens#>)?`,
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
          'mem_cache/kv_cache_configurator.py::KVCacheConfigurator._apply_token_constraints',
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
    anchors: [
      'DSV4 memory calculation: ',
      'DSv4 memory calculation: ',
      'SW KV memory calculation: ',
    ],
    pattern: pattern`(?:(?<upstream>DSV4)|DSv4|SW KV) memory calculation:(?<unified> unified=\w{4,5},)?(?: unified_fp8=\w{4,5},)?(?<draftRows> dspark_draft_bf16=\w{4,5},)?(?: \w{1,40}=(?:True|False),)* bytes_per_full_token=<perToken>, available_bytes=<available> GB,${fixedAmounts}${anywhere('fp4_logits_workspace=<fp4Workspace> MiB')}(?: \w+=[^,\s]+(?: GB| MiB)?,)* full_token=<tokens#>`,
    fields: {
      perToken: bytesPerToken('printed', 'budgetedBytesPerToken'),
      available: gib('restMemory'),
      c128Fixed: gib(),
      c2Fixed: gib(),
      c4Fixed: gib(),
      swaFixed: gib(),
      swaRingFixed: gib(),
      otherFixed: word(),
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
        lacks: ['unified'],
        releases: [{ from: '0.5.15', to: '0.5.19' }],
        emitters: [
          'model_executor/pool_configurator.py::DSV4PoolConfigurator.calculate_pool_sizes',
        ],
      },
      {
        has: ['upstream', 'c128Fixed', 'unified'],
        lacks: ['draftRows'],
        releases: [{ from: '0.5.20', to: '0.5.20' }],
        emitters: [
          'model_executor/pool_configurator.py::DSV4PoolConfigurator.calculate_pool_sizes',
        ],
      },
      {
        has: ['upstream', 'c128Fixed', 'unified', 'draftRows'],
        releases: [{ from: '0.5.21' }],
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
    // What the window has for every request, in place of the tokens that the sizing gave it.
    id: 'swa-ring',
    phase: 'sizing',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['SWA ring: swa_max_total_num_tokens'],
    pattern: pattern`SWA ring: swa_max_total_num_tokens <before#> -> <after#> \(`,
    fields: { before: tokens(), after: tokens('swaTokens') },
    spellings: [
      {
        releases: [{ from: '0.5.20' }],
        emitters: ['mem_cache/kv_cache_configurator.py::KVCacheConfigurator.configure'],
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
        emitters: [
          'server_args.py::ServerArgs._handle_multimodal_feature_transport',
          'arg_groups/serving_hook.py::handle_multimodal_feature_transport',
        ],
      },
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
          'mem_cache/draft_kv_budget.py::resolve_dflash_draft_cell_size',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
