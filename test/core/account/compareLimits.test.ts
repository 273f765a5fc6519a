/** Comparisons where more than the fraction differs, or where a limit of tokens decides a pool. */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { compareRuns, isFractionAlone } from '../../../src/core/account/compare';
import { readLogText } from '../../../src/core/log/readLog';
import { comparisonReport, differenceMessages } from '../../../src/core/report/comparisonReport';

interface Made {
  readonly fraction: number;
  readonly limit?: number;
  readonly tokens: number;
  /** GiB of keys, and of values. */
  readonly half: string;
  readonly end: string;
  readonly context?: number;
  readonly page?: number;
}

/** 131,072 bytes per token, 78.48 GiB free before and 63.34 GiB after loading. */
function made({ fraction, limit, tokens, half, end, context = 8192, page = 1 }: Made): RunAccount {
  const lines = [
    `[2026-03-01 10:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=1, mem_fraction_static=${fraction}, max_total_tokens=${limit ?? 'None'}, page_size=${page})`,
    '[2026-03-01 10:00:06] Load weight begin. avail mem=78.48 GB',
    '[2026-03-01 10:00:16] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.34 GB, mem usage=15.14 GB.',
    `[2026-03-01 10:00:16] KV Cache is allocated. #tokens: ${tokens}, K size: ${half} GB, V size: ${half} GB`,
    `[2026-03-01 10:00:16] Memory pool end. avail mem=${end} GB`,
    `[2026-03-01 10:00:26] max_total_num_tokens=${tokens}, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=${context}, available_gpu_mem=${end} GB`,
    '[2026-03-01 10:00:30] The server is fired up and ready to roll!',
    '',
  ];
  const [account] = accountOfLog(readLogText(lines.join('\n')));
  if (account === undefined) {
    throw new Error('no run');
  }
  return account;
}

// (63.34 - 78.48 * 0.15) * 2**30 / 131072 = 422,445, and with 0.25: 358,154.
const wide = made({ fraction: 0.85, tokens: 422445, half: '25.78', end: '10.77' });
const narrow = made({ fraction: 0.75, tokens: 358154, half: '21.86', end: '18.62' });
const limited = made({ fraction: 0.85, limit: 40000, tokens: 40000, half: '2.44', end: '58.38' });

describe('a comparison', () => {
  test('names the limit, and makes no fraction of it', () => {
    const comparison = compareRuns(wide, limited);
    expect(comparison.limits.map(({ run, limit }) => [run, limit.exact ?? limit.nominal])).toEqual([
      ['b', 40000n],
    ]);
    expect(differenceMessages(comparison).map(({ id }) => id)).toEqual(['compare.limit-b']);
    expect(comparison.predictions).toEqual([]);
    expect(comparison.inputs.every(({ hasMoved, share }) => !hasMoved && !share)).toBe(true);
  });

  test('names it too where a pool of long pages is up to a page below it', () => {
    // 40,900 // 1024 * 1024 = 39,936
    const paged = made({
      fraction: 0.85,
      limit: 40900,
      tokens: 39936,
      half: '2.44',
      end: '58.38',
      page: 1024,
    });
    expect(compareRuns(wide, paged).limits.map(({ run }) => run)).toEqual(['b']);
  });

  test('offers a fraction to the run with fewer tokens only', () => {
    const { predictions } = compareRuns(wide, narrow);
    const offers = predictions.map(({ run, advice }) => [run, advice?.kind]);
    expect(offers).toEqual([
      ['a', undefined],
      ['b', 'fraction'],
    ]);
    const [less, more] = predictions.map(({ row }) => row.tokens?.interval);
    expect([less && less.lo <= 358154, less && less.hi >= 358154]).toEqual([true, true]);
    expect([more && more.lo <= 422445, more && more.hi >= 422445]).toEqual([true, true]);
    expect(more && more.hi - more.lo).toBeLessThan(2000);
  });

  test('offers no more for a few tokens than two starts of one server differ by', () => {
    // 0.85 gives what the other run got but for 1 token of print rounding; 0.86 takes 0.78 GiB more.
    const [, narrower] = compareRuns(wide, narrow).predictions;
    const advice = narrower?.advice;
    expect(advice?.kind === 'fraction' && advice.flag).toBe('--mem-fraction-static 0.85');
  });

  test('says that the fraction alone differs only where nothing else does', () => {
    expect(isFractionAlone(compareRuns(wide, narrow))).toBe('known');
    const longer = made({
      fraction: 0.75,
      tokens: 358154,
      half: '21.86',
      end: '18.62',
      context: 131072,
    });
    const comparison = compareRuns(wide, longer);
    expect(isFractionAlone(comparison)).toBeUndefined();
    expect(differenceMessages(comparison).map(({ id }) => id)).toEqual(['page.moved']);
  });

  test('has no empty section', () => {
    const { sections } = comparisonReport(compareRuns(wide, limited));
    expect(sections.map(({ id }) => id)).toEqual(['comparison']);
  });
});
