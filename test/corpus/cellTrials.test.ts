/**
 * Bytes per token and window splits of random layouts against the releases' own classes, which python3
 * runs: heads, latents, sparse attention, windows, state hybrids, and drafts beside them.
 */
import { describe, expect, test } from 'vitest';
import type { DraftPlan } from '../../src/core/model/tokenBytes';
import { splitWindow } from '../../src/core/model/tokenPools';
import { units } from '../../src/core/units/unit';
import type { Config } from '../core/model/configText';
import { bytesOf, layoutOf, quantityOf } from '../core/model/configText';
import { count } from '../core/model/printedFigure';
import { releasesFrom, runTrials } from './trials';

interface Trial {
  readonly release: string;
  readonly layout: string;
  readonly config: Config;
  /** All ranks of a stage, groups of attention by data and context, groups of decoding, stages. */
  readonly tp: number;
  readonly dp: number;
  readonly cp: number;
  readonly dcp: number;
  readonly pp: number;
  readonly dtype: string;
  readonly draft: { readonly kind: 'none' | 'eagle' | 'block'; readonly layers: number };
  readonly ratio: number;
  readonly page: number;
  readonly budget: number;
  readonly requests?: number;
  readonly chunk?: number;
  readonly no_overlap?: boolean;
  readonly expected: {
    readonly cell: number;
    /** What the cell may be where stages differ; both are the cell elsewhere. */
    readonly least: number;
    readonly most: number;
    readonly full?: number | null;
    readonly window?: number | null;
  };
}

const releases = releasesFrom('0.5.11');
const { trials, here, needed } = await runTrials<Trial>('cellTrials.py', releases, 7, 25);

function draftOf({ draft }: Trial): { readonly draft?: DraftPlan } {
  return draft.kind === 'none' ? {} : { draft: { kind: draft.kind, layers: draft.layers } };
}

function ours(trial: Trial) {
  const { release, config, tp, pp, dp, cp, dcp, dtype, ratio, page, budget, layout } = trial;
  const bytes = bytesOf(config, {
    release,
    parallel: { tp, pp, dp, dpAttention: dp > 1, attnCp: cp, dcp },
    kvDtype: dtype,
    windowRatio: ratio,
    ...draftOf(trial),
  });
  const { exact, interval } = quantityOf(bytes, bytes.budgeted);
  const cell = exact === undefined ? interval : { lo: Number(exact), hi: Number(exact) };
  if (layout !== 'windows') {
    return { cell };
  }
  const cap =
    trial.requests === undefined
      ? undefined
      : {
          requests: trial.requests,
          window: layoutOf(config).slidingWindow!,
          parallel: { tp, dp, dpAttention: dp > 1 },
          chunks: { chunk: trial.chunk ?? 0, areTwo: trial.no_overlap !== true },
        };
  const { full, window } = splitWindow(
    bytes,
    { kind: 'bytes', bytes: count(budget, units.B), ...(cap && { cap }) },
    page,
  );
  return { cell, full: Number(full?.exact), window: Number(window?.exact) };
}

describe('what the releases make of random layouts', () => {
  test('there are enough of every release that is here', () => {
    expect(trials.length).toBe(here.reduce((sum, one) => sum + (one < '0.5.16' ? 125 : 150), 0));
    expect(here.length).toBe(needed);
  });

  test.each(
    here.flatMap(release =>
      [...new Set(trials.map(({ layout }) => layout))].map(layout => [release, layout] as const),
    ),
  )('%s %s', (release, layout) => {
    for (const trial of trials.filter(one => one.release === release && one.layout === layout)) {
      const { expected } = trial;
      const found = ours(trial);
      const shown = JSON.stringify(trial);
      const { lo, hi } = found.cell;
      expect([lo <= expected.cell, hi >= expected.cell], shown).toEqual([true, true]);
      // Stages with most layers may not have most index rows: then the cell has the near bounds that
      // python3 finds; everywhere else it is one number.
      // Bounds that are no whole bytes before they are cut may be a byte wider.
      const cut = expected.least < expected.most ? 1 : 0;
      const rounding = 1e-12 * expected.most + cut;
      const isNear = [lo >= expected.least - rounding, hi <= expected.most + rounding];
      expect(isNear, shown).toEqual([true, true]);
      if (typeof expected.full === 'number') {
        expect([found.full, found.window], shown).toEqual([expected.full, expected.window]);
      }
    }
  });
});
