/** The automatic fraction of random launches against the releases' own code, which python3 runs. */
import { describe, expect, test } from 'vitest';
import type { FractionOptions } from '../../src/core/model/autoFraction';
import { autoFraction } from '../../src/core/model/autoFraction';
import type { ModelLayout } from '../../src/core/model/modelLayout';
import { exactRelease } from '../../src/core/sglang/layout/eraTable';
import { units } from '../../src/core/units/unit';
import { count } from '../core/model/printedFigure';
import { layoutOf } from '../core/model/configText';
import { heads, latent } from '../core/model/modelConfigs';
import { runTrials } from './trials';

interface Trial {
  readonly release: string;
  readonly card: number;
  readonly tp: number;
  readonly pp: number;
  readonly dp: number;
  readonly chunk: number | null;
  readonly algorithm: 'EAGLE' | 'STANDALONE' | 'NGRAM' | 'DFLASH' | null;
  readonly requests: number | null;
  readonly limit: number | null;
  readonly mode: 'prefill' | 'decode' | 'null';
  readonly graph: number | null;
  readonly tower: readonly [number, number] | null;
  readonly latent: boolean;
  readonly prefill_graphs: boolean;
  readonly largest: number | null;
  readonly no_graphs: boolean;
  readonly language_only: boolean;
  readonly exchange: boolean;
  readonly expected: number;
}

const releases = [
  '0.4.5.post3',
  '0.4.7',
  '0.4.9.post3',
  '0.5.2',
  '0.5.3.post2',
  '0.5.5.post3',
  '0.5.7',
  '0.5.8',
  '0.5.9',
  '0.5.11',
  '0.5.13',
  '0.5.14',
  '0.5.15',
  '0.5.16',
  '0.5.18',
  '0.5.19',
  '0.5.20',
  '0.5.22',
  '0.5.23',
];
const perRelease = 40;
const { trials, here, needed } = await runTrials<Trial>(
  'fractionTrials.py',
  releases,
  11,
  perRelease,
);

const kinds = {
  EAGLE: 'eagle',
  STANDALONE: 'standalone',
  NGRAM: 'ngram',
  DFLASH: 'block',
} as const;

function modelOf(trial: Trial): ModelLayout {
  const [layers, width] = trial.tower ?? [];
  return layoutOf({
    text_config: trial.latent ? latent(61) : heads(32, 8, 128),
    ...(trial.tower && { vision_config: { num_hidden_layers: layers, hidden_size: width } }),
  });
}

function optionsOf(trial: Trial): FractionOptions {
  const { tp, pp, dp, mode } = trial;
  const ifGiven = <T>(value: T | null, name: string) => (value === null ? {} : { [name]: value });
  return {
    release: exactRelease(trial.release),
    parallel: { tp, pp, dp, dpAttention: dp > 1 },
    card: count(trial.card, units.MiB),
    maxPrefillTokens: 16384,
    prefillGraphs: trial.prefill_graphs,
    draftTokens: 4,
    ...ifGiven(trial.chunk, 'chunkedPrefillSize'),
    ...ifGiven(trial.graph, 'graphMaxBatch'),
    ...ifGiven(trial.requests, 'maxRunningRequests'),
    ...ifGiven(trial.limit, 'maxTotalTokens'),
    ...ifGiven(trial.largest, 'piecewiseMaxTokens'),
    ...(trial.algorithm && { speculation: kinds[trial.algorithm] }),
    ...(mode !== 'null' && { disaggregation: mode }),
    ...(trial.no_graphs && { disableGraphs: true }),
    ...(trial.language_only && { languageOnly: true }),
    ...(trial.exchange && { exchange: 'deepep' as const }),
  };
}

describe('the automatic fraction of random launches', () => {
  test('there are enough of every release that is here', () => {
    expect(trials).toHaveLength(here.length * perRelease);
    expect(here.length).toBe(needed);
  });

  test.each(here)('is that of %s', release => {
    for (const trial of trials.filter(one => one.release === release)) {
      const found = autoFraction(modelOf(trial), optionsOf(trial));
      expect(found?.effective.exact, JSON.stringify(trial)).toBeCloseTo(trial.expected, 12);
    }
  });
});
