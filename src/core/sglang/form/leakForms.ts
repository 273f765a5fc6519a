/** Reports of pools whose counters do not add up, in their many spellings. */
import { count, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const leakForms = [
  {
    id: 'pool-leak',
    phase: 'serving',
    event: 'fatal-if-raised',
    owner: 'sglang',
    level: 'warning',
    anchors: [
      'Warning: available_size=',
      'Warning: available req slots=',
      'leak detected!',
      'Mem Leak Detected!',
    ],
    pattern: pattern`(?:Warning: available_size=<oldAvailable#>, (?:self\.)?max_total_num_token(?<plural>s)?=<oldTotal#>|Warning: available req slots=<oldSlots#>, total slots=<oldRows#>|(?<=(?<kind>[\w -]{1,60}))(?<=(?<kv>KV cache pool )|(?<rows>(?:M|: M)emory pool )|(?<allocator>token_to_kv_pool_allocator memory )|(?<requests>req_to_token_pool memory )|(?<pool>(?:^|: )pool memory )|)leak detected(?:(?<alone>!)\s*$|!)(?:(?<space> )?available_size=<available#>)?(?:, (?:protected_size|(?<session>session_held))=<protected#>)?(?:, (?:self\.max_total_num_tokens|total_size)=<total#>)?|(?<short>(?<one>(?:Full|SWA) Pool )?Mem Leak Detected!)(?: total_tokens=<counted#> vs self\.max_total_num_tokens=<total2#>)?)`,
    fields: {
      kind: word(['kind', 'short']),
      available: count(undefined, ['available', 'oldAvailable', 'oldSlots']),
      total: count(undefined, ['total', 'total2', 'oldTotal', 'oldRows']),
      protected: count(),
      counted: count(),
    },
    ends: ['total', 'available'],
    spellings: [
      {
        has: ['oldTotal'],
        lacks: ['plural'],
        releases: [{ from: '0.1.3', to: '0.1.16' }],
        emitters: ['managers/router/model_rpc.py::ModelRpcServer.forward_step'],
      },
      {
        has: ['plural'],
        releases: [{ from: '0.1.17', to: '0.3.5.post2' }],
        emitters: [
          'managers/controller/tp_worker.py::ModelTpServer.forward_step',
          'managers/tp_worker.py::ModelTpServer.check_memory',
          'managers/scheduler.py::Scheduler.check_memory',
        ],
      },
      {
        has: ['oldSlots'],
        releases: [{ from: '0.2.8', to: '0.3.5.post2' }],
        emitters: [
          'managers/tp_worker.py::ModelTpServer.check_memory',
          'managers/scheduler.py::Scheduler.check_memory',
        ],
      },
      {
        has: ['kv', 'alone'],
        releases: [{ from: '0.1.3', to: '0.3.5.post2' }],
        emitters: [
          'managers/router/model_rpc.py::ModelRpcServer.forward_step',
          'managers/scheduler.py::Scheduler.check_memory',
        ],
      },
      {
        has: ['rows', 'alone'],
        releases: [{ from: '0.2.8', to: '0.3.5.post2' }],
        emitters: ['managers/scheduler.py::Scheduler.check_memory'],
      },
      {
        has: ['kv', 'available', 'space'],
        releases: [{ from: '0.4.4', to: '0.4.4.post3' }],
        emitters: ['managers/scheduler.py::Scheduler.check_memory'],
      },
      {
        has: ['kv', 'available', 'total'],
        lacks: ['space', 'protected'],
        releases: [{ from: '0.3.6', to: '0.4.2' }],
        emitters: ['managers/scheduler.py::Scheduler.check_memory'],
      },
      {
        has: ['kv', 'available', 'protected'],
        lacks: ['space'],
        releases: [{ from: '0.4.2.post1', to: '0.4.3.post4' }],
        emitters: ['managers/scheduler.py::Scheduler.check_memory'],
      },
      {
        has: ['rows', 'available'],
        releases: [{ from: '0.3.6', to: '0.4.4.post3' }],
        emitters: ['managers/scheduler.py::Scheduler.check_memory'],
      },
      {
        has: ['allocator'],
        releases: [{ from: '0.4.4.post4', to: '0.5.10.post1' }],
        emitters: [
          'managers/scheduler.py::Scheduler.check_memory',
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin.check_memory',
        ],
      },
      {
        has: ['requests', 'session'],
        releases: [{ from: '0.5.10rc0' }],
        emitters: [
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin._check_req_pool',
          'managers/scheduler_components/invariant_checker.py::SchedulerInvariantChecker._check_req_pool',
        ],
      },
      {
        has: ['requests', 'available', 'total'],
        lacks: ['session'],
        releases: [{ from: '0.4.4.post4', to: '0.5.9' }],
        emitters: [
          'managers/scheduler.py::Scheduler.check_memory',
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin._check_req_pool',
        ],
      },
      {
        has: ['pool'],
        releases: [{ from: '0.5.11' }],
        emitters: [
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin._report_leak',
          'managers/scheduler_components/invariant_checker.py::SchedulerInvariantChecker._report_leak',
        ],
      },
      {
        has: ['one'],
        releases: [{ from: '0.5.11' }],
        emitters: [
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin.self_check_during_busy',
          'managers/scheduler_components/invariant_checker.py::SchedulerInvariantChecker.self_check_during_busy',
        ],
      },
      {
        has: ['counted'],
        releases: [{ from: '0.5.4', to: '0.5.10.post1' }],
        emitters: [
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin._check_runtime_mem_leak',
          'managers/scheduler_runtime_checker_mixin.py::SchedulerRuntimeCheckerMixin.self_check_during_busy',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
