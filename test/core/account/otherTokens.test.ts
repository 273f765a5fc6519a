/** Tokens of the pool against those that the last line of the start counts. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

const server = (tokens: number, counted: number, flags = ''): string =>
  [
    `[2026-02-25 10:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=1, mem_fraction_static=0.88, max_total_tokens=None, page_size=1${flags})`,
    '[2026-02-25 10:00:06] Load weight begin. avail mem=78.50 GB',
    '[2026-02-25 10:00:16] Load weight end. elapsed=9.10 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.50 GB, mem usage=15.00 GB.',
    `[2026-02-25 10:00:16] KV Cache is allocated. #tokens: ${tokens}, K size: 27.04 GB, V size: 27.04 GB`,
    `[2026-02-25 10:00:30] max_total_num_tokens=${counted}, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=8.50 GB`,
    '',
  ].join('\n');

const contradictions = (text: string) =>
  accountOfLog(readLogText(text)).flatMap(account =>
    account.problems.some(({ code }) => code === 'contradiction') ? [terminalWording(account)] : [],
  );

test('two counts of one pool are told with both lines, either of which may be wrong', () => {
  const [text] = contradictions(server(443022, 343022));
  expect(text).toMatch(/443,022 tokens \(line 4\), .*343,022 tokens \(line 5\)/);
  expect(text).toMatch(/Any one of them, read differently, goes with all others/);
  // Each of the two, changed alone, resolves it.
  expect(contradictions(server(343022, 343022))).toEqual([]);
  expect(contradictions(server(443022, 443022))).toEqual([]);
});

test('padding is no contradiction, nor are tokens of a pool that several ranks share', () => {
  expect(contradictions(server(443022, 442880))).toEqual([]);
  expect(contradictions(server(443022, 886044, ', dcp_size=2'))).toEqual([]);
});
