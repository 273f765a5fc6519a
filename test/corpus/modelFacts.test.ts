/**
 * Public figures of models and cards (accuracy facts, section 2 and 3): arithmetic from the config to
 * GiB, the way back from printed sizes, and what one request costs. The figures are those of the
 * table; rows of CI floors are 0.99 of the mean of several runs.
 */
import { describe, expect, test } from 'vitest';
import { checkPool, impliedBytesPerToken, impliedHeads } from '../../src/core/model/poolCheck';
import { requestCost } from '../../src/core/model/requestCost';
import { slotBytes } from '../../src/core/model/statePool';
import { budgetTerms } from '../../src/core/sglang/budgetFormula';
import { exactRelease } from '../../src/core/sglang/layout/eraTable';
import { factOf } from '../../src/core/terms/derive';
import { solve } from '../../src/core/terms/solve';
import { units } from '../../src/core/units/unit';
import type { Config, Options } from '../core/model/configText';
import { bytesOf, cellsOf, layoutOf, quantityOf } from '../core/model/configText';
import {
  alternating,
  asymmetricWindows,
  gatedDelta,
  heads,
  latent,
  lightningGroups,
  localGlobal,
  sparse,
  stateSpacePattern,
} from '../core/model/modelConfigs';
import { count, printed } from '../core/model/printedFigure';

interface Row {
  readonly id: string;
  readonly config: Config;
  readonly options: Options;
  /** Bytes per token that the table states. */
  readonly cell: number;
  readonly tokens: number;
  /** Printed size: of keys (equal to values), or of the whole pool. */
  readonly keys?: string;
  readonly values?: string;
  readonly size?: string;
  readonly which?: 'full' | 'window';
  readonly page?: number;
}

const tp = (ranks: number, more: Options = {}): Options => ({
  parallel: { tp: ranks },
  kvDtype: 'bfloat16',
  release: '0.5.13',
  ...more,
});

/** Rows that are log values or exact products: T1 with each printed value within its rounding. */
const logRows: readonly Row[] = [
  {
    id: 'B1',
    config: heads(94, 4, 128),
    options: tp(4),
    cell: 48128,
    tokens: 367404,
    keys: '8.23',
    values: '8.23',
  },
  {
    id: 'B2',
    config: heads(48, 4, 128),
    options: tp(1),
    cell: 98304,
    tokens: 1669816,
    keys: '76.44',
    values: '76.44',
  },
  {
    id: 'B3',
    config: heads(40, 8, 128),
    options: tp(1),
    cell: 163840,
    tokens: 184832,
    size: '28.20',
  },
  { id: 'B4', config: latent(61), options: tp(8), cell: 70272, tokens: 509000, size: '33.3' },
  {
    id: 'B5',
    config: latent(61),
    options: tp(8, { kvDtype: 'fp8_e4m3' }),
    cell: 35136,
    tokens: 524288,
    size: '17.16',
  },
  {
    id: 'B16',
    config: asymmetricWindows,
    options: tp(4),
    cell: 49920,
    tokens: 300288,
    keys: '8.38',
    values: '5.59',
    which: 'window',
    page: 64,
  },
  {
    id: 'B17',
    config: heads(80, 8, 128),
    options: tp(8),
    cell: 40960,
    tokens: 2795207,
    keys: '53.31',
    values: '53.31',
  },
  {
    id: 'B18',
    config: latent(36, 256, 64),
    options: tp(4),
    cell: 23040,
    tokens: 2433591,
    size: '52.22',
  },
  { id: 'B19', config: heads(36, 8, 64), options: tp(1), cell: 73728, tokens: 78384, size: '5.38' },
  {
    id: 'B20',
    config: heads(60, 16, 256),
    options: tp(1),
    cell: 983040,
    tokens: 26800,
    size: '24.54',
  },
  {
    id: 'B21',
    config: heads(32, 8, 128),
    options: tp(1),
    cell: 131072,
    tokens: 31232,
    size: '3.81',
  },
  {
    id: 'B21b',
    config: heads(32, 8, 128),
    options: tp(1),
    cell: 131072,
    tokens: 23648,
    size: '2.89',
  },
  {
    id: 'B22',
    config: heads(80, 8, 128),
    options: tp(4),
    cell: 81920,
    tokens: 472752,
    size: '36.07',
  },
  {
    id: 'B26',
    config: heads(64, 8, 128),
    options: tp(4, { release: '0.4.3' }),
    cell: 65536,
    tokens: 46611,
    keys: '1.42',
    values: '1.42',
  },
];

