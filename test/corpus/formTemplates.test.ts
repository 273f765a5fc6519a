/**
 * Every memory-related log template of SGLang 0.1.3 to 0.5.18, filled with values and read back
 * through the table of line forms. Rows that are left out are listed with the reason.
 */
import { expect, test } from 'vitest';
import { readLogText } from '../../src/core/log/readLog';
import type { FieldValue, LogRecord } from '../../src/core/log/record';
import { compareReleases } from '../../src/core/sglang/release';
import { sharedFile, withShared } from './sharedFile';

interface Row {
  readonly number: number;
  readonly releases: readonly (readonly [from: string, to: string])[];
  readonly template: string;
  readonly kind: string;
}

/** Rows that print an amount of memory, tokens of a pool, or the lack of either. */
const isMemoryRelated =
  /%[.\d]*[fsd] ?(?:GB|GiB|MB|MiB|KB|KiB)\b|#tokens?: |#retracted|max_total_num_token|max_total_tokens=|token usage|avail mem|[Oo]ut of memory|Not enough|Not enought|no GPU memory|memory capacity|KV [Cc]ache is (?:allocated|full)|leak detected|Leak Detected|max_running_requests (?:was|is)|max_mamba_cache_size=|weight (?:begin|end)|graph (?:begin|end)|graph failed|layer_tokens=|pool sizes|KV cache dtype: |Init torch distributed|device pool \(|unbalanced|server_args=%s/;

