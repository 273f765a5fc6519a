/**
 * Every memory-related log template of SGLang 0.1.3 to 0.5.18, filled with values and read back
 * through the table of line forms. Rows that are left out are listed with the reason.
 */
import { expect, test } from 'vitest';
import { readLogText } from '../../src/core/log/readLog';
import { lineForms } from '../../src/core/sglang/form/lineForms';
import type { Row } from './filledTemplate';
import { expectRead, fillsOf, isCovered } from './filledTemplate';
import { newestReleases, printedTexts } from './printedTexts';
import { hasShared, sharedFile, withShared } from './sharedFile';

interface CatalogueRow extends Row {
  readonly number: number;
}

/** Rows that print an amount of memory, tokens of a pool, or the lack of either. */
const isMemoryRelated =
  /%[.\d]*[fsd] ?(?:GB|GiB|MB|MiB|KB|KiB)\b|#tokens?: |#retracted|max_total_num_token|max_total_tokens=|token usage|avail mem|[Oo]ut of memory|Not enough|Not enought|no GPU memory|memory capacity|KV [Cc]ache is (?:allocated|full)|leak detected|Leak Detected|max_running_requests (?:was|is)|max_mamba_cache_size=|weight (?:begin|end)|graph (?:begin|end)|graph failed|layer_tokens=|pool sizes|mem pool alloc failed|KV cache dtype: |Init torch distributed|device pool \(|unbalanced|server_args=%s/;

/** Memory-related by the words, left out on purpose; each pattern leaves out at least one row. */
const leftOut: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^#tokens: %s$/, 'printed by a debugging helper of the prefix cache'],
  [
    /^(?:#token: |#full token: |#swa|#retracted-req: |full token usage|swa token usage|token usage|gpu token usage|cpu token usage|mamba)/,
    'a piece of a batch line; whole batch lines are tested below',
  ],
  [/^(?:Decode|Prefill) batch(?!.*#queue-req)/, 'a piece of a batch line'],
  [
    /^#retracted_reqs: %s, #new_tokens_gained: %s$/,
    'a piece of a retraction; whole ones are tested below',
  ],
  [
    /^The memory capacity is unbalanced\. .*processes\. $/,
    'a piece of the imbalance message; whole ones are tested below',
  ],
  [/^self\.max_total_num_tokens=/, 'a piece of a leak report: counters of the allocator'],
  [
    /ModelExpress|Quantization complete|WeightCacheDaemon|ZBAL|Preallocated|embedding pool|Wired memory|buffer cache limit|folded sampling|cleanup_stale_shm/,
    'whether its scale is decimal is not known, or it is no device memory',
  ],
  [/unified allocator virtual space/, 'an internal consistency check'],
  [/MLX auxiliary-state/, 'Apple MLX, another formula'],
  [/Not enough host memory for request/, 'a single request that is not backed up'],
  [/^Failed to get GPU memory|overrides KV cache dtype/, 'no amount'],
];

function readRows(): readonly CatalogueRow[] {
  return sharedFile('reference/log-templates.tsv')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line, index) => {
      const [, range = '', template = '', , kind = ''] = line.split('\t');
      return {
        number: index + 2,
        releases: range.split(', ').map(part => {
          const [from = '', to = from] = part.replaceAll('v', '').split('..');
          return [from, to] as const;
        }),
        template: template.replaceAll('\\n', '\n'),
        kind,
      };
    });
}

/** What the catalogue names as printing something; empty where the material is not there. */
const catalogued = new Set(
  (hasShared ? sharedFile('reference/log-templates.tsv') : '')
    .split('\n')
    .flatMap(line => (line.split('\t')[3] ?? '').split('; ')),
);
const uncatalogued = lineForms
  .flatMap(({ spellings }) => spellings.flatMap(({ emitters }) => emitters ?? []))
  .filter(emitter => !catalogued.has(emitter));
const newest = await printedTexts(
  ['0.5.18', ...newestReleases],
  uncatalogued.map(emitter => emitter.split('::')[0] ?? ''),
);

