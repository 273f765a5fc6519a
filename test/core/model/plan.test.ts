/** Plans before a start: tokens and what is left for each fraction, as intervals that hold the truth. */
import { describe, expect, test } from 'vitest';
import { planBudget } from '../../../src/core/model/plan';
import type { PlanOptions } from '../../../src/core/model/planOptions';
import { planRelease } from '../../../src/core/model/planRelease';
import type { PlanRow } from '../../../src/core/model/planRows';
import { exactRelease } from '../../../src/core/sglang/layout/eraTable';
import { units } from '../../../src/core/units/unit';
import type { Config } from './configText';
import { layoutOf } from './configText';
import {
  alternating,
  compressed,
  gatedDelta,
  heads,
  latent,
  sparse,
  stateSpacePattern,
} from './modelConfigs';
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

  test('says what the largest fraction that leaves 9 GiB would hold', () => {
    const { roomiest, reserve } = plan;
    expect(reserve.nominal).toBe(9);
    // 94 * 0.11 - 2048 * 262148 * 4 / 2**30 = 8.34 is short of 9, 94 * 0.12 - 2.00 = 9.28 is not.
    expect(roomiest?.fraction.nominal).toBe(0.88);
    expect(holds(roomiest?.tokens, 159287)).toBe(true);
  });

  test('offers the largest hundredth that leaves 9 GiB beside a pool for one request', () => {
    const { advised } = planOf(latent(61), { ...seed, contextLength: 32768 });
    // 94 * 0.10 less 2936 * 32772 * 4 / 2**30 = 0.36 and 0.1 of drift is 8.94; 94 * 0.11 - 0.33 - 0.1
    // is 9.91. Rows are int(T / 32768 * 512).
    expect(advised?.nominal).toBe(0.89);
  });
});

describe('the fraction to start with', () => {
  // 78.5 GiB free, 15 GiB of weights: a full request of 131,072 * 131,072 B = 16 GiB fits.
  const ofNoLength = heads(32, 8, 128);
  const large = { total: printed('78.50'), weights: printed('15.00'), parallel: { tp: 1 } };

  test('leaves no more idle than the reserve asks', () => {
    const { advised, rows } = planOf(heads(32, 8, 128), {
      ...large,
      contextLength: 131072,
      fractions: [0.86, 0.87],
    });
    // 78.5 * 0.13 less 2048 * 131076 * 4 / 2**30 = 1.00 and 0.1 of drift is 9.10; 78.5 * 0.12 is 8.32.
    expect(advised?.nominal).toBe(0.87);
    expect(holds(rowAt(rows, 0.87).left, 9.205)).toBe(true);
  });

  test('is offered without a length of requests, which then is no reason against it', () => {
    const { advised, context: length, rows } = planOf(ofNoLength, large);
    expect(length).toBeUndefined();
    // 78.5 * 0.12 = 9.42; 78.5 * 0.11 = 8.64.
    expect(advised?.nominal).toBe(0.88);
    expect(rows.every(({ left }) => left === undefined)).toBe(true);
  });

  test('keeps the share of a small card', () => {
    const { advised, reserve, roomiest } = planOf(heads(32, 8, 128), {
      ...large,
      total: printed('23.20'),
      contextLength: 131072,
    });
    // 0.12 * 23.205 = 2.7846; 8.2 GiB hold no request of 16 GiB.
    expect(reserve.nominal).toBe(2.79);
    expect(advised).toBeUndefined();
    // 23.2 * 0.17 - 2048 * 131076 * 4 / 2**30 = 2.94, 2.84 with the drift; 23.2 * 0.16 - 1.00 = 2.71.
    expect(roomiest?.fraction.nominal).toBe(0.83);
    // (8.2 - 23.2 * 0.17) * 2**30 / 131072 = 34,865 tokens, +-860 of drift and rounding.
    expect(holds(roomiest?.tokens, 34865)).toBe(true);
  });
});

