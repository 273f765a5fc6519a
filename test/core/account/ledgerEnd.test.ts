/**
 * Between which samples of free memory the rest of a ledger lies, and how it is named where large
 * parts are not in the log. The logs are written for the test; figures are calculated beside them.
 */
import { describe, expect, test } from 'vitest';
import type { RankAccount } from '../../../src/core/account/rankAccount';
import { accountOfLog } from '../../../src/core/account/account';
import { ledgerName } from '../../../src/core/account/ledger';
import { readLogText } from '../../../src/core/log/readLog';
import type { Quantity } from '../../../src/core/units/quantity';
import { terminalWording } from './wording';

function ranksOf(lines: readonly string[]): readonly RankAccount[] {
  const [account] = accountOfLog(readLogText(lines.join('\n')));
  return account?.ranks ?? [];
}

const ids = (rank: RankAccount | undefined): string[] => rank?.ledger.map(({ id }) => id) ?? [];

function expectRest(rank: RankAccount | undefined, value: number, widest: number): void {
  const rest = rank?.ledger.find(({ id }) => id === 'unaccounted')?.size.interval;
  expect(rest).toBeDefined();
  const { lo, hi } = rest!;
  expect([lo <= value, hi >= value, hi - lo <= widest]).toEqual([true, true, true]);
}

function expectAround(quantity: Quantity | undefined, value: number, widest: number): void {
  const { lo, hi } = quantity?.interval ?? { lo: NaN, hi: NaN };
  expect([lo <= value, hi >= value, hi - lo <= widest]).toEqual([true, true, true]);
}

const at = '[2026-03-01 09:00:01 TP0]';
const begin = `${at} Load weight begin. avail mem=78.50 GB`;
const loaded = `${at} Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=60.20 GB, mem usage=18.30 GB.`;
const pool = `${at} KV Cache is allocated. #tokens: 393316, K size: 24.01 GB, V size: 24.01 GB`;
const poolEnd = `${at} Memory pool end. avail mem=10.19 GB`;
const captured = `${at} Capture cuda graph end. Time elapsed: 9.67 s. mem usage=0.90 GB. avail mem=9.10 GB.`;

describe('the end of a ledger', () => {
  test('is no sample from before a part: then there is no rest either', () => {
    const [rank] = ranksOf([begin, loaded, pool]);
    expect(ids(rank)).toEqual(['start', 'weights', 'kvPool']);
    expect(rank?.quantities.has('unaccounted')).toBe(false);
  });

  test('is the sample after load where nothing more was allocated', () => {
    const [rank] = ranksOf([begin, loaded]);
    // 78.50 - 18.30 - 60.20.
    expectRest(rank, 0, 0.031);
  });

  test('is the last sample, also where a draft follows the graphs of the target', () => {
    const [rank] = ranksOf([
      begin,
      loaded,
      pool,
      poolEnd,
      captured,
      `${at} Init torch distributed begin.`,
      `${at} Load weight begin. avail mem=9.00 GB`,
      `${at} Load weight end. type=LlamaForCausalLMEagle, dtype=torch.bfloat16, avail mem=8.10 GB, mem usage=0.90 GB.`,
      `${at} KV Cache is allocated. #tokens: 393316, K size: 0.75 GB, V size: 0.75 GB`,
      `${at} Memory pool end. avail mem=6.60 GB`,
    ]);
    // 78.50 - 18.30 - 0.90 - 48.02 - 1.50 - 0.90 - 6.60.
    expectRest(rank, 2.28, 0.0901);
    expect(rank?.quantities.get('finalAvailable')?.printed).toBe(6.6);
  });

  test('is unknown for a rank of which only the load is shown, where others show pools', () => {
    const other = (line: string): string => line.replace('TP0', 'TP1');
    const ranks = ranksOf([begin, other(begin), loaded, other(loaded), pool, poolEnd]);
    // 78.50 - 18.30 - 48.02 - 10.19.
    expectRest(ranks[0], 1.99, 0.0501);
    expect(ids(ranks[1])).toEqual(['start', 'weights']);
  });
});

