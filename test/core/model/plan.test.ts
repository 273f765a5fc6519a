/** Plans before a start: tokens and what is left for each fraction, as intervals that hold the truth. */
import { describe, expect, test } from 'vitest';
import type { PlanOptions, PlanRow } from '../../../src/core/model/plan';
import { planBudget, planRelease } from '../../../src/core/model/plan';
import { exactRelease } from '../../../src/core/sglang/layout/eraTable';
import { units } from '../../../src/core/units/unit';
import type { Config } from './configText';
import { layoutOf } from './configText';
import { alternating, compressed, gatedDelta, heads, latent, sparse } from './modelConfigs';
import { count, printed } from './printedFigure';

function planOf(config: Config, options: Partial<PlanOptions> & { readonly on?: string } = {}) {
  const { on = '0.5.8', ...others } = options;
  const planned = planBudget(layoutOf(config), {
    release: exactRelease(on),
    parallel: { tp: 8 },
    ...others,
  });
  if (planned.kind === 'refused') {
    throw new Error(JSON.stringify(planned.refusal));
  }
  return planned.value;
}

const context = { contextLength: 262144 };

/** The seed's machine: 94.00 GiB free, 72.3 GiB of weights. */
const seed: Partial<PlanOptions> = {
  ...context,
  total: { ...printed('94.00'), interval: { lo: 94, hi: 94 } },
  weights: printed('72.3'),
};

function rowAt(rows: readonly PlanRow[], fraction: number): PlanRow {
  return rows.find(({ fraction: { nominal } }) => nominal === fraction)!;
}

function holds(quantity: PlanRow['tokens'], value: number): boolean {
  return quantity !== undefined && quantity.interval.lo <= value && value <= quantity.interval.hi;
}

describe('a plan of the seed', () => {
  const plan = planOf(latent(61), { ...seed, fractions: [0.55, 0.77, 0.88] });

  test('holds at 0.88 the 159,287 tokens that a run got, within two percent', () => {
    const { tokens, pool } = rowAt(plan.rows, 0.88);
    expect(holds(tokens, 159287)).toBe(true);
    expect(holds(pool, 10.42)).toBe(true);
    expect(tokens!.interval.hi - tokens!.interval.lo).toBeLessThan(159287 * 0.04);
  });

  test('has nothing at 0.55, with the deficit of the failing run', () => {
    const row = rowAt(plan.rows, 0.55);
    expect(holds(row.pool, -20.603)).toBe(true);
    expect(holds(row.tokens, -314811)).toBe(true);
    expect([row.left, row.requests, row.concurrency]).toEqual([undefined, undefined, undefined]);
  });

  test('has its floor at 0.7692', () => {
    expect(holds(plan.minimum, 1 - 21.7 / 94)).toBe(true);
  });

  test('leaves the slack less the request table of 2,048 rows', () => {
    const { left, requestTable } = rowAt(plan.rows, 0.88);
    expect(holds(requestTable, (2048 * 262148 * 4) / 2 ** 30)).toBe(true);
    expect(holds(left, 94 * 0.12 - (2048 * 262148 * 4) / 2 ** 30)).toBe(true);
    // Loading leaves up to 0.1 GiB behind, either way.
    expect(left!.interval.hi - left!.interval.lo).toBeLessThan(0.21);
    expect(left).toMatchObject({ basis: 'assumed' });
  });

  test('says what every blind figure rests on', () => {
    const { tokens } = rowAt(plan.rows, 0.88);
    expect(tokens).toMatchObject({ basis: 'assumed' });
    expect(tokens?.assumptions).toEqual(['A = free - weights, to 0.1 GiB']);
  });

  test('offers no fraction where none holds a request and leaves 9 GiB', () => {
    expect(plan.advised).toBeUndefined();
  });

  test('offers the smallest hundredth that does both', () => {
    const { advised } = planOf(latent(61), { ...seed, contextLength: 32768 });
    const rows = (fraction: number) =>
      planOf(latent(61), { ...seed, contextLength: 32768, fractions: [fraction] }).rows[0]!;
    expect(advised?.nominal).toBeGreaterThan(0.78);
    expect(rows(advised!.nominal!).tokens!.interval.lo).toBeGreaterThanOrEqual(32768);
    expect(rows(advised!.nominal! - 0.01).tokens!.interval.lo).toBeLessThan(32768);
  });
});

