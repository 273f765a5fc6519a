/** The automatic fraction of random launches against the releases' own code, which python3 runs. */
import { describe, expect, test } from 'vitest';
import type { FractionOptions } from '../../src/core/model/autoFraction';
import { autoFraction } from '../../src/core/model/autoFraction';
import type { ModelLayout } from '../../src/core/model/modelLayout';
import { exactRelease } from '../../src/core/sglang/layout/eraTable';
import { units } from '../../src/core/units/unit';
import { count } from '../core/model/printedFigure';
import { layoutOf } from '../core/model/configText';
import { heads, latent, sparse } from '../core/model/modelConfigs';
import { exchangeOf } from '../../src/core/account/layoutOptions';
import { releasesFrom, runTrials } from './trials';

interface Trial {
  readonly release: string;
  readonly card: number;
  readonly tp: number;
  readonly pp: number;
  readonly dp: number;
  readonly cp: number;
  readonly dcp: number;
  readonly chunk: number | null;
  readonly algorithm: 'EAGLE' | 'STANDALONE' | 'NGRAM' | 'DFLASH' | null;
  readonly requests: number | null;
  readonly limit: number | null;
  readonly context: number | null;
  readonly mode: 'prefill' | 'decode' | 'null';
  readonly graph: number | null;
  readonly tower: readonly [number, number] | null;
  readonly kind: 'heads' | 'latent' | 'sparse' | 'separate';
  readonly class: string;
  /** Null where nothing says whether prefill graphs are captured. */
  readonly prefill_graphs: boolean | null;
  readonly largest: number | null;
  readonly no_graphs: boolean;
  readonly host_cache: boolean;
  readonly language_only: boolean;
  readonly exchange: string;
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
  ...releasesFrom('0.5.10'),
];
const perRelease = 80;
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

const linear = { num_heads: 32, head_dim: 128, short_conv_kernel_size: 4, kda_layers: [1, 2] };

const texts = {
  heads: heads(32, 8, 128),
  latent: latent(61),
  sparse: sparse(61),
  separate: {
    ...heads(4, 8, 128),
    linear_attn_config: { ...linear, full_attn_layers: [3, 4] },
  },
} as const;

function modelOf(trial: Trial): ModelLayout {
  const [layers, width] = trial.tower ?? [];
  return layoutOf({
    architectures: [trial.class],
    text_config: texts[trial.kind],
    ...(trial.tower && { vision_config: { num_hidden_layers: layers, hidden_size: width } }),
  });
}

function optionsOf(trial: Trial): FractionOptions {
  const { tp, pp, dp, mode } = trial;
  const ifGiven = <T>(value: T | null | undefined, name: string) =>
    value === null || value === undefined ? {} : { [name]: value };
  return {
    release: exactRelease(trial.release),
    parallel: { tp, pp, dp, dpAttention: dp > 1, attnCp: trial.cp, dcp: trial.dcp },
    card: count(trial.card, units.MiB),
    maxPrefillTokens: 16384,
    draftTokens: 4,
    ...ifGiven(trial.prefill_graphs, 'prefillGraphs'),
    ...ifGiven(trial.chunk, 'chunkedPrefillSize'),
    ...ifGiven(trial.graph, 'graphMaxBatch'),
    ...ifGiven(trial.requests, 'maxRunningRequests'),
    ...ifGiven(trial.limit, 'maxTotalTokens'),
    ...ifGiven(trial.context, 'contextLength'),
    ...ifGiven(trial.largest, 'piecewiseMaxTokens'),
    ...(trial.algorithm && { speculation: kinds[trial.algorithm] }),
    ...(mode !== 'null' && { disaggregation: mode }),
    ...(trial.no_graphs && { disableGraphs: true }),
    ...(trial.host_cache && { hostCache: true }),
    ...(trial.language_only && { languageOnly: true }),
    ...ifGiven(exchangeOf(trial.exchange), 'exchange'),
  };
}

describe('the automatic fraction of random launches', () => {
  test('there are enough of every release that is here', () => {
    expect(trials).toHaveLength(here.length * perRelease);
    expect(here.length).toBe(needed);
  });

  test.each(here)(
    'is that of %s, or bounds it where a release decides by what no option says',
    release => {
      const own = trials.filter(one => one.release === release);
      let exact = 0;
      for (const trial of own) {
        const found = autoFraction(modelOf(trial), optionsOf(trial))?.effective;
        const shown = JSON.stringify(trial);
        expect(found, shown).toBeDefined();
        expect(found!.interval.lo, shown).toBeLessThan(trial.expected + 1e-12);
        expect(found!.interval.hi, shown).toBeGreaterThan(trial.expected - 1e-12);
        exact += Number(found!.interval.hi - found!.interval.lo < 1e-12);
      }
      expect(exact).toBeGreaterThan(own.length * 0.8);
    },
  );
});
