/** Memory that stays free beside a pool that is too small: said once, and also where only the summary is left. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { runReport } from '../../../src/core/report/runReport';
import { defaultFormat } from '../../../src/core/units/format';
import { reportTerminal } from '../../../src/wording/reportText';
import { terminalWording } from './wording';

const accountOf = (...lines: readonly string[]) =>
  accountOfLog(readLogText([...lines, ''].join('\n')))[0]!;
const reportOf = (...lines: readonly string[]): string =>
  reportTerminal(runReport(accountOf(...lines)), {
    format: defaultFormat,
    target: 'plain',
    length: 'full',
    translate: (text, values) =>
      text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  });

const multimodal = [
  "[2026-04-28 10:00:01] server_args=ServerArgs(model_path='some/gemma3', mem_fraction_static=0.9, tp_size=1, dp_size=1, max_total_tokens=None, page_size=1, device='cuda')",
  '[2026-04-28 10:00:10 TP0] Load weight begin. avail mem=78.50 GB',
  '[2026-04-28 10:01:10 TP0] Load weight end. type=Gemma3ForConditionalGeneration, dtype=torch.bfloat16, avail mem=27.10 GB, mem usage=51.40 GB.',
  '[2026-04-28 10:01:11 TP0] KV Cache is allocated. #tokens: 25763, K size: 6.09 GB, V size: 6.09 GB',
  '[2026-04-28 10:01:11 TP0] Memory pool end. avail mem=14.10 GB',
  '[2026-04-28 10:01:41 TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=14.00 GB',
  '[2026-04-28 10:01:51 TP0] Capture cuda graph end. Time elapsed: 10.00 s. avail mem=12.00 GB. mem usage=2.00 GB.',
  '[2026-04-28 10:01:53 TP0] max_total_num_tokens=25763, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072',
  '[2026-04-28 10:01:55] The server is fired up and ready to roll!',
];

describe('idle memory beside a pool that is too small', () => {
  test('is one sentence of the report', () => {
    expect(reportOf(...multimodal).match(/12\.00 GiB stay free/g)).toHaveLength(1);
  });

  test('is no reason to type nearly all, where the release is only supposed to lower it', () => {
    const values = [...terminalWording(accountOf(...multimodal)).matchAll(/static (0\.\d+)/g)];
    expect(values.length).toBeGreaterThan(0);
    for (const [, value] of values) {
      expect(Number(value)).toBeLessThanOrEqual(0.95);
    }
  });
});

test('a summary alone still shows what stays free beside a tiny pool', () => {
  const summary = (free: string): string =>
    `[2026-08-27 10:00:43 TP0] max_total_num_tokens=1741, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=870, context_len=65536, available_gpu_mem=${free} GB`;
  const ready = '[2026-08-27 10:00:45] The server is fired up and ready to roll!';
  const text = terminalWording(accountOf(summary('46.90'), ready));
  expect(text).toMatch(/1,741 tokens while 46\.90 GiB stay free/);
  expect(text).not.toMatch(/--mem-fraction-static 0\./);
  expect(terminalWording(accountOf(summary('4.90'), ready))).not.toMatch(/stay free/);
});

describe('an offer beside a host cache', () => {
  const server = (cache: string): string =>
    terminalWording(
      accountOf(
        `[2026-03-01 10:00:01] server_args=ServerArgs(model_path='/m/x', tp_size=1, mem_fraction_static=0.75, max_total_tokens=None, page_size=1, enable_hierarchical_cache=True, ${cache})`,
        '[2026-03-01 10:00:02] Load weight begin. avail mem=78.40 GB',
        '[2026-03-01 10:00:03] Load weight end. elapsed=9.10 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.20 GB, mem usage=15.20 GB.',
        '[2026-03-01 10:00:04] KV Cache is allocated. #tokens: 357171, K size: 21.80 GB, V size: 21.80 GB',
        '[2026-03-01 10:00:07] Capture cuda graph end. Time elapsed: 12.20 s. mem usage=1.20 GB. avail mem=17.40 GB.',
        '[2026-03-01 10:00:08] max_total_num_tokens=357171, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=17.40 GB',
        '[2026-03-01 10:00:09] Allocating 93.63 GB host memory for hierarchical KV cache.',
        '[2026-03-01 10:00:10] The server is fired up and ready to roll!',
      ),
    );

  test('that a ratio sizes says what it then takes of the host', () => {
    // python3: (63.20 - 78.40 * 0.17) * 2**30 / 131072 * 93.63 / 357171 = 107.1
    expect(server('hicache_ratio=2.0, hicache_size=0')).toMatch(
      /0\.83 gives .* then takes 10[67]\.\d\d…107\.\d\d GB for each rank/,
    );
  });

  test('of a typed size says nothing of it', () => {
    expect(server('hicache_ratio=2.0, hicache_size=94')).not.toMatch(/host cache/i);
  });
});
