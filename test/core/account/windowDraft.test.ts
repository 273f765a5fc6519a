/** What a budget counts for a draft whose pool the log prints: its layers, as if they were the target's. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { layoutOf } from '../model/configText';
import { alternating, heads } from '../model/modelConfigs';

// 78.30 x 0.15 of slack: 49.155 GiB over 512 x 19 + 0.8 x 512 x 18 = 17,100.8 bytes are 3,086,39x tokens.
const lines = [
  "[2026-09-01 10:00:01] server_args=ServerArgs(model_path='/m/oss', tp_size=1, mem_fraction_static=0.85, kv_cache_dtype='auto', page_size=1, speculative_algorithm='EAGLE3', speculative_num_steps=3, speculative_eagle_topk=1, speculative_num_draft_tokens=4, swa_full_tokens_ratio=0.8, chunked_prefill_size=8192)",
  '[2026-09-01 10:00:01] Load weight begin. avail mem=78.30 GB',
  '[2026-09-01 10:00:06] Load weight end. elapsed=19.00 s, type=GptOssForCausalLM, quant=mxfp4, avail mem=61.50 GB, mem usage=16.80 GB.',
  '[2026-09-01 10:00:21] Load weight begin. avail mem=61.50 GB',
  '[2026-09-01 10:00:23] Load weight end. elapsed=3.00 s, type=LlamaForCausalLMEagle3, avail mem=60.90 GB, mem usage=0.60 GB.',
  '[2026-09-01 10:00:29] Use sliding window memory pool. full_layer_tokens=3086392, swa_layer_tokens=2469113',
  '[2026-09-01 10:00:29] Full KV Cache is allocated. dtype: torch.bfloat16, #tokens: 3086392, K size: 13.25 GB, V size: 13.25 GB',
  '[2026-09-01 10:00:29] SWA KV Cache is allocated. dtype: torch.bfloat16, #tokens: 2469113, K size: 10.60 GB, V size: 10.60 GB',
  '[2026-09-01 10:00:29] SWAKVPool mem usage: 47.68 GB, swa size: 2469113, full size: 3086392',
  '[2026-09-01 10:00:29] Memory pool end. avail mem=13.19 GB',
  '[2026-09-01 10:00:29] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 3086392, K size: 0.74 GB, V size: 0.74 GB',
  '[2026-09-01 10:00:29] Memory pool end. avail mem=11.72 GB',
  '[2026-09-01 10:00:29] Capture target verify CUDA graph begin. backend=full, num_tokens_per_req=4, bs=[1, 2, 4, 8, 16, 32, 48], avail mem=11.72 GB',
  '[2026-09-01 10:00:29] Capture target verify CUDA graph end. elapsed=20.00 s, mem usage=1.40 GB, avail mem=10.32 GB.',
  '[2026-09-01 10:00:30] max_total_num_tokens=3086392, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=48, context_len=131072, available_gpu_mem=10.32 GB',
  '[2026-09-01 10:00:32] The server is fired up and ready to roll!',
  '',
].join('\n');

test('one layer of keys and values of all tokens is one layer, whatever the mean of the target is', () => {
  const config = { layout: layoutOf(alternating(36, 2, 64)), name: 'config.json' };
  const [account] = accountOfLog(readLogText(lines), { config });
  const { lo, hi } = account!.quantities.get('budgetedBytesPerToken')!.interval;
  expect([lo <= 17100.8, hi >= 17100.8, hi - lo < 0.01]).toEqual([true, true, true]);
  const implied = account!.fraction.implied!.interval;
  expect([implied.lo <= 0.85, implied.hi >= 0.85]).toEqual([true, true]);
  expect(account!.problems.map(({ code }) => code)).not.toContain('fraction-mismatch');
});

test('a draft that leaves what the fraction in the arguments gives is like the target, without a config too', () => {
  const [account] = accountOfLog(readLogText(lines));
  const { lo, hi } = account!.fraction.implied!.interval;
  expect([lo <= 0.85, hi >= 0.85, hi - lo < 0.003]).toEqual([true, true, true]);
  // With another fraction in the arguments nothing tells it.
  const [other] = accountOfLog(readLogText(lines.replace('=0.85,', '=0.86,')));
  expect(other!.fraction.implied!.interval.hi).toBeGreaterThan(0.86);
});

test('a draft of another model may have any number of layers', () => {
  const config = { layout: layoutOf(heads(80, 2, 128)), name: 'config.json' };
  const standalone = "speculative_algorithm='STANDALONE', speculative_draft_model_path='/m/b'";
  const [account] = accountOfLog(readLogText(ofDraft(standalone, '1.42', 371370, '14.17')), {
    config,
  });
  const layout = account!.layout!;
  expect(layout.kind).toBe('known');
  const { solution, budgeted } = layout.kind === 'known' ? layout.value.bytes : ({} as never);
  const { lo, hi } = solution.intervalOf(budgeted)!;
  expect([lo <= 98304, hi >= 98304]).toEqual([true, true]);
});

/** 81,920 bytes a token of 80 layers; drafts of other dimensions, 50.00 GiB after loading them. */
function ofDraft(more: string, draft: string, tokens: number, half: string): string {
  return [
    `[2026-09-01 10:00:01] server_args=ServerArgs(model_path='/m/a', tp_size=1, mem_fraction_static=0.8, page_size=1, ${more})`,
    '[2026-09-01 10:00:01 TP0] Load weight begin. avail mem=80.00 GB',
    '[2026-09-01 10:00:06 TP0] Load weight end. elapsed=19.00 s, type=LlamaForCausalLM, avail mem=51.00 GB, mem usage=29.00 GB.',
    '[2026-09-01 10:00:21 TP0] Load weight begin. avail mem=51.00 GB',
    '[2026-09-01 10:00:23 TP0] Load weight end. elapsed=3.00 s, type=LlamaForCausalLM, avail mem=50.00 GB, mem usage=1.00 GB.',
    `[2026-09-01 10:00:29 TP0] KV Cache is allocated. dtype: torch.bfloat16, #tokens: ${tokens}, K size: ${half} GB, V size: ${half} GB`,
    '[2026-09-01 10:00:29 TP0] Memory pool end. avail mem=19.00 GB',
    `[2026-09-01 10:00:29 TP0] KV Cache is allocated. dtype: torch.bfloat16, #tokens: ${tokens}, K size: ${draft} GB, V size: ${draft} GB`,
    '[2026-09-01 10:00:29 TP0] Memory pool end. avail mem=16.00 GB',
    '[2026-09-01 10:00:29 TP0] Capture target verify CUDA graph begin. backend=full, num_tokens_per_req=4, bs=[1, 2], avail mem=16.00 GB',
    '[2026-09-01 10:00:29 TP0] Capture target verify CUDA graph end. elapsed=20.00 s, mem usage=1.40 GB, avail mem=14.60 GB.',
    `[2026-09-01 10:00:30 TP0] max_total_num_tokens=${tokens}, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=48, context_len=8192, available_gpu_mem=14.60 GB`,
    '[2026-09-01 10:00:32] The server is fired up and ready to roll!',
    '',
  ].join('\n');
}

// 34 GiB over int(81,920 x (1 + D / 80)) bytes: 98,304 for 16 layers, 82,944 for one.
test.each([
  [
    "speculative_algorithm='STANDALONE', speculative_draft_model_path='/m/b'",
    '1.42',
    371370,
    '14.17',
  ],
  ["speculative_algorithm='EAGLE3', speculative_draft_model_path='/m/b'", '0.42', 440143, '16.79'],
] as const)(
  'a draft of other dimensions does not contradict the fraction in force (%#)',
  (args, draft, tokens, half) => {
    for (const config of [undefined, layoutOf(heads(80, 2, 128))]) {
      const given = config ? { config: { layout: config, name: 'config.json' } } : {};
      const [account] = accountOfLog(readLogText(ofDraft(args, draft, tokens, half)), given);
      const { implied } = account!.fraction;
      expect(
        implied === undefined || (implied.interval.lo <= 0.8 && implied.interval.hi >= 0.8),
      ).toBe(true);
      expect(account!.problems.map(({ code }) => code)).not.toContain('fraction-mismatch');
    }
  },
);
