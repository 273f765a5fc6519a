/** Batch lines of a pool in need: which of the pools is full, and what that is no shortage of. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

const batch = (occupancy: string, queue = 50): string =>
  `[2026-03-01 09:00:00 TP0] Decode batch, #running-req: 8, ${occupancy}, cuda graph: True, gen throughput (token/s): 300.00, #queue-req: ${queue}\n`;

function end(text: string) {
  const [account] = accountOfLog(readLogText(text));
  return { kind: account?.outcome.kind, text: account && terminalWording(account) };
}

const quarterFull = '#full token: 100000, full token usage: 0.25';

describe('a pool without room', () => {
  test('slots of state are no tokens', () => {
    const { kind, text } = end(batch(`${quarterFull}, mamba num: 40, mamba usage: 1.00`));
    expect(kind).toBe('slots-exhausted');
    expect(text).toMatch(/^The slots of state are full: 8 requests hold 40 of them, 50 requests/);
    expect(text).not.toMatch(/100,000/);
  });

  test('a retraction for want of slots of state names them', () => {
    const { kind, text } = end(
      `${batch(`${quarterFull}, mamba num: 40, mamba usage: 1.00`, 0)}[2026-03-01 09:00:01 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_token_ratio: 0.5 -> 0.6\n`,
    );
    expect(kind).toBe('slots-exhausted');
    expect(text).toMatch(/^The slots of state are full and requests are given back: 8 requests/);
  });

  test('the window pool is named', () => {
    const { kind, text } = end(batch(`${quarterFull}, #swa token: 80000, swa token usage: 1.00`));
    expect(kind).toBe('pool-exhausted');
    // 80000 / 8
    expect(text).toMatch(/^The window pool is full: 8 requests hold 80,000 tokens \(10,000 tokens/);
  });

  test('the full pool is the KV pool, whatever state and window have left', () => {
    const { kind, text } = end(
      batch(
        '#full token: 100000, full token usage: 1.00, #swa token: 80000, swa token usage: 0.40, mamba num: 8, mamba usage: 0.20',
      ),
    );
    expect(kind).toBe('pool-exhausted');
    // 100000 / 8
    expect(text).toMatch(/^The KV pool is full: 8 requests hold 100,000 tokens \(12,500 tokens/);
  });

  test('one that has less left than a request of the usual size holds is full', () => {
    // 1 - 0.975 is less than 0.975 / 8, what each request holds. Below that much no pool is called full.
    const used = (usage: string) => end(batch(`#token: 94000, token usage: ${usage}`)).kind;
    expect([used('0.98'), used('0.95')]).toEqual(['pool-exhausted', 'ok']);
  });

  test('requests that wait for a limit of requests do not wait for the pool', () => {
    const summary =
      '[2026-03-01 08:59:00 TP0] max_total_num_tokens=100000, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=8, context_len=32768, available_gpu_mem=9.00 GB\n';
    expect(end(`${summary}${batch('#token: 94000, token usage: 0.98')}`).kind).toBe('ok');
  });

  test('nothing is full while no request waits', () => {
    const { kind } = end(batch(`${quarterFull}, mamba num: 40, mamba usage: 1.00`, 0));
    expect(kind).toBe('ok');
  });
});
