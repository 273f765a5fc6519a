/**
 * Errors that are not SGLang's own text (torch, the system) and the lines that announce the death
 * of a process. Leaves out the errors of sizing, capture and serving, which stand with their phase.
 */
import { count, scaled, word } from './field';
import type { LineForm } from './lineForm';
import { anywhere, pattern } from './pattern';

/** An amount as torch prints it, with its scale in a second group. */
function amount(name: string): string {
  return `<${name}> (?<${name}Scale>bytes|[KMGT]iB)`;
}

export const errorForms = [
  {
    id: 'torch-out-of-memory',
    phase: 'end',
    event: 'fatal-if-raised',
    owner: 'torch',
    level: 'error',
    anchors: [' out of memory. Tried to allocate'],
    pattern: pattern`(?<device>CUDA|HIP|NPU|XPU|MUSA|HPU) out of memory\. Tried to allocate ${amount('asked')}(?:(?<old>) \(GPU <gpuOld#>; ${amount('totalOld')} total capacity; ${amount('allocatedOld')} already allocated; ${amount('freeOld')} free;(?: ${amount('reservedOld')} reserved)?)?${anywhere('GPU <gpu#> has a total capac(?:i)?ty of')}${anywhere(`has a total capac(?:i)?ty of ${amount('total')}`)}${anywhere(`of which ${amount('free')} is free`)}${anywhere(`this process has ${amount('process')} memory in use`)}${anywhere(`Of the allocated memory ${amount('allocated')} is allocated by PyTorch`)}${anywhere(`with ${amount('graphs')} allocated in private pools`)}${anywhere(`and ${amount('unallocated')} is reserved by PyTorch but unallocated`)}`,
    fields: {
      device: word(),
      gpu: count(undefined, ['gpu', 'gpuOld']),
      asked: scaled(),
      total: { ...scaled('cardCapacity'), groups: ['total', 'totalOld'] },
      free: { ...scaled(), groups: ['free', 'freeOld'] },
      process: scaled(),
      allocated: { ...scaled(), groups: ['allocated', 'allocatedOld'] },
      reserved: { ...scaled(), groups: ['reservedOld'] },
      graphs: scaled('graphMemory'),
      unallocated: scaled(),
    },
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
    anchors: ['hit an exception: '],
    pattern: pattern`(?<=(?<process>\w{1,40}) )hit an exception: `,
    fields: { process: word() },
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
    pattern: pattern`(?:Out of memory: Killed process <pid#>|oom-kill:constraint|OOMKilled)`,
    fields: { pid: count() },
    spellings: [],
  },
  {
    id: 'child-failed',
    phase: 'end',
    event: 'cascade',
    owner: 'sglang',
    level: 'error',
    anchors: ['Received sigquit from a child process', 'cheduler is dead'],
    pattern: pattern`(?:Received sigquit from a child process|[Ss]cheduler is dead)`,
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
