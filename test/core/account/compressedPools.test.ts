/** Compressed attention: no line shows its pools as allocated, the sizing line says what they get. */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { layoutMessages } from '../../../src/core/account/layoutMessages';
import type { GivenConfig } from '../../../src/core/account/runLayout';
import { solveFor } from '../../../src/core/account/solveFor';
import { readLogText } from '../../../src/core/log/readLog';
import { givenQuantity } from '../../../src/core/units/givenQuantity';
import { units } from '../../../src/core/units/unit';
import { layoutOf } from '../model/configText';
import { compressed } from '../model/modelConfigs';

const at = '[2026-07-20 07:00';

/** P 90.00, A 50.00, f 0.8: 32.00 GiB for the pools, of which 0.25 are fixed. */
function accountOf(sizing: string, limit = 'None', config?: GivenConfig): RunAccount {
  const log = [
    `${at}:00] server_args=ServerArgs(model_path='/m/v', tp_size=1, mem_fraction_static=0.8, page_size=256, max_total_tokens=${limit}, max_running_requests=256)`,
    `${at}:01 TP0] Load weight begin. avail mem=90.00 GB`,
    `${at}:20 TP0] Load weight end. elapsed=19.00 s, type=DeepseekV4ForCausalLM, avail mem=50.00 GB, mem usage=40.00 GB.`,
    `${at}:21 TP0] DSV4 memory calculation: ${sizing}`,
    `${at}:22 TP0] Memory pool end. avail mem=17.94 GB`,
    `${at}:30 TP0] max_total_num_tokens=2840576, chunked_prefill_size=8192, max_running_requests=256, context_len=65536, available_gpu_mem=17.94 GB`,
    `${at}:31] The server is fired up and ready to roll!`,
    '',
  ].join('\n');
  return accountOfLog(readLogText(log), config ? { config } : {})[0]!;
}

// python3: int((32 - 0.25) * 2**30 / 12000.5) // 256 * 256 = 2,840,576
const plain =
  'bytes_per_full_token=12000.50, available_bytes=32.00 GB, c128_state_fixed=0.25 GB, full_token=2840576';

test('a config that gives other bytes than the sizing line prints is said not to fit', () => {
  const { layout, quantities } = accountOf(plain, 'None', {
    layout: layoutOf(compressed),
    name: 'config.json',
  });
  const messages = layout?.kind === 'known' ? layoutMessages(layout.value, quantities) : [];
  expect(messages.map(({ id }) => id)).toEqual(['layout.differs']);
  expect(messages[0]?.arguments).toMatchObject({ implied: { printed: 12000.5 } });
});

describe('a pool that only its sizing line shows', () => {
  test('has other tokens at another fraction, beside states of fixed size', () => {
    const set = new Map([['memFractionStatic', givenQuantity(0.9, units.one, '--set')] as const]);
    const solved = solveFor(accountOf(plain), 'maxTotalTokens', set);
    const { lo, hi } = solved.kind === 'value' ? solved.quantity.interval : { lo: 0, hi: 0 };
    // python3: int((50 - 90 * 0.1 - 0.25) * 2**30 / 12000.5) // 256 * 256 = 3,645,952
    expect([lo <= 3_645_952, hi >= 3_645_952, hi - lo < 8000]).toEqual([true, true, true]);
  });

  test('is a part of the ledger, with its states apart', () => {
    const [rank] = accountOf(plain).ranks;
    const sizes = rank!.ledger.map(({ id, name, size }) => [name ?? id, size.interval]);
    const near = (middle: number, off: number) => ({
      lo: expect.closeTo(middle - off, 4) as number,
      hi: expect.closeTo(middle + off, 4) as number,
    });
    expect(sizes).toContainEqual(['kvPool', near(31.75, 0.01)]);
    expect(sizes).toContainEqual(['statePool', near(0.25, 0.005)]);
    // 50.00 - 32.00 - 0.06 of the request table - 17.94
    const [, rest] = sizes.find(([id]) => id === 'unaccounted') as [
      string,
      { lo: number; hi: number },
    ];
    expect([rest.lo <= 0.0025, rest.hi >= -0.0025, rest.hi - rest.lo < 0.061]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('has rows of other fractions, and offers one', () => {
    const { table, problems } = accountOf(plain);
    expect(table.length).toBeGreaterThan(5);
    const row = table.find(({ fraction }) => fraction.nominal === 0.8);
    expect(row?.tokens?.exact).toBe(2840576n);
    const idle = problems.find(({ code }) => code === 'idle-memory');
    expect(idle?.fix).toMatch(/^--mem-fraction-static 0\.\d+$/);
  });

  test('is nobody’s where a limit made it smaller or an amount is not known', () => {
    const named = (sizing: string, limit?: string) =>
      accountOf(sizing, limit).ranks[0]!.ledger.map(({ id, name }) => name ?? id);
    const larger = plain.replace('full_token=2840576', 'full_token=2950144');
    expect(named(larger, '2840576')).toContain('unaccountedWithPool');
    const other = plain.replace('c128_state_fixed', 'c64_state_fixed');
    expect(named(other)).toContain('unaccountedWithPool');
  });
});