describe('a plan with a draft', () => {
  const exactly = (value: number) => ({
    ...printed(value.toFixed(2)),
    interval: { lo: value, hi: value },
  });
  const machine: Partial<PlanOptions> = {
    total: exactly(78.5),
    weights: exactly(15),
    draftWeights: exactly(1.5),
    parallel: { tp: 1 },
    contextLength: 131072,
    draftTokens: 4,
    fractions: [0.88],
  };
  const eagle = (layers: number) => ({ draft: { kind: 'eagle' as const, layers } });
  const rowOf = (options: Partial<PlanOptions> & { readonly on: string }) =>
    rowAt(planOf(heads(32, 8, 128), { ...machine, ...options }).rows, 0.88);

  // A = 62.0, 62.0 - 78.5 * 0.12 = 52.58 for both pools; 48 requests run with speculation where nobody
  // says how many: 49 * 131080 * 4 / 2**30 = 0.0239.
  test.each([
    ['0.5.14', { kind: 'eagle', layers: 4 }],
    ['0.5.14', { kind: 'eagle', layers: 1 }],
    ['0.5.18', { kind: 'eagle', layers: 4 }],
    ['0.5.18', { kind: 'block', layers: 8 }],
  ] as const)('on %s leaves what both pools do not take, with %o', (on, draft) => {
    const { left, pool } = rowOf({ on, draft });
    expect(holds(left, 9.3961)).toBe(true);
    expect(left!.interval.hi - left!.interval.lo).toBeLessThan(0.25);
    expect(pool!.nominal).toBeCloseTo(52.58, 2);
  });

  test('has the tokens and the pools of 147,456 B/token for four layers', () => {
    const { tokens, kvPool, draftPool } = rowOf({ on: '0.5.14', ...eagle(4) });
    // 52.58 * 2**30 // 147456; times 131072 and 16384.
    expect(tokens!.nominal).toBe(382875);
    expect(kvPool!.nominal).toBeCloseTo(46.738, 2);
    expect(draftPool!.nominal).toBeCloseTo(5.842, 2);
  });

  test.each(['0.5.12', '0.5.13'])('on %s takes its pool from what is left', on => {
    const { left, tokens, draftPool } = rowOf({ on, ...eagle(4) });
    // (63.5 - 9.42) * 2**30 // 131072 tokens, times 16384 is 6.76 GiB: 9.42 - 6.76 - 1.5 - 0.0239.
    expect(tokens!.nominal).toBe(443023);
    expect(draftPool!.nominal).toBeCloseTo(6.76, 3);
    expect(holds(left, 1.1361)).toBe(true);
    expect(left!.interval.hi - left!.interval.lo).toBeLessThan(0.4);
  });

  test('starts with a fraction that leaves the reserve beside both pools', () => {
    const { advised } = planOf(heads(32, 8, 128), { ...machine, on: '0.5.14', ...eagle(4) });
    // 78.5 * 0.12 - 0.0239 = 9.396, 78.5 * 0.11 - 0.0239 = 8.611.
    expect(advised?.nominal).toBe(0.88);
  });

  test('counts the draft in the cost of a request', () => {
    const { requestCost } = planOf(heads(32, 8, 128), { ...machine, on: '0.5.14', ...eagle(4) });
    // 131072 * 147456 / 2**20
    expect(requestCost?.nominal).toBe(18432);
  });

  test('leaves open what another model of unknown layers takes', () => {
    const kind = 'standalone';
    const counted = planOf(heads(32, 8, 128), { ...machine, on: '0.5.14', draft: { kind } });
    const { tokens, left } = rowAt(counted.rows, 0.88);
    expect([counted.missing, tokens, left]).toEqual([['--draft-layers'], undefined, undefined]);
    const before = rowOf({ on: '0.5.12', draft: { kind } });
    expect([before.tokens?.nominal, before.left]).toEqual([443023, undefined]);
  });

  describe('that shares its slots with the target (0.4.3.post3 to 0.5.6.post2)', () => {
    const shared = { on: '0.5.5', ...eagle(1), maxRunningRequests: 2048 };

    test('has head-room for what all requests draft and verify', () => {
      const { tokens, left } = rowOf({ ...shared, draftSteps: 3, draftBranches: 1 });
      // 443023 + 2048 * (3 * 1 + 4) + 100, each of 131072 + 4096 B.
      expect(tokens!.nominal).toBe(457459);
      // 62.0 - 457459 * 135168 / 2**30 - 2048 * 131080 * 4 / 2**30
      expect(holds(left, 3.4127)).toBe(true);
      expect(left!.interval.hi - left!.interval.lo).toBeLessThan(0.8);
    });

    test('has neither tokens nor rest where a flag of it is missing', () => {
      const { rows, missing, advised } = planOf(heads(32, 8, 128), { ...machine, ...shared });
      const { tokens, left, pool, requests } = rowAt(rows, 0.88);
      expect([tokens, left, pool, requests]).toEqual([undefined, undefined, undefined, undefined]);
      expect(missing).toEqual(['--speculative-num-steps', '--speculative-eagle-topk']);
      expect(advised).toBeUndefined();
    });
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
      fractions: [0.88],
      total: { ...printed('93.58'), interval: { lo: 93.58, hi: 93.58 } },
    });
    const { tokens, left, requestTable } = rowAt(rows, 0.88);
    expect(tokens!.nominal! % 256).toBe(0);
    const bytes = (56.58 - 93.58 * 0.12) * 2 ** 30;
    // The release sets this limit for such models where nobody gives one.
    const requests = 256;
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

  test('with a limit of tokens has a pool of so many, whatever the fraction gives', () => {
    const { rows } = planOf(latent(61), { ...seed, fractions: [0.88], maxTotalTokens: 32768 });
    const { pool, budget } = rowAt(rows, 0.88);
    // 32768 * 70272 / 2**30 = 2.1445 GiB and a padding row, of a budget of 10.42.
    expect(pool!.nominal).toBeCloseTo(2.1446, 3);
    expect(holds(budget, 10.42)).toBe(true);
  });

  test('with a limit of tokens keeps whole pages of it, in both pools of window layers', () => {
    const options = { ...seed, fractions: [0.88], maxTotalTokens: 1000, page: 64 };
    expect(rowAt(planOf(latent(61), options).rows, 0.88).tokens?.exact).toEqual(960n);
    const { tokens, windowTokens } = rowAt(
      planOf(alternating(24, 8, 64), { ...options, on: '0.5.13', weights: printed('13.00') }).rows,
      0.88,
    );
    // int(960 * 0.8) // 64 * 64
    expect([tokens?.interval, windowTokens?.interval]).toEqual([
      { lo: 960, hi: 960 },
      { lo: 768, hi: 768 },
    ]);
  });

  test('with a limit of tokens starts with the smallest fraction that holds them', () => {
    const machine = { total: printed('78.50'), weights: printed('15.00'), parallel: { tp: 1 } };
    const options = { ...machine, contextLength: 131072, on: '0.5.9' };
    // 1,000 tokens are 0.122 GiB: 63.5 - 78.5 * 0.80 = 0.70 GiB at 0.20, less at 0.19 (-0.08).
    const small = planOf(heads(32, 8, 128), { ...options, maxTotalTokens: 1000 });
    expect(small.advised?.nominal).toBe(0.2);
    // 131,072 tokens are 16 GiB: 63.5 - 78.5 * 0.60 = 16.40 at 0.40, 15.62 at 0.39.
    const request = planOf(heads(32, 8, 128), { ...options, maxTotalTokens: 131072 });
    expect(request.advised?.nominal).toBe(0.4);
    // 450,000 tokens are 54.9 GiB: 63.5 - 54.9 - 1.0 is less than 9.
    const large = planOf(heads(32, 8, 128), { ...options, maxTotalTokens: 450000 });
    expect([large.advised, large.roomiest]).toEqual([undefined, undefined]);
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
    expect(before.budget!.nominal! - since.budget!.nominal!).toBeCloseTo(2, 9);
    expect(since.left!.nominal! - before.left!.nominal!).toBeCloseTo(2, 2);
  });

  test('takes what is reserved for vision models out of the budget from 0.5.18 on', () => {
    const config = { text_config: latent(61), vision_config: { hidden_size: 1152 } };
    const pool = (release: string) =>
      rowAt(planOf(config, { ...seed, on: release, fractions: [0.9] }).rows, 0.9).budget!.nominal!;
    expect(pool('0.5.17') - pool('0.5.18')).toBeCloseTo(100 / 1024, 9);
  });

  // python3: int((140 - 85 - 140 * (1 - 0.9)) * 2**30 // cell)
  test('an open dtype gives rows of each dtype, and an offer that holds for all', () => {
    const machine = {
      on: '0.5.18',
      total: { ...printed('140.00'), interval: { lo: 140, hi: 140 } },
      weights: { ...printed('85.00'), interval: { lo: 85, hi: 85 } },
      contextLength: 163840,
    };
    const { byDtype, advised, rows } = planOf(sparse(61), { ...machine, fractions: [0.9] });
    const found = byDtype.map(({ dtype, plan }) => {
      const { tokens } = rowAt(plan.rows, 0.9);
      return [dtype, plan.budgeted.exact, tokens!.interval] as const;
    });
    expect(found.map(([dtype, cell]) => [dtype, cell])).toEqual([
      ['bfloat16', 78324n],
      ['fp8_e4m3', 48068n],
    ]);
    for (const [at, tokens] of [562068, 915857].entries()) {
      const { lo, hi } = found[at]![2];
      expect([lo <= tokens, tokens <= hi, hi - lo < 0.01 * tokens]).toEqual([true, true, true]);
      expect(holds(rowAt(rows, 0.9).tokens, tokens)).toBe(true);
    }
    // With either dtype 0.92 leaves 9 GiB: 140 * 0.08 GiB less the request table.
    expect(advised?.nominal).toBe(0.92);
    const known = planOf(sparse(61), { ...machine, kvDtype: 'bfloat16' });
    expect([known.byDtype, known.advised?.nominal]).toEqual([[], 0.92]);
  });

  test('names the flag that a window pool sized by requests depends on', () => {
    const machine = { on: '0.5.18', total: printed('78.50'), weights: printed('14.00') };
    const limited = { ...machine, maxRunningRequests: 64, disableRadixCache: true };
    const windows = alternating(24, 8, 64);
    expect(planOf(windows, limited).missing).toEqual(['--chunked-prefill-size']);
    expect(planOf(windows, { ...limited, chunkedPrefillSize: 8192 }).missing).toEqual([]);
    expect(planOf(windows, machine).missing).toEqual([]);
    expect(planOf(heads(32, 8, 128), limited).missing).toEqual([]);
    expect(planOf(windows, { ...limited, on: '0.5.13' }).missing).toEqual([]);
  });

  test('knows releases by their numbers', () => {
    expect(planRelease('v0.5.9')).toEqual({ release: exactRelease('0.5.9') });
    expect([planRelease('latest'), planRelease('0.5')]).toEqual([undefined, undefined]);
  });

  test('supposes the newest release whose code was read', () => {
    const newest = { release: exactRelease('0.5.23'), isReleaseSupposed: true };
    expect(planRelease(undefined)).toEqual(newest);
  });

  test('takes a release to come for the newest that is known, and keeps its name', () => {
    expect(planRelease('9.9.9')).toEqual({
      release: exactRelease('0.5.23'),
      askedRelease: '9.9.9',
    });
  });

  // SGLang divides query heads by the ranks of attention, and heads of keys and values by them or them
  // by these; it starts with nothing else.
  test.each([
    [heads(32, 8, 128), { tp: 3 }, 'num_attention_heads'],
    [heads(32, 8, 128), { tp: 6, dp: 2, dpAttention: true }, 'num_attention_heads'],
    [{ ...heads(32, 10, 128), num_attention_heads: 40 }, { tp: 4 }, 'num_key_value_heads'],
    [{ ...heads(32, 3, 128), num_attention_heads: 24 }, { tp: 8 }, 'num_key_value_heads'],
    [latent(61), { tp: 3 }, 'num_attention_heads'],
    [heads(32, 8, 128), { tp: 8, dp: 3, dpAttention: true }, '--dp'],
  ] as const)('refuses ranks that do not divide: %#', (config, parallel, key) => {
    const planned = planBudget(layoutOf(config), { release: exactRelease('0.5.18'), parallel });
    expect(planned).toMatchObject({ kind: 'refused', refusal: { kind: 'indivisible', key } });
  });

  test.each([
    ['0.4.7', { draft: { kind: 'eagle' } }],
    ['0.5.18', { draft: { kind: 'eagle' } }],
    ['0.5.20', { isSpeculative: true }],
    ['0.5.23', { isSpeculative: true }],
    ['0.5.23', { draft: { kind: 'standalone' } }],
    ['0.5.23', { draft: { kind: 'block' } }],
  ] as const)('refuses stages with speculation that does not start so: %s %o', (on, options) => {
    const parallel = { tp: 4, pp: 2 };
    const planned = planBudget(layoutOf(latent(61)), {
      release: exactRelease(on),
      parallel,
      ...options,
    });
    expect(planned).toMatchObject({ kind: 'refused', refusal: { kind: 'not-together' } });
  });

  test.each([
    ['0.5.18', 2, {}],
    ['0.5.18', 1, { draft: { kind: 'eagle' } }],
    ['0.5.21', 2, { draft: { kind: 'eagle' } }],
    ['0.5.21', 2, { draft: { kind: 'block' }, role: 'prefill' }],
  ] as const)('takes stages with what starts so: %s %i %o', (on, pp, options) => {
    const parallel = { tp: 4, pp };
    expect(planOf(latent(61), { on, parallel, ...options }).budgeted.interval.lo).toBeGreaterThan(
      0,
    );
  });

  test('refuses fewer heads than ranks before 0.1.18, whatever groups of attention are asked for', () => {
    const planned = planBudget(layoutOf(heads(32, 8, 128)), {
      release: exactRelease('0.1.10'),
      parallel: { tp: 16, dp: 8, dpAttention: true },
    });
    expect(planned).toMatchObject({ kind: 'refused', refusal: { kind: 'indivisible', ranks: 16 } });
  });

  test.each([
    [heads(32, 8, 128), { tp: 16 }],
    [heads(32, 8, 128), { tp: 8, dp: 2, dpAttention: true }],
    [{ ...heads(32, 3, 128), num_attention_heads: 24 }, { tp: 6 }],
    [{ ...heads(32, 1, 128), num_attention_heads: 48 }, { tp: 3 }],
  ] as const)('takes ranks that divide: %#', (config, parallel) => {
    const planned = planBudget(layoutOf(config), { release: exactRelease('0.5.18'), parallel });
    expect(planned.kind).toBe('known');
  });
});