describe('a plan', () => {
  test('without free memory has bytes per token and the cost of a request, and no rows', () => {
    const plan = planOf(latent(61), context);
    expect(plan.budgeted.exact).toEqual(70272n);
    expect(plan.requestCost?.exact).toBe(17568);
    expect([plan.rows, plan.minimum, plan.available]).toEqual([[], undefined, undefined]);
  });

  test('has rising tokens and falling rest over the fractions', () => {
    const { rows } = planOf(heads(32, 8, 128), {
      ...seed,
      weights: printed('15.00'),
      contextLength: 131072,
    });
    expect(rows.length).toBeGreaterThan(6);
    const tokens = rows.map(row => row.tokens!.interval.lo);
    const left = rows.flatMap(row => row.left?.interval.lo ?? []);
    expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
    expect(left).toEqual(left.toSorted((a, b) => b - a));
  });

  test('of sparse attention leaves less than the slack where buffers exceed the budget', () => {
    const options = { ...seed, fractions: [0.88], kvDtype: 'fp8_e4m3', on: '0.5.9' };
    const { rows, budgeted, allocated } = planOf(sparse(61), options);
    expect([budgeted.exact, allocated.exact]).toEqual([43188n, 48068n]);
    const { left, requestTable, tokens } = rowAt(rows, 0.88);
    const over = (tokens!.nominal! * (48068 - 43188)) / 2 ** 30;
    expect(holds(left, 94 * 0.12 - requestTable!.interval.lo - over)).toBe(true);
  });

  test('of a state model splits the rest, and limits requests by slots', () => {
    // README of the logs: 15.72 GiB are 82 slots (7.42 GiB) and 8.30 GiB of keys and values.
    const { rows, slot } = planOf(gatedDelta(60, 2, 64), {
      total: { ...printed('22.84'), interval: { lo: 22.84, hi: 22.84 } },
      weights: { ...printed('3.76'), interval: { lo: 3.76, hi: 3.76 } },
      fractions: [0.853],
      contextLength: 262144,
      parallel: { tp: 2 },
    });
    expect(slot?.quantity.exact).toBeDefined();
    const row = rowAt(rows, 0.853);
    expect(holds(row.state?.slots, 83)).toBe(true);
    expect(holds(row.pool, 8.3)).toBe(true);
    expect(holds(row.tokens, 580364)).toBe(true);
    expect(row.requests!.interval.hi).toBeLessThanOrEqual(28);
  });

  test('of window layers has tokens of both pools and leaves what both do not take', () => {
    const { rows } = planOf(alternating(24, 8, 64), {
      ...seed,
      weights: printed('13.00'),
      contextLength: 131072,
      on: '0.5.13',
      parallel: { tp: 1 },
      fractions: [0.88],
    });
    const { tokens, windowTokens, pool, left, requestTable } = rowAt(rows, 0.88);
    expect(windowTokens!.nominal! / tokens!.nominal!).toBeCloseTo(0.8, 4);
    const taken = ((tokens!.nominal! + windowTokens!.nominal!) * 24576) / 2 ** 30;
    expect(taken).toBeCloseTo(pool!.nominal!, 1);
    expect(holds(left, 94 * 0.12 - requestTable!.interval.lo)).toBe(true);
  });

  test('of compressed attention has tokens in pages of 256', () => {
    const { rows } = planOf(compressed, {
      ...seed,
      weights: printed('37.00'),
      contextLength: 1048576,
      on: '0.5.16',
      page: 256,
      fractions: [0.88],
      total: { ...printed('93.58'), interval: { lo: 93.58, hi: 93.58 } },
    });
    const { tokens, left, requestTable } = rowAt(rows, 0.88);
    expect(tokens!.nominal! % 256).toBe(0);
    const bytes = (56.58 - 93.58 * 0.12) * 2 ** 30;
    const requests = Math.trunc((bytes / 7705.45 / 1048576) * 512);
    // Each request, and one more, keeps 128 rows of 2 x 512 values of 4 bytes in 20 layers.
    const rowsOfState = Math.ceil(((requests + 1) * 128 + 129) / 128) * 128;
    const expected = bytes - rowsOfState * 2 * 512 * 4 * 20;
    expect(Math.abs(tokens!.nominal! - expected / 7705.45)).toBeLessThan(300);
    expect(holds(left, 93.58 * 0.12 - requestTable!.interval.lo)).toBe(true);
  });

  test('with a limit of tokens stays at it', () => {
    const { rows } = planOf(latent(61), { ...seed, fractions: [0.88], maxTotalTokens: 32768 });
    expect(rowAt(rows, 0.88).tokens?.exact).toEqual(32768n);
  });

  test('counts the weights of a draft before sizing from 0.5.14 on and after it before', () => {
    const on = (release: string) =>
      rowAt(
        planOf(latent(61), {
          ...seed,
          on: release,
          fractions: [0.9],
          draftWeights: { ...count(2, units.GiB) },
        }).rows,
        0.9,
      );
    const [before, since] = [on('0.5.13'), on('0.5.14')];
    expect(before.pool!.nominal! - since.pool!.nominal!).toBeCloseTo(2, 9);
    expect(since.left!.nominal! - before.left!.nominal!).toBeCloseTo(2, 2);
  });

  test('takes what is reserved for vision models out of the budget from 0.5.18 on', () => {
    const config = { text_config: latent(61), vision_config: { hidden_size: 1152 } };
    const pool = (release: string) =>
      rowAt(planOf(config, { ...seed, on: release, fractions: [0.9] }).rows, 0.9).pool!.nominal!;
    expect(pool('0.5.17') - pool('0.5.18')).toBeCloseTo(100 / 1024, 9);
  });

  test('knows releases by their numbers', () => {
    expect(planRelease('v0.5.9')).toEqual(exactRelease('0.5.9'));
    expect(planRelease(undefined)).toEqual(exactRelease('0.5.18'));
    expect([planRelease('latest'), planRelease('0.5')]).toEqual([undefined, undefined]);
  });
});
