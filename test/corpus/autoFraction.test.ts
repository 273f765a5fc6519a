/** Every row of the shared truth about the automatic fraction, and the value of a real log. */
import { describe, expect, test } from 'vitest';
import type { FractionOptions } from '../../src/core/model/autoFraction';
import { autoFraction } from '../../src/core/model/autoFraction';
import { exactRelease } from '../../src/core/sglang/layout/eraTable';
import { units } from '../../src/core/units/unit';
import { layoutOf } from '../core/model/configText';
import { sharedFile, withShared } from './sharedFile';

interface Row {
  readonly release: string;
  readonly mem_fraction_static: number;
  readonly chunked_prefill_size: number;
  readonly cuda_graph_max_bs: number;
  readonly cardCapacity: string;
  readonly tp_size: number;
}

function optionsOf(
  release: string,
  card: number,
  tp: number,
  more: Partial<FractionOptions> = {},
): FractionOptions {
  return {
    release: exactRelease(release),
    parallel: { tp },
    card: {
      interval: { lo: card, hi: card },
      unit: units.MiB,
      basis: 'proved',
      assumptions: [],
      provenance: [],
      exact: BigInt(card),
    },
    ...more,
  };
}

const value = (release: string, card: number, tp: number, more: Partial<FractionOptions> = {}) =>
  autoFraction(undefined, optionsOf(release, card, tp, more))?.effective.exact;

withShared(() => {
  const rows = JSON.parse(sharedFile('truth/auto-fraction.json')) as readonly Row[];

  describe('the automatic fraction', () => {
    test('the truth has as many rows as these tests expect', () => {
      expect(rows).toHaveLength(108);
    });

    test.each(
      rows.map(row => [`${row.release}, ${row.cardCapacity}, TP${row.tp_size}`, row] as const),
    )('is that of %s, with its chunk and graph sizes', (_name, row) => {
      const fraction = autoFraction(
        undefined,
        optionsOf(row.release, parseInt(row.cardCapacity), row.tp_size),
      );
      const line = (name: string) =>
        fraction?.receipt.find(candidate => candidate.name === name)?.quantity.exact;
      expect(fraction?.effective.exact).toBe(row.mem_fraction_static);
      expect(line('chunked_prefill_size')).toEqual(BigInt(row.chunked_prefill_size));
      expect(line('cuda_graph_max_bs')).toEqual(BigInt(row.cuda_graph_max_bs));
    });
  });
});

describe('the automatic fraction of the reference', () => {
  // Reference 4.1, check values: tp 1 and tp 8 by card.
  const cards = [24564, 40960, 46068, 81559, 143771, 183359];

  test.each([
    ['0.5.2', 1, [0.879, 0.75, 0.778, 0.874, 0.911, 0.821]],
    ['0.5.2', 8, [0.85, 0.662, 0.7, 0.831, 0.886, 0.821]],
    ['0.5.8', 1, [0.847, 0.833, 0.851, 0.835, 0.907, 0.857]],
    ['0.5.8', 8, [0.806, 0.805, 0.826, 0.818, 0.897, 0.852]],
  ] as const)('of %s at TP%i is the listed one on every card', (release, tp, expected) => {
    expect(cards.map(card => value(release, card, tp))).toEqual(expected);
  });

  test.each([
    ['0.1.3', [0.9, 0.8, 0.8, 0.8]],
    ['0.1.19', [0.9, 0.85, 0.82, 0.8]],
    ['0.1.20', [0.88, 0.85, 0.8, 0.78]],
    ['0.1.22', [0.88, 0.85, 0.82, 0.78]],
    ['0.2.6', [0.89, 0.88, 0.86, 0.84]],
    ['0.3.5', [0.88, 0.87, 0.85, 0.83]],
    ['0.3.6', [0.88, 0.87, 0.85, 0.82]],
    ['0.4.4', [0.88, 0.87, 0.85, 0.81]],
  ] as const)('of %s goes by ranks alone: 1, 2, 4, 8', (release, expected) => {
    expect([1, 2, 4, 8].map(tp => value(release, 81559, tp))).toEqual(expected);
  });

  test('of 0.5.8 for a card of 288 GiB at TP8 is 0.908', () => {
    expect(value('0.5.8', 294896, 8)).toBe(0.908);
  });

  test('of 0.4.6 and 0.4.7 follows larger cards by a share', () => {
    const base = 0.81;
    expect(value('0.4.5.post3', 143771, 8)).toBeCloseTo((143771 - 13 * 1024) / 143771, 12);
    expect(value('0.4.6.post5', 81559, 8)).toBe(base);
    const share = 0.88 + (48 * 1024 * (1 - 0.88)) / 143771;
    const reserve = (143771 - 18 * 1024) / 143771;
    expect(value('0.4.6.post5', 143771, 8)).toBe(Math.min(share, reserve));
    expect(value('0.4.7', 183359, 8)).toBe(0.79);
  });

  test('keeps both values where the log leaves two eras open', () => {
    const options = optionsOf('0.5.9', 81559, 8);
    const open = autoFraction(undefined, {
      ...options,
      release: { kind: 'range', from: '0.5.9', to: '0.5.13' },
    });
    // The truth has 0.818 for 0.5.9 and 0.812 for 0.5.13.
    expect(open?.effective.exact).toBeUndefined();
    const { lo = NaN, hi = NaN } = open?.effective.interval ?? {};
    expect([lo <= 0.812, hi >= 0.818, hi - lo < 0.008]).toEqual([true, true, true]);
  });
});

