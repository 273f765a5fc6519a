/**
 * Receipts of the log cases: bytes per token and pools of ../shared/logs/README.md, from small
 * configs. The account joins layouts and logs; here only the layouts are asked.
 */
import { describe, expect, test } from 'vitest';
import { checkPool, fittingDtypes } from '../../src/core/model/poolCheck';
import { concurrentRequests, requestCost } from '../../src/core/model/requestCost';
import { slotBytes, splitState } from '../../src/core/model/statePool';
import { compressedPoolTokens, requestPool } from '../../src/core/model/tokenPools';
import { exactRelease } from '../../src/core/sglang/layout/eraTable';
import { units } from '../../src/core/units/unit';
import type { Config, Options } from '../core/model/configText';
import { bytesOf, cellsOf, layoutOf, quantityOf } from '../core/model/configText';
import {
  asymmetricWindows,
  compressed,
  gatedDelta,
  graniteHybrid,
  heads,
  latent,
  sparse,
  stateSpacePattern,
} from '../core/model/modelConfigs';
import { count, printed } from '../core/model/printedFigure';

const on = (tp: number, release: string, more: Options = {}): Options => ({
  parallel: { tp },
  release,
  ...more,
});

/** Log, config, options, bytes per token of the README, tokens and size of its KV line. */
const rows: readonly (readonly [string, Config, Options, number, number, string])[] = [
  ['rtx5080-qwen3-0.6b-docker', heads(28, 8, 128), on(1, '0.4.9'), 114688, 104273, '11.14'],
  ['rtxpro6000-kimi-k25-int4-auto-fraction', latent(61), on(8, '0.5.8'), 70272, 4578, '0.30'],
  ['kt-qwen35-moe-4090-mamba', gatedDelta(60, 2, 64), on(2, '0.5.8'), 15360, 580364, '8.30'],
  ['qwen2-24gb-tp4-tight', heads(64, 8, 128), on(4, '0.4.3'), 65536, 46611, '2.84'],
  ['autotuner-llama32-1b-wrapped', heads(16, 8, 64), on(1, '0.5.4'), 32768, 2405039, '73.40'],
  ['docs-notebook-avail-rises', heads(32, 8, 128), on(1, '0.5.12'), 131072, 20480, '2.50'],
  ['shared-a100-40gb-qwen25-05b', heads(24, 2, 64), on(1, '0.5.14'), 12288, 2658165, '30.42'],
  ['4gb-gpu-pool-end-zero', heads(28, 8, 128), on(1, '0.4.6.post2'), 114688, 15387, '1.64'],
  ['xpu-nemotronh-tp4-collapsed', stateSpacePattern, on(4, '0.5.11'), 3072, 1557504, '4.46'],
  ['granite-hybrid-16gb-bench', graniteHybrid, on(1, '0.5.8'), 8192, 399740, '3.04'],
  [
    'rtxpro6000-glm47-fp8-tp4pp2',
    heads(92, 8, 128),
    on(4, '0.5.8', { parallel: { tp: 4, pp: 2 } }),
    47104,
    841782,
    '36.92',
  ],
];

describe('bytes per token of the log cases', () => {
  test.each(rows)('%s', (_log, config, options, cell, tokens, size) => {
    const bytes = bytesOf(config, options);
    expect(quantityOf(bytes, bytes.budgeted).exact).toEqual(BigInt(cell));
    // Two printed parts where keys and values are printed apart.
    const total = printed(size);
    const { lo, hi } = total.interval;
    const check = checkPool(bytes, {
      tokens: count(tokens),
      size: { ...total, interval: { lo: lo - 0.005, hi: hi + 0.005 } },
      page: 64,
    });
    expect(check.agrees).toBe(true);
  });

  test('mixtral-awq-a10-0111-rank-n: 65,536 in the oldest form', () => {
    expect(cellsOf(heads(32, 8, 128), on(2, '0.1.11')).budgeted).toBe(65536);
  });

  test('mi300x-032-bench-no-date: 131,072', () => {
    expect(cellsOf(heads(32, 8, 128), on(1, '0.3.2')).budgeted).toBe(131072);
  });

  test('docker-t-double-timestamp-qwen2-7b: 57,344', () => {
    expect(cellsOf(heads(28, 4, 128), on(1, '0.4.2')).budgeted).toBe(57344);
  });
});

