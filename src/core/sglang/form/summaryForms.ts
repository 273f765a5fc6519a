/**
 * Lines that close a start-up: the summary of the scheduler, the prefix cache, and readiness.
 */
import { gib, requests, seconds, tokens, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const summaryForms = [
  {
    id: 'summary',
    phase: 'summary',
    event: 'summary',
    owner: 'sglang',
    level: 'info',
    anchors: ['ax_total_num_token=', 'ax_total_num_tokens='],
    pattern: pattern`(?<![\w.]|available_size=\d{1,20}, )[Mm]ax_total_num_(?:tokens=<tokens#>|token=<tokensOld#>)(?:, chunked_prefill_size=(?:<chunk#>|(?<chunkNone>None)))?(?:, max_prefill_tokens=<prefill#>|, max_prefill_num_token=<prefillOld#>)?(?:, max_running_requests=<running#>)?(?:, context_len=<context#>)?(?:, model_mode=(?<mode>[^,\n]{0,120}))?(?:, available_gpu_mem=<gpu> GB|, available_cpu_mem=<cpu> GB)?`,
    fields: {
      tokens: tokens('maxTotalTokens', ['tokens', 'tokensOld']),
      chunk: tokens(),
      chunkNone: word(),
      prefill: tokens(undefined, ['prefill', 'prefillOld']),
      running: requests('maxRunningRequests'),
      context: tokens('contextLength'),
      mode: word(),
      available: gib('finalAvailable', ['gpu', 'cpu']),
    },
    ends: ['tokens', 'context'],
    labels: [
      'chunked_prefill_size=',
      'max_prefill_tokens=',
      'max_prefill_num_token=',
      'max_running_requests=',
      'context_len=',
      'available_gpu_mem=',
    ],
    closes: ['available'],
    wraps:
      /^(?:chunked_prefill_size|max_prefill_tokens|max_running_requests|context_len|available_gpu_mem|available_cpu_mem)=/,
    spellings: [
      {
        has: ['tokensOld', 'prefillOld', 'context', 'mode'],
        releases: [{ from: '0.1.3', to: '0.1.12' }],
        emitters: ['managers/router/model_rpc.py::ModelRpcServer.exposed_init_model'],
      },
      {
        has: ['tokensOld', 'prefillOld', 'context'],
        lacks: ['mode'],
        releases: [{ from: '0.1.13', to: '0.1.16' }],
        emitters: [
          'managers/router/model_rpc.py::ModelRpcServer.__init__',
          'managers/router/model_rpc.py::ModelRpcServer.exposed_init_model',
        ],
      },
      {
        has: ['tokens', 'prefill', 'context'],
        lacks: ['running'],
        releases: [{ from: '0.1.17', to: '0.1.23' }],
        emitters: ['managers/controller/tp_worker.py::ModelTpServer.__init__'],
      },
      {
        has: ['tokens', 'prefill', 'running', 'context'],
        lacks: ['chunk', 'chunkNone', 'gpu', 'cpu'],
        releases: [{ from: '0.1.24', to: '0.4.1.post7' }],
        emitters: [
          'managers/controller/tp_worker.py::ModelTpServer.__init__',
          'managers/tp_worker.py::ModelTpServer.__init__',
          'managers/scheduler.py::Scheduler.__init__',
        ],
      },
      {
        has: ['chunk', 'running', 'context'],
        lacks: ['gpu', 'cpu'],
        releases: [{ from: '0.4.2', to: '0.4.6.post5' }],
        emitters: ['managers/scheduler.py::Scheduler.__init__'],
      },
      {
        has: ['chunkNone', 'running', 'context'],
        lacks: ['gpu', 'cpu'],
        releases: [{ from: '0.4.2', to: '0.4.6.post5' }],
        emitters: ['managers/scheduler.py::Scheduler.__init__'],
      },
      {
        has: ['running', 'context', 'gpu'],
        releases: [{ from: '0.4.7' }],
        emitters: [
          'managers/scheduler.py::Scheduler.__init__',
          'managers/scheduler.py::Scheduler.init_model_worker',
        ],
      },
      {
        has: ['running', 'context', 'cpu'],
        releases: [{ from: '0.5.2' }],
        emitters: [
          'managers/scheduler.py::Scheduler.__init__',
          'managers/scheduler.py::Scheduler.init_model_worker',
        ],
      },
    ],
  },
  {
    id: 'prefix-cache',
    phase: 'summary',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Tree cache initialized: source='],
    pattern: pattern`Tree cache initialized: source=(?<source>\w+)(?: impl=(?<implementation>\w+))?(?: hybrid_swa=(?<swa>True|False))?(?: hybrid_ssm=(?<ssm>True|False))?(?: hierarchical=(?<hierarchical>True|False)| hicache_attached=(?<hicache>True|False))?(?: streaming_wrapped=(?<streaming>True|False))?`,
    fields: {
      source: word(),
      implementation: word(),
      swa: word(),
      ssm: word(),
      hierarchical: word(['hierarchical', 'hicache']),
    },
    labels: [
      'impl=',
      'hybrid_swa=',
      'hybrid_ssm=',
      'hierarchical=',
      'hicache_attached=',
      'streaming_wrapped=',
    ],
    spellings: [
      {
        has: ['hierarchical'],
        releases: [{ from: '0.5.13', to: '0.5.17' }],
        emitters: ['mem_cache/registry.py::create_tree_cache'],
      },
      {
        has: ['hicache'],
        releases: [{ from: '0.5.18' }],
        emitters: ['mem_cache/registry.py::create_tree_cache'],
      },
    ],
  },
  {
    // A benchmark without a server prints no line of its own when it is ready.
    id: 'bench-pass',
    phase: 'ready',
    event: 'ready',
    owner: 'sglang',
    level: 'info',
    anchors: ['Prefill. latency: '],
    pattern: pattern`Prefill\. latency: +<latency> s, throughput:`,
    fields: { latency: seconds() },
    spellings: [],
  },
  {
    id: 'ready',
    phase: 'ready',
    event: 'ready',
    owner: 'sglang',
    level: 'info',
    anchors: ['The server is fired up and ready to roll'],
    pattern: pattern`The server is fired up and ready to roll`,
    fields: {},
    spellings: [
      {
        releases: [{ from: '0.1.18' }],
        emitters: [
          'entrypoints/grpc_server.py::_wait_and_warmup_grpc',
          'entrypoints/http_server.py::_wait_and_warmup',
          'entrypoints/http_server.py::launch_server',
          'server.py::_wait_and_warmup',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
