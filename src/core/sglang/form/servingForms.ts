/** Further lines of a serving server that tell of memory: transport pools, late kernels, flushes. */
import { requests, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const servingForms = [
  {
    id: 'feature-pool-full',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'warning',
    anchors: ['MmItemMemoryPool has no free chunk', 'multimodal pool has no free chunk'],
    pattern: pattern`(?:MmItemMemoryPool|CUDA VMM multimodal pool) has no free chunk (?:large enough )?for a <needed> MiB tensor \(pool size: <size> MiB\)`,
    fields: {
      needed: { unit: 'MiB', rounding: 'printed' },
      size: { unit: 'MiB', rounding: 'printed', quantity: 'multimodalReservation' },
    },
    spellings: [
      {
        releases: [{ from: '0.5.11' }],
        emitters: [
          'multimodal/transport/cuda_ipc.py::MmItemMemoryPool._warn_pool_full_once',
          'utils/cuda_ipc_transport_utils.py::MmItemMemoryPool._warn_pool_full_once',
          'utils/cuda_vmm_transport_utils.py::CudaVmmMemoryPool._warn_pool_full_once',
        ],
      },
    ],
  },
  {
    id: 'kernel-loaded-late',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'warning',
    anchors: ['device-loaded after serving started'],
    pattern: pattern`Triton kernel '(?<kernel>[^'\n]{1,120})' device-loaded after serving started \(free device mem: (?<free>[^)\n]{0,40})\)`,
    fields: { kernel: word(), free: word() },
    spellings: [
      { releases: [{ from: '0.5.18' }], emitters: ['utils/triton_load_watch.py::_on_kernel_load'] },
    ],
  },
  {
    id: 'new-token-ratio',
    phase: 'serving',
    event: 'serving',
    owner: 'sglang',
    level: 'warning',
    anchors: ['Cache not flushed because there are pending'],
    pattern: pattern`Cache not flushed because there are pending requests\. #queue-req: <queue#>, #running-req: <running#>`,
    fields: { queue: requests(), running: requests() },
    ends: ['running'],
    spellings: [],
  },
] as const satisfies readonly LineForm[];