describe('what an offer keeps free', () => {
  const large = {
    on: '0.5.18',
    contextLength: 163840,
    kvDtype: 'bfloat16',
    total: { ...printed('178.00'), interval: { lo: 178, hi: 178 } },
    automatic: { card: count(183359, units.MiB) },
  } as const;

  // The release's own function gives 0.844 for this card, for activations of 16,384-token chunks.
  test('is what the automatic fraction keeps, where its pool holds a request', () => {
    const plan = planOf(latent(61), { ...large, weights: printed('82.00') });
    expect(plan.automatic?.effective.nominal).toBe(0.844);
    expect(plan.advised?.nominal).toBe(0.84);
    expect(plan.reserve.interval.lo).toBeGreaterThan(178 * 0.156 - 3);
    expect(plan.roomiest!.free!.interval.lo).toBeGreaterThanOrEqual(plan.reserve.interval.hi);
  });

  // 70,272 bytes x 163,840 tokens are 10.72 GiB: beside weights of 145 GiB, 0.875 of 178 GiB.
  test('is less where the automatic fraction holds no request: the smallest that holds one', () => {
    const plan = planOf(latent(61), { ...large, weights: printed('145.00') });
    expect([plan.advised?.nominal, plan.isLeast]).toEqual([0.88, true]);
    expect(plan.roomiest!.tokens!.interval.lo).toBeGreaterThanOrEqual(163840);
  });

  test('is the usual reserve where no fraction holds a request and leaves that', () => {
    const plan = planOf(latent(61), { ...large, weights: printed('162.00') });
    expect([plan.advised, plan.isLeast, plan.reserve.interval.hi]).toEqual([undefined, false, 9]);
  });
});