describe('the automatic fraction of a model with a vision tower', () => {
  // A real run printed 0.7714564062499999: 27 layers of width 1152 on a 97,887 MiB card, TP8.
  const layout = layoutOf({
    text_config: {
      num_hidden_layers: 61,
      kv_lora_rank: 512,
      qk_rope_head_dim: 64,
      num_attention_heads: 64,
    },
    vision_config: { num_hidden_layers: 27, hidden_size: 1152 },
  });

  test('is 0.848 times 0.95 times what the size of the tower makes', () => {
    const fraction = autoFraction(layout, optionsOf('0.5.8', 97887, 8));
    expect(fraction?.plain.exact).toBe(0.848);
    expect(fraction?.effective.exact).toBe(0.7714564062499999);
  });

  test('names the card, the reserves, the tower and its keys', () => {
    const fraction = autoFraction(layout, optionsOf('0.5.8', 97887, 8));
    const names = fraction?.receipt.map(({ name }) => name) ?? [];
    expect(names).toEqual(
      expect.arrayContaining(['card', 'activation_reserve', 'graph_reserve', 'rank_reserve']),
    );
    const tower = fraction?.receipt.find(({ name }) => name === 'vit_layers');
    expect(tower?.sources).toMatchObject([
      { kind: 'config', key: 'vision_config.num_hidden_layers', place: { line: 9 } },
    ]);
  });

  test('is the plain one where only the language model is loaded', () => {
    const options = optionsOf('0.5.9', 97887, 8, { languageOnly: true });
    expect(autoFraction(layout, options)?.effective.exact).toBe(0.848);
    const earlier = optionsOf('0.5.8', 97887, 8, { languageOnly: true });
    expect(autoFraction(layout, earlier)?.effective.exact).toBe(0.7714564062499999);
  });

  test('is the plain one for a class that the release serves as text, unless a flag asks', () => {
    const asked = { ...layout, architecture: 'Gemma3ForConditionalGeneration' };
    const of = (release: string, more: Partial<FractionOptions> = {}) =>
      autoFraction(asked, optionsOf(release, 97887, 8, more))?.effective.exact;
    expect(of('0.5.9')).toBe(0.848);
    expect(of('0.5.9', { multimodal: true })).toBe(0.7714564062499999);
  });

  test('says that it supposes a usual tower where the config does not tell its size', () => {
    const silent = { ...layout, vision: {} };
    const { basis, assumptions } = autoFraction(silent, optionsOf('0.5.8', 97887, 8))!.effective;
    expect([basis, assumptions]).toEqual([
      'assumed',
      ['a vision tower of 24 layers', 'a vision tower of width 1024'],
    ]);
  });
});

