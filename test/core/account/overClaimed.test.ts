/** A sparse FP8 pool wider than its budget: the excess is shown as far as rows of that kind allow. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

const rank = (name: string) => [
  `[2026-07-25 10:00:02 ${name}] Load weight begin. avail mem=137.50 GB`,
  `[2026-07-25 10:01:02 ${name}] Load weight end. elapsed=60.10 s, type=DeepseekV32ForCausalLM, quant=fp8, fmt=e4m3, avail mem=50.20 GB, mem usage=87.30 GB.`,
  `[2026-07-25 10:01:09 ${name}] KV Cache is allocated. dtype: torch.float8_e4m3fn, #tokens: 723392, KV size: 32.38 GB`,
  `[2026-07-25 10:01:09 ${name}] Memory pool end. avail mem=17.74 GB`,
];

test('the excess has no more than an eighth of the pool, though ranks are not in the log', () => {
  const log = [
    "[2026-07-25 10:00:01] server_args=ServerArgs(model_path='x/M', mem_fraction_static=0.85, tp_size=8, dp_size=1, max_total_tokens=None, page_size=64, kv_cache_dtype='fp8_e4m3', device='cuda')",
    ...rank('TP0'),
    ...rank('TP1'),
    '[2026-07-25 10:01:55] The server is fired up and ready to roll!',
    '',
  ].join('\n');
  const text = terminalWording(accountOfLog(readLogText(log))[0]!);
  // 32.38 - (50.20 - 137.50 x 0.15) = 2.805; at most 32.385 x 0.12 = 3.89.
  const [, lo, hi] = /takes (\d+\.\d+)…(\d+\.\d+) GiB more/.exec(text) ?? [];
  expect(Number(lo)).toBeLessThanOrEqual(2.805);
  expect(Number(hi)).toBeGreaterThanOrEqual(2.805);
  expect(Number(hi)).toBeLessThanOrEqual(3.9);
});
