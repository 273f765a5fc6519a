/** Compressed attention of random layouts and budgets, by the releases' own class, which python3 runs. */
import { describe, expect, test } from 'vitest';
import { compressedPoolTokens } from '../../src/core/model/tokenPools';
import { units } from '../../src/core/units/unit';
import type { Config } from '../core/model/configText';
import { bytesOf, quantityOf } from '../core/model/configText';
import { count } from '../core/model/printedFigure';
import { releasesFrom, runTrials } from './trials';

interface Trial {
  readonly release: string;
  readonly config: Config;
  readonly ratio: number;
  readonly drafts: number | null;
  readonly requests: number | null;
  readonly dp: number;
  readonly page: number;
  readonly context: number;
  readonly budget: number;
  readonly expected: {
    readonly cell: number;
    /** Null where the release refuses to start. */
    readonly full: number | null;
    readonly window: number | null;
  };
}

const releases = releasesFrom('0.5.12');
const perRelease = 40;
const { trials, here, needed } = await runTrials<Trial>(
  'compressedTrials.py',
  releases,
  3,
  perRelease,
);

describe('compressed attention of random layouts', () => {
  test('there are enough of every release that is here', () => {
    expect(trials).toHaveLength(here.length * perRelease);
    expect(here.length).toBe(needed);
  });

  test.each(here)('has the bytes and the pools that %s computes', release => {
    for (const trial of trials.filter(one => one.release === release)) {
      const { config, dp, drafts, ratio, requests, page, context, budget, expected } = trial;
      const shown = JSON.stringify(trial);
      const bytes = bytesOf(config, {
        release,
        parallel: { tp: dp, dp, dpAttention: dp > 1 },
        windowRatio: ratio,
        page,
        ...(drafts !== null && { draft: { kind: 'eagle', layers: 1 } }),
      });
      const { lo, hi } = quantityOf(bytes, bytes.budgeted).interval;
      const rounding = 1e-12 * expected.cell;
      expect(lo, shown).toBeGreaterThanOrEqual(expected.cell - rounding);
      expect(hi, shown).toBeLessThanOrEqual(expected.cell + rounding);
      const { full, window } = compressedPoolTokens(bytes, count(budget, units.B), {
        page,
        context: count(context),
        ...(requests !== null && { maxRunningRequests: requests }),
      });
      for (const [found, tokens] of [
        [full, expected.full],
        [window, expected.window],
      ] as const) {
        const { interval } = found!;
        const isHeld = tokens === null || (interval.lo <= tokens && tokens <= interval.hi);
        expect([isHeld, interval.hi - interval.lo <= page], shown).toEqual([true, true]);
      }
    }
  });
});
