/**
 * Lines from process start to the first weight: distributed initialisation, its memory side
 * effects, and the check that ranks start with similar free memory.
 */
import { count, decimalGb, gib, gibExact, mib, seconds, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const initForms = [
  {
    id: 'init-begin',
    phase: 'init',
    event: 'init-begin',
    owner: 'sglang',
    level: 'info',
    anchors: ['Init torch distributed begin', 'Init nccl begin', 'Init parallel begin.'],
    pattern: pattern`Init (?:(?<torch>torch distributed)|(?<nccl>nccl)|(?<process>parallel)) begin\.`,
    // Of the process: a draft worker takes the groups of its target and prints none.
    fields: { process: word() },
    spellings: [
      {
        has: ['process'],
        releases: [{ from: '0.5.21' }],
        emitters: ['distributed/bootstrap.py::init_parallel_runtime'],
      },
      {
        has: ['torch'],
        releases: [{ from: '0.3.3.post1', to: '0.5.20' }],
        emitters: [
          'distributed/bootstrap.py::init_torch_distributed',
          'model_executor/model_runner.py::ModelRunner.init_torch_distributed',
        ],
      },
      { has: ['nccl'], releases: [{ from: '0.1.17', to: '0.3.3' }] },
    ],
  },
  {
    id: 'init-device',
    phase: 'init',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Set cuda device.'],
    pattern: pattern`Set cuda device\.`,
    fields: {},
    spellings: [{ releases: [{ from: '0.1.17', to: '0.1.19' }] }],
  },
  {
    id: 'init-end',
    phase: 'init',
    event: 'init-end',
    owner: 'sglang',
    level: 'info',
    anchors: ['Init torch distributed ends', 'Init parallel ends. '],
    pattern: pattern`Init (?:torch distributed ends\.(?: elapsed=<elapsed> s,)?(?: mem usage=<usage> GB)?|(?<process>parallel) ends\.(?: elapsed=<elapsedOnly> s)?)`,
    fields: {
      process: word(),
      elapsed: seconds(['elapsed', 'elapsedOnly']),
      usage: gib('contextAndComm'),
    },
    spellings: [
      {
        has: ['process', 'elapsedOnly'],
        releases: [{ from: '0.5.21' }],
        emitters: ['distributed/bootstrap.py::init_parallel_runtime'],
      },
      {
        has: ['usage'],
        lacks: ['elapsed'],
        releases: [{ from: '0.4.3.post3', to: '0.5.8.post1' }],
        emitters: ['model_executor/model_runner.py::ModelRunner.init_torch_distributed'],
      },
      {
        has: ['usage', 'elapsed'],
        releases: [{ from: '0.5.9', to: '0.5.20' }],
        emitters: [
          'distributed/bootstrap.py::init_torch_distributed',
          'model_executor/model_runner.py::ModelRunner.init_torch_distributed',
        ],
      },
    ],
    labels: ['elapsed=', 'mem usage='],
  },
  {
    // Its usage is what changed while the ranks agreed on the sample, not what contexts and
    // communication took: these stand before its first sample.
    id: 'memory-baseline',
    phase: 'init',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Memory baseline taken.'],
    pattern: pattern`Memory baseline taken\.(?: mem usage=<change> GB)?`,
    fields: { change: gib() },
    labels: ['mem usage='],
    spellings: [
      {
        has: ['change'],
        releases: [{ from: '0.5.21' }],
        emitters: ['distributed/bootstrap.py::measure_pre_model_load_memory'],
      },
    ],
  },
  {
    id: 'rank-imbalance',
    phase: 'init',
    event: 'fatal-if-raised',
    owner: 'sglang',
    level: 'warning',
    anchors: ['The memory capacity is unbalanced'],
    pattern: pattern`The memory capacity is unbalanced\. Some GPUs may be occupied by other processes\.(?: (?:min_per_gpu_memory=<minimum>|pre_model_load_memory=<minimumNew>), local_gpu_memory=<local>, local_gpu_memory \* 0\.9=<threshold>)?`,
    fields: {
      minimum: { ...gibExact('totalBeforeLoad'), groups: ['minimum', 'minimumNew'] },
      local: gibExact(),
      threshold: gibExact(),
    },
    ends: ['threshold'],
    labels: ['local_gpu_memory=', 'local_gpu_memory * 0.9='],
    spellings: [
      {
        lacks: ['local'],
        releases: [{ from: '0.1.17', to: '0.4.3.post4' }],
        emitters: [
          'managers/controller/model_runner.py::ModelRunner.__init__',
          'model_executor/model_runner.py::ModelRunner.__init__',
          'model_executor/model_runner.py::ModelRunner.init_torch_distributed',
        ],
      },
      {
        has: ['minimum'],
        releases: [{ from: '0.4.4', to: '0.5.9' }],
        emitters: ['model_executor/model_runner.py::ModelRunner.init_torch_distributed'],
      },
      {
        has: ['minimumNew'],
        releases: [{ from: '0.5.10rc0' }],
        emitters: [
          'distributed/bootstrap.py::_check_tp_memory_balance',
          'model_executor/model_runner.py::ModelRunner.init_torch_distributed',
        ],
      },
    ],
  },
  {
    id: 'collectives-warm-up',
    phase: 'init',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['NCCL/RCCL warmup completed', 'NCCL/RCCL/HCCL warmup completed'],
    pattern: pattern`NCCL/RCCL(?<hccl>/HCCL)? warmup completed in <elapsed>s(?: \(tp_size=<tp#>, pp_size=<pp#>, ep_size=<ep#>\))?`,
    fields: { elapsed: seconds(), tp: count(), pp: count(), ep: count() },
    spellings: [
      {
        lacks: ['hccl'],
        releases: [{ from: '0.5.10rc0', to: '0.5.15.post1' }],
        emitters: ['model_executor/model_runner.py::ModelRunner.init_torch_distributed'],
      },
      {
        has: ['hccl'],
        releases: [{ from: '0.5.16' }],
        emitters: ['distributed/bootstrap.py::_prewarm_nccl'],
      },
    ],
  },
  {
    id: 'peer-warm-up',
    phase: 'init',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['P2P warmup completed'],
    pattern: pattern`EPLB default-group P2P warmup completed in <elapsed>s \(world_size=<ranks#>, free memory delta=<delta> MiB\)`,
    fields: { elapsed: seconds(), ranks: count(), delta: mib() },
    spellings: [
      {
        releases: [{ from: '0.5.22' }],
        emitters: ['distributed/bootstrap.py::_prewarm_eplb_p2p'],
      },
    ],
  },
  {
    id: 'symmetric-memory-pool',
    phase: 'init',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Pre-allocating symmetric memory pool'],
    pattern: pattern`Pre-allocating symmetric memory pool with <size> GiB`,
    fields: { size: gibExact('symmetricMemory') },
    spellings: [
      {
        releases: [{ from: '0.5.9' }],
        emitters: [
          'distributed/device_communicators/pynccl_allocator.py::prealloc_symmetric_memory_pool',
          'model_executor/model_runner.py::ModelRunner.prealloc_symmetric_memory_pool',
        ],
      },
    ],
  },
  {
    id: 'symmetric-memory-default',
    phase: 'arguments',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['setting symmetric memory prealloc size to'],
    pattern: pattern`setting symmetric memory prealloc size to <size#>GB as default`,
    fields: { size: gibExact('symmetricMemory') },
    spellings: [
      {
        releases: [{ from: '0.5.9' }],
        emitters: [
          'server_args.py::ServerArgs._handle_gpu_memory_settings',
          'arg_groups/memory_hook.py::handle_gpu_memory_settings',
        ],
      },
    ],
  },
  {
    id: 'all-reduce-buffers',
    phase: 'init',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['All Reduce config: symmetric_memory'],
    pattern: pattern`All Reduce config: symmetric_memory = <symmetric> MB, local_buffer = <local> MB, multicast = (?<multicast>\w+)(?:, pull = (?<pull>\w+))?`,
    fields: { symmetric: mib(), local: mib(), multicast: word(), pull: word() },
    spellings: [
      {
        has: ['pull'],
        releases: [{ from: '0.5.19' }],
        emitters: [
          'distributed/device_communicators/custom_all_reduce_v2.py::CustomAllReduceV2._init_workspace',
        ],
      },
      {
        lacks: ['pull'],
        releases: [{ from: '0.5.16', to: '0.5.18' }],
        emitters: [
          'distributed/device_communicators/custom_all_reduce_v2.py::CustomAllReduceV2._init_workspace',
        ],
      },
    ],
  },
  {
    id: 'flashinfer-preflight',
    phase: 'init',
    event: 'note',
    owner: 'sglang',
    level: 'debug',
    anchors: ['FlashInfer workspace preflight'],
    pattern: pattern`FlashInfer workspace preflight \[rank <rank#>\]: probe=<probe> GB, local_probe=(?<localProbe>\w+), vote=(?<vote>\w+)`,
    fields: { rank: count(), probe: decimalGb(), localProbe: word(), vote: word() },
    spellings: [
      {
        releases: [{ from: '0.5.11' }],
        emitters: ['layers/flashinfer_comm_fusion.py::_preflight_check_workspace_memory'],
      },
    ],
  },
  {
    id: 'wrong-device',
    phase: 'init',
    event: 'note',
    owner: 'sglang',
    level: 'warning',
    anchors: ['useless memory allocation for torch'],
    pattern: pattern`which may cause useless memory allocation for torch (?<device>\w+) context`,
    fields: { device: word() },
    spellings: [
      {
        releases: [{ from: '0.1.3' }],
        emitters: [
          'utils.py::get_available_gpu_memory',
          'utils/common.py::get_available_gpu_memory',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
