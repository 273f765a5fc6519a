/**
 * Lines around the capture of graphs: what is captured, skipped, or reserved for it.
 */
import { count, gib, mib, seconds, tokens, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const captureNoteForms = [
  {
    id: 'graph-sizes',
    phase: 'capture',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: [
      'Capture cuda graph bs ',
      'Capture cpu graph bs ',
      'Capture cuda graph num tokens ',
      '[BCG] Capture num tokens',
    ],
    pattern: pattern`(?<bcg>\[BCG\] )?Capture (?:(?<cuda>cuda) graph bs |(?<cpu>cpu) graph bs |(?<numTokens>cuda graph num tokens )|num tokens: )(?<sizes>\[[\d, ]*\])`,
    fields: { sizes: word() },
    spellings: [
      {
        has: ['cuda'],
        releases: [{ from: '0.4.6.post2', to: '0.5.13.post1' }],
        emitters: ['model_executor/cuda_graph_runner.py::CudaGraphRunner.__init__'],
      },
      {
        has: ['cpu'],
        releases: [{ from: '0.5.2' }],
        emitters: ['model_executor/cpu_graph_runner.py::CPUGraphRunner.__init__'],
      },
      {
        has: ['numTokens'],
        releases: [{ from: '0.5.3.post2', to: '0.5.13.post1' }],
        emitters: [
          'model_executor/piecewise_cuda_graph_runner.py::PiecewiseCudaGraphRunner.__init__',
        ],
      },
      {
        has: ['bcg'],
        releases: [{ from: '0.5.11', to: '0.5.13.post1' }],
        emitters: [
          'model_executor/breakable_cuda_graph_runner.py::BreakableCudaGraphRunner.__init__',
        ],
      },
    ],
  },
  {
    id: 'graphs-registered',
    phase: 'capture',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: [' cuda graph addresses'],
    pattern: pattern`Register(?:ing|ed) <addresses#> cuda graph addresses`,
    fields: { addresses: count() },
    spellings: [
      {
        releases: [{ from: '0.4.0' }],
        emitters: [
          'distributed/device_communicators/custom_all_reduce.py::CustomAllreduce.register_graph_buffers',
          'distributed/device_communicators/custom_all_reduce_v2.py::CustomAllReduceV2.capture',
          'cuda_vmm_utils.py::VmmGraphInputManager.register_graph_inputs',
          'utils/cuda_vmm_utils.py::VmmGraphInputManager.register_graph_inputs',
          'distributed/device_communicators/custom_all_reduce_vmm_utils.py::VmmGraphInputManager.register_graph_inputs',
          'distributed/device_communicators/vmm_utils.py::VmmGraphInputManager.register_graph_inputs',
        ],
      },
    ],
  },
  {
    id: 'graphs-deduplicated',
    phase: 'capture',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: [' CUDA graphs, deduped to '],
    pattern: pattern`captured <graphs#> CUDA graphs, deduped to <kept#> execs`,
    fields: { graphs: count(), kept: count() },
    spellings: [
      {
        releases: [{ from: '0.5.15' }],
        emitters: [
          'model_executor/runner_backend/cuda_graph_dedup_mixin.py::DedupedCudaGraphMixin.end_cuda_graph_capture',
        ],
      },
    ],
  },
  {
    id: 'graph-skipped-memory',
    phase: 'capture',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['draft cuda graph because only', 'Disabling auto-selected prefill CUDA graph: only'],
    pattern: pattern`(?:Disable (?<algorithm>\w+) draft cuda graph because only <free> GB GPU memory|Disabling auto-selected prefill CUDA graph: only <freeExactly> GiB is free after model/KV/eager-buffer allocation; at least <needed> GiB)`,
    fields: {
      algorithm: word(),
      free: gib(undefined, ['free', 'freeExactly']),
      needed: gib(),
    },
    spellings: [
      {
        has: ['algorithm'],
        releases: [{ from: '0.5.14' }],
        emitters: [
          'speculative/dflash_worker_v2.py::DFlashWorkerV2.init_cuda_graphs',
          'speculative/dspark_components/dspark_worker_v2.py::DSparkWorkerV2.init_cuda_graphs',
        ],
      },
      {
        has: ['needed'],
        releases: [{ from: '0.5.16', to: '0.5.17' }],
        emitters: [
          'model_executor/model_runner_components/cuda_graph_setup.py::capture_prefill_graph',
        ],
      },
    ],
  },
  {
    id: 'graph-disabled',
    phase: 'capture',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Disable piecewise CUDA graph because', 'Disable prefill CUDA graph because'],
    pattern: pattern`Disable (?:(?<piecewise>piecewise)|prefill) CUDA graph because (?<reason>[^\n]{0,300})`,
    fields: { reason: word() },
    spellings: [
      { has: ['piecewise'], releases: [{ from: '0.5.3.post2', to: '0.5.13.post1' }] },
      { lacks: ['piecewise'], releases: [{ from: '0.5.14' }] },
    ],
  },
  {
    id: 'graph-workspace',
    phase: 'capture',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Full-CG prefill workspace'],
    pattern: pattern`Full-CG prefill workspace: <size#> MB \(max bucket <tokens#> tokens, <slots#> request slots\)`,
    fields: {
      size: { unit: 'MiB', rounding: 'printed' },
      tokens: tokens(),
      slots: count(),
    },
    spellings: [
      {
        releases: [{ from: '0.5.15' }],
        emitters: [
          'layers/attention/flashinfer_backend.py::FlashInferAttnBackend._create_full_cg_prefill_wrappers',
        ],
      },
    ],
  },
  {
    // Both are parts of what the capture that follows prints as its usage, and of the pool of it.
    id: 'graph-pool',
    phase: 'capture',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Graph pool pre-carved: ', 'Graph pool borrow '],
    pattern: pattern`Graph pool (?:pre-carved: <carved> GB|borrow (?:(?<lent>pre-carved): <lentSize> MiB|capacity: <capacity> MiB available, largest contiguous region <largest> MiB, <regions#> regions|high-water mark: <peak> MiB used of <whole> MiB available))`,
    fields: {
      carved: gib(),
      lent: { ...mib(), decimals: 1, groups: ['lentSize'] },
      capacity: { ...mib(), decimals: 1, groups: ['capacity', 'whole'] },
      largest: { ...mib(), decimals: 1 },
      regions: count(),
      peak: { ...mib(), decimals: 1 },
    },
    spellings: [
      {
        has: ['carved'],
        releases: [{ from: '0.5.20' }],
        emitters: ['model_executor/runner_utils/pool.py::GraphPoolPrecarve.mint'],
      },
      {
        has: ['capacity'],
        releases: [{ from: '0.5.20' }],
        emitters: ['model_executor/runner_utils/pool.py::_log_graph_pool_borrow_capacity'],
      },
      {
        releases: [{ from: '0.5.20' }],
        emitters: ['model_executor/runner_utils/pool.py::borrow_graph_pool'],
      },
    ],
  },
  {
    id: 'deepgemm-budget',
    phase: 'capture',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['DeepGEMM masked layout budget'],
    pattern: pattern`DeepGEMM masked layout budget: <budget> GiB from <free> GiB free`,
    fields: { budget: gib(), free: gib() },
    spellings: [
      {
        releases: [{ from: '0.5.18' }],
        emitters: [
          'model_executor/model_runner_components/cuda_graph_setup.py::capture_cuda_graphs',
          'model_executor/model_runner_components/cuda_graph_setup.py::refresh_deep_gemm_layout_memory_budget',
        ],
      },
    ],
  },
  {
    id: 'deepgemm-warm-up',
    phase: 'capture',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['equired memory for warmup', 'less than required memory'],
    pattern: pattern`(?:Required memory for warmup: <required>GB, Available memory: <available>GB|Available memory <availableLow>GB is less than required memory <requiredHigh>GB for warmup, reducing max_m to <rows#>)`,
    fields: {
      required: { unit: 'GiB', rounding: 'exact', groups: ['required', 'requiredHigh'] },
      available: { unit: 'GiB', rounding: 'exact', groups: ['available', 'availableLow'] },
      rows: count(),
    },
    spellings: [
      {
        releases: [{ from: '0.5.6.post1' }],
        emitters: ['layers/deep_gemm_wrapper/compile_utils.py::_compile_deep_gemm_one_type_all'],
      },
    ],
  },
  {
    id: 'adaptive-state',
    phase: 'capture',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Built adaptive runtime state'],
    pattern: pattern`Built adaptive runtime state steps=<steps#>: elapsed=<elapsed>s, mem=<usage>GB`,
    fields: { steps: count(), elapsed: seconds(), usage: gib('graphMemory') },
    spellings: [
      {
        releases: [{ from: '0.5.11' }],
        emitters: [
          'speculative/eagle_worker.py::EAGLEWorker.build_adaptive_runtime_state',
          'speculative/eagle_worker_v2.py::EAGLEWorkerV2.build_adaptive_runtime_state',
        ],
      },
    ],
  },
  {
    id: 'vit-graph',
    phase: 'capture',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['ViT CUDA graph: key='],
    pattern: pattern`Captured (?<model>[\w-]+) ViT CUDA graph: key=[^\n]{0,200}? cache=<used#>/<size#> allocated_delta_mib=<delta>`,
    fields: {
      model: word(),
      used: count(),
      size: count(),
      delta: { unit: 'MiB', rounding: 'printed' },
    },
    spellings: [{ releases: [{ from: '0.5.17' }] }],
  },
] as const satisfies readonly LineForm[];
