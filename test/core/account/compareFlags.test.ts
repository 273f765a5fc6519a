/** Launch arguments that differ between two runs are named, whatever the figures say of them. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { compareRuns } from '../../../src/core/account/compare';
import { readLogText } from '../../../src/core/log/readLog';
import { compareJson } from '../../../src/core/report/compareJson';
import { differenceMessages } from '../../../src/core/report/comparisonReport';
import { defaultFormat } from '../../../src/core/units/format';
import { render } from '../../../src/wording/render';

const at = '[2026-03-05 06:00';

function runOf(args: string, fraction = 0.8, tokens = 300000) {
  const lines = [
    `${at}:00] server_args=ServerArgs(model_path='/m/${tokens}', tp_size=1, mem_fraction_static=${fraction}, ${args})`,
    `${at}:01] Load weight begin. avail mem=78.00 GB`,
    `${at}:09] Load weight end. elapsed=8.00 s, type=LlamaForCausalLM, avail mem=63.00 GB, mem usage=15.00 GB.`,
    `${at}:10] KV Cache is allocated. #tokens: ${tokens}, K size: 23.70 GB, V size: 23.70 GB`,
    `${at}:12] The server is fired up and ready to roll!`,
    '',
  ];
  return accountOfLog(readLogText(lines.join('\n')))[0]!;
}

const said = (a: ReturnType<typeof runOf>, b: ReturnType<typeof runOf>): string[] =>
  differenceMessages(compareRuns(a, b)).map(text =>
    render(text, {
      format: defaultFormat,
      target: 'plain',
      length: 'full',
      translate: (sentence, values) =>
        sentence.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
    }),
  );

test('a dtype of the cache that differs is named with both values', () => {
  const found = said(
    runOf("kv_cache_dtype='auto', page_size=1"),
    runOf("kv_cache_dtype='fp8_e4m3', page_size=1", 0.8, 600000),
  );
  expect(found.at(-1)).toBe(
    "Launch arguments that differ: --kv-cache-dtype 'auto' against 'fp8_e4m3'.",
  );
});

test('JSON lists them as the logs write them, and none where nothing differs', () => {
  const listed = (a: ReturnType<typeof runOf>, b: ReturnType<typeof runOf>) =>
    compareJson(compareRuns(a, b), { a: 'a.log', b: 'b.log' }, () => '').flags;
  const auto = runOf("kv_cache_dtype='auto', page_size=1");
  expect(listed(auto, runOf("kv_cache_dtype='fp8_e4m3', page_size=64", 0.7))).toEqual([
    { flag: '--kv-cache-dtype', a: "'auto'", b: "'fp8_e4m3'" },
    { flag: '--page-size', a: '1', b: '64' },
  ]);
  expect(listed(auto, runOf("kv_cache_dtype='auto', page_size=1", 0.7))).toEqual([]);
});

test('arguments that are alike, that one log lacks, or that name a folder are not', () => {
  const found = said(
    runOf('page_size=1, chunked_prefill_size=2048'),
    runOf('page_size=1', 0.8, 600000),
  );
  expect(found.join()).not.toMatch(/Launch arguments/);
});

test('the fraction is not all that differs where an argument does too', () => {
  const alone = said(runOf('page_size=1'), runOf('page_size=1', 0.7));
  const both = said(runOf('page_size=1'), runOf('page_size=64', 0.7));
  expect(both.join()).toMatch(/--page-size 1 against 64/);
  expect(both.join()).not.toMatch(/only the fraction differs/i);
  expect(alone.join()).not.toMatch(/Launch arguments/);
});

test('many are counted', () => {
  const flags = [
    'context_length',
    'max_prefill_tokens',
    'page_size',
    'pp_size',
    'dp_size',
    'ep_size',
    'cuda_graph_max_bs',
    'max_lora_rank',
    'hicache_size',
    'max_running_requests',
  ];
  const all = (value: number) => flags.map(name => `${name}=${value}`).join(', ');
  expect(said(runOf(all(1)), runOf(all(2))).at(-1)).toMatch(
    /--max-lora-rank 1 against 2, and 2 more\.$/,
  );
});