describe('a plan of state layers with speculation', () => {
  const flags: Partial<PlanOptions> = {
    contextLength: 262144,
    parallel: { tp: 4 },
    draft: { kind: 'eagle' },
    total: { ...printed('78.10'), interval: { lo: 78.1, hi: 78.1 } },
    weights: printed('40.90'),
    fractions: [0.8],
  };
  const config = gatedDelta(48, 2, 32);

  test('names the draft tokens where nobody gave them, and gives no tokens', () => {
    const plan = planOf(config, { ...flags, on: '0.5.12' });
    expect(plan.missing).toContain('--speculative-num-draft-tokens');
    expect(rowAt(plan.rows, 0.8)).toMatchObject({ tokens: undefined, state: undefined });
  });

  // Classes that no release names may buffer their slots: what follows from the buffers is not known.
  test('leaves open what slots of an unknown class decide, and names the flag', () => {
    const { contextLength, parallel, total, weights, fractions } = flags;
    const plain = { contextLength, parallel, total, weights, fractions } as Partial<PlanOptions>;
    const open = { ...plain, on: '0.5.18', areSlotsOpen: true };
    const plan = planOf(config, open);
    const row = rowAt(plan.rows, 0.8);
    expect(plan.missing).toContain('--mamba-scheduler-strategy');
    expect(row.tokens).toEqual(
      rowAt(planOf(config, { ...open, areSlotsOpen: false }).rows, 0.8).tokens,
    );
    expect([row.requests, row.requestTable, plan.requestCost]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const drafted = planOf(config, { ...open, draft: { kind: 'eagle' }, draftTokens: 4 });
    expect(rowAt(drafted.rows, 0.8).tokens).toBeUndefined();
  });

  // python3 by the function of 0.5.6: 113 slots of five states leave 11.4156 GiB, and 37 requests, three
  // slots each, of 3 steps and 4 draft tokens come on top of the tokens.
  test('has the tokens that EAGLE adds up to 0.5.6', () => {
    const more = { draftTokens: 4, draftSteps: 3, draftBranches: 1 };
    const early = planOf(config, { ...flags, ...more, on: '0.5.6', maxRunningRequests: 48 });
    const { tokens } = rowAt(early.rows, 0.8);
    expect(holds(tokens, 997_868)).toBe(true);
    expect(tokens!.interval.hi - tokens!.interval.lo).toBeLessThan(80_000);
  });

  // python3: the handle_max_mamba_cache of each release, with 48 requests and 19,316,736 B a slot.
  test.each([
    ['0.5.9', 834021],
    ['0.5.12', 834021],
  ])('takes the states of 48 requests from the budget of %s', (on, right) => {
    const plan = planOf(config, { ...flags, on, draftTokens: 4 });
    expect(plan.slot?.quantity.exact).toBe(19316736n);
    const { tokens } = rowAt(plan.rows, 0.8);
    expect(holds(tokens, right)).toBe(true);
    expect(tokens!.interval.hi - tokens!.interval.lo).toBeLessThan(right * 0.08);
  });
});

describe('a plan of a state-space model without a prefix cache', () => {
  const options: Partial<PlanOptions> & { readonly on?: string } = {
    contextLength: 8192,
    parallel: { tp: 1 },
    total: { ...printed('78.10'), interval: { lo: 78.1, hi: 78.1 } },
    weights: printed('20.00'),
    fractions: [0.9],
  };
  const config = { ...stateSpacePattern, architectures: ['NemotronHForCausalLM'] };

  // These classes lose it up to 0.5.6 and have 512 slots then, of which a request takes one.
  test.each([
    ['0.5.6', 512, 1],
    ['0.5.6.post1', undefined, 3],
  ] as const)('on %s has the slots that the release gives', (on, slots, each) => {
    const plan = planOf(config, { ...options, on });
    const { state } = rowAt(plan.rows, 0.9);
    expect(state?.slotsPerRequest).toBe(each);
    expect(state?.slots?.nominal === 512).toBe(slots === 512);
  });
});
