/**
 * Errors that are not SGLang's own text (torch, the system) and the lines that announce the death
 * of a process. Leaves out the errors of sizing, capture and serving, which stand with their phase.
 */
import { count, word } from './field';
import type { LineForm } from './lineForm';
import { outOfMemory, outOfMemoryFields, wrappedOutOfMemory } from './outOfMemory';
import { pattern } from './pattern';

export const errorForms = [
  {
    id: 'torch-out-of-memory',
    phase: 'end',
    event: 'fatal-if-raised',
    owner: 'torch',
    level: 'error',
    anchors: [' out of memory. Tried to allocate'],
    pattern: pattern`${outOfMemory}`,
    fields: outOfMemoryFields,
    closes: ['unallocated'],
    looksAhead: true,
    wraps: wrappedOutOfMemory,
    spellings: [],
  },
  {
    id: 'traceback-frame',
    phase: 'end',
    event: 'frame',
    owner: 'sglang',
    level: 'error',
    anchors: ['sglang/srt/'],
    pattern: pattern`File "[^"\n]{0,400}sglang/srt/(?:models/\w{1,80}\.py", line \d+, in (?<model>__init__)|[\w/]{1,160}\.py", line \d+, in (?:(?<weights>load_model|create_weights|load_weights|process_weights_after_loading)|(?<pools>init_memory_pools?|alloc_memory_pool|_create_buffers)|(?<capture>init_(?:all_)?(?:cuda|device)_graphs|init_cuda_graph_state|capture_one_batch_size|capture)|(?<serving>event_loop_\w{1,60}|run_batch|forward_batch_generation|exposed_step|forward_step)))(?!\w)`,
    fields: { model: word(), weights: word(), pools: word(), capture: word(), serving: word() },
    spellings: [],
  },
  {
    id: 'device-allocation-failed',
    phase: 'end',
    event: 'fatal-if-raised',
    owner: 'torch',
    level: 'error',
    anchors: [
      'CUDA error: out of memory',
      'HIP error: out of memory',
      'CUBLAS_STATUS_ALLOC_FAILED',
    ],
    pattern: pattern`(?:(?:CUDA|HIP) error: out of memory|CUBLAS_STATUS_ALLOC_FAILED)`,
    fields: {},
    spellings: [],
  },
  {
    id: 'process-exception',
    phase: 'end',
    event: 'traceback',
    owner: 'sglang',
    level: 'error',
    anchors: ['hit an exception:'],
    pattern: pattern`(?<=(?<process>\w{1,40}) )hit an exception:(?: (?<stack>Traceback)?|$)`,
    fields: { process: word(), stack: word() },
    spellings: [],
  },
  {
    id: 'exit-code',
    phase: 'end',
    event: 'fatal',
    owner: 'sglang',
    level: 'error',
    anchors: ['xit code: -9', 'exit code -9', 'exitcode=-9', 'exitcode: -9', 'exit code: 137'],
    pattern: pattern`(?:[Ee]xit code:? |exitcode(?:=|: ))(?<code>-9|137)(?!\d)`,
    fields: { code: word() },
    spellings: [],
  },
  {
    id: 'host-killed',
    phase: 'end',
    event: 'fatal',
    owner: 'system',
    level: 'error',
    anchors: ['Out of memory: Killed process', 'oom-kill:constraint', 'OOMKilled'],
    // Container runtimes also print the state as a field that is false.
    pattern: pattern`(?:Out of memory: Killed process <pid#>|oom-kill:constraint|OOMKilled(?!["']?\s{0,4}[:=]\s{0,4}["']?[Ff]alse))`,
    fields: { pid: count() },
    spellings: [],
  },
  {
    id: 'child-failed',
    phase: 'end',
    event: 'cascade',
    owner: 'sglang',
    level: 'error',
    anchors: [
      'Received sigquit from a child process',
      'SIGQUIT received. signum=',
      'cheduler is dead',
    ],
    pattern: pattern`(?:Received sigquit from a child process|SIGQUIT received\. signum=|[Ss]cheduler is dead)`,
    fields: {},
    spellings: [],
  },
  {
    id: 'collective-timeout',
    phase: 'end',
    event: 'cascade',
    owner: 'torch',
    level: 'error',
    anchors: [
      'Watchdog caught collective operation timeout',
      'NCCL watchdog thread terminated',
      'Connection closed by peer',
    ],
    pattern: pattern`(?:Watchdog caught collective operation timeout|NCCL watchdog thread terminated|Connection closed by peer)`,
    fields: {},
    spellings: [],
  },
] as const satisfies readonly LineForm[];