withShared(() => {
  const rows = readRows();

  test('every emitter of the table prints something in some release', () => {
    const emitters = new Set([...catalogued, ...newest.map(({ emitter }) => emitter)]);
    for (const form of lineForms) {
      for (const emitter of form.spellings.flatMap(spelling => spelling.emitters ?? [])) {
        expect(emitters, form.id).toContain(emitter);
      }
    }
  });

  const related = rows.filter(row => isMemoryRelated.test(row.template));
  const covered = related.filter(row => !leftOut.some(([pattern]) => pattern.test(row.template)));

  test('every memory-related template is read back, or left out for a stated reason', () => {
    expect(rows).toHaveLength(1259);
    const unread = covered.filter(row =>
      fillsOf(row).some(
        ({ text }) => readLogText(`[2026-01-02 03:04:05 TP0] ${text}\n`).records.length === 0,
      ),
    );
    expect(unread.map(row => `${row.number} ${row.template}`)).toEqual([]);
    expect([related.length, covered.length]).toEqual([355, 313]);
    for (const [pattern, reason] of leftOut) {
      expect(related.filter(row => pattern.test(row.template)).length, reason).toBeGreaterThan(0);
    }
  });

  test.each(covered.map(row => [row.number, row] as const))(
    'row %i gives its numbers with their scales, and releases that include its own',
    (_number, row) => {
      expectRead(row);
    },
  );
});

/** Batch lines and retractions that the templates compose of pieces, by the catalogue of releases. */
const composed: readonly (readonly [
  release: string,
  text: string,
  fields: Readonly<Record<string, string>>,
])[] = [
  [
    '0.1.12',
    '#running-req: 3, #token: 71, token usage: 0.02, #queue-req: 4',
    { running: '3', used: '71', usage: '0.02', queue: '4' },
  ],
  [
    '0.3.3',
    'Prefill batch(mixed #running-req: 6). #new-seq: 2, #new-token: 30, #cached-token: 5, cache hit rate: 1.25%, token usage: 0.33, #queue-req: 4',
    { running: '6', new: '30', cached: '5', usage: '0.33', queue: '4' },
  ],
  [
    '0.4.4',
    'Decode batch. #running-req: 3, #token: 71, token usage: 0.02, accept len: 2.50, gen throughput (token/s): 99.50, largest-len: 12, #queue-req: 4, ',
    {
      running: '3',
      used: '71',
      usage: '0.02',
      acceptLength: '2.50',
      throughput: '99.50',
      queue: '4',
    },
  ],
  [
    '0.4.7',
    'Prefill batch. #new-seq: 2, #new-token: 30, #cached-token: 5, token usage: 0.33, #unbootstrapped-req: 7, #queue-req: 4, #transferring-req: 8, time: 0.25 ',
    { sequences: '2', new: '30', usage: '0.33', queue: '4' },
  ],
  [
    '0.4.8',
    'Decode batch. #running-req: 3, #token: 71, token usage: 0.02, pre-allocated usage: 0.50, #retracted-req: 6, cuda graph: True, gen throughput (token/s): 99.50, #queue-req: 4',
    { used: '71', usage: '0.02', preallocated: '0.50', retracted: '6', queue: '4' },
  ],
  [
    '0.4.9.post1',
    'Decode batch. #running-req: 3, #token: full=71, swa=72, token usage: full=0.11, swa=0.12, cuda graph: True, gen throughput (token/s): 99.50, #queue-req: 4, timestamp: 2025-07-01T00:00:00',
    { full: '71', swa: '72', fullUsage: '0.11', swaUsage: '0.12', queue: '4' },
  ],
  [
    '0.5.2',
    'Prefill batch. #new-seq: 2, #new-token: 30, #cached-token: 5, full token usage: 0.33, swa token usage: 0.44, #running-req: 6, #queue-req: 4, ',
    { fullUsage: '0.33', swaUsage: '0.44', running: '6', queue: '4' },
  ],
  [
    '0.5.4',
    'Decode batch [39913], #running-req: 3, #token: 71, token usage: 0.02, cuda graph: True, gen throughput (token/s): 99.50, #queue-req: 4, ',
    { running: '3', used: '71', queue: '4' },
  ],
  [
    '0.5.6',
    'Decode batch, #running-req: 3, #full token: 71, full token usage: 0.02, mamba num: 9, mamba usage: 0.75, cuda graph: True, gen throughput (token/s): 99.50, #queue-req: 4, ',
    { full: '71', fullUsage: '0.02', state: '9', stateUsage: '0.75', queue: '4' },
  ],
  [
    '0.5.12',
    'Decode batch, #running-req: 3, #gpu token: 71, gpu token usage: 0.02, #cpu token: 72, cpu token usage: 0.03, accept len: 2.50, accept rate: 0.60, pre-allocated usage: 0.50, #prealloc-req: 1, #transfer-req: 2, #retracted-req: 6, cuda graph: True, gen throughput (token/s): 99.50, #queue-req: 4, est. decode TFLOPS/s (per GPU): 1.00, est. read BW (GB/s per GPU): 2.00, est. write BW (GB/s per GPU): 3.00',
    {
      gpu: '71',
      gpuUsage: '0.02',
      cpu: '72',
      cpuUsage: '0.03',
      retracted: '6',
      throughput: '99.50',
      queue: '4',
    },
  ],
  [
    '0.5.13',
    'Prefill batch, #new-seq: 2, #new-token: 30, #cached-token: 5, full token usage: 0.33, swa token usage: 0.44, mamba usage: 0.55, #running-req: 6, #queue-req: 4, #pending-token: 77, cuda graph: False, input throughput (token/s): 12.50, fwd occupancy: 12.00%',
    {
      fullUsage: '0.33',
      swaUsage: '0.44',
      stateUsage: '0.55',
      pending: '77',
      throughput: '12.50',
      queue: '4',
    },
  ],
  [
    '0.5.8',
    'KV cache pool is full. Retract requests. #retracted_reqs: 2, #new_tokens_gained: 77, #new_token_ratio: 0.3110 -> 0.5000',
    { retracted: '2', gained: '77', ratioBefore: '0.3110', ratioAfter: '0.5000' },
  ],
  [
    '0.5.12',
    'Testing retraction. #retracted_reqs: 2, #new_tokens_gained: 77, #mamba_num_gained: 3, #new_token_ratio: 0.3110 -> 0.5000',
    { retracted: '2', gained: '77', stateGained: '3', ratioAfter: '0.5000' },
  ],
  [
    '0.5.8',
    'The memory capacity is unbalanced. Some GPUs may be occupied by other processes. min_per_gpu_memory=60.1, local_gpu_memory=78.52880859375, local_gpu_memory * 0.9=70.675927734375',
    { minimum: '60.1', local: '78.52880859375', threshold: '70.675927734375' },
  ],
  [
    '0.5.12',
    'The memory capacity is unbalanced. Some GPUs may be occupied by other processes. pre_model_load_memory=60.1, local_gpu_memory=78.52880859375, local_gpu_memory * 0.9=70.675927734375',
    { minimum: '60.1', local: '78.52880859375', threshold: '70.675927734375' },
  ],
  [
    '0.5.12',
    'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: mem_fraction_static=0.55',
    { fraction: '0.55' },
  ],
];

