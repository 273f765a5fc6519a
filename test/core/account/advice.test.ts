/**
 * What is offered where the pool could not be sized: by GiB where bytes per token are unknown, with a
 * reserve for the size of the card. The logs are written for the test; figures are calculated beside
 * them with python3.
 */
import { describe, expect, test } from 'vitest';
import type { AccountOptions, RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
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
