/**
 * Log cases with a config of the public dimensions of their models: bytes per token in the account,
 * fractions that follow, pools that a log does not print. Figures are those of ../shared/logs/README.md.
 */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../src/core/account/account';
import { accountOfLog } from '../../src/core/account/account';
import { checkMessages } from '../../src/core/account/layoutMessages';
import type { RunLayout } from '../../src/core/account/runLayout';
import { readLog } from '../../src/core/log/readLog';
import { foreign } from '../../src/core/message/message';
import type { QuantityId } from '../../src/core/sglang/quantityId';
import { sourceOf } from '../core/log/memorySource';
import type { Config } from '../core/model/configText';
import { layoutOf } from '../core/model/configText';
import {
  asymmetricWindows,
  compressed,
  gatedDelta,
  graniteHybrid,
  heads,
  latent,
  sparse,
  stateSpacePattern,
} from '../core/model/modelConfigs';
import { sharedFile, withShared } from './sharedFile';

/** The last run of a log (its text changed by `change`) with a config. */
async function runOf(
  log: string,
  config: Config,
  change: (text: string) => string = text => text,
): Promise<RunAccount> {
  const text = change(sharedFile(`logs/${log}.log`));
  const reading = await readLog(sourceOf(text));
  const accounts = accountOfLog(reading, { config: { layout: layoutOf(config), name: 'c' } });
  return accounts.at(-1)!;
}

function layoutIn({ layout }: RunAccount): RunLayout {
  if (layout?.kind !== 'known') {
    throw new Error('no layout');
  }
  return layout.value;
}

/** Removes every line that the pattern finds. */
const without =
  (pattern: RegExp) =>
  (text: string): string =>
    text
      .split('\n')
      .filter(line => !pattern.test(line))
      .join('\n');

/** The value lies inside, and the bounds are no wider than `share` of it. */
function expectNear(run: RunAccount, id: QuantityId, value: number, share: number): void {
  const quantity = run.quantities.get(id);
  expect(quantity, id).toBeDefined();
  const { lo, hi } = quantity!.interval;
  expect([lo <= value, value <= hi], `${id} ${lo}..${hi} holds ${value}`).toEqual([true, true]);
  expect((hi - lo) / value, `${id} is close`).toBeLessThanOrEqual(share);
}

const withContext = (config: Config, length: number): Config => ({
  ...config,
  max_position_embeddings: length,
});

const kimi: Config = {
  architectures: ['KimiK25ForConditionalGeneration'],
  text_config: withContext(latent(61), 262144),
  vision_config: { vt_num_hidden_layers: 27, vt_hidden_size: 1152 },
};

/** Log, config, bytes per token. */
const cells: readonly (readonly [string, Config, number])[] = [
  ['rtx5080-qwen3-0.6b-docker', heads(28, 8, 128), 114688],
  ['rtxpro6000-kimi-k25-int4-auto-fraction', kimi, 70272],
  ['seed-baseline', kimi, 70272],
  ['seed-baseline-crlf', kimi, 70272],
  ['seed-baseline-k8s-ansi', kimi, 70272],
  ['seed-failing', kimi, 70272],
  ['kt-qwen35-moe-4090-mamba', gatedDelta(60, 2, 64), 15360],
  ['qwen2-24gb-tp4-tight', heads(64, 8, 128), 65536],
  ['autotuner-llama32-1b-wrapped', heads(16, 8, 64), 32768],
  ['docs-notebook-avail-rises', heads(32, 8, 128), 131072],
  ['mi300x-032-bench-no-date', heads(32, 8, 128), 131072],
  ['shared-a100-40gb-qwen25-05b', heads(24, 2, 64), 12288],
  ['4gb-gpu-pool-end-zero', heads(28, 8, 128), 114688],
  ['xpu-nemotronh-tp4-collapsed', stateSpacePattern, 3072],
  ['granite-hybrid-16gb-bench', graniteHybrid, 8192],
  ['rtxpro6000-glm47-fp8-tp4pp2', heads(92, 8, 128), 47104],
  ['mixtral-awq-a10-0111-rank-n', heads(32, 8, 128), 65536],
  ['docker-t-double-timestamp-qwen2-7b', heads(28, 4, 128), 57344],
  ['gb200-dsr1-debug-print', latent(61), 70272],
];

