/**
 * What the account of each case of ../shared/logs has to say from the log alone: verdict, figures
 * with the widest interval that still is an answer, and which problems. Figures are those of the
 * cases' README or calculated from the printed lines as said beside them; what needs a model config
 * is not here.
 */
import type { VerdictKind, VerdictPhase } from '../../src/core/account/verdict';
import type { ProblemCode } from '../../src/core/account/problem';
import type { QuantityId } from '../../src/core/sglang/quantityId';

/** A value that the interval has to hold, and how wide it may be; a bound on one side only. */
export type Figure =
  | readonly [value: number, widest: number]
  | { readonly atLeast: number }
  | { readonly atMost: number };

export interface ExpectedRun {
  readonly verdict: readonly [VerdictKind, VerdictPhase];
  readonly quantities?: Readonly<Partial<Record<QuantityId, Figure>>>;
  /** Every fraction that is not named has to be absent. */
  readonly fraction?: Readonly<
    Partial<Record<'claimed' | 'effective' | 'implied' | 'minimum' | 'maximum', Figure>>
  >;
  /** Exactly these. */
  readonly problems?: readonly ProblemCode[];
  /** Quantities that the log cannot tell. */
  readonly absent?: readonly QuantityId[];
  /** The rank that decides; undefined where the log does not tell. */
  readonly binding?: string;
  /** The unaccounted entry of the deciding (else the first) rank's ledger. */
  readonly unaccounted?: Figure;
}

/** 2-decimal figures: each is known to 0.005 either way. */
const one = 0.0101;
const two = 0.0201;
const three = 0.0301;

const seedBaseline: ExpectedRun = {
  verdict: ['ok', 'serving'],
  binding: 'TP0',
  quantities: {
    totalBeforeLoad: [94.0, 0.115],
    availableAfterLoad: [21.71, two],
    contextAndComm: [0.95, one],
    weights: [72.29, one],
    kvPool: [10.42, one],
    maxTotalTokens: [159287, 0],
    bytesPerToken: [70272, 70],
    // 2048 x (262144 + 4) x 4 B.
    requestToTokenPool: [2.000030517578125, 1e-9],
    graphMemory: [1.37, one],
    poolEndAvailable: [9.22, one],
    finalAvailable: [7.83, one],
  },
  // 1 - (21.71 - 10.42) / 94; 1 - 21.71 / 94; 0.88 + 7.83 / 94.
  fraction: { implied: [0.87989, 0.0006], minimum: [0.76904, 0.0006], maximum: [0.9633, 0.001] },
  // 94.00 - 72.29 - 10.42 - 2.00 - 1.37 - 7.83.
  unaccounted: [0.09, 0.06],
  absent: ['memFractionStatic', 'memFractionEffective', 'hostKvPool', 'clusterTokens'],
};

const seedFailing: ExpectedRun = {
  verdict: ['not-enough-memory', 'sizing'],
  binding: 'TP0',
  quantities: {
    totalBeforeLoad: [93.999, 0.0011],
    availableAfterLoad: [21.6966, 0.0011],
    // -314811 tokens of 70,272 B lie in the printed -20.603.
    restMemory: [(-314810.5 * 70272) / 2 ** 30, 0.0011],
    profiledTokens: [-314811, 0],
    budgetedBytesPerToken: [70272, 0],
  },
  fraction: {
    claimed: [0.55, 0],
    effective: [0.55, 0],
    implied: [0.55, 0.00003],
    minimum: [0.769183, 0.00001],
  },
  problems: ['not-enough-memory'],
  absent: ['maxTotalTokens', 'kvPool', 'finalAvailable', 'graphMemory'],
};

