/**
 * The shared log cases: figures that follow from the log alone, as their README states them. Every
 * figure has a bound on its width, so that an interval cannot be right by being wide.
 */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../src/core/account/account';
import { accountOfLog } from '../../src/core/account/account';
import { readLogText } from '../../src/core/log/readLog';
import type { QuantityId } from '../../src/core/sglang/quantityId';
import type { Quantity } from '../../src/core/units/quantity';
import { sharedFile, withShared } from './sharedFile';

/** value and the widest interval that may hold it. */
type Around = readonly [value: number, widest: number];

interface Case {
  readonly file: string;
  readonly quantities?: Partial<Record<QuantityId, Around>>;
  readonly fraction?: Partial<Record<'claimed' | 'effective' | 'implied' | 'minimum', Around>>;
  readonly verdict?: RunAccount['outcome']['kind'];
}

const cases: readonly Case[] = [
  {
    file: 'rtx5080-qwen3-0.6b-docker.log',
    verdict: 'ok',
    fraction: { implied: [1 - (13.91 - 11.14) / 15.16, 0.005], minimum: [1 - 13.91 / 15.16, 0.01] },
    quantities: {
      bytesPerToken: [114688, 210],
      requestToTokenPool: [(2048 * 40964 * 4) / 2 ** 30, 0.01],
    },
  },
  {
    file: 'mi355x-glm5-fp8-dsa-tp8.log',
    fraction: { minimum: [1 - 193.9 / 283.48, 0.0005] },
    quantities: { kvPool: [186.77, 0.011], allocatedBytesPerToken: [61464, 4] },
  },
  {
    file: 'kt-qwen35-moe-4090-mamba.log',
    fraction: {
      implied: [1 - (19.08 - 8.3 - 7.42) / 22.84, 0.004],
      minimum: [1 - 19.08 / 22.84, 0.006],
    },
    quantities: { statePool: [7.42, 0.05], kvPool: [8.3, 0.021], bytesPerToken: [15356, 40] },
  },
  {
    file: 'rtxpro6000-kimi-k25-int4-auto-fraction.log',
    fraction: {
      claimed: [0.7714564062499999, 0],
      implied: [0.771456, 0.0008],
      minimum: [1 - 21.82 / 94.14, 0.0006],
    },
    quantities: {
      maxTotalTokens: [4578, 0],
      requestToTokenPool: [(2048 * 262148 * 4) / 2 ** 30, 0.01],
    },
  },
  {
    file: 'h200-dsv4pro-088-minimum-viable.log',
    verdict: 'not-enough-memory',
    fraction: { claimed: [0.88, 0], minimum: [0.9112, 0.0005] },
  },
  { file: 'autotuner-llama32-1b-wrapped.log', quantities: { bytesPerToken: [32768, 10] } },
  {
    file: 'gb200-dsr1-debug-print.log',
    fraction: { implied: [0.95, 0.0001] },
    quantities: { bytesPerToken: [70272, 0], restMemory: [69.97756957808012, 1e-9] },
  },
  {
    file: 'qwen2-24gb-tp4-tight.log',
    fraction: { implied: [1 - (6.09 - 2.84) / 21.63, 0.004], minimum: [1 - 6.09 / 21.63, 0.005] },
    quantities: { bytesPerToken: [65424, 470] },
  },
  {
    file: 'docker-t-double-timestamp-qwen2-7b.log',
    fraction: { implied: [1 - (8.37 - 5.64) / 22.76, 0.005], minimum: [1 - 8.37 / 22.76, 0.005] },
  },
  {
    file: 'xpu-nemotronh-tp4-collapsed.log',
    fraction: {
      implied: [1 - (7.95 - 4.46 - 0.1) / 22.71, 0.004],
      minimum: [1 - 7.95 / 22.71, 0.006],
    },
    quantities: { bytesPerToken: [3072, 20] },
  },
  {
    file: 'granite-hybrid-16gb-bench.log',
    fraction: {
      implied: [1 - (9.26 - 3.04 - 2.77) / 15.24, 0.006],
      minimum: [1 - 9.26 / 15.24, 0.01],
    },
    quantities: { bytesPerToken: [8192, 60] },
  },
  {
    file: 'rtxpro6000-glm47-fp8-tp4pp2.log',
    fraction: {
      implied: [1 - (51.23 - 36.92) / 94.1, 0.0015],
      minimum: [1 - 51.23 / 94.1, 0.0015],
    },
    quantities: { bytesPerToken: [47104, 30], maxTotalTokens: [841782, 0] },
  },
  {
    file: '4gb-gpu-pool-end-zero.log',
    fraction: { implied: [1 - (2.03 - 1.64) / 3.23, 0.017], minimum: [1 - 2.03 / 3.23, 0.03] },
    quantities: { bytesPerToken: [114688, 1500] },
  },
  {
    file: 'shared-a100-40gb-qwen25-05b.log',
    fraction: {
      implied: [1 - (35.57 - 30.42) / 36.55, 0.002],
      minimum: [1 - 35.57 / 36.55, 0.005],
    },
    quantities: { bytesPerToken: [12288, 10] },
  },
  {
    file: 'b200-dsv3-fp4-before-after-joined.log',
    fraction: { minimum: [1 - 80.84 / 175.34, 0.0006] },
  },
  {
    file: 'h800-dsv4pro-0805-rounded-fraction.log',
    verdict: 'not-enough-memory',
    fraction: { claimed: [0.805, 0] },
    quantities: { restMemory: [-3.51, 0.011], availableAfterLoad: [11.66, 0.011] },
  },
  {
    file: 'h20-dsv4-flash-060-memory-profiling.log',
    quantities: { restMemory: [19.58, 0.011], totalBeforeLoad: [93.58, 0.011] },
  },
  {
    file: 'h20-dsv4-flash-088.log',
    quantities: {
      restMemory: [(3080986 * 15955.85) / 2 ** 30, 0.011],
      maxTotalTokens: [3080960, 0],
    },
  },
  {
    file: 'gpustack-npu-qwen3-8b-fraction-02.log',
    verdict: 'not-enough-memory',
    fraction: { claimed: [0.2, 0] },
  },
  { file: 'mixtral-awq-a10-0111-rank-n.log', quantities: { maxTotalTokens: [115621, 0] } },
  { file: 'rtxpro6000-ssd-stream-1p2m-draft-extend-oom.log', verdict: 'graph-oom' },
  { file: 'l4x4-alloc-req-slots.log', verdict: 'slots-exhausted' },
  { file: 'pd-decode-no-space-one-request.log', verdict: 'pool-exhausted' },
  { file: 'hicache-host-40-but-44-free.log', verdict: 'host-oom' },
  {
    file: 'mi300x-dsr1-dp8-negative-profiled.log',
    fraction: { minimum: [1 - 21.73 / 188.32, 0.0006] },
  },
];