describe('mi355x-glm5-fp8-dsa-tp8', () => {
  const options = on(8, '0.5.9', { kvDtype: 'fp8_e4m3' });
  const pool = { tokens: count(3262823), size: printed('186.77') };

  test('the pool has 61,464 bytes a token, the budget 55,224', () => {
    expect(cellsOf(sparse(78), options)).toEqual({ budgeted: 55224, allocated: 61464 });
    expect(checkPool(bytesOf(sparse(78), options), pool).agrees).toBe(true);
  });

  test('the pool is 18.96 GiB over the budget', () => {
    const { budgeted, allocated } = cellsOf(sparse(78), options);
    expect(((allocated - budgeted) * 3262823) / 2 ** 30).toBeCloseTo(18.96, 2);
  });

  test('of all dtypes only FP8 E4M3 gives the printed size', () => {
    const fits = fittingDtypes(
      layoutOf(sparse(78)),
      { release: exactRelease('0.5.9'), parallel: { tp: 8 } },
      pool,
    );
    expect(fits.filter(({ fits: isFit }) => isFit).map(({ dtype }) => dtype)).toEqual(['fp8_e4m3']);
  });
});

describe('an FP8 flag that did not apply', () => {
  test('is seen from the sizes: only bfloat16 fits', () => {
    const fits = fittingDtypes(
      layoutOf(heads(94, 4, 128)),
      { release: exactRelease('0.5.9'), parallel: { tp: 4 } },
      { tokens: count(367404), keys: printed('8.23'), values: printed('8.23') },
    );
    expect(fits.filter(({ fits: isFit }) => isFit).map(({ dtype }) => dtype)).toEqual(['bfloat16']);
    expect(fits.length).toBeGreaterThan(3);
  });
});

describe('mimo-v2-flash-swa-asymmetric-kv', () => {
  const bytes = bytesOf(asymmetricWindows, on(4, '0.5.7'));

  test('window layers take 49,920 bytes a token, full layers 5,760', () => {
    expect(quantityOf(bytes, bytes.windowPool!.cell).exact).toEqual(49920n);
    expect(quantityOf(bytes, bytes.pool.cell).exact).toEqual(5760n);
  });

  test('both printed pools fit', () => {
    const tokens = count(1496958);
    const window = { tokens, size: printed('69.60'), which: 'window', page: 64 } as const;
    expect(checkPool(bytes, window).agrees).toBe(true);
    expect(checkPool(bytes, { tokens, size: printed('8.03'), page: 64 }).agrees).toBe(true);
  });
});

describe('kt-qwen35-moe-4090-mamba', () => {
  const release = exactRelease('0.5.8');
  const slot = slotBytes(layoutOf(gatedDelta(60, 2, 64)), { release, parallel: { tp: 2 } });

  test('a slot is 91.58 MiB, and 82 slots with their padding slot are 7.42 GiB', () => {
    expect(slot?.kind).toBe('known');
    const bytes = slot?.kind === 'known' ? Number(slot.value.quantity.exact) : NaN;
    expect(((82 + 1) * bytes) / 2 ** 30).toBeCloseTo(7.42, 2);
  });

  test('a budget of 15.72 GiB gives about 82 slots and 8.3 GiB of keys and values', () => {
    const split =
      slot?.kind === 'known'
        ? splitState(slot.value.quantity, printed('15.72'), {
            release,
            parallel: { tp: 2 },
          })
        : undefined;
    const { lo, hi } = split!.slots!.interval;
    expect([lo <= 83, hi >= 82, hi - lo <= 2]).toEqual([true, true, true]);
    expect(split!.rest!.interval.hi).toBeGreaterThan(8.26);
  });
});