describe('a pool that is sized after the capture of graphs', () => {
  const early = [
    begin,
    `${at} Load weight end. elapsed=8.10 s, type=LlamaForCausalLM, avail mem=63.40 GB, mem usage=15.10 GB.`,
    `${at} KV Cache VA upper bound. dtype: torch.bfloat16, #tokens: 480000, K size: 29.30 GB, V size: 29.30 GB`,
    `${at} Memory pool end. avail mem=62.30 GB`,
    `${at} Capture target decode CUDA graph end. elapsed=3.10 s, mem usage=1.40 GB, avail mem=60.88 GB.`,
  ];
  const summary = `${at} max_total_num_tokens=434503, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=7.80 GB`;

  test('has its final size, not that of its addresses', () => {
    const sized = `${at} Post-capture KV sizing: KV cache allocated. dtype: torch.bfloat16, #tokens: 434503, KV size: 53.04 GB, avail mem=7.84 GB`;
    const [account] = accountOfLog(readLogText([...early, sized, summary].join('\n')));
    expect(account?.quantities.get('kvPool')?.printed).toBe(53.04);
    expect(account?.quantities.get('maxTotalTokens')?.exact).toBe(434503n);
    // 1 - 7.84 / 78.50: what the fraction kept free is what is free once the pool is there.
    expectAround(account?.fraction.implied, 0.90013, 0.003);
    // 78.50 - 15.10 - 53.04 - 1.40 - 7.80 - 2048 x (131,072 + 4) x 4 B.
    expectRest(account?.ranks[0], 1.16 - (2048 * 131076 * 4) / 2 ** 30, 0.0601);
  });

  test('has the bytes per token of its addresses where its size is not printed (0.5.16)', () => {
    const sized = `${at} Post-capture KV sizing: max_total_num_tokens=434503, free memory=7.84 GB`;
    const lines = early.map(line => line.replace('VA upper bound', 'is allocated'));
    const [account] = accountOfLog(readLogText([...lines, sized, summary].join('\n')));
    expect(account?.quantities.get('maxTotalTokens')?.exact).toBe(434503n);
    // 58.60 / 480000 * 434503
    expectAround(account?.quantities.get('kvPool'), 53.04557, 0.04);
    expectAround(account?.fraction.implied, 0.90013, 0.006);
  });

  test('is no pool of one kind where the line after it counts tokens of a window', () => {
    const split = (window: number): string =>
      `${at} Post-capture KV sizing: full_layer_tokens=434503, swa_layer_tokens=${window}`;
    const sized = `${at} Post-capture KV sizing: KV cache allocated. dtype: torch.bfloat16, #tokens: 434503, KV size: 53.04 GB, avail mem=7.84 GB`;
    const fired = `${at} The server is fired up and ready to roll!`;
    const poolOf = (window: number) =>
      accountOfLog(readLogText([...early, split(window), sized, summary, fired].join('\n')))[0];
    // A model without window layers prints that line too.
    expect(poolOf(0)?.quantities.get('kvPool')?.printed).toBe(53.04);
    const account = poolOf(300000);
    expect(account?.quantities.has('kvPool')).toBe(false);
    expect(account && terminalWording(account)).toMatch(/^Ready with 434,503 tokens/m);
  });

  test('tells a bound only where all tokens of its addresses fit', () => {
    const sized = `${at} Post-capture KV sizing: KV cache allocated. dtype: torch.bfloat16, #tokens: 480000, KV size: 58.60 GB, avail mem=7.84 GB`;
    const [account] = accountOfLog(readLogText([...early, sized].join('\n')));
    expect(account?.fraction.implied?.interval.hi).toBeGreaterThanOrEqual(1);
    expect(account?.fraction.implied?.interval.lo).toBeCloseTo(0.9, 2);
  });
});

describe('the rest of a ledger', () => {
  const nameOfRest = (lines: readonly string[]): string | undefined => {
    const rest = ranksOf(lines)[0]?.ledger.find(({ id }) => id === 'unaccounted');
    return rest && ledgerName(rest);
  };

  test.each([
    ['unaccounted', [begin, loaded, pool, poolEnd]],
    ['unaccounted', [begin, loaded]],
    ['unaccountedWithPool', [begin, loaded, poolEnd]],
    ['unaccountedWithWeights', [begin, pool, poolEnd]],
    ['unaccountedWithBoth', [begin, poolEnd]],
  ] as const)('is named %s', (name, lines) => {
    expect(nameOfRest(lines)).toBe(name);
  });
});
