/** After a failure for memory no larger fraction is offered, in no sentence and in no row. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

const time = '[2026-05-20 11:00:';
const served = [
  `${time}01] Load weight begin. avail mem=78.50 GB`,
  `${time}30] Load weight end. elapsed=29.0 s, type=LlamaForCausalLM, avail mem=63.50 GB, mem usage=15.00 GB.`,
  `${time}31] KV Cache is allocated. #tokens: 414086, K size: 25.27 GB, V size: 25.27 GB`,
  `${time}32] Memory pool end. avail mem=11.93 GB`,
  `${time}33] Capture cuda graph begin. This can take up to several minutes. avail mem=11.80 GB`,
  `${time}40] Capture cuda graph end. Time elapsed: 7.00 s. mem usage=0.60 GB. avail mem=11.20 GB.`,
  `${time}41] max_total_num_tokens=414086, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=11.20 GB`,
  `${time}42] The server is fired up and ready to roll!`,
];
const failure = [
  `${time}50] Scheduler hit an exception: Traceback (most recent call last):`,
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 12.00 GiB. GPU 0 has a total capacity of 79.11 GiB of which 9.50 GiB is free.',
];

function accountOf(lines: readonly string[]) {
  return accountOfLog(readLogText([...lines, ''].join('\n')))[0]!;
}

describe('out of memory while serving, with much free at ready', () => {
  const failed = accountOf([...served, ...failure]);
  const implied = failed.fraction.implied!;

  test('is told to lower the fraction only', () => {
    const text = terminalWording(failed);
    expect(failed.outcome.kind).toBe('runtime-oom');
    expect(text).not.toMatch(/stay free at ready/);
    const offered = failed.problems.flatMap(({ fix }) => fix ?? []).join(' ');
    for (const [, value] of `${text} ${offered}`.matchAll(/--mem-fraction-static (0\.\d+)/g)) {
      expect(Number(value)).toBeLessThan(implied.interval.lo);
    }
    expect(failed.spare).toBeUndefined();
  });

  test('has no row above the fraction in force', () => {
    expect(failed.table.length).toBeGreaterThan(3);
    for (const { fraction } of failed.table) {
      expect(fraction.nominal).toBeLessThanOrEqual(implied.interval.hi);
    }
  });

  test('keeps both where the server runs', () => {
    const running = accountOf(served);
    expect(terminalWording(running)).toMatch(/11\.20 GiB stay free at ready/);
    expect(running.table.some(({ fraction }) => (fraction.nominal ?? 0) > 0.85)).toBe(true);
  });
});
