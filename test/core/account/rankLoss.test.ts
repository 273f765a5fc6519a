/** Tokens that an uneven rank costs: the free memory before loading is a minimum over ranks too. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import type { Quantity } from '../../../src/core/units/quantity';

const at = '[2026-01-02 10:00';

/** Four ranks of 54.50 GiB of weights; A and P of each, and the pool that f = 0.85 gives. */
function lossOf(begins: readonly string[], ends: readonly string[], pool: string): Quantity {
  const log = [
    `${at}:01] server_args=ServerArgs(model_path='x/M', mem_fraction_static=0.85, tp_size=4, dp_size=1, max_total_tokens=None, page_size=1, kv_cache_dtype='auto', device='cuda')`,
    ...begins.map((avail, rank) => `${at}:10 TP${rank}] Load weight begin. avail mem=${avail} GB`),
    ...ends.map(
      (avail, rank) =>
        `${at}:20 TP${rank}] Load weight end. type=MiniMaxM2ForCausalLM, dtype=torch.bfloat16, avail mem=${avail} GB, mem usage=54.50 GB.`,
    ),
    ...begins.map((_, rank) => `${at}:30 TP${rank}] ${pool}`),
    `${at}:45] The server is fired up and ready to roll!`,
    '',
  ].join('\n');
  const problem = accountOfLog(readLogText(log))[0]?.problems.find(
    ({ code }) => code === 'rank-imbalance',
  );
  const inner = problem?.message.arguments as {
    readonly imbalanced?: { readonly arguments: object };
  };
  return ((inner.imbalanced?.arguments ?? inner) as { readonly tokens: Quantity }).tokens;
}

const pool = 'KV Cache is allocated. #tokens: 33886, K size: 0.98 GB, V size: 0.98 GB';

test('freeing the card of a rank raises what the fraction leaves free', () => {
  const { lo, hi } = lossOf(
    ['78.10', '78.10', '66.42', '78.05'],
    ['23.60', '23.60', '11.92', '23.55'],
    pool,
  ).interval;
  // cell 1.96 GiB / 33,886; (23.55 - 11.92) - (78.05 - 66.42) x 0.15 = 9.8855 GiB = 170,908 tokens,
  // to the best (23.60): 9.9355 GiB = 171,772.
  expect([lo <= 170_908, hi >= 171_772, hi - lo < 4000]).toEqual([true, true, true]);
  expect(hi).toBeLessThan(180_000);
});

test('weights that differ cost what they are where the cards start alike', () => {
  const { lo, hi } = lossOf(
    ['78.10', '78.10', '78.10', '78.10'],
    ['23.60', '23.60', '13.67', '23.60'],
    pool,
  ).interval;
  // 23.60 - 13.67 = 9.93 GiB = 171,677 tokens.
  expect([lo <= 171_677, hi >= 171_677, hi - lo < 4000]).toEqual([true, true, true]);
});

test('slots of state take their share of what a rank lacks', () => {
  const rank = (name: string, end: string): readonly string[] => [
    `${at}:10 ${name}] Load weight begin. avail mem=138.00 GB`,
    `${at}:20 ${name}] Load weight end. elapsed=9.00 s, type=Qwen3NextForCausalLM, avail mem=${end} GB, mem usage=42.00 GB.`,
  ];
  const log = [
    `${at}:01] server_args=ServerArgs(model_path='x/M', mem_fraction_static=0.85, tp_size=2, dp_size=1, max_total_tokens=None, page_size=1, kv_cache_dtype='auto', device='cuda', mamba_full_memory_ratio=0.9)`,
    ...rank('TP0', '96.00'),
    ...rank('TP1', '99.00'),
    // 96.00 - 138.00 * 0.15 = 75.30 GiB; 990 slots of 0.036 GiB take 35.67, tokens of 12,288 B 39.63.
    ...['TP0', 'TP1'].flatMap(name => [
      `${at}:21 ${name}] Mamba Cache is allocated. max_mamba_cache_size: 990, conv_state size: 0.67GB, ssm_state size: 35.00GB `,
      `${at}:22 ${name}] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 3462900, K size: 19.815 GB, V size: 19.815 GB`,
    ]),
    `${at}:45] The server is fired up and ready to roll!`,
    '',
  ].join('\n');
  const problem = accountOfLog(readLogText(log))[0]?.problems.find(
    ({ code }) => code === 'rank-imbalance',
  );
  const { tokens } = problem?.message.arguments as unknown as { readonly tokens: Quantity };
  const { lo, hi } = tokens.interval;
  // python3: 3.00 / 1.9 * 2**30 / 12288 = 137,971; a slot is 3,146 tokens
  expect([lo <= 137_971, hi >= 137_971, hi - lo < 9000, hi < 150_000]).toEqual(Array(4).fill(true));
});