interface CiRow {
  readonly id: string;
  readonly config: Config;
  readonly options: Options;
  readonly cell: number;
  readonly tokens: number;
  /** GiB, 0.99 of a mean of printed values. */
  readonly size: number;
  readonly which?: 'full' | 'window';
}

const ciRows: readonly CiRow[] = [
  {
    id: 'B6 full',
    config: alternating(24, 8, 64),
    options: tp(1),
    cell: 24576,
    tokens: 283288,
    size: 6.4746,
  },
  {
    id: 'B6 window',
    config: alternating(24, 8, 64),
    options: tp(1),
    cell: 24576,
    tokens: 226630,
    size: 5.1975,
    which: 'window',
  },
  {
    id: 'B7 full',
    config: alternating(24, 8, 64),
    options: tp(2),
    cell: 12288,
    tokens: 2201957,
    size: 25.2054,
  },
  {
    id: 'B7 window',
    config: alternating(24, 8, 64),
    options: tp(2),
    cell: 12288,
    tokens: 1761565,
    size: 20.1564,
    which: 'window',
  },
  {
    id: 'B8 full',
    config: alternating(36, 8, 64),
    options: tp(4),
    cell: 9216,
    tokens: 591801,
    size: 5.0886,
  },
  {
    id: 'B8 window',
    config: alternating(36, 8, 64),
    options: tp(4),
    cell: 9216,
    tokens: 473440,
    size: 4.059,
    which: 'window',
  },
  {
    id: 'B9 full',
    config: alternating(36, 8, 64),
    options: tp(4),
    cell: 9216,
    tokens: 6152340,
    size: 52.8066,
  },
  {
    id: 'B9 window',
    config: alternating(36, 8, 64),
    options: tp(4),
    cell: 9216,
    tokens: 4921847,
    size: 42.2433,
    which: 'window',
  },
  {
    id: 'B10',
    config: stateSpacePattern,
    options: tp(2, { kvDtype: 'fp8_e4m3' }),
    cell: 1536,
    tokens: 17823337,
    size: 25.5024,
  },
  {
    id: 'B11',
    config: gatedDelta(40, 2, 32),
    options: tp(4),
    cell: 10240,
    tokens: 2476576,
    size: 23.6214,
  },
  {
    id: 'B12',
    config: heads(32, 8, 128),
    options: tp(1),
    cell: 131072,
    tokens: 203048,
    size: 24.7896,
  },
  {
    id: 'B13',
    config: heads(28, 4, 128),
    options: tp(1),
    cell: 57344,
    tokens: 898824,
    size: 48.015,
  },
  {
    id: 'B14 B200',
    config: lightningGroups,
    options: tp(8),
    cell: 11520,
    tokens: 1458628,
    size: 15.6519,
  },
  {
    id: 'B14 H200',
    config: lightningGroups,
    options: tp(8),
    cell: 11520,
    tokens: 179689,
    size: 1.9305,
  },
  { id: 'B15', config: sparse(78), options: tp(8), cell: 100152, tokens: 199330, size: 18.6021 },
];