/** Memory-related by the words, left out on purpose. */
const leftOut: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^#tokens: %s$|^#full_tokens: /, 'printed by a debugging helper of the prefix cache'],
  [/^(?:#token: |#full token: |#swa|#retracted-req: |full token usage|swa token usage|token usage|gpu token usage|cpu token usage|mamba)/, 'a piece of a batch line; whole batch lines are tested below'],
  [/^(?:Decode batch|Prefill batch)/, 'a piece of a batch line; whole batch lines are tested below'],
  [/^KV cache pool is full\. Retract requests\. $|^#retracted_reqs: %s, #new_tokens_gained: %s$/, 'a piece of a retraction; whole ones are tested below'],
  [/^The memory capacity is unbalanced\. .*processes\. $|^(?:min_per_gpu_memory|pre_model_load_memory)=%s, local/, 'a piece of the imbalance message; whole ones are tested below'],
  [/Unsupported unit|download limit/, 'parses a size; not the memory of a server'],
  [/^\[offloader\] post_init/, 'an implementation detail of the offloader; no amount of the device'],
  [/batch_size\(\)=|^self\.max_total_num_tokens=|full_available_size|full_leaked|^\[%s\] total=/, 'a piece of a leak report, allocator counters'],
  [/^ Current value/, 'a piece of the not-enough-memory message; the whole is tested below'],
  [/ModelExpress|Quantization complete|WeightCacheDaemon|ZBAL|Preallocated|embedding pool|Wired memory|buffer cache limit|granularity=%s$|folded sampling|KvVmmArena|multimodal pool|cleanup_stale_shm/, 'its scale is not known, or it is no device memory'],
  [/size of \/dev\/shm|shared memory/, 'shared memory of the host'],
  [/HiSparse|Retraction|write_back|HiMambaRadixCache/, 'allocation of an off-load pool that prints no size'],
  [/TP LM-head|DP CUDA graph|multimodal prompt|Prefill CUDA graph replay/, 'no amount'],
  [/unified allocator virtual space|draft token_to_kv_pool smaller|mamba_size=%s != unified|UnifiedKVPool: sub-pool/, 'an internal consistency check'],
  [/MLX auxiliary-state/, 'Apple MLX, another formula'],
  [/Not enough host memory for request/, 'a single request that is not backed up'],
  [/^Cuda graph is disabled|capture_hidden|graph replay|Graph capture|CUDA graph capture trace/, 'no amount'],
  [/^Eviction insufficient/, 'counters of one eviction'],
  [/No free|[Ff]all(?:ing)? back to|overrides KV cache dtype/, 'no amount'],
];

/** Words that stand for a placeholder that is no number, by what is printed before it. */
const wordAfter: readonly (readonly [before: RegExp, words: readonly string[]])[] = [
  [/type=$/, ['LlamaForCausalLM']],
  [/dtype(?:=|: )$|KV cache dtype to $|kv_cache_dtype: $/, ['torch.bfloat16']],
  [/backend=$/, ['full']],
  [/(?:^|[ ,])(?:bs|num_tokens)=$|graph bs $|num tokens:? $/, ['[1, 2, 4]']],
  [/model_mode=$|server_args: $/, ['enable_flashinfer=True']],
  [/server_args=$/, ["ServerArgs(model_path='m', mem_fraction_static=0.9, tp_size=2)"]],
  [/failed:? $/, ['CUDA out of memory']],
  [/path=$|loading (?:starts|completes): (?:name=)?$/, ['adapter']],
  [/multicast = $|local_probe=$|vote=$|fold=$/, ['True']],
  [/DSA on SM$|pool '$|(?:paged|state) pool $|layout=$|handle_type=$|Allocating $|request $|Request $/, ['word']],
  [/for $/, ['DeepseekV4ForCausalLM']],
  [/mid=$|shape: $|shape=$/, ['[3]']],
  [/speculative_num_draft_tokens=$/, ['None']],
  [/KvVmmArena\[$|Cache\[$|HiCache $|Disable $/, ['kv']],
  [/source=$|impl=$/, ['default']],
  [/hybrid_swa=$|hybrid_ssm=$|hierarchical=$|hicache_attached=$|streaming_wrapped=$/, ['False']],
];

/** Rows whose placeholders need particular words. */
const wordsOfRow: readonly (readonly [row: RegExp, fills: readonly (readonly string[])[]])[] = [
  [/^%s (?:is allocated|\()/, [['KV Cache'], ['Full KV Cache'], ['SWA KV Cache']]],
  [/^Capture %s %s (?:begin|end)/, [['target decode', 'CUDA graph'], ['target verify', 'NPU graph'], ['draft decode', 'CUDA graph']]],
  [/^Capture %s CUDA graph/, [['target prefill'], ['draft prefill']]],
  [/^Capture %s (?:begin|end)/, [['cuda graph'], ['cpu graph'], ['npu graph']]],
  [/^%s out of memory/, [['Prefill'], ['Decode']]],
  [/^%s memory leak detected/, [['token_to_kv_pool_allocator']]],
];

function readRows(): readonly Row[] {
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

interface Filled {
  readonly text: string;
  /** Numbers in order, with the scale label that follows each in the text. */
  readonly numbers: readonly { readonly text: string; readonly label: string }[];
}

function expandAlternatives(template: string): readonly string[] {
  const match = /\(((?:[\w =-]+\|)+[\w =-]+)\)/.exec(template);
  if (match === null) {
    return [template];
  }
  const { index } = match;
  return (match[1] ?? '').split('|').flatMap(choice =>
    expandAlternatives(template.slice(0, index) + choice + template.slice(index + match[0].length)),
  );
}

function fill(template: string, words: readonly string[]): Filled {
  const numbers: { text: string; label: string }[] = [];
  let wordIndex = 0;
  let text = '';
  let from = 0;
  for (const match of template.matchAll(/%(?:\.(\d)f|[sdr])/g)) {
    text += template.slice(from, match.index);
    from = match.index + match[0].length;
    const rest = template.slice(from);
    const label = /^ ?(GB|GiB|MB|MiB|KB|KiB)\b/.exec(rest)?.[1] ?? '';
    const decimals = match[1];
    const fixed = decimals === undefined ? words[wordIndex] : undefined;
    const before = text.slice(-60);
    const word = fixed ?? (decimals === undefined ? wordAfter.find(([each]) => each.test(before))?.[1][0] : undefined);
    if (fixed !== undefined) {
      wordIndex += 1;
    }
    if (word !== undefined) {
      text += word;
    } else if (decimals === undefined && rest.startsWith('avail mem')) {
      text += 'quant=fp8, fmt=e4m3, ';
    } else {
      const number =
        decimals === undefined
          ? String(2001 + numbers.length)
          : (11 + numbers.length + 0.123456).toFixed(Number(decimals));
      numbers.push({ text: number, label });
      text += number;
    }
  }
  return { text: text + template.slice(from), numbers };
}

function fillsOf(row: Row): readonly Filled[] {
  const words = wordsOfRow.find(([each]) => each.test(row.template))?.[1] ?? [[]];
  return expandAlternatives(row.template).flatMap(template => words.map(each => fill(template, each)));
}

function printedNumbers(record: LogRecord): readonly FieldValue[] {
  return Object.values(record.fields).flatMap(field => field ?? []);
}

const memoryScales: Readonly<Record<string, readonly string[]>> = {
  GB: ['GiB', 'GB'],
  GiB: ['GiB'],
  MB: ['MiB'],
  MiB: ['MiB'],
  KB: ['KiB'],
  KiB: ['KiB'],
};

function isCovered(releases: Row['releases'], record: LogRecord): boolean {
  return releases.every(([from, to]) =>
    record.spelling?.releases.some(
      range =>
        compareReleases(range.from, from) <= 0 &&
        (range.to === undefined || compareReleases(range.to, to) >= 0),
    ),
  );
}

withShared(() => {
  const rows = readRows();
  const related = rows.filter(row => isMemoryRelated.test(row.template));
  const covered = related.filter(row => !leftOut.some(([pattern]) => pattern.test(row.template)));

  test('every memory-related template is read back, or left out for a stated reason', () => {
    expect(rows).toHaveLength(1259);
    const unread = covered.filter(row =>
      fillsOf(row).some(({ text }) => readLogText(`[2026-01-02 03:04:05 TP0] ${text}\n`).records.length === 0),
    );
    expect(unread.map(row => `${row.number} ${row.template}`)).toEqual([]);
    expect(covered.length).toBeGreaterThan(220);
    for (const [pattern, reason] of leftOut) {
      expect(related.some(row => pattern.test(row.template)) || reason === '', reason).toBeDefined();
    }
  });

  test.each(covered.map(row => [row.number, row] as const))(
    'row %i gives its numbers with their scales, and releases that include its own',
    (_number, row) => {
      for (const { text, numbers } of fillsOf(row)) {
        const raised = row.kind.includes('raise') ? 'RuntimeError: ' : '';
        const { records } = readLogText(`[2026-01-02 03:04:05 TP0] ${raised}${text}\n`);
        const [record] = records;
        expect(record, text).toBeDefined();
        if (record === undefined) {
          continue;
        }
        expect(record.rank).toBe('TP0');
        const read = records.flatMap(printedNumbers);
        const known = new Set(numbers.map(each => each.text));
        for (const field of read) {
          expect(known, `${record.form.id}: ${text}`).toContain(field.text);
        }
        for (const { text: number, label } of numbers) {
          const field = read.find(each => each.text === number);
          if (label !== '') {
            expect(field, `${number} ${label} in: ${text}`).toBeDefined();
            expect(memoryScales[label], text).toContain(field?.unit);
          }
        }
        if (record.spelling !== undefined) {
          expect(isCovered(row.releases, record), `${record.form.id}: ${text}`).toBe(true);
        }
      }
    },
  );
});
