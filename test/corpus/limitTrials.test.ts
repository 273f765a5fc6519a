/** Limits of tokens and requests, pages and roles in random launches, by the releases' own functions. */
import { describe, expect, test } from 'vitest';
import type { SizingOptions } from '../../src/core/model/poolSizer';
import { PoolSizer } from '../../src/core/model/poolSizer';
import { budgetTerms } from '../../src/core/sglang/budgetFormula';
import { exactRelease } from '../../src/core/sglang/layout/eraTable';
import { slotsPerRequest } from '../../src/core/sglang/layout/slotsPerRequest';
import { factOf } from '../../src/core/terms/derive';
import type { Quantity } from '../../src/core/units/quantity';
import { units } from '../../src/core/units/unit';
import type { Config } from '../core/model/configText';
import { bytesOf, layoutOf } from '../core/model/configText';
import { count } from '../core/model/printedFigure';
import { releasesFrom, runTrials } from './trials';

interface Trial {
  readonly release: string;
  readonly layout: 'heads' | 'windows' | 'states';
  readonly config: Config;
  readonly ratio: number;
  readonly tp: number;
  readonly dp: number;
  /** True where the groups are those of attention, false where they are copies of the server. */
  readonly attention_groups: boolean;
  readonly page: number;
  /** GiB for keys and values. */
  readonly rest: number;
  readonly context: number;
  readonly limit: number | null;
  readonly requests: number | null;
  /** Bytes of a slot of state, and how many are asked for. */
  readonly slot: number;
  readonly slots: number | null;
  readonly mode: 'null' | 'decode' | 'prefill';
  readonly no_cache: boolean;
  readonly no_overlap: boolean;
  readonly chunk: number;
  readonly draft: { readonly kind: 'none' | 'eagle'; readonly layers: number };
  readonly steps: number;
  readonly branches: number;
  readonly drafts: number;
  /** Null where the release refuses to start. */
  readonly expected: {
    readonly full: number;
    readonly window: number | null;
    readonly requests: number;
    readonly rows: number;
    readonly entries: number;
    /** Slots of state that a decode server allocates. */
    readonly slots: number | null;
  } | null;
}

const releases = [
  '0.4.3.post3',
  '0.4.5',
  '0.4.6',
  '0.4.7',
  '0.4.9.post3',
  '0.5.1',
  '0.5.3.post3',
  '0.5.4.post2',
  '0.5.6',
  '0.5.7',
  '0.5.8',
  '0.5.9',
  ...releasesFrom('0.5.10'),
];
const perRelease = 80;
const { trials, here, needed } = await runTrials<Trial>('limitTrials.py', releases, 5, perRelease);

function optionsOf(trial: Trial): SizingOptions {
  const ifGiven = (value: number | null, name: string) => (value === null ? {} : { [name]: value });
  const { tp, dp, page, mode, draft } = trial;
  return {
    release: exactRelease(trial.release),
    parallel: { tp, dp, dpAttention: trial.attention_groups && dp > 1 },
    page,
    windowPool: trial.layout === 'windows',
    windowRatio: trial.ratio,
    chunkedPrefillSize: trial.chunk,
    slotsPerRequest: slotsPerRequest(exactRelease(trial.release), {
      disableRadixCache: trial.no_cache || mode === 'decode',
      isSpeculative: draft.kind !== 'none',
      disableOverlap: trial.no_overlap,
    }),
    ...ifGiven(trial.limit, 'maxTotalTokens'),
    ...ifGiven(trial.requests, 'maxRunningRequests'),
    ...ifGiven(trial.slots, 'maxSlots'),
    ...(mode !== 'null' && { role: mode }),
    ...((trial.no_cache || (mode === 'decode' && trial.layout === 'states')) && {
      disableRadixCache: true,
    }),
    ...(trial.no_overlap && { disableOverlap: true }),
    ...(draft.kind === 'eagle' && {
      draft: { kind: 'eagle' as const, layers: draft.layers },
      isSpeculative: true,
      draftSteps: trial.steps,
      draftBranches: trial.branches,
      draftTokens: trial.drafts,
    }),
  };
}

const exactly = (value: number): Quantity => ({
  ...count(0, units.GiB),
  interval: { lo: value, hi: value },
  exact: value,
  nominal: value,
});

function sizedBy(trial: Trial) {
  const options = optionsOf(trial);
  const { config, context, rest } = trial;
  const bytes = bytesOf(config, { ...options, release: trial.release });
  const layers = config['num_hidden_layers'] as number;
  const each = count(trial.slot, units.B);
  const state = { quantity: each, onRank: each, receipt: [], layers, stageLayers: layers };
  const slot = trial.layout === 'states' ? state : undefined;
  const sizer = new PoolSizer(
    { layout: layoutOf(config), bytes, slot, context: count(context) },
    options,
  );
  const base = [
    factOf(budgetTerms.total, exactly(128)),
    factOf(budgetTerms.available, exactly(rest)),
    factOf(budgetTerms.reservation, exactly(0)),
  ];
  const pools = sizer.pools(base, { ...exactly(1), unit: units.one });
  const { full } = pools.tokens;
  return { pools, limits: full && sizer.requests(full, pools.rowTokens, pools.state) };
}

describe('pools of random launches within limits', () => {
  test('there are enough of every release that is here', () => {
    expect(trials).toHaveLength(here.length * perRelease);
    expect(here.length).toBe(needed);
    const started = trials.filter(({ expected }) => expected !== null);
    expect(started.length).toBeGreaterThan(trials.length * 0.8);
  });

  test.each(here)('have the tokens, requests and rows that %s gives them', release => {
    for (const trial of trials.filter(one => one.release === release)) {
      const { expected } = trial;
      const { pools, limits } = sizedBy(trial);
      const shown = JSON.stringify(trial);
      if (expected === null) {
        expect(pools.tokens.full?.interval.lo ?? 0, shown).toBeLessThan(1);
        continue;
      }
      expect(Number(pools.tokens.full?.exact ?? pools.tokens.full?.nominal), shown).toBe(
        expected.full,
      );
      if (expected.window !== null) {
        expect(Number(pools.tokens.window?.exact), shown).toBe(expected.window);
      }
      expect(Number(limits?.requests?.exact), shown).toBe(expected.requests);
      if (expected.slots !== null) {
        expect(Number(limits?.held?.slots?.exact), shown).toBe(expected.slots);
        expect(limits?.held?.beyond, shown).toBeDefined();
      }
      const table = (expected.rows * expected.entries * 4) / 2 ** 30;
      expect(limits?.table?.interval.lo, shown).toBeCloseTo(table, 9);
      expect(limits?.table?.interval.hi, shown).toBeCloseTo(table, 9);
    }
  });
});
