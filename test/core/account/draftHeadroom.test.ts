/** Tokens that some releases add for drafts: what other fractions give has to count them. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { solveFor } from '../../../src/core/account/solveFor';
import { readLogText } from '../../../src/core/log/readLog';
import { givenQuantity } from '../../../src/core/units/givenQuantity';
import { units } from '../../../src/core/units/unit';

/** 131,072 B/token, 512 rows, 3 steps of one branch, 4 verified tokens: 512 * 7 + 100 = 3,684 more. */
function accountWith(speculation: string) {
  const [account] = accountOfLog(
    readLogText(
      [
        `[2025-11-10 09:00:00] server_args=ServerArgs(model_path='/m/a', tp_size=1, page_size=1, mem_fraction_static=0.8, max_running_requests=512, max_total_tokens=None, speculative_algorithm='EAGLE'${speculation})`,
        '[2025-11-10 09:00:01] Load weight begin. avail mem=78.50 GB',
        '[2025-11-10 09:00:05] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.50 GB, mem usage=15.00 GB.',
        '[2025-11-10 09:00:06] KV Cache is allocated. #tokens: 395261, K size: 24.13 GB, V size: 24.13 GB',
        '[2025-11-10 09:00:06] Memory pool end. avail mem=15.10 GB',
        '[2025-11-10 09:00:08] Load weight begin. avail mem=15.00 GB',
        '[2025-11-10 09:00:09] Load weight end. type=LlamaForCausalLMEagle, dtype=torch.bfloat16, avail mem=13.50 GB, mem usage=1.50 GB.',
        '[2025-11-10 09:00:09] KV Cache is allocated. #tokens: 395261, K size: 0.75 GB, V size: 0.75 GB',
        '[2025-11-10 09:00:09] Memory pool end. avail mem=11.90 GB',
        '[2025-11-10 09:00:10] max_total_num_tokens=395261, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=512, context_len=32768, available_gpu_mem=11.80 GB',
        '[2025-11-10 09:00:12] The server is fired up and ready to roll!',
        '',
      ].join('\n'),
    ),
  );
  return account!;
}

const known = ', speculative_num_steps=3, speculative_eagle_topk=1, speculative_num_draft_tokens=4';

function tokensAt(fraction: number, speculation: string) {
  const given = givenQuantity(fraction, units.one, 'f');
  const solved = solveFor(
    accountWith(speculation),
    'maxTotalTokens',
    new Map([['memFractionStatic', given]]),
  );
  return solved.kind === 'value' ? solved.quantity.interval : undefined;
}

test.each([
  // python3: int((63.5 - 78.5 * (1 - f)) * 2**30 / 131072) + 512 * (3 * 1 + 4) + 100
  [0.8, 395261],
  [0.7, 330954],
])('%d gives the budget and the tokens of the drafts', (fraction, tokens) => {
  const { lo, hi } = tokensAt(fraction, known)!;
  expect([lo <= tokens, tokens <= hi, hi - lo < 6000]).toEqual([true, true, true]);
});

test('the fraction that the pool implies is bounded from both sides, and holds the typed one', () => {
  const { lo, hi } = accountWith(known).fraction.implied!.interval;
  expect([lo <= 0.8, 0.8 <= hi, hi - lo < 0.01]).toEqual([true, true, true]);
});

test('without the steps nothing bounds the tokens from above, nor the memory left from below', () => {
  expect(tokensAt(0.7, '')?.hi ?? Infinity).toBe(Infinity);
  const { table, fraction } = accountWith('');
  // At the fraction in force the run itself tells.
  const rows = table.filter(row => row.fraction.nominal !== fraction.claimed?.nominal);
  expect(rows.length).toBeGreaterThan(3);
  expect(
    rows.filter(({ left }) => left !== undefined && Number.isFinite(left.interval.lo)),
  ).toEqual([]);
});
