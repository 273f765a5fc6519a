/** The lever is that of what is short: slots of state, the window, graphs. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { runReport } from '../../../src/core/report/runReport';
import { defaultFormat } from '../../../src/core/units/format';
import { reportTerminal } from '../../../src/wording/reportText';

const reportOf = (...lines: readonly string[]): string =>
  reportTerminal(runReport(accountOfLog(readLogText([...lines, ''].join('\n')))[0]!), {
    format: defaultFormat,
    target: 'plain',
    length: 'full',
    translate: (text, values) =>
      text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  });

const at = '[2026-05-20 11:00:';
const start = [
  `${at}02] Load weight begin. avail mem=78.70 GB`,
  `${at}20] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=40.40 GB, mem usage=38.30 GB.`,
];
const summary = `${at}31] max_total_num_tokens=90112, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=189, context_len=40960, available_gpu_mem=13.50 GB`;
const ready = `${at}33] The server is fired up and ready to roll!`;

test('idle memory beside full slots of state is offered to slots and not to tokens', () => {
  const text = reportOf(
    `${at}01] server_args=ServerArgs(model_path='/m/own', mem_fraction_static=0.8, tp_size=1, max_total_tokens=None, page_size=1)`,
    ...start,
    `${at}20] Mamba Cache is allocated. max_mamba_cache_size: 567, conv_state size: 0.10GB, ssm_state size: 2.50GB `,
    `${at}20] KV Cache is allocated. #tokens: 90112, K size: 11.00 GB, V size: 11.00 GB`,
    summary,
    ready,
    `${at}45] Decode batch, #running-req: 189, #full token: 12000, full token usage: 0.12, mamba num: 567, mamba usage: 1.00, cuda graph: True, gen throughput (token/s): 1900.20, #queue-req: 300`,
  );
  expect(text).toMatch(/slots of state are full/);
  expect(text).toMatch(/13\.50 GiB stay free at ready/);
  expect(text).not.toMatch(/--mem-fraction-static \d/);
});

test('a full window beside a full pool with room names the ratio of both', () => {
  const line = (usage: string): string =>
    `${at}45] Decode batch, #running-req: 80, #full token: 20000, full token usage: ${usage}, #swa token: 11050, swa token usage: 1.00, cuda graph: True, gen throughput (token/s): 2100.20, #queue-req: 60`;
  expect(reportOf(ready, line('0.36'))).toMatch(/--swa-full-tokens-ratio.*20,000 tokens/);
  expect(reportOf(ready, line('1.00'))).not.toMatch(/--swa-full-tokens-ratio/);
});

test('graphs that cannot fit at any fraction have a lever', () => {
  const text = reportOf(
    `${at}01] Load weight begin. avail mem=38.90 GB`,
    `${at}20] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=5.60 GB, mem usage=33.30 GB.`,
    `${at}21] KV Cache is allocated. #tokens: 630, K size: 0.08 GB, V size: 0.08 GB`,
    `${at}21] Memory pool end. avail mem=5.30 GB`,
    `${at}22] Capture cuda graph begin. This can take up to several minutes. avail mem=5.20 GB`,
    `${at}50] Scheduler hit an exception: Traceback (most recent call last):`,
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB. GPU 0 has a total capacity of 39.39 GiB of which 0.75 GiB is free.',
  );
  expect(text).toMatch(/cannot fit/);
  expect(text).toMatch(/--cuda-graph-max-bs/);
});
