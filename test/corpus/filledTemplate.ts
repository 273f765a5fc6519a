/**
 * Templates of log lines filled with values, and the check that the reader takes the same values out
 * of them again. Leaves out where templates come from (the catalogue, the releases).
 */
import { expect } from 'vitest';
import { readLogText } from '../../src/core/log/readLog';
import type { FieldValue, LogRecord } from '../../src/core/log/record';
import { compareReleases } from '../../src/core/sglang/release';

/** A template with `%s`, `%d` and `%.2f` for what is filled in. */
export interface Row {
  readonly releases: readonly (readonly [from: string, to: string])[];
  readonly template: string;
  /** Contains `raise` where the text is that of an exception. */
  readonly kind: string;
}

/** Words that stand for a placeholder that is no number, by what is printed before it. */
const wordAfter: readonly (readonly [before: RegExp, words: readonly string[]])[] = [
  [/type=$/, ['LlamaForCausalLM']],
  [/unified(?:_fp8)?=$|_bf16=$|pull = $|scratch=$/, ['True']],
  [/dtype(?:=|: )$|KV cache dtype to $|kv_cache_dtype: $/, ['torch.bfloat16']],
  [/backend=$/, ['full']],
  [/(?:^|[ ,])(?:bs|num_tokens)=$|graph bs $|num tokens:? $/, ['[1, 2, 4]']],
  [/model_mode=$|server_args: $/, ['enable_flashinfer=True']],
  [/server_args=$/, ["ServerArgs(model_path='m', mem_fraction_static=0.9, tp_size=2)"]],
  [/failed:? $/, ['CUDA out of memory']],
  [/path=$|loading (?:starts|completes): (?:name=)?$/, ['adapter']],
  [/multicast = $|local_probe=$|vote=$|fold=$/, ['True']],
  [
    /DSA on SM$|pool '$|(?:paged|state) pool $|layout=$|handle_type=$|Allocating $|request $|Request $/,
    ['word'],
  ],
  [/(?<!failed )for $/, ['DeepseekV4ForCausalLM']],
  [/mid=$|shape: $|shape=$/, ['[3]']],
  [/speculative_num_draft_tokens=$/, ['None']],
  [/KvVmmArena\[$|Cache\[$|HiCache $|Disable $/, ['kv']],
  [/source=$|impl=$/, ['default']],
  [/hybrid_swa=$|hybrid_ssm=$|hierarchical=$|hicache_attached=$|streaming_wrapped=$/, ['False']],
];

/** Rows whose placeholders need particular words. */
const wordsOfRow: readonly (readonly [row: RegExp, fills: readonly (readonly string[])[]])[] = [
  [/^%s (?:is allocated|VA upper|\()/, [['KV Cache'], ['Full KV Cache'], ['SWA KV Cache']]],
  [
    /^Capture %s %s (?:begin|end)/,
    [
      ['target decode', 'CUDA graph'],
      ['target verify', 'NPU graph'],
      ['draft decode', 'CUDA graph'],
    ],
  ],
  [/^Capture %s CUDA graph/, [['target prefill'], ['draft prefill']]],
  [/^Capture %s (?:begin|end)/, [['cuda graph'], ['cpu graph'], ['npu graph']]],
  [/UnifiedKVPool %s:/, [['allocated'], ['reserved VA upper bound']]],
  [/^%s out of memory/, [['Prefill'], ['Decode']]],
  [/^%s memory leak detected/, [['pool']]],
];

/** A line as it is printed, and what was filled in. */
export interface Filled {
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
  return (match[1] ?? '')
    .split('|')
    .flatMap(choice =>
      expandAlternatives(
        template.slice(0, index) + choice + template.slice(index + match[0].length),
      ),
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
    const word =
      fixed ??
      (decimals === undefined ? wordAfter.find(([each]) => each.test(before))?.[1][0] : undefined);
    if (fixed !== undefined) {
      wordIndex += 1;
    }
    if (word !== undefined) {
      text += word;
    } else if (decimals === undefined && /type=\w+, $/.test(before)) {
      text += `quant=fp8, fmt=e4m3${rest.startsWith(',') ? '' : ', '}`;
    } else {
      const number =
        decimals === undefined
          ? `${before.endsWith('mem_fraction_static=') ? '0.' : ''}${2001 + numbers.length}`
          : (11 + numbers.length + 0.123456).toFixed(Number(decimals));
      numbers.push({ text: number, label });
      text += number;
    }
  }
  return { text: text + template.slice(from), numbers };
}

/** The texts of a row, one for each choice of words. */
export function fillsOf(row: Pick<Row, 'template'>): readonly Filled[] {
  const words = wordsOfRow.find(([each]) => each.test(row.template))?.[1] ?? [[]];
  return expandAlternatives(row.template).flatMap(template =>
    words.map(each => fill(template, each)),
  );
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

/** Forms of which some or all spellings say nothing of the release. */
const withoutReleases = ['token-slots-exhausted', 'pool-estimate-wrong', 'mlx-pool', 'host-pool'];

/** Whether the spelling that was read is one of all the releases. */
export function isCovered(releases: Row['releases'], record: LogRecord): boolean {
  return releases.every(([from, to]) =>
    record.spelling?.releases.some(
      range =>
        compareReleases(range.from, from) <= 0 &&
        (range.to === undefined || compareReleases(range.to, to) >= 0),
    ),
  );
}

/** Expects of every text of the row that its numbers are read with their scales, and its releases. */
export function expectRead(row: Row): void {
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
    if (record.spelling === undefined) {
      expect(withoutReleases, `${record.form.id}: ${text}`).toContain(record.form.id);
    } else {
      expect(isCovered(row.releases, record), `${record.form.id}: ${text}`).toBe(true);
    }
  }
}