describe('T1: bytes per token and sizes of public runs', () => {
  test('every row of the table with a size is here', () => {
    // B1 to B22 and B26; B6 to B9 and B14 and B21 twice, B22b apart.
    const ids = new Set([...logRows, ...ciRows].map(({ id }) => /^B\d+/.exec(id)?.[0]));
    expect(ids.size).toBe(23);
    expect([logRows.length, ciRows.length]).toEqual([14, 15]);
  });

  test.each(logRows.map(row => [row.id, row] as const))(
    '%s lies within the rounding of every printed value',
    (_id, row) => {
      const bytes = bytesOf(row.config, row.options);
      const pool = row.which === 'window' ? bytes.windowPool! : bytes.pool;
      expect(quantityOf(bytes, pool.cell).exact).toEqual(BigInt(row.cell));
      const check = checkPool(bytes, {
        tokens: count(row.tokens),
        ...(row.size !== undefined && { size: printed(row.size) }),
        ...(row.keys !== undefined && { keys: printed(row.keys) }),
        ...(row.values !== undefined && { values: printed(row.values) }),
        ...(row.which !== undefined && { which: row.which }),
        ...(row.page !== undefined && { page: row.page }),
      });
      expect(check.agrees).toBe(true);
    },
  );

  test.each(ciRows.map(row => [row.id, row] as const))(
    '%s lies within the rounding of two printed parts and of a mean',
    (_id, row) => {
      const bytes = bytesOf(row.config, row.options);
      const pool = row.which === 'window' ? bytes.windowPool! : bytes.pool;
      const cell = quantityOf(bytes, pool.cell);
      expect(cell.exact).toEqual(BigInt(row.cell));
      const size = ((row.tokens + 0.5) / 0.99) * (Number(cell.exact) / 2 ** 30);
      // Keys and values are printed apart (0.01), and the mean of runs moves a step (0.005).
      expect(Math.abs(size - row.size / 0.99)).toBeLessThanOrEqual(0.015);
    },
  );

  test('a size of another rank than the one that decides does not fit (B22b)', () => {
    const bytes = bytesOf(heads(94, 4, 128), tp(4));
    const check = checkPool(bytes, { tokens: count(178880), size: printed('8.11') });
    expect(check.agrees).toBe(false);
    expect(((178880 * 48128) / 2 ** 30 / 8.11 - 1) * 100).toBeCloseTo(-1.14, 2);
  });

  test.each([
    ['B10', stateSpacePattern, 2, 1002, 0.396, 22.5522],
    ['B11', gatedDelta(40, 2, 32), 4, 1417, 0.4851, 20.7801],
  ] as const)(
    '%s: the state of all slots is the printed one',
    (_id, config, ranks, slots, conv, ssm) => {
      const bytes = slotBytes(layoutOf(config), {
        release: exactRelease('0.5.13'),
        parallel: { tp: ranks },
      });
      expect(bytes?.kind).toBe('known');
      const receipt = bytes?.kind === 'known' ? bytes.value.receipt : [];
      const layers = Number(receipt.find(({ name }) => name === 'state_layers')?.quantity.exact);
      const each = (name: string) =>
        Number(receipt.find(line => line.name === name)?.quantity.exact) * layers;
      // The floor of 0.99 slots was printed; buffers have one slot more.
      const first = Math.ceil(slots / 0.99);
      const sizes = [first, first + 1].map(allocated => ({
        conv: Math.round(((each('conv_layer') * (allocated + 1)) / 2 ** 30) * 100) / 100,
        ssm: Math.round(((each('state_layer') * (allocated + 1)) / 2 ** 30) * 100) / 100,
      }));
      const reported = {
        conv: Math.round((conv / 0.99) * 100) / 100,
        ssm: Math.round((ssm / 0.99) * 100) / 100,
      };
      expect(sizes).toContainEqual(reported);
    },
  );
});

describe('T2: the budget of public runs', () => {
  const rest = (available: string, total: string, fraction: string) => {
    const solution = solve(
      [budgetTerms.rest, budgetTerms.minimum],
      [
        factOf(budgetTerms.available, printed(available)),
        factOf(budgetTerms.total, printed(total)),
        factOf(budgetTerms.fraction, {
          ...printed(fraction, units.one),
          interval: { lo: Number(fraction), hi: Number(fraction) },
        }),
        factOf(budgetTerms.reservation, count(0, units.GiB)),
      ],
    );
    return {
      rest: solution.quantityOf(budgetTerms.rest)!.interval,
      minimum: solution.quantityOf(budgetTerms.minimum)!.interval,
    };
  };

  test('B23: 204.641 GiB, with the printed 204.631 within the sampling of free memory', () => {
    const { lo, hi } = rest('230.20', '287.18', '0.911').rest;
    expect((lo + hi) / 2).toBeCloseTo(204.641, 3);
    expect(lo - 0.01).toBeLessThanOrEqual(219721119039 / 2 ** 30);
  });

  test('B23: the pools are 152.88 GiB, so 51.75 GiB have another owner', () => {
    const bytes = bytesOf(heads(48, 4, 128), tp(1));
    const pool = (1669816 * Number(quantityOf(bytes, bytes.budgeted).exact)) / 2 ** 30;
    expect(pool).toBeCloseTo(152.88, 2);
    expect(219721119039 / 2 ** 30 - pool).toBeCloseTo(51.75, 1);
  });

  test('B24: nothing fits below 0.9112', () => {
    const { lo, hi } = rest('12.25', '137.90', '0.88').minimum;
    expect([lo < 0.91117, hi > 0.91117]).toEqual([true, true]);
    expect(hi - lo).toBeLessThan(0.0001);
  });
});

