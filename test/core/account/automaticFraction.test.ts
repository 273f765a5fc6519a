/** That nobody typed a fraction is said only where the log shows it. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { automaticFraction } from '../../../src/core/account/automaticFraction';
import { readLogText } from '../../../src/core/log/readLog';
import type { ReleaseInterval } from '../../../src/core/sglang/form/releaseInterval';
import { givenQuantity } from '../../../src/core/units/givenQuantity';
import { units } from '../../../src/core/units/unit';

/** The comparison for one card of 80,998 MiB, with a chunk of 8,192 tokens. */
function originOf(fraction: string, release: ReleaseInterval, isCardKnown = true) {
  const [run] = readLogText(
    [
      `[2025-11-10 09:00:00] server_args=ServerArgs(model_path='/m/x', mem_fraction_static=${fraction}, chunked_prefill_size=8192, tp_size=1, pp_size=1, speculative_algorithm=None)`,
      '[2025-11-10 09:00:01] Load weight begin. avail mem=78.50 GB',
      '',
    ].join('\n'),
  ).runs;
  return automaticFraction({ ...run!, release }, undefined, undefined, {
    total: givenQuantity(78.5, units.GiB, 'begin'),
    card: isCardKnown ? givenQuantity(80998, units.MiB, 'card') : undefined,
  });
}

const exactly = (release: string): ReleaseInterval => ({
  kind: 'range',
  from: release,
  to: release,
});

describe('an equality with the automatic value', () => {
  test('tells where one rule of a known release gives it, with terms that add up', () => {
    const automatic = originOf('0.834', exactly('0.5.4'))!;
    expect(automatic.origin).toBe('automatic');
    const valueOf = (name: string): number =>
      automatic.value.receipt.find(line => line.name === name)!.quantity.interval.lo;
    // python3: 512 + 8192 * 1.5 + 256 * 2 + 1024 / 8; round((80998 - 13440) / 80998, 3) = 0.834
    expect(valueOf('reserve')).toBe(13440);
    const terms = ['activation_reserve', 'graph_reserve', 'rank_reserve'].map(valueOf);
    expect(terms).toEqual([12288, 512, 128]);
  });

  test.each([
    ['0.88', exactly('0.4.0')],
    ['0.88', { kind: 'unknown' }],
    ['0.834', { kind: 'unknown' }],
    ['0.834', { kind: 'range', from: '0.1.23', to: '0.5.18' }],
    ['0.834', { kind: 'range', from: '0.5.4', to: '0.5.18' }],
    ['0.834', { kind: 'between', after: '0.5.3', before: '0.5.4' }],
  ] as const)(
    'proves nothing for %s where people type it or the release is open',
    (value, release) => {
      expect(originOf(value, release)).toBeUndefined();
    },
  );

  test('proves nothing where the card is only about known', () => {
    expect(originOf('0.834', exactly('0.5.4'), false)).toBeUndefined();
  });
});

test('pools that get their memory after the capture have another automatic value', () => {
  const at = '[2026-09-01 10:00';
  const account = (fraction: number, pool: string) =>
    accountOfLog(
      readLogText(
        [
          `${at}:01] server_args=ServerArgs(model_path='/m/l70', tp_size=1, mem_fraction_static=${fraction}, page_size=1, chunked_prefill_size=8192, device='cuda')`,
          `${at}:02] Load weight begin. avail mem=138.20 GB`,
          `${at}:06] Load weight end. elapsed=19.00 s, type=LlamaForCausalLM, avail mem=104.30 GB, mem usage=33.90 GB.`,
          `${at}:21] KV Cache ${pool}. dtype: torch.bfloat16, #tokens: 1341721, K size: 51.18 GB, V size: 51.18 GB`,
          '',
        ].join('\n'),
      ),
      { card: givenQuantity(143771, units.MiB, 'card') },
    )[0]!;
  // python3, 0.5.18: round((143771 - 1536 - 1 / 8 * 1024) / 143771, 3) = 0.988
  expect(account(0.988, 'VA upper bound').automatic).toMatchObject({ origin: 'automatic' });
  expect(account(0.988, 'is allocated').automatic?.origin).not.toBe('automatic');
});