function expectAround(
  quantity: Quantity | null | undefined,
  [value, widest]: Around,
  what: string,
): void {
  expect(quantity, what).toBeTruthy();
  const { lo, hi } = quantity!.interval;
  const slack = 1e-9 * Math.abs(value);
  expect(lo, what).toBeLessThanOrEqual(value + slack);
  expect(hi, what).toBeGreaterThanOrEqual(value - slack);
  expect(hi - lo, `${what} is narrow`).toBeLessThanOrEqual(widest + slack);
}

withShared(() => {
  describe('log cases', () => {
    test.each(cases)('$file', ({ file, quantities = {}, fraction = {}, verdict }) => {
      const account = accountOfLog(readLogText(sharedFile(`logs/${file}`))).at(-1);
      expect(account, 'a run').toBeDefined();
      for (const [id, around] of Object.entries(quantities)) {
        expectAround(account?.quantities.get(id as QuantityId), around, id);
      }
      for (const [which, around] of Object.entries(fraction)) {
        expectAround(account?.fraction[which as 'implied'], around, which);
      }
      if (verdict !== undefined) {
        expect(account?.outcome.kind).toBe(verdict);
      }
    });

    test('no value is derived where another program owns the formula', () => {
      const [account] = accountOfLog(readLogText(sharedFile('logs/kvcached-elastic-bytes.log')));
      expect(account?.fraction.implied).toBeUndefined();
      expect(account?.table).toEqual([]);
      expect(account?.advice).toMatchObject({ kind: 'none', reason: 'formula-owner' });
    });

    test('a rank that starts with less is named with what it costs the others', () => {
      const log = sharedFile('logs/rtxpro6000-glm47-fp8-tp4pp2.log');
      const [account] = accountOfLog(readLogText(log));
      const problem = account?.problems.find(({ code }) => code === 'rank-imbalance');
      const { gap, tokens } = problem!.message.arguments as Record<string, Quantity>;
      expectAround(gap, [2.18, 0.021], 'gap');
      expectAround(tokens, [49700, 600], 'tokens');
    });

    test('a harmless traceback is no failure', () => {
      const [account] = accountOfLog(
        readLogText(sharedFile('logs/libtorchcodec-false-traceback.log')),
      );
      expect(account?.problems).toEqual([]);
      expect(account?.outcome.kind).toBe('incomplete');
    });
  });
});