withShared(() => {
  describe('a log with its config', () => {
    test.each(cells)('%s has its bytes per token exactly', async (log, config, cell) => {
      const run = await runOf(log, config);
      for (const id of [
        'budgetedBytesPerToken',
        'bytesPerToken',
        'allocatedBytesPerToken',
      ] as const) {
        expectNear(run, id, cell, 0);
      }
      expect(layoutIn(run).agreement).not.toBe('differs');
    });

    test.each(cells)('%s has no fewer quantities than without', async (log, config) => {
      const reading = await readLog(sourceOf(sharedFile(`logs/${log}.log`)));
      const plain = accountOfLog(reading).at(-1)!;
      const run = await runOf(log, config);
      for (const [id, { interval }] of plain.quantities) {
        const { lo, hi } = run.quantities.get(id)!.interval;
        expect([lo >= interval.lo, hi <= interval.hi], id).toEqual([true, true]);
      }
    });
  });

  test('mi300x-dsr1-dp8-negative-profiled, which names no dtype, may have FP8 or 16 bits', async () => {
    const run = await runOf('mi300x-dsr1-dp8-negative-profiled', latent(61));
    const cell = run.quantities.get('budgetedBytesPerToken')?.interval;
    expect(cell).toEqual({ lo: 35136, hi: 70272 });
    // README: 0.95 x 0.85 is in effect, with FP8: -561,981 x 35,136 B = -18.39 GiB, and A of at most
    // 21.74 gives 1 + 18.39 / 188.32 at most, 1 - (21.74 + 36.78) / 188.43 at least.
    const { lo, hi } = run.fraction.implied!.interval;
    expect([lo <= 0.8075, hi >= 0.8075, lo > 0.689, hi < 0.9026]).toEqual([true, true, true, true]);
  });

  describe('mi355x-glm5-fp8-dsa-tp8 with its config', () => {
    test('has 55,224 budgeted and 61,464 allocated, and implies 0.908', async () => {
      const run = await runOf('mi355x-glm5-fp8-dsa-tp8', withContext(sparse(78), 202752));
      expectNear(run, 'budgetedBytesPerToken', 55224, 0);
      expectNear(run, 'allocatedBytesPerToken', 61464, 0);
      expectNear(run, 'availableAfterLoad', 193.9, 0.0002);
      const { lo, hi } = run.fraction.implied!.interval;
      expect(hi - lo).toBeLessThan(0.0005);
      // README: 1 - (193.90 - 3262823 * 55224 / 2^30) / 283.48
      expect(lo).toBeLessThan(0.90797);
      expect(hi).toBeGreaterThan(0.90797);
    });

    test('is 18.96 GiB over its budget', async () => {
      const { problems } = await runOf('mi355x-glm5-fp8-dsa-tp8', sparse(78));
      const found = problems.find(({ code }) => code === 'over-allocated');
      const over = found?.message.arguments['over'];
      expect(over).toMatchObject({ unit: { name: 'GiB' } });
      expect((over as { nominal: number }).nominal).toBeCloseTo(18.96, 2);
    });

    test('has 4,096 rows of 202,752 tokens: 3.09 GiB of request table', async () => {
      const run = await runOf('mi355x-glm5-fp8-dsa-tp8', withContext(sparse(78), 202752));
      expectNear(run, 'requestToTokenPool', (4096 * 202756 * 4) / 2 ** 30, 0.001);
    });

    test('without its dtype lines finds FP8 by the sizes', async () => {
      const run = await runOf('mi355x-glm5-fp8-dsa-tp8', sparse(78), without(/KV cache dtype/));
      expect(layoutIn(run)).toMatchObject({ agreement: 'agrees', inferredDtypes: ['fp8_e4m3'] });
      expectNear(run, 'budgetedBytesPerToken', 55224, 0);
    });
  });

  describe('mimo-v2-flash-swa-asymmetric-kv with its config', () => {
    test('has 5,760 bytes a token in full layers and 49,920 in window layers', async () => {
      const run = await runOf('mimo-v2-flash-swa-asymmetric-kv', asymmetricWindows);
      const { checks, agreement } = layoutIn(run);
      expect(agreement).toBe('agrees');
      expect(checks.map(({ expected }) => expected?.exact)).toEqual([5760n, 49920n]);
    });

    test('has as many window tokens as full ones, as printed', async () => {
      const run = await runOf('mimo-v2-flash-swa-asymmetric-kv', asymmetricWindows);
      expect(layoutIn(run).options.windowRatio).toBe(1);
    });
  });

  describe('compressed attention with its config', () => {
    test('npu-dsv4-flash: the printed 7,705.45 is that of the config', async () => {
      const run = await runOf('npu-dsv4-flash-w4a8-dp4-truncated', compressed);
      expectNear(run, 'budgetedBytesPerToken', 7705.45, 0.00001);
      expect(layoutIn(run).agreement).not.toBe('differs');
    });

    test('h20-dsv4-flash: the printed 15,955.85 is that of the config', async () => {
      const run = await runOf('h20-dsv4-flash-088', compressed);
      expectNear(run, 'budgetedBytesPerToken', 15955.85, 0.00001);
    });
  });

  describe('drafts beside state hybrids', () => {
    test('5090x2-nvfp4: 16,384 bytes a token, and a draft of five such layers', async () => {
      const run = await runOf('5090x2-nvfp4-draft-pool', gatedDelta(64, 4, 48));
      expectNear(run, 'allocatedBytesPerToken', 16384, 0);
      expect(layoutIn(run)).toMatchObject({
        agreement: 'agrees',
        options: { draft: { layers: 5 } },
      });
      // README: "effective 21.5 KB per token" where the draft is budgeted.
      expect(run.quantities.get('budgetedBytesPerToken')?.interval.hi).toBe(21504);
    });

    test('rtxpro6000-mamba-intermediate: 32,768, a draft of 24,576, slots of 49.1 MiB', async () => {
      const run = await runOf('rtxpro6000-mamba-intermediate-48gb-oom', gatedDelta(32, 4, 32));
      expectNear(run, 'allocatedBytesPerToken', 32768, 0);
      expect(layoutIn(run).options.draft?.layers).toBe(6);
      // 24 state layers of 32 x 128 x 128 x 4 bytes and 8,192 x 3 x 2 bytes.
      expectNear(run, 'bytesPerSlot', 24 * (32 * 128 * 128 * 4 + 8192 * 3 * 2), 0);
    });
  });

  describe('a line that is not there is predicted', () => {
    test('rtx5080: 11.14 GiB from the tokens of the summary', async () => {
      const run = await runOf(
        'rtx5080-qwen3-0.6b-docker',
        heads(28, 8, 128),
        without(/KV Cache is/),
      );
      expectNear(run, 'kvPool', ((104273 + 1) * 114688) / 2 ** 30, 0.0005);
      expect(run.quantities.get('kvPool')).toMatchObject({ basis: 'assumed' });
      expect(run.quantities.get('kvPool')?.assumptions).toContain(
        'config.json is that of the model',
      );
    });

    test('kt-qwen35-moe: 82 slots of 91.58 MiB are 7.42 GiB', async () => {
      const cut = (text: string) => text.replace(/(max_mamba_cache_size: 82,).*/g, '$1');
      const run = await runOf('kt-qwen35-moe-4090-mamba', gatedDelta(60, 2, 64), cut);
      expectNear(run, 'bytesPerSlot', 96030720, 0);
      expectNear(run, 'statePool', (83 * 96030720) / 2 ** 30, 0.001);
    });

    test('rtxpro6000-kimi: the tokens of its fraction, where only the pool lines are cut', async () => {
      const run = await runOf(
        'rtxpro6000-kimi-k25-int4-auto-fraction',
        kimi,
        without(/KV Cache is|max_total_num_tokens|Memory pool end|Prefill|Decode/),
      );
      const tokens = run.quantities.get('maxTotalTokens');
      expect(tokens?.interval.lo).toBeLessThanOrEqual(4578);
      expect(tokens?.interval.hi).toBeGreaterThanOrEqual(4578);
    });

    test('the seed that failed has no pool', async () => {
      const { quantities } = await runOf('seed-failing', kimi);
      for (const id of ['kvPool', 'maxTotalTokens', 'maxRunningRequests'] as const) {
        expect(quantities.get(id), id).toBeUndefined();
      }
    });

    test('mi300x-032: no request table larger than what is left', async () => {
      const run = await runOf('mi300x-032-bench-no-date', withContext(heads(32, 8, 128), 131072));
      expect(run.quantities.get('requestToTokenPool')).toBeUndefined();
    });
  });

  describe('a config of another model', () => {
    test('is told from the printed sizes and adds no figure', async () => {
      const run = await runOf('rtx5080-qwen3-0.6b-docker', heads(36, 8, 128));
      expect(layoutIn(run).agreement).toBe('differs');
      expectNear(run, 'bytesPerToken', 114688, 0.01);
      expect(run.solution.contradiction).toBeUndefined();
    });

    test('is named beside that of the log where both name a class', async () => {
      const config = { ...heads(36, 8, 128), architectures: ['LlamaForCausalLM'] };
      const said = checkMessages(layoutIn(await runOf('rtx5080-qwen3-0.6b-docker', config)));
      expect(said.map(({ id }) => id)).toContain('layout.other-model');
      const own = { ...config, architectures: ['Qwen3ForCausalLM'] };
      const same = checkMessages(layoutIn(await runOf('rtx5080-qwen3-0.6b-docker', own)));
      expect(same.map(({ id }) => id)).not.toContain('layout.other-model');
    });

    test('with an attention that is not known is refused by its key', async () => {
      const run = await runOf('seed-baseline', kimi);
      const other = { ...heads(32, 8, 128), attn_layer_period: 2 };
      expect(layoutIn(run).agreement).toBe('agrees');
      expect(() => layoutOf(other)).toThrow(/attn_layer_period/);
    });
  });

  describe('an FP8 flag', () => {
    const flagged = (text: string) =>
      text.replaceAll("kv_cache_dtype='auto'", "kv_cache_dtype='fp8_e5m2'");

    test('that did not apply is seen from the sizes', async () => {
      const run = await runOf('rtxpro6000-kimi-k25-int4-auto-fraction', kimi, text =>
        without(/KV cache dtype/)(flagged(text)),
      );
      expect(layoutIn(run)).toMatchObject({ idleFlag: 'fp8_e5m2', inferredDtypes: ['bfloat16'] });
      expectNear(run, 'bytesPerToken', 70272, 0);
    });

    test.each([
      ['fp8_e4m3', 'layout.flag-without-effect-printed'],
      ['bfloat16', 'layout.flag-in-effect-printed'],
    ])('%s is held against the dtype that the log prints', async (dtype, id) => {
      const run = await runOf('rtxpro6000-kimi-k25-int4-auto-fraction', kimi, text =>
        text.replaceAll("kv_cache_dtype='auto'", `kv_cache_dtype='${dtype}'`),
      );
      const messages = checkMessages(layoutIn(run));
      expect(messages.filter(one => one.id.startsWith('layout.flag'))).toEqual([
        { id, arguments: { flag: `--kv-cache-dtype ${dtype}`, dtype: foreign('bfloat16') } },
      ]);
    });

    test('of auto is no question', async () => {
      const run = await runOf('rtxpro6000-kimi-k25-int4-auto-fraction', kimi);
      expect(layoutIn(run)).toMatchObject({ askedDtype: undefined });
    });
  });

  describe('the automatic fraction', () => {
    test('rtxpro6000-kimi: 0.7714564 is 0.848 times 0.95 times 0.95762', async () => {
      const { automatic } = await runOf('rtxpro6000-kimi-k25-int4-auto-fraction', kimi);
      expect(automatic?.origin).toBe('automatic');
      const { plain, multiplier, card, receipt } = automatic!.value;
      expect(plain.exact ?? plain.nominal ?? plain.interval.lo).toBeCloseTo(0.848, 9);
      // python3: 0.95 * (1.0 - 0.1 * (27 * 1152**2 / (24 * 1024**2) - 1.0))
      expect(multiplier?.exact).toBeCloseTo(0.9097363281249999, 12);
      // The card of this case has 97,887 MiB; the log does not say so.
      expect(card!.interval.lo).toBeLessThan(97887);
      expect(card!.interval.hi).toBeGreaterThan(97887);
      expect(card!.interval.hi - card!.interval.lo).toBeLessThan(1000);
      const reserve = receipt.find(({ name }) => name === 'reserve');
      expect(Number(reserve?.quantity.exact)).toBe(512 + 8192 * 1.5 + 512 * 2 + 1024);
    });

    test('seed-failing: 0.55 was typed, and the release would have set about 0.78', async () => {
      const { automatic } = await runOf('seed-failing', kimi);
      expect(automatic?.origin).toBe('typed');
      const { lo, hi } = automatic!.value.effective.interval;
      // python3, for a card of 97,887 MiB: round((97887 - 14080) / 97887, 3) * 0.9097363281249999
      const expected = 0.856 * 0.9097363281249999;
      expect([lo <= expected, expected <= hi, hi - lo < 0.02]).toEqual([true, true, true]);
    });

    test('nothing is said of a log without launch arguments', async () => {
      const { automatic } = await runOf('seed-baseline', kimi);
      expect(automatic).toBeUndefined();
    });
  });
});