describe('reserves of other modes', () => {
  test.each([
    ['0.5.9', { speculation: 'eagle' }, 2048],
    ['0.5.9', { speculation: 'standalone' }, 6144],
    ['0.5.9', { speculation: 'ngram' }, 0],
    ['0.5.13', { speculation: 'eagle' }, 4096],
    ['0.5.14', { speculation: 'eagle' }, 0],
  ] as const)('%s with %o takes %i MiB more', (release, more, extra) => {
    const reserve = (options: Partial<FractionOptions>) => {
      const fraction = autoFraction(undefined, optionsOf(release, 143771, 1, options));
      return fraction?.receipt.find(({ name }) => name === 'reserve')?.quantity.interval.lo ?? NaN;
    };
    expect(reserve(more) - reserve({})).toBe(extra);
  });

  test('attention by data ranks takes padding, and half as much again for large graphs', () => {
    const fraction = autoFraction(
      undefined,
      optionsOf('0.5.9', 294896, 8, { parallel: { tp: 8, dp: 8, dpAttention: true } }),
    );
    const line = fraction?.receipt.find(({ name }) => name === 'attention_reserve');
    expect(line?.quantity.interval.lo).toBe(512 * 8 * 3 + 512 * 8 * 1.5);
  });

  test('where graphs are captured before sizing only the constant part is reserved', () => {
    const expected = (base: number) => Math.round(((81559 - base - 1024) / 81559) * 1000) / 1000;
    expect(value('0.5.17', 81559, 8, { postCapture: true })).toBe(expected(512));
    expect(value('0.5.18', 81559, 8, { postCapture: true })).toBe(expected(1536));
  });

  // Releases capture prefill graphs from 0.5.10 on, and count them for heads by the sizes up to a chunk.
  test.each([
    ['0.5.10', {}, true],
    ['0.5.10', { speculation: 'eagle' }, false],
    ['0.5.12', { speculation: 'eagle' }, true],
    ['0.5.13', { parallel: { tp: 4, pp: 2 } }, false],
    ['0.5.14', { parallel: { tp: 4, dp: 4, dpAttention: true } }, false],
    ['0.5.15', { exchange: 'deepep' }, false],
    ['0.5.18', { parallel: { tp: 4, pp: 2 } }, true],
    ['0.5.19', { parallel: { tp: 4, pp: 2 } }, false],
    ['0.5.20', { parallel: { tp: 4, dcp: 2 } }, false],
  ] as const)('%s with %o captures prefill graphs: %s', (release, more, isCaptured) => {
    const at = (options: Partial<FractionOptions>) =>
      autoFraction(undefined, optionsOf(release, 143771, 4, { ...more, ...options }))?.effective
        .exact;
    expect(at({})).toBe(at({ prefillGraphs: isCaptured }));
    expect(at({ prefillGraphs: true })).not.toBe(at({ prefillGraphs: false }));
  });

  test('leaves open whether a tower that some releases capture all the same is captured', () => {
    const kimi = layoutOf({
      architectures: ['KimiK25ForConditionalGeneration'],
      text_config: {
        num_hidden_layers: 61,
        kv_lora_rank: 512,
        qk_rope_head_dim: 64,
      },
      vision_config: { num_hidden_layers: 27, hidden_size: 1152 },
    });
    const at = (more: Partial<FractionOptions>) =>
      autoFraction(kimi, optionsOf('0.5.18', 143771, 8, more))!.effective;
    const { exact, interval } = at({});
    const [least, most] = [true, false].map(prefillGraphs => Number(at({ prefillGraphs }).exact));
    expect(exact).toBeUndefined();
    expect([interval.lo <= least!, interval.hi >= most!]).toEqual([true, true]);
    expect(interval.hi - interval.lo).toBeLessThan(0.013);
  });

  test('leaves open whether the card is one that captures graphs up to the limit of requests', () => {
    const tower = layoutOf({
      architectures: ['Qwen3VLForConditionalGeneration'],
      text_config: {
        num_hidden_layers: 36,
        num_attention_heads: 32,
        num_key_value_heads: 8,
        head_dim: 128,
      },
      vision_config: { num_hidden_layers: 27, hidden_size: 1152 },
    });
    const at = (release: string, card: number, more: Partial<FractionOptions>) =>
      autoFraction(
        tower,
        optionsOf(release, card, 1, { ...more, prefillGraphs: true, chunkedPrefillSize: 8192 }),
      )!.effective;
    const { exact, interval } = at('0.5.20', 97887, { maxRunningRequests: 400 });
    const [small, large] = [256, 400].map(size => at('0.5.20', 97887, { graphMaxBatch: size }));
    expect(exact).toBeUndefined();
    // Bounds of a rounded value are half a digit wider.
    const [least, most] = [Number(large!.exact), Number(small!.exact)];
    expect(most).toBeGreaterThan(least);
    expect(interval.lo).toBeLessThanOrEqual(least);
    expect(interval.lo).toBeGreaterThan(least - 0.0006);
    expect(interval.hi).toBeGreaterThanOrEqual(most);
    expect(interval.hi).toBeLessThan(most + 0.0006);
    expect(at('0.5.19', 97887, { maxRunningRequests: 400 }).exact).toBeDefined();
    expect(at('0.5.20', 49140, { maxRunningRequests: 400 }).exact).toBeDefined();
    expect(at('0.5.20', 97887, { maxRunningRequests: 600 }).exact).toBeDefined();
  });

  test('aiter with a long context multiplies by 0.85', () => {
    const plain = value('0.5.9', 81559, 1);
    expect(value('0.5.9', 81559, 1, { aiterLongContext: true })).toBeCloseTo(
      Number(plain) * 0.85,
      12,
    );
  });
});
