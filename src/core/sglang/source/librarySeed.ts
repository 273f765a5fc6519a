/**
 * What libraries' calls and attributes give, with their units: the seeds from which units flow.
 * Facts of torch, psutil, pynvml and their device modules; nothing of SGLang.
 */

/** One library fact; see core/python/facts.ts for the notation of a reach. */
export interface LibrarySeed {
  readonly reach: readonly string[];
  readonly result:
    | { readonly unit: string; readonly isInteger?: boolean }
    | { readonly tuple: readonly { readonly unit: string }[] }
    | { readonly like: 'argument' | 'receiver' }
    | { readonly value: bigint | number; readonly unit: string };
  readonly measures?: 'free-memory' | 'capacity' | 'in-use';
}

const bytes = { unit: 'B', isInteger: true } as const;

const elementSizes: Readonly<Record<string, bigint>> = {
  uint8: 1n,
  int8: 1n,
  bool: 1n,
  float8_e4m3fn: 1n,
  float8_e5m2: 1n,
  float8_e4m3fnuz: 1n,
  float8_e5m2fnuz: 1n,
  float16: 2n,
  half: 2n,
  bfloat16: 2n,
  int16: 2n,
  float32: 4n,
  float: 4n,
  int32: 4n,
  float64: 8n,
  int64: 8n,
};

export const librarySeeds: readonly LibrarySeed[] = [
  {
    reach: ['.mem_get_info()'],
    result: { tuple: [{ unit: 'B' }, { unit: 'B' }] },
    measures: 'free-memory',
  },
  {
    reach: ['psutil.virtual_memory().available', 'psutil.virtual_memory().free'],
    result: bytes,
    measures: 'free-memory',
  },
  { reach: ['psutil.virtual_memory().total', 'psutil.virtual_memory().used'], result: bytes },
  { reach: ['.memory_info().rss', '.memory_info().vms'], result: bytes, measures: 'in-use' },
  { reach: ['.nvmlDeviceGetMemoryInfo().free'], result: bytes, measures: 'free-memory' },
  { reach: ['.nvmlDeviceGetMemoryInfo().total'], result: bytes, measures: 'capacity' },
  { reach: ['.nvmlDeviceGetMemoryInfo().used'], result: bytes, measures: 'in-use' },
  {
    reach: ['.get_device_properties().total_memory', '.total_memory'],
    result: bytes,
    measures: 'capacity',
  },
  {
    reach: [
      '.memory_allocated()',
      '.max_memory_allocated()',
      '.memory_reserved()',
      '.max_memory_reserved()',
    ],
    result: bytes,
    measures: 'in-use',
  },
  { reach: ['.nbytes', '.element_size()', '.itemsize'], result: bytes },
  { reach: ['.numel()', '.device_count()'], result: { unit: '1', isInteger: true } },
  ...Object.entries(elementSizes).map(([name, value]): LibrarySeed => ({
    reach: [`torch._utils._element_size(.${name})`, `torch.${name}.itemsize`],
    result: { value, unit: 'B' },
  })),
  { reach: ['torch._utils._element_size()'], result: bytes },
  { reach: ['torch.tensor()', 'torch.as_tensor()'], result: { like: 'argument' } },
];