test.each(composed)('a line of %s gives what its pieces print: %s', (release, text, fields) => {
  const { records } = readLogText(`[2026-01-02 03:04:05 TP0] ${text}\n`);
  expect(records).toHaveLength(1);
  const [record] = records;
  for (const [name, printed] of Object.entries(fields)) {
    expect(record?.fields[name]?.text, name).toBe(printed);
  }
  expect(record === undefined ? false : isCovered([[release, release]], record)).toBe(true);
});

/** Out-of-memory texts of torch, which are not in the templates. */
test('the two shapes of a torch out-of-memory error give their amounts with their scales', () => {
  const amounts = (text: string): unknown => {
    const fields = readLogText(`${text}\n`).records[0]?.fields ?? {};
    return Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        `${field?.text ?? ''} ${field?.unit ?? ''}`,
      ]),
    );
  };
  expect(
    amounts(
      'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 79.15 GiB total capacity; 70.10 GiB already allocated; 1.20 GiB free; 76.00 GiB reserved in total by PyTorch)',
    ),
  ).toEqual({
    gpu: '0 1',
    asked: '2.00 GiB',
    total: '79.15 GiB',
    allocated: '70.10 GiB',
    free: '1.20 GiB',
    reserved: '76.00 GiB',
  });
  expect(
    amounts(
      'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 512 bytes. GPU 3 has a total capacty of 94.50 GiB of which 676.81 MiB is free. Process 77 has 1.00 GiB memory in use. Including non-PyTorch memory, this process has 93.80 GiB memory in use. Of the allocated memory 90.00 GiB is allocated by PyTorch, with 1.50 GiB allocated in private pools (e.g., CUDA Graphs), and 2.25 GiB is reserved by PyTorch but unallocated.',
    ),
  ).toEqual({
    gpu: '3 1',
    asked: '512 B',
    total: '94.50 GiB',
    free: '676.81 MiB',
    process: '93.80 GiB',
    allocated: '90.00 GiB',
    graphs: '1.50 GiB',
    unallocated: '2.25 GiB',
  });
});
