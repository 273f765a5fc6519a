/**
 * What is offered where the pool could not be sized: by GiB where bytes per token are unknown, with a
 * reserve for the size of the card. The logs are written for the test; figures are calculated beside
 * them with python3.
 */
import { describe, expect, test } from 'vitest';
import type { AccountOptions, RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { fractionOf } from '../../../src/core/account/advice';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

function only(lines: readonly string[], options: AccountOptions = {}): RunAccount {
  const all = accountOfLog(readLogText(`${lines.join('\n')}\n`), options);
  expect(all).toHaveLength(1);
  return all[0]!;
}

/** A run whose sizing failed with `f`: GiB free before and after loading. */
const failed = (before: string, after: string, f: string): string[] => [
  `[2026-03-01 09:00:00] Load weight begin. avail mem=${before} GB`,
  `[2026-03-01 09:00:09] Load weight end. elapsed=8.2 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=${after} GB, mem usage=1.00 GB.`,
  `RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=${f}`,
];

describe('a failed sizing without bytes per token', () => {
  test('is offered the largest fraction that leaves the reserve, in GiB', () => {
    const { advice } = only(failed('78.00', '38.00', '0.3'));
    expect(advice).toMatchObject({
      kind: 'fraction',
      flag: '--mem-fraction-static 0.88',
      reserve: { nominal: 9 },
    });
    // 38 - 78 * 0.12 = 28.64 for the pool; 78 * 0.12 = 9.36 stay.
    const { pool, left, tokens } = advice.kind === 'fraction' ? advice.row : {};
    expect([pool!.interval.lo <= 28.64, pool!.interval.hi >= 28.64]).toEqual([true, true]);
    expect([left!.interval.lo <= 9.36, left!.interval.hi >= 9.36]).toEqual([true, true]);
    expect(left!.interval.hi - left!.interval.lo).toBeLessThan(0.15);
    expect(left!.basis).toBe('assumed');
    expect(tokens).toBeUndefined();
  });

  test('is offered none where the reserve leaves a pool of next to nothing', () => {
    // 22.95 GiB: at 0.877 the reserve of 2.77 stays beside 0.03 GiB of pool.
    const account = only(failed('22.95', '2.85', '0.85'));
    expect(account.advice).toMatchObject({ kind: 'none', reason: 'need-does-not-fit' });
    expect(terminalWording(account)).toContain(
      'No fraction leaves a KV pool and 2.77 GiB beside it',
    );
  });

  test('says of a stated need that it is not known, never that nothing holds it', () => {
    const account = only(failed('78.00', '38.00', '0.3'), { needTokens: 20_000 });
    expect(account.advice).toMatchObject({ kind: 'fraction', need: undefined });
    expect(terminalWording(account)).toContain('Set --mem-fraction-static 0.88');
    expect(terminalWording(account)).toContain(
      'Whether it holds at least 20,000 tokens is not known',
    );
  });

  test('is told that the weights are too large only where they are', () => {
    // 78.00 - 5.00 is loaded: no fraction leaves 9 GiB beside a pool.
    const { advice } = only(failed('78.00', '5.00', '0.9'));
    expect(advice).toMatchObject({ kind: 'none', reason: 'need-does-not-fit', need: undefined });
  });

  test('may be left more than is said where the tokens are limited', () => {
    const limited = `[2026-03-01 08:59:00] server_args=ServerArgs(model_path='/m', tp_size=1, mem_fraction_static=0.3, max_total_tokens=9999, page_size=1)`;
    const { advice } = only([limited, ...failed('78.00', '38.00', '0.3')]);
    expect(advice.kind === 'fraction' && advice.row.left?.interval.hi).toBe(Infinity);
  });
});

describe('the reserve', () => {
  test('of a small card is the share that 0.88 leaves of it', () => {
    const { advice } = only(failed('23.20', '8.70', '0.6'));
    // ceil(0.12 * (23.205 + 0.1) * 100) / 100 = 2.8; 23.195 * 0.13 = 3.02 and 23.195 * 0.12 = 2.78.
    expect(advice).toMatchObject({
      kind: 'fraction',
      flag: '--mem-fraction-static 0.87',
      reserve: { nominal: 2.8 },
    });
  });

  test('of a large card stays 9 GiB', () => {
    const { advice } = only(failed('180.00', '60.00', '0.5'));
    // 180 * 0.05 = 9.0 less the samples' rounding is short of 9; 180 * 0.06 = 10.8.
    expect(advice).toMatchObject({
      kind: 'fraction',
      flag: '--mem-fraction-static 0.94',
      reserve: { nominal: 9 },
    });
  });
});

describe('the minimum that an error prints', () => {
  const error = (minimum: string): string =>
    `ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=0.88. Raise --mem-fraction-static above 0.926 (minimum viable = 1 - available/pre = ${minimum}).`;
  const [begin, end] = failed('137.90', '12.25', '0.88');
  const draft = [
    '[2026-03-01 09:01:00] Load weight begin. avail mem=12.25 GB',
    '[2026-03-01 09:01:05] Load weight end. elapsed=4.2 s, type=LlamaForCausalLMEagle3, dtype=torch.bfloat16, avail mem=9.18 GB, mem usage=3.07 GB.',
  ];

  test('is that of all ranks, and tells of one that the log does not show', () => {
    const account = only([begin!, end!, error('0.9250')]);
    const { minimum } = account.fraction;
    // Four printed digits: 0.92495 to 0.92505.
    expect(minimum?.interval.lo).toBeCloseTo(0.92495, 6);
    expect(minimum?.interval.hi).toBeCloseTo(0.92505, 6);
    expect(minimum?.basis).toBe('proved');
    // (1 - 0.925) * 137.90 = 10.3425, and 10.35 of 138.00.
    const available = account.quantities.get('availableAfterLoad')!;
    expect([available.interval.lo <= 10.3425, available.interval.hi >= 10.35]).toEqual([
      true,
      true,
    ]);
    expect(available.interval.hi - available.interval.lo).toBeLessThan(0.04);
    expect(terminalWording(account)).toContain('less than any rank of this log');
    // 10.3425 - 137.9 * 0.08 = -0.69, and 137.9 * 0.07 = 9.653 leaves 0.69 for a pool.
    expect(account.whatIf.row(fractionOf(0.92)).pool!.interval.hi).toBeLessThan(0);
    expect(account.advice).toMatchObject({ flag: '--mem-fraction-static 0.93' });
  });

  test('narrows what the samples give where they agree', () => {
    const account = only([begin!, end!, error('0.9112')]);
    const { minimum } = account.fraction;
    // Samples alone: 1 - 12.26 / 137.895 to 1 - 12.24 / 138.005, 0.9111 to 0.9113.
    expect(minimum?.interval.lo).toBeGreaterThanOrEqual(0.91115 - 1e-9);
    expect(minimum?.interval.hi).toBeLessThanOrEqual(0.91125 + 1e-9);
    expect(terminalWording(account)).not.toContain('less than any rank');
  });

  test('counts a draft that was loaded before', () => {
    const account = only([begin!, end!, ...draft, error('0.9334')]);
    // 1 - 9.18 / 137.90 = 0.93343.
    expect(account.fraction.minimum?.interval.lo).toBeGreaterThanOrEqual(0.93335);
    expect(account.fraction.minimum?.interval.hi).toBeLessThanOrEqual(0.93345 + 1e-9);
    expect(terminalWording(account)).not.toContain('less than any rank');
    const available = account.quantities.get('availableAfterLoad')!;
    expect([available.interval.lo <= 9.18, available.interval.hi >= 9.18]).toEqual([true, true]);
  });

  test('is believed where more was free than after loading', () => {
    const { fraction, solution } = only([begin!, end!, error('0.9000')]);
    expect(solution.contradiction).toBeUndefined();
    expect(fraction.minimum?.interval.lo).toBeCloseTo(0.89995, 6);
  });
});

describe('what a log of a failed sizing shows', () => {
  test('is not denied: free memory without a fraction gives the floor', () => {
    const account = only([
      ...failed('23.30', '2.20', '0.5').slice(0, 2),
      'RuntimeError: Not enought memory. Please try to increase --mem-fraction-static.',
    ]);
    // 1 - 2.20 / 23.30 = 0.90558.
    expect(account.fraction.minimum!.interval.lo).toBeLessThanOrEqual(0.90558);
    const text = terminalWording(account);
    expect(text).toContain('does not show the fraction; nothing fits below');
    expect(text).not.toContain('neither');
  });

  test('is not denied: the rest that a state pool was to share bounds the fraction from below', () => {
    const account = only([
      ...failed('78.50', '3.40', '0.5').slice(0, 2),
      'RuntimeError: Not enough GPU memory for hybrid (mamba/linear-attention) state cache. Computed max_mamba_cache_size=0 (total_rest_memory=-8.38 GB, mamba_cache_per_req=74.62 MB). Try: (1) reduce --max-running-requests',
    ]);
    // 1 - (3.40 + 8.38) / 78.50 = 0.84994; drafted states and reserves only lower what is printed.
    const { implied } = account.fraction;
    expect(implied!.interval.lo).toBeLessThanOrEqual(0.84994);
    expect(implied!.interval.lo).toBeGreaterThan(0.849);
    expect(implied!.interval.hi).toBe(Infinity);
    const rest = account.quantities.get('restMemory')!;
    expect([rest.printed, rest.basis]).toEqual([-8.38, 'proved']);
    const text = terminalWording(account);
    expect(text).toContain('the budget of state and KV cache comes to -8.38 GiB');
    expect(text).not.toContain('at a fraction of');
  });

  test('is that a slot of state takes more than is left, where something is', () => {
    const account = only([
      ...failed('78.50', '9.40', '0.5').slice(0, 2),
      'RuntimeError: Not enough GPU memory for hybrid (mamba/linear-attention) state cache. Computed max_mamba_cache_size=0 (total_rest_memory=0.05 GB, mamba_cache_per_req=74.62 MB). Try: (1) reduce --max-running-requests',
    ]);
    expect(account.outcome.kind).toBe('not-enough-memory');
    expect(terminalWording(account)).toMatch(/0\.0\d* GiB.* are left for state .* 74\.62 MiB/);
  });

  test('of pools is said only where there are any', () => {
    const [begin, end] = failed('137.90', '12.25', '0.88');
    const error =
      'ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=0.88.';
    const text = terminalWording(only([begin!, end!, error], { claim: 0.92 }));
    expect(text).toContain('The process itself shows a fraction of 0.88, not the claimed 0.92.');
    expect(text).not.toContain('pools imply');
  });
});
