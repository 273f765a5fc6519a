/**
 * Lines that say what each capture of graphs took and what was free before and after. "GB" here is
 * GiB on every line. Leaves out a pool that is sized after it.
 */
import { count, gib, requests, seconds, tokens, word } from './field';
import type { LineForm } from './lineForm';
import { outOfMemory, outOfMemoryFields, wrappedOutOfMemory } from './outOfMemory';
import { pattern } from './pattern';

export const graphForms = [
  {
    id: 'graph-begin',
    phase: 'capture',
    event: 'capture-begin',
    owner: 'sglang',
    level: 'info',
    anchors: [
      'cuda graph begin',
      'cpu graph begin',
      'npu graph begin',
      'CUDA graph begin',
      'CPU graph begin',
      'NPU graph begin',
      'XPU graph begin',
      'MUSA graph begin',
      'xpu graph begin',
    ],
    pattern: pattern`Capture (?:(?<draft>draft )?(?<extend>extend )?(?<device>cuda|cpu|npu|xpu|musa)|(?<piecewise>piecewise )?(?<deviceUpper>CUDA)|(?<kind>(?:(?<ofTarget>target)|draft) [a-z]+) (?<deviceNew>CUDA|CPU|NPU|XPU|MUSA)|(?<frozen>Frozen-KV MTP draft) cuda|(?<tree>UNO tree draft) CUDA) graph begin(?: \(step <step#>\))?\.(?<minutes> This can take up to several minutes\.)?(?: \.\.\.)?(?: backend=(?<backend>\w+),)?(?: num_tokens_per_bs=<tokensPerBs#>,| num_tokens_per_req=<tokensPerRequest#>,)?(?: step=<draftStep#>,)?(?: (?:bs|num_tokens)=(?<sizes>\[[\d,. ]*\]|\w+),?)?(?: avail mem=<avail> GB)?`,
    fields: {
      draft: word(['draft', 'frozen', 'tree']),
      extend: word(),
      piecewise: word(),
      kind: word(),
      device: word(['device', 'deviceUpper', 'deviceNew']),
      backend: word(),
      sizes: word(),
      step: count(undefined, ['step', 'draftStep']),
      tokensPerRequest: tokens(undefined, ['tokensPerBs', 'tokensPerRequest']),
      avail: gib(),
    },
    labels: ['avail mem=', 'backend=', 'num_tokens_per_bs=', 'num_tokens_per_req='],
    closes: ['avail'],
    wraps: /^(?:avail mem=|bs=|num_tokens)/,
    spellings: [
      {
        lacks: ['kind', 'frozen', 'draft', 'piecewise', 'minutes', 'avail'],
        releases: [{ from: '0.1.20', to: '0.1.22' }],
        emitters: ['managers/controller/model_runner.py::ModelRunner.init_cuda_graphs'],
      },
      {
        has: ['minutes'],
        lacks: ['kind', 'draft', 'piecewise', 'avail'],
        releases: [{ from: '0.1.23', to: '0.4.3.post2' }],
        emitters: [
          'managers/controller/model_runner.py::ModelRunner.init_cuda_graphs',
          'model_executor/model_runner.py::ModelRunner.init_cuda_graphs',
          'speculative/eagle_worker.py::EAGLEWorker.init_cuda_graphs',
        ],
      },
      {
        has: ['minutes', 'avail'],
        lacks: ['kind', 'draft', 'piecewise'],
        releases: [{ from: '0.4.3.post3', to: '0.5.13.post1' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.init_cuda_graphs',
          'model_executor/model_runner.py::ModelRunner.init_device_graphs',
        ],
      },
      {
        has: ['draft', 'minutes', 'avail'],
        lacks: ['kind', 'extend'],
        releases: [{ from: '0.4.3.post3', to: '0.5.13.post1' }],
        emitters: [
          'speculative/eagle_worker.py::EAGLEWorker.init_cuda_graphs',
          'speculative/eagle_worker_v2.py::EagleDraftWorker.init_cuda_graphs',
        ],
      },
      {
        has: ['draft', 'extend', 'minutes', 'avail'],
        lacks: ['step'],
        releases: [{ from: '0.4.7', to: '0.5.13.post1' }],
        emitters: [
          'speculative/eagle_worker.py::EAGLEWorker.init_cuda_graphs',
          'speculative/eagle_worker_v2.py::EagleDraftWorker.init_cuda_graphs',
          'speculative/multi_layer_eagle_worker.py::MultiLayerEagleWorker.init_cuda_graphs',
        ],
      },
      {
        has: ['draft', 'extend', 'step', 'avail'],
        releases: [{ from: '0.5.7', to: '0.5.13.post1' }],
        emitters: [
          'speculative/multi_layer_eagle_draft_extend_cuda_graph_runner.py::MultiLayerEagleMultiStepDraftExtendCudaGraphRunner._init_and_capture',
        ],
      },
      {
        has: ['piecewise', 'avail'],
        releases: [{ from: '0.5.6', to: '0.5.13.post1' }],
        emitters: ['model_executor/model_runner.py::ModelRunner.init_piecewise_cuda_graphs'],
      },
      {
        has: ['frozen'],
        releases: [{ from: '0.5.12' }],
        emitters: [
          'speculative/frozen_kv_mtp_worker.py::FrozenKVMTPWorker.init_cuda_graphs',
          'speculative/frozen_kv_mtp_worker_v2.py::FrozenKVMTPDraftWorker._capture_cuda_graphs',
        ],
      },
      {
        has: ['tokensPerBs', 'avail'],
        releases: [{ from: '0.5.14', to: '0.5.15.post1' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.init_decode_cuda_graph',
          'speculative/eagle_worker_v2.py::EagleDraftWorker._capture_cuda_graphs',
        ],
      },
      {
        has: ['tree', 'avail'],
        releases: [{ from: '0.5.20' }],
        emitters: ['speculative/uno_worker_v2.py::UnoWorkerV2.init_cuda_graphs'],
      },
      {
        has: ['ofTarget', 'tokensPerRequest', 'sizes', 'avail'],
        releases: [{ from: '0.5.16', to: '0.5.21' }],
        emitters: [
          'model_executor/model_runner_components/cuda_graph_setup.py::capture_decode_graph',
        ],
      },
      {
        has: ['tokensPerRequest', 'sizes', 'avail'],
        releases: [{ from: '0.5.16' }],
        emitters: [
          'model_executor/model_runner_components/cuda_graph_setup.py::capture_decode_graph',
          'speculative/eagle_worker_v2.py::EagleDraftWorker._capture_cuda_graphs',
        ],
      },
      {
        has: ['tokensPerRequest', 'avail'],
        lacks: ['sizes'],
        releases: [{ from: '0.5.22' }],
        emitters: [
          'model_executor/model_runner_components/cuda_graph_setup.py::capture_decode_graph',
        ],
      },
      {
        has: ['kind', 'draftStep', 'avail'],
        releases: [{ from: '0.5.14' }],
        emitters: [
          'hardware_backend/npu/graph_runner/multi_layer_eagle_draft_extend_npu_graph_runner.py::MultiLayerEagleMultiStepDraftExtendNpuGraphRunner._init_and_capture',
          'speculative/multi_layer_eagle_draft_extend_cuda_graph_runner.py::MultiLayerEagleMultiStepDraftExtendCudaGraphRunner._init_and_capture',
        ],
      },
      {
        has: ['kind', 'backend', 'avail'],
        lacks: ['tokensPerBs', 'tokensPerRequest', 'draftStep'],
        releases: [{ from: '0.5.14' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.init_prefill_cuda_graph',
          'model_executor/model_runner_components/cuda_graph_setup.py::capture_prefill_graph',
        ],
      },
    ],
  },
  {
    id: 'graph-end',
    phase: 'capture',
    event: 'capture-end',
    owner: 'sglang',
    level: 'info',
    anchors: [
      'cuda graph end',
      'cpu graph end',
      'npu graph end',
      'CUDA graph end',
      'CPU graph end',
      'NPU graph end',
      'XPU graph end',
      'MUSA graph end',
      'xpu graph end',
    ],
    pattern: pattern`Capture (?:(?<draft>draft )?(?<extend>extend )?(?<device>cuda|cpu|npu|xpu|musa)|(?<piecewise>piecewise )?(?<deviceUpper>CUDA)|(?<kind>(?:target|draft) [a-z]+) (?<deviceNew>CUDA|CPU|NPU|XPU|MUSA)|(?<frozen>Frozen-KV MTP draft) cuda|(?<tree>UNO tree draft) CUDA) graph end(?: \(step <step#>\))?\.(?: Time elapsed: <elapsed> s(?:\. mem usage=<usageFirst> GB)?(?:\. avail mem=<avail> GB)?(?:\. mem usage=<usageLast> GB)?|(?: step=<draftStep#>,)?(?: bs=(?<sizes>\[[\d, ]*\]),)? elapsed=<elapsedNew> s, mem usage=<usage> GB, avail mem=<availNew> GB)?`,
    fields: {
      draft: word(['draft', 'frozen', 'tree']),
      extend: word(),
      piecewise: word(),
      kind: word(),
      device: word(['device', 'deviceUpper', 'deviceNew']),
      step: count(undefined, ['step', 'draftStep']),
      sizes: word(),
      elapsed: seconds(['elapsed', 'elapsedNew']),
      usage: gib('graphMemory', ['usage', 'usageFirst', 'usageLast']),
      avail: gib(undefined, ['avail', 'availNew']),
    },
    labels: ['Time elapsed:', 'elapsed=', 'mem usage=', 'avail mem=', 'bs='],
    wraps: /^(?:avail mem=|mem usage=|elapsed=)/,
    spellings: [
      {
        has: ['elapsed'],
        lacks: ['draft', 'piecewise', 'avail', 'usageFirst'],
        releases: [{ from: '0.4.0', to: '0.4.3.post2' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.init_cuda_graphs',
          'speculative/eagle_worker.py::EAGLEWorker.init_cuda_graphs',
        ],
      },
      {
        has: ['avail', 'usageLast'],
        lacks: ['draft', 'piecewise'],
        releases: [{ from: '0.4.3.post3', to: '0.4.6' }],
        emitters: ['model_executor/model_runner.py::ModelRunner.init_cuda_graphs'],
      },
      {
        has: ['usageFirst', 'avail'],
        lacks: ['draft', 'piecewise'],
        releases: [{ from: '0.4.6.post1', to: '0.5.13.post1' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.init_cuda_graphs',
          'model_executor/model_runner.py::ModelRunner.init_device_graphs',
        ],
      },
      {
        has: ['draft', 'avail'],
        lacks: ['extend', 'usageFirst', 'usageLast'],
        releases: [{ from: '0.4.3.post3', to: '0.4.4.post1' }],
        emitters: ['speculative/eagle_worker.py::EAGLEWorker.init_cuda_graphs'],
      },
      {
        has: ['draft', 'avail', 'usageLast'],
        lacks: ['extend'],
        releases: [{ from: '0.4.4.post2', to: '0.4.7' }],
        emitters: ['speculative/eagle_worker.py::EAGLEWorker.init_cuda_graphs'],
      },
      {
        has: ['draft', 'usageFirst'],
        lacks: ['extend'],
        releases: [{ from: '0.4.7.post1', to: '0.5.13.post1' }],
        emitters: [
          'speculative/eagle_worker.py::EAGLEWorker.init_cuda_graphs',
          'speculative/eagle_worker_v2.py::EagleDraftWorker.init_cuda_graphs',
        ],
      },
      {
        has: ['draft', 'extend', 'usageLast'],
        lacks: ['step'],
        releases: [{ from: '0.4.7', to: '0.4.7' }],
        emitters: ['speculative/eagle_worker.py::EAGLEWorker.init_cuda_graphs'],
      },
      {
        has: ['draft', 'extend', 'usageFirst'],
        lacks: ['step'],
        releases: [{ from: '0.4.7.post1', to: '0.5.13.post1' }],
        emitters: [
          'speculative/eagle_worker.py::EAGLEWorker.init_cuda_graphs',
          'speculative/eagle_worker_v2.py::EagleDraftWorker.init_cuda_graphs',
          'speculative/multi_layer_eagle_draft_extend_cuda_graph_runner.py::MultiLayerEagleMultiStepDraftExtendCudaGraphRunner._init_and_capture',
          'speculative/multi_layer_eagle_worker.py::MultiLayerEagleWorker.init_cuda_graphs',
        ],
      },
      {
        has: ['piecewise', 'usageFirst'],
        releases: [{ from: '0.5.6', to: '0.5.13.post1' }],
        emitters: ['model_executor/model_runner.py::ModelRunner.init_piecewise_cuda_graphs'],
      },
      {
        has: ['frozen'],
        releases: [{ from: '0.5.12' }],
        emitters: [
          'speculative/frozen_kv_mtp_worker.py::FrozenKVMTPWorker.init_cuda_graphs',
          'speculative/frozen_kv_mtp_worker_v2.py::FrozenKVMTPDraftWorker._capture_cuda_graphs',
        ],
      },
      {
        has: ['tree', 'usage'],
        releases: [{ from: '0.5.20' }],
        emitters: ['speculative/uno_worker_v2.py::UnoWorkerV2.init_cuda_graphs'],
      },
      {
        has: ['kind', 'usage', 'sizes'],
        releases: [{ from: '0.5.22' }],
        emitters: [
          'model_executor/model_runner_components/cuda_graph_setup.py::capture_decode_graph',
        ],
      },
      {
        has: ['kind', 'usage'],
        lacks: ['draftStep', 'sizes'],
        releases: [{ from: '0.5.14' }],
        emitters: [
          'model_executor/model_runner.py::ModelRunner.init_decode_cuda_graph',
          'model_executor/model_runner.py::ModelRunner.init_prefill_cuda_graph',
          'model_executor/model_runner_components/cuda_graph_setup.py::capture_prefill_graph',
          'speculative/eagle_worker_v2.py::EagleDraftWorker._capture_cuda_graphs',
          'model_executor/model_runner_components/cuda_graph_setup.py::capture_decode_graph',
        ],
      },
      {
        has: ['kind', 'usage', 'draftStep'],
        releases: [{ from: '0.5.14' }],
        emitters: [
          'hardware_backend/npu/graph_runner/multi_layer_eagle_draft_extend_npu_graph_runner.py::MultiLayerEagleMultiStepDraftExtendNpuGraphRunner._init_and_capture',
          'speculative/multi_layer_eagle_draft_extend_cuda_graph_runner.py::MultiLayerEagleMultiStepDraftExtendCudaGraphRunner._init_and_capture',
        ],
      },
    ],
  },
  {
    id: 'graph-single-extend',
    phase: 'capture',
    event: 'capture-end',
    owner: 'sglang',
    level: 'info',
    anchors: ['Capture single-CG draft extend'],
    pattern: pattern`Capture single-CG draft extend (?:(?<begin>begin)\. This can take several minutes\. avail mem=<availBefore> GB|end\. elapsed=<elapsed> s, mem usage=<usage> GB, avail mem=<availAfter> GB)`,
    fields: {
      begin: word(),
      elapsed: seconds(),
      usage: gib('graphMemory'),
      avail: gib(undefined, ['availBefore', 'availAfter']),
    },
    spellings: [
      {
        releases: [{ from: '0.5.16' }],
        emitters: [
          'speculative/multi_layer_eagle_draft_extend_cuda_graph_runner.py::OneGraphMultiLayerEagleMultiStepDraftExtendCudaGraphRunner._init_and_capture',
        ],
      },
    ],
  },
  {
    id: 'graph-progress',
    phase: 'capture',
    event: 'capture-progress',
    owner: 'sglang',
    level: 'progress',
    anchors: ['avail_mem='],
    pattern: pattern`(?:(?<bcg>\[BCG\] )?Capturing (?:(?<batches>batches )|(?<numTokens>num tokens )|(?<shape>prefill shape ))?\()(?:bs=<batch#> |num_tokens=<tokens#> )?avail_mem=<avail> GB\)`,
    fields: { batch: requests(), tokens: tokens(), avail: gib() },
    spellings: [
      { has: ['batches'], lacks: ['batch'], releases: [{ from: '0.4.4.post1', to: '0.4.8' }] },
      { has: ['batches', 'batch'], releases: [{ from: '0.4.8.post1' }] },
      { has: ['numTokens', 'tokens'], releases: [{ from: '0.5.3.post2', to: '0.5.20' }] },
      { has: ['shape', 'tokens'], releases: [{ from: '0.5.21' }] },
      { has: ['bcg', 'tokens'], releases: [{ from: '0.5.11', to: '0.5.13.post1' }] },
    ],
  },
  {
    id: 'graph-failed',
    phase: 'capture',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: [
      'Capture cuda graph failed',
      'Capture CUDA graph failed',
      'Capture CPU graph failed',
      'Capture prefill CUDA graph failed',
      'Capture single-CG draft extend failed',
      'Capture frozen-KV MTP cuda graph failed',
    ],
    pattern: pattern`Capture (?<kind>cuda graph|CUDA graph|CPU graph|prefill CUDA graph|single-CG draft extend|frozen-KV MTP cuda graph) failed:?(?: (?:${outOfMemory}|(?<cause>[^\n]{0,300})))?`,
    fields: { ...outOfMemoryFields, kind: word(), cause: word() },
    closes: ['unallocated'],
    looksAhead: true,
    wraps: wrappedOutOfMemory,
    spellings: [
      {
        releases: [{ from: '0.1.22' }],
        emitters: [
          'managers/controller/model_runner.py::ModelRunner.init_cuda_graphs',
          'model_executor/model_runner.py::ModelRunner.init_cuda_graphs',
          'model_executor/cuda_graph_runner.py::CudaGraphRunner.__init__',
          'speculative/eagle_draft_cuda_graph_runner.py::EAGLEDraftCudaGraphRunner.__init__',
          'model_executor/runner/decode_cuda_graph_runner.py::DecodeCudaGraphRunner.__init__',
          'speculative/eagle_draft_extend_cuda_graph_runner.py::EAGLEDraftExtendCudaGraphRunner.__init__',
          'model_executor/cpu_graph_runner.py::CPUGraphRunner.__init__',
          'model_executor/piecewise_cuda_graph_runner.py::PiecewiseCudaGraphRunner.__init__',
          'speculative/frozen_kv_mtp_cuda_graph_runner.py::FrozenKVMTPCudaGraphRunner.__init__',
          'model_executor/runner/prefill_cuda_graph_runner.py::PrefillCudaGraphRunner.__init__',
          'speculative/multi_layer_eagle_draft_extend_cuda_graph_runner.py::OneGraphMultiLayerEagleMultiStepDraftExtendCudaGraphRunner._init_and_capture',
          'speculative/multi_layer_eagle_draft_extend_cuda_graph_runner.py::MultiLayerEagleDraftExtendCudaGraphRunner.init_buffers_and_capture',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
