/**
 * Batch lines and retractions of a serving server. Occupancy is of the pools' entries, not of GPU memory.
 */
import { count, requests, share, tokens, tokensPerSecond, word } from './field';
import type { LineForm } from './lineForm';
import { anywhere, pattern } from './pattern';

/** The pool occupancy items of batch lines, of which every release prints a part. */
const occupancy = [
  anywhere(', #token: <used#>(?=,| |$)'),
  anywhere('(?:,|\\.) token usage: <usage>(?=,| |$)'),
  anywhere('full token usage: <fullUsage>(?=,| |$)'),
  anywhere('swa token usage: <swaUsage>(?=,| |$)'),
  anywhere('mamba usage: <stateUsage>(?=,| |$)'),
].join('');

const occupancyFields = {
  used: tokens(),
  usage: share(),
  fullUsage: share(),
  swaUsage: share(),
  stateUsage: share(),
} as const;

export const batchForms = [
  {
    id: 'decode-batch',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'info',
    anchors: ['Decode batch'],
    pattern: pattern`Decode batch(?:(?<dot>\.)|(?<iteration> \[\d+\])?(?<comma>,)) #running-req: <running#>${occupancy}${anywhere('#full token: <full#>(?=,| |$)')}${anywhere('#swa token: <swa#>(?=,| |$)')}${anywhere('#token: full=<fullOld#>, swa=<swaOld#>, token usage: full=<fullUsageOld>, swa=<swaUsageOld>')}${anywhere('mamba num: <state#>(?=,| |$)')}${anywhere('#gpu token: <gpu#>, gpu token usage: <gpuUsage>, #cpu token: <cpu#>, cpu token usage: <cpuUsage>')}${anywhere('pre-allocated usage: <preallocated>')}${anywhere('accept len: <acceptLength>')}${anywhere('#retracted-req: <retracted#>')}${anywhere('(?:cuda|cpu|npu) graph: (?<graph>\\w+)')}${anywhere('gen throughput \\(token/s\\): <throughput>(?=,| |$)')}${anywhere('#queue-req: <queue#>')}[^\n]*`,
    fields: {
      running: requests(),
      ...occupancyFields,
      fullUsage: share(undefined, ['fullUsage', 'fullUsageOld']),
      swaUsage: share(undefined, ['swaUsage', 'swaUsageOld']),
      full: tokens(undefined, ['full', 'fullOld']),
      swa: tokens(undefined, ['swa', 'swaOld']),
      state: count(),
      gpu: tokens(),
      gpuUsage: share(),
      cpu: tokens(),
      cpuUsage: share(),
      preallocated: share(),
      acceptLength: share(),
      retracted: requests(),
      graph: word(),
      throughput: tokensPerSecond(),
      queue: requests(),
    },
    ends: ['queue', 'throughput'],
    labels: [
      'token usage:',
      'full token usage:',
      'swa token usage:',
      'gen throughput (token/s):',
      '#queue-req:',
      'cuda graph:',
    ],
    closes: ['queue'],
    wraps: /^(?:#|[\w -]{1,24}(?:usage|throughput|graph|len)\b)/,
    spellings: [
      {
        has: ['dot', 'queue'],
        lacks: ['iteration', 'graph'],
        releases: [{ from: '0.1.17', to: '0.5.3.post3' }],
        emitters: [
          'managers/controller/tp_worker.py::ModelTpServer.forward_step',
          'managers/controller/tp_worker.py::ModelTpServer.print_stats',
          'managers/tp_worker.py::ModelTpServer.print_decode_stats',
          'managers/tp_worker.py::ModelTpServer.print_stats',
          'managers/scheduler.py::Scheduler.print_decode_stats',
          'managers/scheduler.py::Scheduler.log_decode_stats',
          'managers/scheduler_metrics_mixin.py::SchedulerMetricsMixin.log_decode_stats',
        ],
      },
      {
        has: ['dot', 'queue', 'graph'],
        releases: [{ from: '0.4.6.post4', to: '0.5.3.post3' }],
        emitters: [
          'managers/scheduler.py::Scheduler.log_decode_stats',
          'managers/scheduler_metrics_mixin.py::SchedulerMetricsMixin.log_decode_stats',
        ],
      },
      {
        has: ['comma', 'queue'],
        releases: [{ from: '0.5.4' }],
        emitters: [
          'managers/scheduler_metrics_mixin.py::SchedulerMetricsMixin.log_decode_stats',
          'managers/scheduler_components/metrics_reporter.py::SchedulerMetricsReporter.report_decode_stats',
          'observability/scheduler_metrics_mixin.py::SchedulerMetricsMixin.report_decode_stats',
        ],
      },
    ],
  },
  {
    id: 'decode-batch-old',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'info',
    anchors: ['#running-req: '],
    pattern: pattern`(?:^|(?<=\] ))#running-req: <running#>, #token: <used#>, token usage: <usage>,(?: gen throughput \(token/s\): <throughput>,)? #queue-req: <queue#>`,
    fields: {
      running: requests(),
      used: tokens(),
      usage: share(),
      throughput: tokensPerSecond(),
      queue: requests(),
    },
    ends: ['queue'],
    spellings: [
      {
        lacks: ['throughput'],
        releases: [{ from: '0.1.3', to: '0.1.15' }],
        emitters: ['managers/router/model_rpc.py::ModelRpcServer.forward_step'],
      },
      {
        has: ['throughput'],
        releases: [{ from: '0.1.16', to: '0.1.16' }],
        emitters: ['managers/router/model_rpc.py::ModelRpcServer.forward_step'],
      },
    ],
  },
  {
    id: 'prefill-batch',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'info',
    anchors: ['Prefill batch', 'Prefil batch'],
    pattern: pattern`Prefil(?:(?<typo>)|l) batch(?:(?<mixed>\(mixed #running-req: <mixedRunning#>\))?(?<dot>\.)|(?<iteration> \[\d+\])?(?<comma>,)) #new-seq: <sequences#>, #new-token: <new#>(?=,)${anywhere('#cached-token: <cached#>(?=,)')}${anywhere('(?<hitRate>cache hit rate:)')}${occupancy}${anywhere('token usage: full=<fullUsageOld>, swa=<swaUsageOld>')}${anywhere('#running-req: <running#>(?=,| |$)')}${anywhere('#queue-req: <queue#>')}${anywhere('#pending-token: <pending#>(?=,)')}${anywhere('input throughput \\(token/s\\): <throughput>(?=,| |$)')}[^\n]*`,
    fields: {
      sequences: requests(),
      new: tokens(),
      cached: tokens(),
      ...occupancyFields,
      fullUsage: share(undefined, ['fullUsage', 'fullUsageOld']),
      swaUsage: share(undefined, ['swaUsage', 'swaUsageOld']),
      running: requests(undefined, ['running', 'mixedRunning']),
      queue: requests(),
      pending: tokens(),
      throughput: tokensPerSecond(),
    },
    ends: ['queue', 'throughput'],
    labels: ['token usage:', '#running-req:', '#queue-req:', 'input throughput (token/s):'],
    closes: ['queue'],
    wraps: /^(?:#|[\w -]{1,24}(?:usage|throughput|graph)\b)/,
    spellings: [
      {
        has: ['typo', 'queue'],
        releases: [{ from: '0.1.17', to: '0.1.17' }],
        emitters: ['managers/controller/tp_worker.py::ModelTpServer.get_new_fill_batch'],
      },
      {
        has: ['dot', 'hitRate', 'queue'],
        lacks: ['usage', 'mixed', 'typo'],
        releases: [{ from: '0.1.18', to: '0.3.1.post1' }],
        emitters: [
          'managers/controller/tp_worker.py::ModelTpServer.get_new_fill_batch',
          'managers/controller/tp_worker.py::ModelTpServer.get_new_prefill_batch',
          'managers/tp_worker.py::ModelTpServer.get_new_prefill_batch',
        ],
      },
      {
        has: ['dot', 'hitRate', 'usage', 'queue'],
        lacks: ['mixed'],
        releases: [{ from: '0.3.1.post2', to: '0.4.3.post2' }],
        emitters: [
          'managers/tp_worker.py::ModelTpServer.get_new_prefill_batch',
          'managers/scheduler.py::Scheduler.get_new_batch_prefill',
          'managers/scheduler.py::Scheduler.log_prefill_stats',
        ],
      },
      {
        has: ['mixed', 'hitRate'],
        lacks: ['usage'],
        releases: [{ from: '0.2.14', to: '0.3.1.post1' }],
        emitters: ['managers/tp_worker.py::ModelTpServer.get_new_prefill_batch'],
      },
      {
        has: ['mixed', 'hitRate', 'usage'],
        releases: [{ from: '0.3.1.post2', to: '0.3.5' }],
        emitters: [
          'managers/tp_worker.py::ModelTpServer.get_new_prefill_batch',
          'managers/scheduler.py::Scheduler.get_new_batch_prefill',
        ],
      },
      {
        has: ['dot', 'queue'],
        lacks: ['hitRate', 'mixed'],
        releases: [{ from: '0.4.3.post3', to: '0.5.3.post3' }],
        emitters: [
          'managers/scheduler.py::Scheduler.log_prefill_stats',
          'managers/scheduler_metrics_mixin.py::SchedulerMetricsMixin.log_prefill_stats',
        ],
      },
      {
        has: ['comma', 'queue'],
        releases: [{ from: '0.5.4' }],
        emitters: [
          'managers/scheduler_metrics_mixin.py::SchedulerMetricsMixin.log_prefill_stats',
          'observability/scheduler_metrics_mixin.py::SchedulerMetricsMixin.report_prefill_stats',
          'managers/scheduler_components/metrics_reporter.py::SchedulerMetricsReporter.report_prefill_stats',
        ],
      },
    ],
  },
  {
    id: 'retraction',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'info',
    anchors: ['#retracted_reqs: '],
    pattern: pattern`(?:(?<full>KV cache pool is full)\. Retract requests\. |(?<testing>Testing retraction)\. |(?<old>decode out of memory happened), |(?<middle>Decode out of memory happened)\. )#retracted_reqs: <retracted#>(?:, #aborted_retracted_reqs: <aborted#>)?(?:, #new_tokens_gained: <gained#>)?(?:, #mamba_num_gained: <stateGained#>)?(?:, #new_token_ratio: <ratioBefore> -> <ratioAfter>)?`,
    fields: {
      testing: word(),
      retracted: requests(),
      aborted: requests(),
      gained: tokens(),
      stateGained: count(),
      ratioBefore: { ...share(), decimals: 4 },
      ratioAfter: { ...share(), decimals: 4 },
    },
    ends: ['ratioAfter'],
    labels: ['#new_token_ratio:', '#new_tokens_gained:'],
    spellings: [
      {
        has: ['old', 'ratioAfter'],
        releases: [{ from: '0.1.6', to: '0.2.13' }],
        emitters: [
          'managers/controller/tp_worker.py::ModelTpServer.forward_decode_batch',
          'managers/router/model_rpc.py::ModelRpcServer.forward_decode_batch',
          'managers/tp_worker.py::ModelTpServer.forward_decode_batch',
        ],
      },
      {
        has: ['middle', 'ratioAfter'],
        releases: [{ from: '0.2.14', to: '0.4.6.post5' }],
        emitters: [
          'managers/scheduler.py::Scheduler.get_new_batch_decode',
          'managers/scheduler.py::Scheduler.update_running_batch',
          'managers/tp_worker.py::ModelTpServer.forward_decode_batch',
        ],
      },
      {
        has: ['full', 'ratioAfter'],
        lacks: ['aborted', 'gained'],
        releases: [
          { from: '0.4.7', to: '0.5.3rc1' },
          { from: '0.5.4.post2', to: '0.5.6.post2' },
        ],
        emitters: ['managers/scheduler.py::Scheduler.update_running_batch'],
      },
      {
        has: ['full', 'aborted', 'ratioAfter'],
        releases: [{ from: '0.5.3rc2', to: '0.5.4.post1' }],
        emitters: ['managers/scheduler.py::Scheduler.update_running_batch'],
      },
      {
        has: ['gained', 'ratioAfter'],
        lacks: ['stateGained'],
        releases: [{ from: '0.5.7' }],
        emitters: ['managers/scheduler.py::Scheduler.update_running_batch'],
      },
      {
        has: ['gained', 'stateGained', 'ratioAfter'],
        releases: [{ from: '0.5.11' }],
        emitters: ['managers/scheduler.py::Scheduler.update_running_batch'],
      },
    ],
  },
  {
    id: 'retraction-abort',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'warning',
    anchors: ['retract_decode: aborted last request'],
    pattern: pattern`retract_decode: aborted last request`,
    fields: {},
    spellings: [
      {
        releases: [{ from: '0.5.10rc0' }],
        emitters: ['managers/schedule_batch.py::ScheduleBatch.retract_decode'],
      },
    ],
  },
] as const satisfies readonly LineForm[];