describe('granite-hybrid-16gb-bench', () => {
  test('38 slots with their padding slot are the printed 2.77 GiB', () => {
    const slot = slotBytes(layoutOf(graniteHybrid), {
      release: exactRelease('0.5.8'),
      parallel: { tp: 1 },
    });
    const bytes = slot?.kind === 'known' ? Number(slot.value.quantity.exact) : NaN;
    // Two parts are printed, each to 0.005 GiB.
    expect(Math.abs((39 * bytes) / 2 ** 30 - 2.77)).toBeLessThan(0.01);
  });
});

describe('compressed attention', () => {
  test('npu-dsv4-flash-w4a8: 7,705.45 bytes and 852,992 tokens', () => {
    const bytes = bytesOf(compressed, on(4, '0.5.16'));
    const cell = quantityOf(bytes, bytes.budgeted);
    expect(Number(cell.exact).toFixed(2)).toBe('7705.45');
    const budget = (6.16 - 0.04) * 2 ** 30;
    expect(Math.floor(budget / Number(cell.exact) / 128) * 128).toBeCloseTo(852992, -4);
  });

  test('h20-dsv4-flash: 15,955.85 bytes while state of ratio 128 went by tokens', () => {
    const bytes = bytesOf(compressed, on(8, '0.5.12'));
    const cell = quantityOf(bytes, bytes.budgeted);
    expect(Number(cell.exact).toFixed(2)).toBe('15955.85');
    const { full } = compressedPoolTokens(bytes, count(Math.round(45.78 * 2 ** 30), units.B), {
      page: 256,
      context: count(1048576),
    });
    // 45.78 GiB is printed, so the tokens are known to 0.005 GiB.
    expect(Math.abs(Number(full?.exact) - 3080960)).toBeLessThan((0.005 * 2 ** 30) / 15955);
  });
});

describe('requests', () => {
  const pool = (tokens: number, context: number, release: string, more = {}) =>
    requestPool(count(tokens), count(context), {
      release: exactRelease(release),
      parallel: { tp: 8 },
      ...more,
    });

  test.each([
    ['a pool of the seed', 159287, 262144, '0.5.8', 2048n, 2048n],
    ['mi355x-glm5', 3262823, 202752, '0.5.9', 4096n, 4096n],
    ['a tiny pool of 0.5.11', 1741, 262144, '0.5.11', 870n, 871n],
    ['a tiny pool of 0.5.14', 1741, 262144, '0.5.14', 870n, 871n],
    ['the first releases', 100000, 4096, '0.1.5', 6250n, 6250n],
  ] as const)('%s', (_name, tokens, context, release, requests, rows_) => {
    const { requests: running, rows: table } = pool(tokens, context, release);
    expect(running?.exact).toEqual(requests);
    expect(table?.exact).toEqual(rows_);
  });

  test('a given number is limited by the estimate to 0.5.13 and by the tokens since', () => {
    const given = { maxRunningRequests: 100000 };
    expect(pool(3000000, 4096, '0.5.13', given).requests?.exact).toEqual(4096n);
    expect(pool(3000000, 4096, '0.5.14', given).requests?.exact).toEqual(100000n);
  });

  test('state slots limit them: ten slots at five a request are two requests', () => {
    const state = { slots: count(10, units.one), slotsPerRequest: 5 };
    expect(pool(1200000, 262144, '0.5.17', { state }).requests?.exact).toEqual(2n);
  });

  test('qwen2-24gb-tp4-tight holds one request of 32k, the seed pool none of 262,144', () => {
    expect(concurrentRequests(count(46611), count(32768))?.exact).toEqual(1n);
    expect(concurrentRequests(count(159287), count(262144))?.exact).toEqual(0n);
    expect(concurrentRequests(count(2658165), count(32768))?.exact).toEqual(81n);
  });

  test('a request of 262,144 tokens of 70,272 bytes costs 17,568 MiB', () => {
    const cost = requestCost(bytesOf(latent(61)), layoutOf(latent(61)), count(262144));
    expect(cost?.exact).toBe((262144 * 70272) / 2 ** 20);
    expect(cost?.unit).toBe(units.MiB);
  });
});
