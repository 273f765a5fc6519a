/** A server that is ready with a pool shorter than its context length says so, once. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { summaryMessage } from '../../../src/core/account/accountSummary';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

function accountOf(context: number, left = '4.00') {
  const at = '[2026-03-07 04:00';
  const lines = [
    `${at}:01] Load weight begin. avail mem=70.00 GB`,
    `${at}:09] Load weight end. elapsed=8.00 s, type=LlamaForCausalLM, avail mem=20.00 GB, mem usage=50.00 GB.`,
    `${at}:10] KV Cache is allocated. #tokens: 90000, K size: 6.00 GB, V size: 6.00 GB`,
    `${at}:21] max_total_num_tokens=90000, max_running_requests=64, context_len=${context}, available_gpu_mem=${left} GB`,
    `${at}:22] The server is fired up and ready to roll!`,
    '',
  ];
  return accountOfLog(readLogText(lines.join('\n')))[0]!;
}

test('a pool of most of one request says that none can run', () => {
  const account = accountOf(131072);
  expect(summaryMessage(account).id).toBe('verdict.ok-short');
  expect(terminalWording(account)).toMatch(/context length is 131,072 tokens: none can run\.$/);
});

test.each([
  ['that holds one', 90000],
  ['of less than half, which is a problem of its own', 200_000],
])('a pool %s does not', (_, context) => {
  expect(summaryMessage(accountOf(context)).id).toBe('verdict.ok');
});