describe('T3: back from printed sizes', () => {
  test.each([
    ['B1', heads(94, 4, 128), tp(4), 367404, '8.23', 1],
    ['B2', heads(48, 4, 128), tp(1), 1669816, '76.44', 4],
    ['B26', heads(64, 8, 128), tp(4, { release: '0.4.3' }), 46611, '1.42', 2],
  ] as const)('%s: the heads of a rank', (_id, config, options, tokens, keys, expected) => {
    const { release = '0.5.13', ...others } = options;
    const implied = impliedHeads(
      layoutOf(config),
      { parallel: { tp: 1 }, ...others, release: exactRelease(release) },
      { tokens: count(tokens), keys: printed(keys), values: printed(keys) },
    );
    expect(implied?.interval).toEqual({ lo: expected, hi: expected });
  });

  test.each([
    ['B1', 367404, '8.23', 48128],
    ['B2', 1669816, '76.44', 98304],
    ['B26', 46611, '1.42', 65536],
  ] as const)('%s: bytes per token hold the true ones', (_id, tokens, part, cell) => {
    const implied = impliedBytesPerToken({
      tokens: count(tokens),
      keys: printed(part),
      values: printed(part),
    });
    const { lo, hi } = implied!.interval;
    expect([lo <= cell, cell <= hi]).toEqual([true, true]);
    expect((hi - lo) / cell).toBeLessThan(0.008);
  });

  test('B10: one head of a rank in FP8', () => {
    const implied = impliedHeads(
      layoutOf(stateSpacePattern),
      { release: exactRelease('0.5.13'), parallel: { tp: 2 }, kvDtype: 'fp8_e4m3' },
      {
        tokens: { ...count(18003371), interval: { lo: 18003371, hi: 18003372 } },
        size: { ...printed('25.76'), interval: { lo: 25.75, hi: 25.77 } },
      },
    );
    expect(implied?.interval).toEqual({ lo: 1, hi: 1 });
  });

  test('B26: the implied fraction is 0.85', () => {
    const pool = (46611 * 65536) / 2 ** 30;
    const solution = solve(
      [budgetTerms.fraction],
      [
        factOf(budgetTerms.available, printed('6.09')),
        factOf(budgetTerms.total, { ...printed('21.63'), interval: { lo: 21.62, hi: 21.64 } }),
        factOf(budgetTerms.reservation, count(0, units.GiB)),
        factOf(budgetTerms.rest, {
          ...count(0, units.GiB),
          interval: { lo: pool, hi: pool + 65536 / 2 ** 30 },
        }),
      ],
    );
    const { lo, hi } = solution.intervalOf(budgetTerms.fraction)!;
    expect([lo <= 0.84997, 0.85 <= hi + 1e-4, hi - lo < 0.001]).toEqual([true, true, true]);
  });
});

describe('B30: one full-length request of six models, in GiB', () => {
  test.each([
    ['local and global layers', localGlobal, 131072, '10.41'],
    ['gated delta layers', gatedDelta(64, 4, 48), 262144, '16.00'],
    ['61 latent layers', latent(61), 163840, '10.72'],
    ['79 latent layers', latent(79), 202752, '17.18'],
    ['61 latent layers, long', latent(61), 262144, '17.16'],
    ['28 layers of heads', heads(28, 8, 128), 40960, '4.38'],
  ] as const)('%s', (_name, config, length, size) => {
    const layout = layoutOf(config);
    const bytes = bytesOf(config, tp(1, { windowPool: true }));
    const cost = requestCost(bytes, layout, count(length))!;
    const { lo, hi } = printed(size).interval;
    expect(cost.exact).toBeDefined();
    expect(Number(cost.exact) / 1024).toBeGreaterThanOrEqual(lo);
    expect(Number(cost.exact) / 1024).toBeLessThanOrEqual(hi);
  });
});

describe('rules of configs that decide by a factor', () => {
  test('heads replicate where there are fewer than ranks: not half of them (B11)', () => {
    expect(cellsOf(gatedDelta(40, 2, 32), tp(4)).budgeted).toBe(10240);
    expect(cellsOf(gatedDelta(40, 2, 32), tp(8)).budgeted).toBe(10240);
  });

  test('latent rows are the same on every rank (B4)', () => {
    expect(cellsOf(latent(61), tp(1)).budgeted).toBe(cellsOf(latent(61), tp(16)).budgeted);
  });

  test('under data-parallel attention a rank has whole heads', () => {
    const parallel = { tp: 8, dp: 8, dpAttention: true };
    expect(cellsOf(heads(48, 4, 128), tp(8, { parallel })).budgeted).toBe(98304);
  });
});