/** By file; one entry a run, in order. */
export const accountCases: Readonly<Record<string, readonly ExpectedRun[]>> = {
  'rtx5080-qwen3-0.6b-docker.log': [
    {
      verdict: ['ok', 'serving'],
      binding: '',
      quantities: {
        totalBeforeLoad: [15.16, 0.13],
        kvPool: [11.14, two],
        maxTotalTokens: [104273, 0],
        allocatedBytesPerToken: [114713, 210],
        // 2048 x 40964 x 4 B.
        requestToTokenPool: [(2048 * 40964 * 4) / 2 ** 30, 1e-9],
        contextLength: [40960, 0],
        maxRunningRequests: [2048, 0],
      },
      // 1 - (13.91 - 11.14) / 15.16; 1 - 13.91 / 15.16; implied + 1.70 / 15.16.
      fraction: { implied: [0.8173, 0.0045], minimum: [0.0825, 0.009], maximum: [0.9294, 0.006] },
    },
  ],
  'mi355x-glm5-fp8-dsa-tp8.log': [
    {
      verdict: ['incomplete', 'capture'],
      binding: 'TP2',
      quantities: {
        // TP2 and TP3 have 193.90, not TP0 its 193.92.
        availableAfterLoad: [193.9, two],
        totalBeforeLoad: [283.48, 0.13],
        kvPool: [186.77, one],
        maxTotalTokens: [3262823, 0],
        allocatedBytesPerToken: [61463, 4],
      },
      // The budgeted bytes per token need a config: 55,224 against 61,464 allocated.
      fraction: { minimum: [0.316, 0.0005] },
      absent: ['budgetedBytesPerToken', 'memFractionEffective'],
      // 193.90 - 186.77 - 3.88.
      unaccounted: [3.25, 0.06],
    },
  ],
  'npu-dsv4-flash-w4a8-dp4-truncated.log': [
    {
      verdict: ['incomplete', 'warm-up'],
      binding: 'DP0 TP0 EP0',
      quantities: {
        budgetedBytesPerToken: [7705.45, 0.0101],
        restMemory: [6.16, one],
        // Page aligned, not the cut 8529.
        profiledTokens: [852992, 1024],
        fullTokens: [852992, 0],
        maxTotalTokens: [32768, 0],
        // Four replicas of 32,768.
        clusterTokens: [131072, 0],
        contextLength: [32768, 0],
      },
      // 1 - (13.43 - 6.16) / 60.49; 1 - 13.43 / 60.49.
      fraction: { implied: [0.87981, 0.0008], minimum: [0.77798, 0.0009] },
      absent: ['finalAvailable'],
    },
  ],
  'h200-tp8-init-skew.log': [
    {
      verdict: ['incomplete', 'weights'],
      quantities: { totalBeforeLoad: [137.29, 0.115] },
      absent: ['availableAfterLoad', 'kvPool', 'maxTotalTokens', 'weights'],
    },
  ],
  'kt-qwen35-moe-4090-mamba.log': [
    {
      verdict: ['incomplete', 'warm-up'],
      binding: 'TP0',
      quantities: {
        statePool: [7.42, two],
        stateSlots: [82, 0],
        kvPool: [8.3, two],
        maxTotalTokens: [580364, 0],
        // 8.30 + 7.42 come from one budget; one of 83 printed rows of state may be padding.
        restMemory: [15.72, 0.14],
        bytesPerToken: [15356, 40],
        maxRunningRequests: [1, 0],
      },
      // 1 - (19.08 - 15.72) / 22.84; 1 - 19.08 / 22.84.
      fraction: { implied: [0.8529, 0.008], minimum: [0.1646, 0.006] },
      // Memory came free after loading: no error.
      unaccounted: [-0.27, 0.09],
    },
  ],
  'mi300x-dsr1-dp8-negative-profiled.log': [
    {
      // A budget below zero cannot start, whatever the log still shows.
      verdict: ['not-enough-memory', 'sizing'],
      problems: ['not-enough-memory'],
      quantities: {
        profiledTokens: [-561981, 0],
        weights: [166.59, one],
        totalBeforeLoad: [188.32, 0.13],
        availableAfterLoad: { atMost: 21.75 },
      },
      // A of the other seven ranks is not in the log: a bound, not a number. 1 - 21.73 / 188.32.
      fraction: { minimum: { atLeast: 0.8845 } },
      absent: ['maxTotalTokens', 'clusterTokens', 'memFractionEffective', 'restMemory'],
    },
  ],
  'rtxpro6000-ssd-stream-1p2m-draft-extend-oom.log': [
    {
      verdict: ['graph-oom', 'capture'],
      quantities: {
        poolEndAvailable: [1.27, one],
        // 0.12 + 0.36.
        graphMemory: [0.48, two],
        // 95.01 GiB.
        cardCapacity: [97290.24, 10.3],
      },
      problems: ['not-enough-memory'],
      absent: ['totalBeforeLoad', 'availableAfterLoad', 'kvPool', 'maxTotalTokens'],
    },
  ],
  'rtxpro6000-kimi-k25-int4-auto-fraction.log': [
    {
      verdict: ['incomplete', 'serving'],
      binding: 'TP0',
      quantities: {
        kvPool: [0.3, one],
        maxTotalTokens: [4578, 0],
        requestToTokenPool: [2.000030517578125, 1e-9],
        finalAvailable: [19.71, one],
        memFractionStatic: [0.7714564062499999, 0],
        // 21.82 - 94.14 x (1 - 0.77145640625).
        restMemory: [0.305, 0.011],
      },
      fraction: {
        claimed: [0.7714564062499999, 0],
        implied: [0.7714, 0.0007],
        minimum: [0.7682, 0.0006],
        maximum: [0.9808, 0.0011],
      },
      problems: ['tiny-pool', 'idle-memory'],
    },
  ],
  'h20-dsv4-flash-088.log': [
    {
      verdict: ['ok', 'serving'],
      quantities: {
        restMemory: [45.784, 0.0101],
        // 45.78 + 93.58 x 0.12: no line prints it.
        availableAfterLoad: [57.01, 0.03],
        budgetedBytesPerToken: [15955.85, 0.0101],
        fullTokens: [3080960, 0],
        maxTotalTokens: [3080960, 0],
        graphMemory: [1.93, one],
        finalAvailable: [8.16, one],
        // 256 x (1048576 + 4) x 4 B, or one row more.
        requestToTokenPool: [(256 * 1048580 * 4) / 2 ** 30, 0.005],
      },
      // 1 - 57.01 / 93.58, with the fraction of the launch arguments.
      fraction: {
        claimed: [0.88, 0],
        effective: [0.88, 0],
        minimum: [0.3908, 0.0009],
        maximum: [0.9672, 0.0006],
      },
      absent: ['weights', 'kvPool'],
    },
  ],
  'h20-dsv4-flash-060-memory-profiling.log': [
    {
      verdict: ['ok', 'serving'],
      quantities: {
        availableAfterLoad: [57.01, one],
        totalBeforeLoad: [93.58, one],
        // 57.01 - 93.58 x 0.40.
        restMemory: [19.578, one],
        fullTokens: [1317632, 0],
      },
      // 1 - (57.01 - 19.58) / 93.58; 1 - 57.01 / 93.58.
      fraction: {
        claimed: [0.6, 0],
        effective: [0.6, 0.0004],
        implied: [0.6, 0.0004],
        minimum: [0.3908, 0.0003],
      },
      // 34.28 GiB stay free, but another program's formula gives no fraction to set.
      absent: ['kvPool', 'weights'],
    },
  ],
  'h800-dsv4pro-0805-rounded-fraction.log': [
    {
      verdict: ['not-enough-memory', 'sizing'],
      quantities: {
        restMemory: [-3.51, one],
        totalBeforeLoad: [77.8, one],
        availableAfterLoad: [11.66, one],
      },
      // Not the rounded 0.81; 1 - 11.66 / 77.80.
      fraction: {
        claimed: [0.805, 0],
        effective: [0.805, 0.0003],
        implied: [0.805, 0.0004],
        minimum: [0.8501, 0.0002],
      },
      problems: ['not-enough-memory'],
      absent: ['maxTotalTokens', 'kvPool'],
    },
  ],
  'h200-dsv4pro-088-minimum-viable.log': [
    {
      verdict: ['not-enough-memory', 'sizing'],
      binding: '',
      quantities: {
        weights: [125.65, one],
        // 12.25 - 137.90 x 0.12.
        restMemory: [-4.298, 0.04],
        totalBeforeLoad: [137.9, 0.13],
      },
      // 1 - 12.25 / 137.90.
      fraction: { claimed: [0.88, 0], effective: [0.88, 0], minimum: [0.91117, 0.0003] },
      problems: ['not-enough-memory'],
      absent: ['maxTotalTokens', 'kvPool', 'budgetedBytesPerToken'],
    },
  ],
  'autotuner-llama32-1b-wrapped.log': [
    {
      verdict: ['ok', 'serving'],
      quantities: {
        kvPool: [73.4, two],
        maxTotalTokens: [2405039, 0],
        allocatedBytesPerToken: [32770, 10],
        poolEndAvailable: [16.82, one],
      },
      absent: ['totalBeforeLoad', 'availableAfterLoad'],
    },
  ],
  'rtxpro6000-mamba-intermediate-48gb-oom.log': [
    {
      verdict: ['graph-oom', 'capture'],
      quantities: {
        // 0.07 + 3.05 + 48.75 + 0.43.
        statePool: [52.3, 0.041],
        stateSlots: [64, 0],
        kvPool: [9.04, two],
        draftPool: [6.78, two],
        allocatedBytesPerToken: [32799, 80],
        // 3.85 + 6.13 + 2.17.
        graphMemory: [12.15, three + 0.0001],
        // 9.04 + 6.78 + 52.30 share one budget, in which the overlapping windows of 0.43 count in full:
        // 48.755 * 0.075 / 3.045 - 0.425 = 0.78 more at most.
        restMemory: [68.12, 0.11 + 0.78],
        // 94.50 GiB.
        cardCapacity: [96768, 10.3],
      },
      problems: ['not-enough-memory'],
      absent: ['availableAfterLoad', 'weights'],
    },
  ],
  'mimo-v2-flash-swa-asymmetric-kv.log': [
    {
      verdict: ['incomplete', 'capture'],
      quantities: {
        swaPool: [69.6, two],
        kvPool: [8.03, two],
        fullTokens: [1496958, 0],
        swaTokens: [1496958, 0],
        // 49,920 + 5,760 for a token of each pool.
        allocatedBytesPerToken: [55680, 30],
      },
      absent: ['totalBeforeLoad', 'availableAfterLoad'],
    },
  ],
  'kvcached-elastic-bytes.log': [
    {
      verdict: ['incomplete', 'init'],
      // 32,033,013,760 B.
      quantities: { restMemory: [32033013760 / 2 ** 30, 0] },
      // Here f is a share of the device: nothing of our formula holds.
      fraction: { claimed: [0.5, 0.0001] },
      absent: ['totalBeforeLoad', 'availableAfterLoad', 'slack', 'maxTotalTokens', 'kvPool'],
    },
  ],
  '5090x2-nvfp4-draft-pool.log': [
    {
      verdict: ['incomplete', 'pools'],
      // 7.63 after the target's pool against 8.40 on TP0.
      binding: 'TP1',
      quantities: {
        kvPool: [6.92, two],
        draftPool: [2.16, two],
        allocatedBytesPerToken: [16362, 50],
        maxTotalTokens: [454112, 0],
        poolEndAvailable: [5.46, one],
      },
      problems: ['rank-imbalance'],
      absent: ['totalBeforeLoad', 'availableAfterLoad'],
    },
  ],
  'gb200-dsr1-debug-print.log': [
    {
      verdict: ['incomplete', 'sizing'],
      quantities: {
        totalBeforeLoad: [174.8406982421875, 0],
        availableAfterLoad: [78.7196044921875, 0],
        restMemory: [69.97756957808012, 0],
        budgetedBytesPerToken: [70272, 0],
        profiledTokens: [1069242, 0],
      },
      fraction: {
        implied: [1 - (78.7196044921875 - 69.97756957808012) / 174.8406982421875, 1e-12],
        minimum: [1 - 78.7196044921875 / 174.8406982421875, 1e-12],
      },
    },
  ],
  'qwen2-24gb-tp4-tight.log': [
    {
      verdict: ['incomplete', 'capture'],
      binding: 'TP0',
      quantities: {
        kvPool: [2.84, two],
        maxTotalTokens: [46611, 0],
        allocatedBytesPerToken: [65424, 470],
        totalBeforeLoad: [21.63, 0.13],
      },
      // 1 - (6.09 - 2.84) / 21.63; 1 - 6.09 / 21.63.
      fraction: { implied: [0.8497, 0.003], minimum: [0.7184, 0.003] },
      // 6.09 - 2.84 - 2.09.
      unaccounted: [1.16, 0.07],
    },
  ],
  'mi300x-032-bench-no-date.log': [
    {
      verdict: ['ok', 'serving'],
      quantities: { availableAfterLoad: [176.33, two], maxTotalTokens: [1256440, 0] },
      // No begin, no usage and no pool line: neither fraction nor bytes per token.
      absent: ['totalBeforeLoad', 'kvPool', 'budgetedBytesPerToken', 'weights'],
    },
  ],
  'docs-notebook-avail-rises.log': [
    {
      verdict: ['incomplete', 'warm-up'],
      quantities: {
        kvPool: [2.5, two],
        // 131,072 x (1 - a page of 1,024 in 20,480).
        allocatedBytesPerToken: [131072, 7300],
        maxTotalTokens: [20480, 0],
        // The pool may be limited: only a bound.
        profiledTokens: { atLeast: 20480 },
      },
      problems: ['occupied-before-start'],
      absent: ['totalBeforeLoad', 'availableAfterLoad'],
    },
  ],
  'unbalanced-after-capture-eagle-tp8.log': [
    {
      verdict: ['incomplete', 'init'],
      absent: ['totalBeforeLoad', 'graphMemory', 'maxTotalTokens'],
    },
  ],
  'hicache-host-40-but-44-free.log': [
    {
      verdict: ['host-oom', 'pools'],
      absent: ['hostKvPool', 'maxTotalTokens'],
      problems: ['not-enough-memory'],
    },
  ],
  'hicache-disagg-prefix-3060-tp4.log': [
    { verdict: ['incomplete', 'init'], quantities: { hostKvPool: [40, one] } },
  ],
  'mixtral-awq-a10-0111-rank-n.log': [
    {
      verdict: ['incomplete', 'warm-up'],
      quantities: { maxTotalTokens: [115621, 0] },
      absent: ['kvPool', 'totalBeforeLoad', 'clusterTokens', 'budgetedBytesPerToken'],
    },
  ],
  'dsv4-swa-full-token-usage-retract.log': [
    {
      verdict: ['pool-exhausted', 'serving'],
      // 2,642,688 at 1.00; the window pool is at 0.06: 14,592 / 0.065 to 14,592 / 0.055.
      quantities: { fullTokens: [2642688, 13281], swaTokens: [243200, 40820] },
      absent: ['maxTotalTokens', 'kvPool'],
    },
  ],
  'retract-tiny-pool-1920.log': [
    // 1920 / 0.94.
    { verdict: ['ok', 'serving'], quantities: { maxTotalTokens: [2043, 23] }, absent: ['kvPool'] },
  ],
  'docker-t-double-timestamp-qwen2-7b.log': [
    {
      verdict: ['incomplete', 'capture'],
      binding: 'TP0',
      quantities: { kvPool: [5.64, two], weights: [14.39, two], totalBeforeLoad: [22.76, 0.115] },
      // 1 - (8.37 - 5.64) / 22.76; 1 - 8.37 / 22.76.
      fraction: { implied: [0.88, 0.0045], minimum: [0.6322, 0.003] },
      // No token count is printed, and bytes per token need a config.
      absent: ['maxTotalTokens', 'bytesPerToken', 'profiledTokens'],
    },
  ],
  'xpu-nemotronh-tp4-collapsed.log': [
    {
      verdict: ['incomplete', 'warm-up'],
      binding: 'TP0',
      quantities: {
        kvPool: [4.46, two],
        statePool: [0.1, 0.0151],
        maxTotalTokens: [1557504, 0],
        allocatedBytesPerToken: [3075, 16],
      },
      // 1 - (7.95 - 4.56) / 22.71; 1 - 7.95 / 22.71.
      fraction: { implied: [0.8507, 0.004], minimum: [0.6499, 0.003], maximum: [1, 0.01] },
      unaccounted: [0, 0.08],
    },
  ],
  'granite-hybrid-16gb-bench.log': [
    {
      verdict: ['incomplete', 'warm-up'],
      binding: 'TP0',
      quantities: {
        statePool: [2.77, two],
        stateSlots: [38, 0],
        kvPool: [3.04, two],
        allocatedBytesPerToken: [8166, 60],
        // One of 39 rows of state may be padding.
        restMemory: [5.81, 0.113],
      },
      // 1 - (9.26 - 5.81) / 15.24; 1 - 9.26 / 15.24; implied + 2.89 / 15.24.
      fraction: { implied: [0.7736, 0.0107], minimum: [0.3924, 0.007], maximum: [0.9633, 0.0137] },
    },
  ],
  'rtxpro6000-glm47-fp8-tp4pp2.log': [
    {
      verdict: ['ok', 'serving'],
      binding: 'PP1 TP0',
      quantities: {
        availableAfterLoad: [51.23, two],
        kvPool: [36.92, two],
        maxTotalTokens: [841782, 0],
        bytesPerToken: [47094, 30],
        // 2125 x 202756 x 4 B.
        requestToTokenPool: [(2125 * 202756 * 4) / 2 ** 30, 1e-9],
        finalAvailable: [12.13, one],
      },
      // 1 - (51.23 - 36.92) / 94.1; 1 - 51.23 / 94.1; implied + 12.13 / 94.1.
      fraction: { implied: [0.848, 0.0008], minimum: [0.4556, 0.0011], maximum: [0.9768, 0.001] },
      problems: ['rank-imbalance', 'idle-memory'],
      absent: ['clusterTokens'],
    },
  ],
  'compose-prefix-qwen3-32b-awq-args.log': [
    {
      verdict: ['incomplete', 'init'],
      fraction: { claimed: [0.88, 0] },
      absent: ['maxTotalTokens', 'kvPool', 'totalBeforeLoad'],
    },
  ],
  'l4x4-alloc-req-slots.log': [
    {
      verdict: ['slots-exhausted', 'serving'],
      // 9071 at 0.01: 9071 / 0.015 to 9071 / 0.005.
      quantities: { maxTotalTokens: [907100, 1209470] },
      absent: ['kvPool', 'maxRunningRequests'],
    },
  ],
  'input-too-long-tiny-pool.log': [
    {
      verdict: ['ok', 'serving'],
      quantities: { maxRequestTokens: [1735, 0] },
      problems: ['tiny-pool'],
      absent: ['maxTotalTokens', 'kvPool', 'contextLength'],
    },
  ],
  'pd-decode-no-space-one-request.log': [
    {
      verdict: ['pool-exhausted', 'serving'],
      absent: ['maxTotalTokens', 'kvPool'],
      problems: ['tiny-pool'],
    },
  ],
  '4gb-gpu-pool-end-zero.log': [
    {
      verdict: ['incomplete', 'capture'],
      binding: '',
      quantities: {
        kvPool: [1.64, two],
        maxTotalTokens: [15387, 0],
        allocatedBytesPerToken: [114443, 1400],
        poolEndAvailable: [0, one],
      },
      // 1 - (2.03 - 1.64) / 3.23; 1 - 2.03 / 3.23.
      fraction: { implied: [0.8793, 0.017], minimum: [0.3715, 0.028] },
      problems: ['over-allocated'],
      // 2.03 - 1.64 - 0.00.
      unaccounted: [0.39, 0.046],
    },
  ],
  'return-glyph-joined-dsv2.log': [
    {
      verdict: ['incomplete', 'weights'],
      quantities: { totalBeforeLoad: [77.17, 0.115] },
      absent: ['availableAfterLoad', 'maxTotalTokens'],
    },
  ],
  'libtorchcodec-false-traceback.log': [
    {
      verdict: ['incomplete', 'weights'],
      quantities: { totalBeforeLoad: [21.63, 0.115] },
      absent: ['availableAfterLoad', 'maxTotalTokens'],
    },
  ],
  'ray-sglangengine-decode.log': [
    // 1094261 / 0.67; 432100 / 0.27; 2811200 / 1.00.
    { verdict: ['ok', 'serving'], quantities: { maxTotalTokens: [1633225, 24381] } },
    { verdict: ['ok', 'serving'], quantities: { maxTotalTokens: [1600370, 59297] } },
    {
      verdict: ['pool-exhausted', 'serving'],
      quantities: { maxTotalTokens: [2811200, 14128] },
      absent: ['clusterTokens'],
    },
  ],
  'mi300a-slurm-405gb.log': [
    {
      verdict: ['incomplete', 'capture'],
      quantities: {
        totalBeforeLoad: [405.02, 0.115],
        weights: [167.32, one],
        stateSlots: [514, 0],
        maxTotalTokens: [2426200, 0],
      },
      // Keys only are printed, so that no pool is known.
      absent: ['kvPool', 'availableAfterLoad', 'statePool', 'allocatedBytesPerToken'],
    },
  ],
  'shared-a100-40gb-qwen25-05b.log': [
    {
      verdict: ['incomplete', 'warm-up'],
      binding: '',
      quantities: {
        kvPool: [30.42, two],
        maxTotalTokens: [2658165, 0],
        bytesPerToken: [12288, 9],
        maxRunningRequests: [4096, 0],
        totalBeforeLoad: [36.55, 0.13],
      },
      // 1 - (35.57 - 30.42) / 36.55; 1 - 35.57 / 36.55; implied + 4.46 / 36.55.
      fraction: { implied: [0.8591, 0.002], minimum: [0.0268, 0.004], maximum: [0.9811, 0.003] },
    },
  ],
  'docs-notebook-profiled-minus-89624.log': [
    {
      verdict: ['incomplete', 'capture'],
      quantities: { profiledTokens: [-89624, 0] },
      problems: ['occupied-before-start'],
      absent: ['maxTotalTokens', 'totalBeforeLoad', 'restMemory'],
    },
  ],
  'b200-dsv3-fp4-before-after-joined.log': [
    {
      verdict: ['incomplete', 'sizing'],
      binding: 'TP0',
      quantities: {
        totalBeforeLoad: [175.34, 0.115],
        availableAfterLoad: [80.84, two],
        weights: [94.5, one],
      },
      // 1 - 80.84 / 175.34.
      fraction: { minimum: [0.539, 0.0005] },
      unaccounted: [0, three + 0.0001],
      absent: ['maxTotalTokens', 'kvPool'],
    },
  ],
  'gpustack-npu-qwen3-8b-fraction-02.log': [
    {
      verdict: ['not-enough-memory', 'sizing'],
      fraction: { claimed: [0.2, 0], effective: [0.2, 0] },
      problems: ['not-enough-memory'],
      absent: ['totalBeforeLoad', 'maxTotalTokens', 'restMemory'],
    },
  ],
  'seed-baseline.log': [seedBaseline],
  'seed-baseline-crlf.log': [seedBaseline],
  'seed-baseline-k8s-ansi.log': [seedBaseline],
  'seed-failing.log': [seedFailing],
  'seed-restart.log': [seedBaseline, seedFailing],
};
