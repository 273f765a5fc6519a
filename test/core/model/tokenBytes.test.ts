/** Bytes per token by release, dtype and parallel sizes; their receipts; what a log leaves open. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPool } from '../../../src/core/model/poolCheck';
import { cellMessage, receiptMessage } from '../../../src/core/model/modelMessages';
import { tokenBytes } from '../../../src/core/model/tokenBytes';
import { exactRelease } from '../../../src/core/sglang/layout/eraTable';
import type { Config, Options } from './configText';
import { bytesOf, cellsOf, layoutOf, quantityOf } from './configText';
import {
  alternating,
  asymmetricWindows,
  compressed,
  gatedDelta,
  heads,
  latent,
  localGlobal,
  sparse,
} from './modelConfigs';
import { count, printed } from './printedFigure';

const budgeted = (config: Config, options: Options = {}): number =>
  cellsOf(config, options).budgeted;

describe('formulas by release', () => {
  test('heads below the ranks gave nothing up to 0.1.17 and are replicated since', () => {
    const config = heads(32, 2, 128);
    const on = (release: string) => budgeted(config, { release, parallel: { tp: 4 } });
    expect([on('0.1.17'), on('0.1.18')]).toEqual([0, 1 * 128 * 32 * 4]);
  });

  test('two bytes a value are fixed up to 0.1.17', () => {
    const on = (release: string) => budgeted(heads(32, 8, 128), { release, kvDtype: 'fp8_e5m2' });
    expect([on('0.1.17'), on('0.2.14')]).toEqual([131072, 65536]);
  });

  test('ranks of attention count from 0.4.1.post7 on', () => {
    const parallel = { tp: 8, dp: 4, dpAttention: true };
    const on = (release: string) => budgeted(heads(32, 8, 128), { release, parallel });
    expect([on('0.4.1.post6'), on('0.4.1.post7')]).toEqual([16384, 65536]);
  });

  test.each(['LongcatFlashForCausalLM', 'LongcatCausalLM', 'LongcatFlashNgramForCausalLM'])(
    '%s has two attention blocks in each of its layers',
    name => {
      const config = { ...latent(14), architectures: [name] };
      expect(budgeted(config, { release: '0.5.18' })).toBe(2 * 14 * 576 * 2);
    },
  );

  test('layers with a window are those of a stage, and up to 0.5.20 the first of the next one', () => {
    const on = (release: string, pp: number, names = ['GptOssForCausalLM']) =>
      budgeted(
        { ...alternating(36, 8, 64), architectures: names },
        { release, parallel: { tp: 1, pp } },
      );
    // 8 heads of 64 for keys and values: 2,048 bytes a layer.
    expect(on('0.5.21', 1)).toBeCloseTo(2048 * (18 + 0.8 * 18), 6);
    expect(on('0.5.21', 2)).toBeCloseTo(2048 * (9 + 0.8 * 9), 6);
    expect(on('0.5.18', 2)).toBeCloseTo(2048 * (9 + 0.8 * 10), 6);
    expect(on('0.5.9', 2)).toBe(2048 * 19);
    // 36 = 12 + 12 + 12, each with six of both.
    expect(on('0.5.23', 3)).toBeCloseTo(2048 * (6 + 0.8 * 6), 6);
    // Its model does not divide its layers.
    expect(on('0.5.18', 2, ['Gemma4ForConditionalGeneration'])).toBeCloseTo(2048 * 32.4, 6);
  });

  test('values with dimensions of their own count from 0.5.7 on', () => {
    const config = { ...heads(48, 4, 192), v_head_dim: 128 };
    const on = (release: string) => budgeted(config, { release, parallel: { tp: 4 } });
    expect([on('0.5.6'), on('0.5.7')]).toEqual([192 * 2 * 48 * 2, 30720]);
  });

  // The last stage took all layers that do not divide: 62 = 15 + 15 + 15 + 17, since 15 + 15 + 16 + 16.
  test('the largest stage of 62 layers in four has 17 layers up to 0.5.5.post3 and 16 since', () => {
    const on = (release: string) =>
      budgeted(heads(62, 8, 128), { release, parallel: { tp: 1, pp: 4 } }) / (8 * 256 * 2);
    expect([on('0.4.8'), on('0.5.5.post3'), on('0.5.6')]).toEqual([17, 17, 16]);
  });

  test('cached layers of state models are those of a stage from 0.5.8 on', () => {
    const on = (release: string) =>
      budgeted(gatedDelta(48, 2, 32), { release, parallel: { tp: 1, pp: 2 } }) / (2 * 512 * 2);
    expect([on('0.5.7'), on('0.5.8')]).toEqual([12, 6]);
  });

  test('groups of decoding divide heads from 0.5.18 on', () => {
    const on = (release: string) =>
      budgeted(heads(32, 8, 128), { release, parallel: { tp: 8, dcp: 2 } });
    expect([on('0.5.17'), on('0.5.18')]).toEqual([16384, 32768]);
  });

  test('index keys are in the buffers from 0.5.3rc2 on and in the budget from 0.5.3.post1', () => {
    const on = (release: string) => cellsOf(sparse(61), { release, kvDtype: 'bfloat16' });
    expect(on('0.5.3')).toEqual({ budgeted: 1152 * 61, allocated: (1152 + 132) * 61 });
    expect(on('0.5.3.post1')).toEqual({ budgeted: 78324, allocated: 78324 });
  });

  test('raw FP8 rows have 576 bytes, scaled ones 656', () => {
    const on = (rawSparseRows: boolean) =>
      cellsOf(sparse(61), { release: '0.5.9', kvDtype: 'fp8_e4m3', rawSparseRows });
    expect(on(true)).toEqual({ budgeted: 43188, allocated: 43188 });
    expect(on(false)).toEqual({ budgeted: 43188, allocated: 48068 });
  });

  test('layers without index keys of their own are left out from 0.5.18 on', () => {
    const config = { ...sparse(61), index_topk_freq: 4 };
    const on = (release: string, keepsAllIndexKeys = false) =>
      budgeted(config, { release, kvDtype: 'bfloat16', keepsAllIndexKeys });
    // Layers 0, 1, 5, 9 … 57 own theirs: 16 of 61.
    expect(on('0.5.17')).toBe((1152 + 132) * 61);
    expect(on('0.5.18')).toBe(1152 * 61 + 132 * 16);
    expect(on('0.5.18', true)).toBe((1152 + 132) * 61);
  });

  test('an FP4 cache has scales for blocks of 16, and a workspace from 0.5.16 on', () => {
    const on = (config: Config, release: string) =>
      budgeted(config, { release, kvDtype: 'fp4_e2m1' });
    const plain = 8 * 256 * 32;
    expect(on(heads(32, 8, 128), '0.5.9')).toBe(plain / 2 + plain / 16);
    expect(on(heads(32, 8, 128), '0.5.16')).toBe(plain / 2 + plain / 16 + 8 * 128 * 2);
    expect(on(latent(61), '0.5.9')).toBe(Math.floor((576 * 61) / 2) + 36 * 61);
  });

  test('an FP4 cache has bounds from 0.5.21 on, as backends keep scales and a workspace', () => {
    const bytes = (kvDtype: string) => {
      const found = bytesOf(heads(10, 4, 64), { release: '0.5.22', kvDtype });
      return quantityOf(found, found.budgeted).interval;
    };
    // 2,560 of values, 320 for each layout of scales, a workspace of 512 values of 0 to 2 bytes.
    expect(bytes('fp4_mx_block16')).toEqual({ lo: 2880, hi: 3904 });
    expect(bytes('nvfp4')).toEqual({ lo: 2880, hi: 4224 });
  });

  test('an MXFP8 cache has a scale for each 32 values', () => {
    const plain = 8 * 256 * 32;
    expect(budgeted(heads(32, 8, 128), { release: '0.5.16', kvDtype: 'mxfp8' })).toBe(
      plain + plain / 32,
    );
  });

  test.each([
    ['fp4_e2m1', heads(32, 8, 128), '0.5.4'],
    ['mxfp8', heads(32, 8, 128), '0.5.15'],
    ['fp4_e2m1', alternating(24, 8, 64), '0.5.9'],
    ['auto', latent(61), '0.2.9'],
    ['auto', compressed, '0.5.11'],
  ] as const)('%s is refused where the release has none (%#)', (kvDtype, config, release) => {
    const bytes = tokenBytes(layoutOf(config), {
      release: exactRelease(release),
      parallel: { tp: 1 },
      kvDtype,
    });
    expect(bytes).toMatchObject({ kind: 'refused', refusal: { kind: 'not-in-release' } });
  });

  test.each([
    ['fp4_e2m1', sparse(61), '0.5.9', 'sparse attention'],
    ['fp4_e2m1', sparse(61), '0.5.23', 'sparse attention'],
    ['fp8_e5m2', sparse(61), '0.5.18', 'sparse attention'],
    ['fp4_e2m1', compressed, '0.5.23', 'compressed attention'],
    ['fp8_e5m2', compressed, '0.5.18', 'compressed attention'],
  ] as const)('%s is refused beside what does not start with it (%#)', (...row) => {
    const [kvDtype, config, release, other] = row;
    const options = { release: exactRelease(release), parallel: { tp: 1 }, kvDtype };
    expect(tokenBytes(layoutOf(config), options)).toEqual({
      kind: 'refused',
      refusal: { kind: 'not-together', flag: kvDtype, other },
    });
  });
});

describe('a draft', () => {
  const draft = { kind: 'eagle', layers: 1 } as const;

  test('shares the budget by its layers from 0.5.14 on', () => {
    const on = (release: string) => budgeted(latent(61), { release, draft });
    expect([on('0.5.13.post1'), on('0.5.14')]).toEqual([70272, Math.trunc(70272 * (1 + 1 / 61))]);
  });

  test('does not change what the target allocates', () => {
    expect(cellsOf(latent(61), { release: '0.5.14', draft }).allocated).toBe(70272);
  });

  test('has rows and index keys counted apart from 0.5.18 on', () => {
    const on = (release: string) => budgeted(sparse(61), { release, draft, kvDtype: 'bfloat16' });
    expect(on('0.5.17')).toBe(Math.trunc(78324 * (1 + 1 / 61)));
    expect(on('0.5.18')).toBe(78324 + 1152 + 132);
  });

  test('of blocks is rounded up, or has bytes of its own', () => {
    const on = (more: Options['draft']) =>
      budgeted(latent(61), { release: '0.5.11', draft: more! });
    expect(on({ kind: 'block', layers: 5 })).toBe(Math.ceil((70272 * 66) / 61));
    expect(on({ kind: 'block', cell: 1000 })).toBe(71272);
  });

  test('takes its layers from the config, else one is assumed', () => {
    const of = (config: Config) => {
      const bytes = bytesOf(config, { release: '0.5.14', draft: { kind: 'eagle' } });
      return quantityOf(bytes, bytes.budgeted);
    };
    expect(of({ ...latent(61), num_nextn_predict_layers: 2 })).toMatchObject({
      exact: BigInt(Math.trunc(70272 * (1 + 2 / 61))),
      basis: 'proved',
    });
    expect(of(latent(61))).toMatchObject({
      basis: 'assumed',
      assumptions: ['the draft caches one layer'],
    });
  });

  test('of compressed attention adds one layer and doubles the rings', () => {
    const on = (more: Options) => budgeted(compressed, { release: '0.5.16', ...more });
    const plain = on({});
    const rings = 0.1 * (8 / 128) * (8192 + 2048) * 21;
    expect(on({ draft })).toBeCloseTo((plain + rings) * (44 / 43), 6);
  });

  test('of compressed attention has padded pages of 256 tokens from 0.5.21 on', () => {
    // Rows of 585, 585 and 864 bytes, and states of ratio 4 by the page.
    expect(budgeted(compressed, { release: '0.5.22' })).toBe(7086.75);
    const { receipt } = bytesOf(compressed, { release: '0.5.22' });
    const page = receipt.find(({ name }) => name === 'compressed_page');
    expect(page?.sources).toEqual([{ kind: 'assumption', assumption: 'page_size = 256' }]);
  });
});

describe('window layers', () => {
  test('are charged in full where the release has no pool for the class', () => {
    const config = { ...localGlobal, architectures: ['Gemma3ForConditionalGeneration'] };
    expect(cellsOf(config, { release: '0.5.9' })).toEqual({
      budgeted: 62 * 16 * 256 * 2,
      allocated: 62 * 16 * 256 * 2,
    });
  });

  test('need no pattern where all layers are charged alike', () => {
    const config = { ...heads(32, 8, 128), sliding_window: 4096 };
    expect(budgeted(config, { release: '0.5.9' })).toBe(131072);
  });

  test('leave both open where neither the release nor the config decides', () => {
    const bytes = bytesOf(localGlobal, { release: '0.5.99' });
    const { interval, exact } = quantityOf(bytes, bytes.budgeted);
    const row = 16 * 256 * 2;
    expect(exact).toBeUndefined();
    expect(interval.lo).toBeLessThanOrEqual(row * 10 + 0.8 * row * 52);
    expect(interval.hi).toBeGreaterThanOrEqual(row * 62);
  });

  test('have a pool where a config of 0.5.13 or later asks for it', () => {
    const on = (release: string) =>
      bytesOf(
        { text_config: { ...(localGlobal['text_config'] as Config), is_hybrid_swa: true } },
        { release },
      ).windowPool !== undefined;
    expect([on('0.5.12'), on('0.5.13')]).toEqual([false, true]);
  });

  test('with heads of their own are added to all layers in 0.5.8, to the full ones else', () => {
    const on = (release: string) => budgeted(asymmetricWindows, { release, parallel: { tp: 4 } });
    const [full, window] = [1 * 320 * 2, 2 * 320 * 2];
    expect(on('0.5.7')).toBe(full * 9 + window * 39);
    expect(on('0.5.8')).toBe(full * 48 + window * 39);
    expect(on('0.5.9')).toBe(full * 9 + window * 39);
    expect(on('0.5.11')).toBeCloseTo(full * 9 + 0.8 * window * 39, 9);
  });
});

describe('a log without a release', () => {
  const options = { kvDtype: 'fp8_e4m3', parallel: { tp: 8 } } as const;

  test('keeps what every release would give', () => {
    const bytes = tokenBytes(layoutOf(sparse(78)), {
      ...options,
      release: { kind: 'range', from: '0.5.9', to: '0.5.18' },
    });
    expect(bytes.kind).toBe('known');
    if (bytes.kind === 'known') {
      const cell = quantityOf(bytes.value, bytes.value.budgeted);
      expect(cell.interval).toEqual({ lo: 55224, hi: 61464 });
      expect(bytes.value.solution.alternativesOf(bytes.value.budgeted)).toEqual([
        { lo: 55224, hi: 55224 },
        { lo: 61464, hi: 61464 },
      ]);
    }
  });

  test('a nightly between two releases keeps both', () => {
    const bytes = tokenBytes(layoutOf(sparse(78)), {
      ...options,
      release: { kind: 'between', after: '0.5.16', before: '0.5.17' },
    });
    const cell = bytes.kind === 'known' ? quantityOf(bytes.value, bytes.value.budgeted) : undefined;
    expect(cell?.interval).toEqual({ lo: 55224, hi: 61464 });
  });

  test('is no question where all releases agree', () => {
    const bytes = tokenBytes(layoutOf(latent(61)), {
      parallel: { tp: 8 },
      release: { kind: 'unknown' },
    });
    const cell = bytes.kind === 'known' ? quantityOf(bytes.value, bytes.value.budgeted) : undefined;
    expect(cell?.exact).toEqual(70272n);
  });

  test('an open dtype of sparse attention is settled by the printed size', () => {
    const bytes = bytesOf(sparse(78), { release: '0.5.9', parallel: { tp: 8 } });
    expect(quantityOf(bytes, bytes.allocated).interval).toMatchObject({ hi: (1152 + 132) * 78 });
    const pool = { tokens: count(3262823), size: printed('186.77') };
    expect(checkPool(bytes, pool).agrees).toBe(true);
  });
});

describe('the sentence about bytes per token', () => {
  const said = (release: string, kvDtype?: string) =>
    cellMessage({
      bytes: bytesOf(sparse(78), { release, ...(kvDtype && { kvDtype }) }),
      hasDraft: false,
    })?.id;

  test('names both numbers where buffers take more than is budgeted', () => {
    expect([said('0.5.16', 'fp8_e4m3'), said('0.5.17', 'fp8_e4m3')]).toEqual([
      'plan.allocated',
      'plan.budgeted',
    ]);
  });

  test('has one number where the bounds of both are equal, as with an open dtype', () => {
    expect(said('0.5.18')).toBe('plan.budgeted');
  });
});

describe('a receipt', () => {
  const lines = (config: Config, options: Options = {}) =>
    new Map(bytesOf(config, options).receipt.map(line => [line.name, line] as const));

  test('of 70,272 names layers, rank, rotary part and element size with key and line', () => {
    const receipt = lines({ text_config: latent(61) }, { parallel: { tp: 8 } });
    expect(receipt.get('kv_lora_rank')).toMatchObject({
      quantity: { exact: 512n },
      sources: [
        { kind: 'config', key: 'text_config.kv_lora_rank', place: { line: 5, column: 21 } },
      ],
    });
    expect(receipt.get('num_layers')).toMatchObject({
      quantity: { exact: 61n },
      sources: [{ kind: 'config', key: 'text_config.num_hidden_layers' }],
    });
    expect(receipt.get('kv_element_size')).toMatchObject({
      quantity: { exact: 2n },
      sources: [
        { kind: 'default', flag: '--kv-cache-dtype' },
        { kind: 'config', key: 'text_config.torch_dtype' },
      ],
    });
    expect(receipt.get('latent_row')).toMatchObject({
      quantity: { exact: 576n },
      spread: 'replicated',
    });
  });

  test('says whether heads are divided or replicated', () => {
    const spread = (tp: number) =>
      lines(heads(40, 2, 256), { parallel: { tp } }).get('kv_heads')?.spread;
    expect([spread(1), spread(2), spread(4)]).toEqual(['divided', 'divided', 'replicated']);
  });

  test('names the keys that say which layers count', () => {
    const keys = lines(gatedDelta(40, 2, 32))
      .get('num_layers')
      ?.sources.flatMap(source => (source.kind === 'config' ? [source.key] : []));
    expect(keys).toEqual(['text_config.full_attention_interval', 'text_config.num_hidden_layers']);
  });

  test('of a nested config marks what a class of models may default otherwise', () => {
    const nested = {
      text_config: {
        num_hidden_layers: 32,
        num_attention_heads: 32,
        num_key_value_heads: 8,
        hidden_size: 4096,
      },
    };
    const cell = (config: Config) => {
      const bytes = bytesOf(config);
      return quantityOf(bytes, bytes.budgeted);
    };
    expect(cell(nested)).toMatchObject({ exact: 131072n, basis: 'assumed' });
    expect(cell(nested.text_config)).toMatchObject({ exact: 131072n, basis: 'proved' });
  });

  test('has a message for every line', () => {
    const receipt = bytesOf(sparse(78), { kvDtype: 'fp8_e4m3', parallel: { tp: 8 } }).receipt;
    expect(receipt.length).toBeGreaterThan(8);
    for (const line of receipt) {
      expect(receiptMessage(line).arguments).toHaveProperty('part', line.name);
    }
  });
});

describe('bytes per token', () => {
  const size = fc.integer({ min: 1, max: 512 });
  const layersOf = fc.integer({ min: 1, max: 200 });
  const ranks = fc.constantFrom(1, 2, 4, 8, 16);
  const release = fc.constantFrom('0.2.14', '0.4.3', '0.5.3', '0.5.9', '0.5.13', '0.5.18');

  test('rise with layers, heads and dimensions', () => {
    fc.assert(
      fc.property(layersOf, size, size, release, (layers, kvHeads, dim, on) => {
        const cell = (l: number, h: number, d: number) => budgeted(heads(l, h, d), { release: on });
        const base = cell(layers, kvHeads, dim);
        expect(cell(layers + 1, kvHeads, dim)).toBeGreaterThan(base);
        expect(cell(layers, kvHeads + 1, dim)).toBeGreaterThan(base);
        expect(cell(layers, kvHeads, dim + 1)).toBeGreaterThan(base);
      }),
      { numRuns: 40 },
    );
  });

  test('fall or stay with more ranks, and never below those of one head', () => {
    fc.assert(
      fc.property(layersOf, size, ranks, release, (layers, kvHeads, tp, on) => {
        const cell = (parallel: { tp: number }) =>
          budgeted(heads(layers, kvHeads, 128), { release: on, parallel });
        expect(cell({ tp: tp * 2 })).toBeLessThanOrEqual(cell({ tp }));
        expect(cell({ tp: tp * 2 })).toBeGreaterThanOrEqual(layers * 128 * 4);
      }),
      { numRuns: 40 },
    );
  });

  test('rise with the dtype', () => {
    fc.assert(
      fc.property(layersOf, size, (layers, kvHeads) => {
        const cell = (kvDtype: string) =>
          budgeted(heads(layers, kvHeads, 128), { release: '0.5.16', kvDtype });
        const cells = ['fp8_e4m3', 'mxfp8', 'bfloat16', 'float32'].map(cell);
        expect(cells).toEqual(cells.toSorted((a, b) => a - b));
        expect(cell('bfloat16')).toBe(cell('fp8_e5m2') * 2);
      }),
      { numRuns: 25 },
    );
  });

  test('of pipeline stages add up to no less than the whole', () => {
    fc.assert(
      fc.property(layersOf, fc.integer({ min: 1, max: 8 }), (layers, pp) => {
        const whole = budgeted(heads(layers, 8, 128));
        const stage = budgeted(heads(layers, 8, 128), { parallel: { tp: 1, pp } });
        expect(stage).toBe(Math.ceil(layers / pp) * (whole / layers));
      }),
      { numRuns: 25 },
    );
  });
});
