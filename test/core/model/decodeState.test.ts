/** State on servers that only decode or only prefill: figures are calculated beside them. */
import { describe, expect, test } from 'vitest';
import { planBudget } from '../../../src/core/model/plan';
import type { PlanOptions } from '../../../src/core/model/planOptions';
import { exactRelease } from '../../../src/core/sglang/layout/eraTable';
import { layoutOf } from './configText';
import { gatedDelta } from './modelConfigs';
import { printed } from './printedFigure';

// (32 * 128 + 2 * 16 * 128) * 3 * 2 + 32 * 128 * 128 * 4 bytes in each of 36 layers.
const slotBytes = 77_266_944;
const slotGiB = slotBytes / 2 ** 30;

function rowOf(release: string, options: Partial<PlanOptions>) {
  const planned = planBudget(layoutOf(gatedDelta(48, 2, 32)), {
    release: exactRelease(release),
    parallel: { tp: 1 },
    total: { ...printed('94.00'), interval: { lo: 94, hi: 94 } },
    weights: printed('60.0'),
    contextLength: 262144,
    fractions: [0.9],
    ...options,
  });
  if (planned.kind === 'refused') {
    throw new Error(JSON.stringify(planned.refusal));
  }
  return planned.value.rows.find(({ fraction: { nominal } }) => nominal === 0.9)!;
}

describe('a decode server', () => {
  test.each([
    ['0.5.4', 24],
    ['0.5.9', 24],
    ['0.5.10', 8],
    ['0.5.12', 24],
    ['0.5.18', 24],
    ['0.5.23', 24],
  ])('of %s allocates %d slots for 8 requests', (release, slots) => {
    const { state } = rowOf(release, { role: 'decode', maxRunningRequests: 8 });
    expect(state?.slots?.exact).toBe(BigInt(slots));
    expect(state?.memory?.nominal).toBeCloseTo(slots * slotGiB, 6);
  });

  test('has less left by the slots of requests under way', () => {
    const { left } = rowOf('0.5.18', { role: 'decode', maxRunningRequests: 8 });
    // 9.4 GiB of slack, 16 slots, 25 rows of 262,148 entries.
    const right = 94 * 0.1 - 16 * slotGiB - (25 * 262148 * 4) / 2 ** 30;
    expect([left!.interval.lo <= right, left!.interval.hi >= right]).toEqual([true, true]);
    expect(left!.interval.hi - left!.interval.lo).toBeLessThan(0.3);
  });

  test('has as many as a flag says from 0.5.14 on', () => {
    const options = { role: 'decode', maxRunningRequests: 8, extraSlots: 5 } as const;
    expect(rowOf('0.5.18', options).state?.slots?.exact).toBe(13n);
    expect(rowOf('0.5.13', options).state?.slots?.exact).toBe(24n);
  });

  test('of many requests has no more than the budget gives', () => {
    const { state } = rowOf('0.5.18', { role: 'decode', maxRunningRequests: 64 });
    expect(state?.slots?.exact).toBe(64n);
  });
});

describe('a prefill server', () => {
  const speculative: Partial<PlanOptions> = {
    draft: { kind: 'eagle', layers: 1 },
    draftSteps: 3,
    draftBranches: 1,
    draftTokens: 4,
    maxRunningRequests: 32,
    disableRadixCache: true,
  };
  const slotsAndTaken = (release: string, options: Partial<PlanOptions>) => {
    const { state } = rowOf(release, { ...speculative, ...options });
    return [Number(state?.slots?.exact), Number(state?.taken?.nominal) / slotGiB];
  };

  test('keeps no states of draft tokens from 0.5.22 on', () => {
    // 33 slots with the one that pads, and of each as many draft states as there are draft tokens.
    expect(slotsAndTaken('0.5.21', { role: 'prefill' })[1]).toBeCloseTo(33 * 5, 6);
    expect(slotsAndTaken('0.5.22', { role: 'prefill' })[1]).toBeCloseTo(33, 6);
    expect(slotsAndTaken('0.5.22', { role: 'prefill', mayVerify: true })[1]).toBeCloseTo(165, 6);
    expect(slotsAndTaken('0.5.22', {})[1]).toBeCloseTo(165, 6);
  });
});
