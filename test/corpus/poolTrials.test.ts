/** Slots of state, what they leave, and running requests for random settings, by the releases' own functions. */
import { describe, expect, test } from 'vitest';
import { PoolSizer } from '../../src/core/model/poolSizer';
import type { StateOptions } from '../../src/core/model/statePool';
import { splitState } from '../../src/core/model/statePool';
import { requestPool } from '../../src/core/model/tokenPools';
import { budgetTerms } from '../../src/core/sglang/budgetFormula';
import { exactRelease, isSince } from '../../src/core/sglang/layout/eraTable';
import { ownRequestLimit } from '../../src/core/sglang/layout/requestLimit';
import { factOf } from '../../src/core/terms/derive';
import { units } from '../../src/core/units/unit';
import { bytesOf, layoutOf, quantityOf } from '../core/model/configText';
import { gatedDelta } from '../core/model/modelConfigs';
import { count } from '../core/model/printedFigure';
import { releasesFrom, runTrials } from './trials';

interface Trial {
  readonly release: string;
  readonly rest: number;
  readonly slot: number;
  readonly ratio: number;
  readonly slots: number | null;
  readonly requests: number | null;
  readonly cache: boolean;
  readonly each: number;
  readonly drafts: number | null;
  readonly mode: 'null' | 'decode' | 'prefill';
  /** True for a server that may change its role. */
  readonly switches: boolean;
  readonly dp: number;
  readonly pp: number;
  readonly layers: number;
  readonly step: number;
  readonly tokens: number;
  readonly context: number;
  /** Null where the release refuses to start. */
  readonly expected: {
    readonly left: number;
    readonly slots: number;
    readonly requests: number | null;
    /** Slots that a decode server allocates, and requests with room for draft states. */
    readonly held: { readonly slots: number; readonly rows: number } | null;
  } | null;
}

const releases = [
  '0.5.2',
  '0.5.3',
  '0.5.3.post1',
  '0.5.3.post2',
  '0.5.3.post3',
  '0.5.4.post2',
  '0.5.6',
  '0.5.7',
  '0.5.8',
  '0.5.9',
  ...releasesFrom('0.5.10'),
];
const perRelease = 60;
const { trials, here, needed } = await runTrials<Trial>('poolTrials.py', releases, 8, perRelease);

function optionsOf(trial: Trial): StateOptions {
  const ifGiven = (value: number | null, name: string) => (value === null ? {} : { [name]: value });
  return {
    release: exactRelease(trial.release),
    parallel: { tp: trial.dp, pp: trial.pp, dp: trial.dp, dpAttention: trial.dp > 1 },
    fullMemoryRatio: trial.ratio,
    slotsPerRequest: trial.each,
    disableRadixCache: !trial.cache,
    ...ifGiven(trial.slots, 'maxSlots'),
    ...ifGiven(trial.requests ?? ownLimit(trial), 'maxRunningRequests'),
    ...ifGiven(trial.drafts, 'draftTokens'),
    ...(trial.drafts !== null && { isSpeculative: true }),
    ...(trial.mode !== 'null' && { role: trial.mode }),
    ...(trial.switches && { mayVerify: true }),
  };
}

/** With speculation a server limits its requests where nobody does. */
function ownLimit({ release, drafts }: Trial): number | null {
  const kind = { isSpeculative: drafts !== null, isCompressed: false };
  return ownRequestLimit(exactRelease(release), kind) ?? null;
}

function measured(value: number) {
  return { interval: { lo: value, hi: value }, exact: value, nominal: value };
}

/** State layers of all stages and of the stage with most; the last stages take the odd layers. */
function stateLayers({ layers, step, pp }: Trial) {
  const isState = Array.from({ length: layers }, (_, at) => (at + 1) % step !== 0);
  const sizes = Array.from({ length: pp }, (_, at) => {
    const odd = at >= pp - (layers % pp) ? 1 : 0;
    return Math.floor(layers / pp) + odd;
  });
  const starts = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, size) => sum + size, 0));
  const counts = sizes.map(
    (size, at) => isState.slice(starts[at], starts[at]! + size).filter(Boolean).length,
  );
  return { layers: isState.filter(Boolean).length, stageLayers: Math.max(...counts) };
}

