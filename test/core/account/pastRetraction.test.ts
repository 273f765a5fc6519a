/** Requests that were given back long ago: past tense, and no advice where the pool is empty since. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { cureOf } from '../../../src/core/account/accountCure';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

const summary = (available: string): string =>
  `[2026-03-02 08:00:43 TP0] max_total_num_tokens=400000, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072${available}`;
const batch = (hour: string, running: number, tokens: number, usage: string): string =>
  `[2026-03-02 ${hour}:02:45 TP0] Decode batch, #running-req: ${running}, #token: ${tokens}, token usage: ${usage}, cuda graph: True, gen throughput (token/s): 900.20, #queue-req: 0, `;
const retraction =
  '[2026-03-02 08:02:46 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 20, #new_tokens_gained: 40400, #new_token_ratio: 0.3710 -> 0.4820';

function end(available: string, ...lines: readonly string[]) {
  const text = [summary(available), batch('08', 200, 399000, '1.00'), retraction, ...lines, ''];
  const account = accountOfLog(readLogText(text.join('\n')))[0]!;
  return { cure: cureOf(account), text: terminalWording(account) };
}

test('a pool that is nearly empty since was full, and asks for nothing', () => {
  const { cure, text } = end(', available_gpu_mem=9.00 GB', batch('10', 10, 9000, '0.02'));
  expect(cure).toBeUndefined();
  expect(text).toMatch(/was full and gave requests back \(1 in this log\)/);
  expect(text).toMatch(/9,000 tokens/);
  expect(text).not.toMatch(/ is full|--max-running-requests/);
});

test('a pool that stays busy is still told what to do', () => {
  const { cure, text } = end(', available_gpu_mem=9.00 GB', batch('10', 190, 390000, '0.98'));
  expect(cure?.flag).toBe('--max-running-requests 180');
  expect(text).toMatch(/ is full and gives requests back/);
});

test('free memory that is printed is not called unknown', () => {
  expect(end(', available_gpu_mem=9.00 GB').text).toMatch(/9\.00 GiB stay free at ready/);
  expect(end(', available_gpu_mem=9.00 GB').text).not.toMatch(/No memory is known to be free/);
  expect(end('').text).toMatch(/No memory is known to be free/);
});

test('the flag that admits fewer requests is named', () => {
  expect(end('').text).toMatch(/--schedule-conservativeness/);
});
