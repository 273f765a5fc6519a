/** Out of memory where a limit of tokens decides the pool; budgets that their own token count proves. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

// 5.34 GiB of 100,000 tokens: 57,338 bytes each, between 57,229 and 57,446.
const limited = (limit: number | 'None'): string =>
  [
    `[2026-03-01 09:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=1, mem_fraction_static=0.95, max_total_tokens=${limit}, page_size=1)`,
    '[2026-03-01 09:00:00] Load weight begin. avail mem=23.20 GB',
    '[2026-03-01 09:00:09] Load weight end. type=Qwen2ForCausalLM, dtype=torch.bfloat16, avail mem=8.70 GB, mem usage=14.50 GB.',
    '[2026-03-01 09:00:09] KV Cache is allocated. #tokens: 100000, K size: 2.67 GB, V size: 2.67 GB',
    '[2026-03-01 09:00:09] Memory pool end. avail mem=3.10 GB',
    '[2026-03-01 09:00:20] max_total_num_tokens=100000, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=32768, available_gpu_mem=2.20 GB',
    '[2026-03-01 09:00:22] The server is fired up and ready to roll!',
    '[2026-03-01 09:02:22] Scheduler hit an exception: Traceback (most recent call last):',
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total capacity of 23.64 GiB of which 1.90 GiB is free.',
    '',
  ].join('\n');

function only(text: string) {
  const [account] = accountOfLog(readLogText(text));
  if (account === undefined) {
    throw new Error('no run');
  }
  return account;
}

describe('a shortage under a limit of tokens', () => {
  test('lowers the limit, since a lower fraction frees nothing', () => {
    const account = only(limited(100000));
    expect(account.relief?.lowerBy).toBeUndefined();
    // 1.10 GiB missing / 57,338 bytes
    const by = account.relief?.limit?.by?.interval;
    expect([by && by.lo <= 20599, by && by.hi >= 20599]).toEqual([true, true]);
    expect(by && by.hi - by.lo).toBeLessThan(600);
    // 100,000 less (1.10 + 1) GiB of tokens is 60,674.
    expect(account.problems[0]?.fix).toBe('--max-total-tokens 60000');
    expect(terminalWording(account)).not.toMatch(/--mem-fraction-static/);
  });

  test('without a limit the fraction is what has to fall', () => {
    const account = only(limited('None'));
    expect(account.relief?.limit).toBeUndefined();
    expect(terminalWording(account)).toMatch(/--mem-fraction-static/);
  });
});

describe('tokens below zero in a sizing line', () => {
  const end =
    '[2025-05-29 19:52:58 TP0] Load weight end. type=DeepseekV3ForCausalLM, dtype=torch.bfloat16, avail mem=21.73 GB, mem usage=166.59 GB.';
  const clamp =
    '[2025-05-29 19:52:59 TP0] max_total_tokens=131072 is larger than the profiled value -561981. Use the profiled value instead.';

  test('are the verdict, although the log ends before the error', () => {
    const account = only(`${end}\n${clamp}\n`);
    expect(account.outcome).toMatchObject({ kind: 'not-enough-memory', phase: 'sizing' });
    expect(account.retry).toBeUndefined();
    expect(terminalWording(account)).toMatch(/budget of the KV pool comes to -561,981 tokens/);
  });

  test('are none where pools and captures follow: then a draft was sized', () => {
    const more =
      '[2025-05-29 19:53:09 TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=9.00 GB';
    expect(only(`${end}\n${clamp}\n${more}\n`).outcome.kind).toBe('incomplete');
  });
});