describe('state pools of random settings', () => {
  test('there are enough of every release that is here', () => {
    expect(trials).toHaveLength(here.length * perRelease);
    expect(here.length).toBe(needed);
    expect(trials.filter(({ expected }) => expected !== null).length).toBeGreaterThan(
      trials.length * 0.7,
    );
  });

  test.each(here)('have the slots and leave the memory that %s computes', release => {
    for (const trial of trials.filter(one => one.release === release)) {
      const { expected } = trial;
      if (expected === null) {
        continue;
      }
      const split = splitState(
        count(trial.slot, units.B),
        { ...count(0, units.GiB), ...measured(trial.rest) },
        optionsOf(trial),
        stateLayers(trial),
      );
      const shown = JSON.stringify(trial);
      expect(Number(split?.slots?.exact), shown).toBe(expected.slots);
      expect(Number(split?.rest?.exact), shown).toBeCloseTo(expected.left, 9);
    }
  });

  test.each(here)('leave the tokens that fill what %s leaves', release => {
    const config = gatedDelta(48, 2, 32);
    const bytes = bytesOf(config, { release });
    const cell = Number(quantityOf(bytes, bytes.budgeted).exact);
    expect(cell).toBe(12 * 2 * 2 * 256 * 2);
    for (const trial of trials.filter(one => one.release === release)) {
      const { expected } = trial;
      if (expected === null || trial.dp > 1) {
        continue;
      }
      const bytesOfSlot = count(trial.slot, units.B);
      const slot = { quantity: bytesOfSlot, onRank: bytesOfSlot, ...stateLayers(trial) };
      const sizer = new PoolSizer(
        {
          layout: layoutOf(config),
          bytes,
          slot: { ...slot, receipt: [] },
          context: undefined,
        },
        optionsOf(trial),
      );
      const rest = { ...count(0, units.GiB), ...measured(trial.rest) };
      const base = [
        factOf(budgetTerms.total, { ...count(0, units.GiB), ...measured(128) }),
        factOf(budgetTerms.available, rest),
        factOf(budgetTerms.reservation, { ...count(0, units.GiB), ...measured(0) }),
      ];
      const { tokens } = sizer.pools(base, { ...count(0, units.one), ...measured(1) });
      const shown = JSON.stringify(trial);
      const right = Math.floor((expected.left * 2 ** 30) / cell);
      expect(Math.abs(Number(tokens.full?.nominal) - right), shown).toBeLessThan(1.5);
      expect(tokens.full!.interval.hi - tokens.full!.interval.lo, shown).toBeLessThan(3);
    }
  });

  test.each(here)('allow the running requests that %s computes', release => {
    for (const trial of trials.filter(one => one.release === release)) {
      const { expected } = trial;
      if (typeof expected?.requests !== 'number') {
        continue;
      }
      const { requests } = requestPool(count(trial.tokens), count(trial.context), {
        ...optionsOf(trial),
        state: { slots: count(expected.slots, units.one), slotsPerRequest: trial.each },
      });
      expect(Number(requests?.exact), JSON.stringify(trial)).toBe(expected.requests);
    }
  });

  test.each(here)('have the slots that a decode server of %s allocates', release => {
    for (const trial of trials.filter(one => one.release === release)) {
      const { expected, slot, drafts } = trial;
      if (!expected?.held) {
        continue;
      }
      const layers = stateLayers(trial);
      const { heldSlots, heldState } = requestPool(count(trial.tokens), count(trial.context), {
        ...optionsOf(trial),
        isDecode: true,
        state: {
          slots: count(expected.slots, units.one),
          slotsPerRequest: trial.each,
          slot: {
            quantity: count(slot, units.B),
            onRank: count(slot, units.B),
            receipt: [],
            ...layers,
          },
        },
      });
      const shown = JSON.stringify(trial);
      expect(Number(heldSlots?.exact), shown).toBe(expected.held.slots);
      const isPadded = isSince(exactRelease(release), '0.5.17') === true;
      const padding = isPadded ? 1 : 0;
      const each = isPadded ? Math.trunc(slot * (layers.stageLayers / layers.layers)) : slot;
      const states = expected.held.slots + padding + (expected.held.rows + padding) * (drafts ?? 0);
      expect(Number(heldState?.nominal), shown).toBeCloseTo((states * each) / 2 ** 30, 9);
    }
  });
});
