/** A run that failed before its pools, beside the same launch that got them: what the second shows holds for the first. */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { compareRuns } from '../../../src/core/account/compare';
import { readLogText } from '../../../src/core/log/readLog';

const start = (fraction: string, dtype = 'auto'): string[] => [
  `[2026-03-01 10:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=1, mem_fraction_static=${fraction}, max_total_tokens=None, page_size=1, kv_cache_dtype='${dtype}')`,
  '[2026-03-01 10:00:06] Load weight begin. avail mem=78.00 GB',
  '[2026-03-01 10:00:16] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=20.50 GB, mem usage=57.50 GB.',
];
const failure = [
  '[2026-03-01 10:00:17] Scheduler hit an exception: Traceback (most recent call last):',
  'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
];
// 20.50 - 78.00 * 0.15 = 8.80 GiB; 8.80 * 2**30 / 104,500 = 90,421 bytes per token.
const pools = [
  '[2026-03-01 10:00:17] KV Cache is allocated. #tokens: 104500, K size: 4.40 GB, V size: 4.40 GB',
  '[2026-03-01 10:00:17] Memory pool end. avail mem=10.70 GB',
  '[2026-03-01 10:00:18] Capture cuda graph begin. This can take up to several minutes. avail mem=10.60 GB',
  '[2026-03-01 10:00:30] Capture cuda graph end. Time elapsed: 12.00 s. mem usage=1.80 GB. avail mem=8.80 GB.',
];
const end =
  '[2026-03-01 10:00:31] max_total_num_tokens=104500, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072';

const accountOf = (...lines: readonly string[]): RunAccount =>
  accountOfLog(readLogText([...lines, ''].join('\n')))[0]!;
const failed = accountOf(...start('0.60'), ...failure);
const served = accountOf(...start('0.85'), ...pools, end);

describe('a comparison of one launch at two fractions', () => {
  test('tells the tokens of the run that did not get to its pools', () => {
    const [prediction] = compareRuns(failed, served).predictions;
    const tokens = prediction!.row.tokens!.interval;
    expect(tokens.lo).toBeGreaterThan(103_000);
    expect(tokens.hi).toBeLessThan(106_000);
    expect(prediction!.row.tokens!.basis).toBe('assumed');
  });

  test('does not, where the launches differ in what bytes per token come from', () => {
    const other = accountOf(...start('0.85', 'fp8_e5m2'), ...pools, end);
    const [prediction] = compareRuns(failed, other).predictions;
    expect(prediction!.row.tokens).toBeUndefined();
  });
});

test('costs are borrowed all or none: half of them would count twice in the reserve', () => {
  const [prediction] = compareRuns(failed, accountOf(...start('0.85'), ...pools)).predictions;
  const own = failed.whatIf.row(prediction!.row.fraction).left!.interval;
  expect(prediction!.row.left!.interval.lo).toBeCloseTo(own.lo, 2);
  expect(prediction!.row.left!.interval.hi).toBeCloseTo(own.hi, 2);
});
