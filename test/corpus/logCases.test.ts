/**
 * Every case of ../shared/logs, read into runs, ranks and records. Expected figures are those of the
 * cases' README and of the lines themselves.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readLogText } from '../../src/core/log/readLog';
import type { LogRecord } from '../../src/core/log/record';
import type { Run } from '../../src/core/log/run';
import { hasShared, sharedFile, sharedPath, withShared } from './sharedFile';

/** What one printed line must give: `rank form` and its numbers with their units. */
type Expected = readonly [line: number, where: string, fields: Readonly<Record<string, string>>];

interface Case {
  /** Ranks of each run. */
  readonly ranks: readonly string[];
  readonly release?: string;
  readonly model?: string;
  readonly outcome?: Run['outcome'];
  readonly owner?: string;
  readonly records: readonly Expected[];
}

const tp = (count: number): string =>
  Array.from({ length: count }, (_, index) => `TP${index}`).join(' | ');

const cases: Readonly<Record<string, Case>> = {
  'rtx5080-qwen3-0.6b-docker.log': {
    ranks: [''],
    release: '0.4.8.post1..0.5.3.post3',
    model: 'Qwen3ForCausalLM',
    outcome: 'ready',
    records: [
      [3, 'load-end', { avail: '13.91 GiB', usage: '1.25 GiB' }],
      [4, 'kv-allocated', { tokens: '104273 token', k: '5.57 GiB', v: '5.57 GiB' }],
      [5, 'pool-end', { avail: '2.43 GiB' }],
      [6, 'graph-begin', { avail: '1.80 GiB' }],
      [9, 'graph-end', { elapsed: '18.28 s', usage: '0.11 GiB', avail: '1.70 GiB' }],
      [
        10,
        'summary',
        {
          tokens: '104273 token',
          running: '2048 request',
          context: '40960 token',
          available: '1.70 GiB',
        },
      ],
      [16, 'decode-batch', { running: '1 request', used: '47 token', usage: '0.00 1' }],
    ],
  },
  'mi355x-glm5-fp8-dsa-tp8.log': {
    ranks: [tp(8)],
    release: '0.5.9..0.5.9',
    model: 'GlmMoeDsaForCausalLM',
    records: [
      [8, 'TP0 load-end', { elapsed: '778.18 s', avail: '193.92 GiB', usage: '89.58 GiB' }],
      [9, 'TP7 load-end', { elapsed: '887.93 s', avail: '194.04 GiB' }],
      [5, 'TP3 load-end', { avail: '193.90 GiB' }],
      [13, 'TP0 kv-allocated', { tokens: '3262823 token', kv: '186.77 GiB' }],
      [16, 'TP0 pool-end', { avail: '3.90 GiB' }],
      [32, 'graph-progress', { batch: '512 request', avail: '2.60 GiB' }],
    ],
  },
  'npu-dsv4-flash-w4a8-dp4-truncated.log': {
    ranks: ['DP0 TP0 EP0 | DP1 TP1 EP1 | DP2 TP2 EP2 | DP3 TP3 EP3'],
    release: '0.5.14..',
    model: 'DeepseekV4ForCausalLM',
    records: [
      [1, 'DP0 TP0 EP0 load-end', { avail: '13.43 GiB', usage: '47.06 GiB' }],
      [
        5,
        'DP0 TP0 EP0 dsv4-budget',
        { perToken: '7705.45 B/token', available: '6.16 GiB', c128Fixed: '0.04 GiB', tokens: '' },
      ],
      [7, 'DP0 TP0 EP0 dsv4-pools', { full: '852992 token', swa: '85248 token', c128State: '0 1' }],
      [9, 'DP0 TP0 EP0 dsv4-pools', { full: '32768 token' }],
      [
        11,
        'DP3 TP3 EP3 dsv4-pool-created',
        { rows: '1 request', swa: '3200 token', c128: '256 token', c4State: '', c128State: '' },
      ],
      [12, 'DP2 TP2 EP2 pool-end', { avail: '13.28 GiB' }],
      [
        18,
        'DP0 TP0 EP0 summary',
        { tokens: '32768 token', chunk: '-1 token', context: '32768 token', available: '' },
      ],
    ],
  },
  'h200-tp8-init-skew.log': {
    ranks: [tp(8)],
    release: '0.4.3.post3..0.5.8.post1',
    records: [
      [1, 'TP7 init-end', { usage: '1.77 GiB' }],
      [3, 'TP0 init-end', { usage: '1.96 GiB' }],
      [10, 'TP5 load-begin', { avail: '137.29 GiB' }],
      [15, 'TP7 load-begin', { avail: '137.52 GiB' }],
    ],
  },
  'kt-qwen35-moe-4090-mamba.log': {
    ranks: [tp(2)],
    release: '0.5.9..0.5.9',
    model: 'Qwen3_5MoeForConditionalGeneration',
    records: [
      [1, 'TP0 load-end', { elapsed: '653.47 s', avail: '19.08 GiB', usage: '3.76 GiB' }],
      [4, 'TP0 state-pool', { slots: '82 1', conv: '0.13 GiB', ssm: '7.29 GiB' }],
      [6, 'TP0 kv-allocated', { tokens: '580364 token', k: '4.15 GiB', v: '4.15 GiB' }],
      [7, 'TP0 pool-end', { avail: '4.02 GiB' }],
      [12, 'TP0 summary', { running: '1 request', context: '8192 token' }],
    ],
  },
  'mi300x-dsr1-dp8-negative-profiled.log': {
    ranks: [Array.from({ length: 8 }, (_, index) => `DP${index} TP${index}`).join(' | ')],
    model: 'DeepseekV3ForCausalLM',
    records: [
      [1, 'DP0 TP0 load-end', { avail: '21.73 GiB', usage: '166.59 GiB' }],
      [3, 'DP7 TP7 token-clamp', { asked: '131072 token', profiled: '-561981 token' }],
    ],
  },
  'rtxpro6000-ssd-stream-1p2m-draft-extend-oom.log': {
    ranks: [''],
    outcome: 'failed',
    records: [
      [2, 'requests-capped-by-state', { granted: '2 request', slots: '10 1', perRequest: '5 1' }],
      [4, 'pool-end', { avail: '1.27 GiB' }],
      [6, 'graph-end', { usage: '0.12 GiB', avail: '0.51 GiB' }],
      [7, 'draft graph-end', { usage: '0.36 GiB', avail: '0.14 GiB' }],
      [8, 'draft graph-begin', { avail: '0.14 GiB' }],
      [9, 'torch-out-of-memory', { asked: '128.00 MiB', total: '95.01 GiB', free: '125.56 MiB' }],
    ],
  },
  'rtxpro6000-kimi-k25-int4-auto-fraction.log': {
    ranks: [tp(8)],
    release: '0.5.9..0.5.9',
    model: 'KimiK25ForConditionalGeneration',
    outcome: 'failed',
    records: [
      [3, 'TP0 load-begin', { avail: '94.14 GiB' }],
      [15, 'TP0 load-end', { avail: '21.82 GiB', usage: '72.33 GiB' }],
      [22, 'TP0 kv-allocated', { tokens: '4578 token', kv: '0.30 GiB' }],
      [24, 'TP0 pool-end', { avail: '19.72 GiB' }],
      [
        28,
        'TP0 summary',
        {
          tokens: '4578 token',
          running: '2048 request',
          context: '262144 token',
          available: '19.71 GiB',
        },
      ],
      [29, 'TP0 prefill-batch', { new: '44 token', usage: '0.00 1' }],
      [30, 'TP0 process-exception', {}],
    ],
  },
  'h20-dsv4-flash-088.log': {
    ranks: ['TP0 | TP1 | TP7'],
    outcome: 'ready',
    owner: 'sglang',
    records: [
      [3, 'TP0 load-begin', { avail: '93.61 GiB' }],
      [5, 'TP7 load-begin', { avail: '93.79 GiB' }],
      [
        6,
        'TP0 dsv4-budget',
        { perToken: '15955.85 B/token', available: '45.78 GiB', tokens: '3080960 token' },
      ],
      [8, 'TP0 pool-end', { avail: '10.18 GiB' }],
      [11, 'TP0 summary', { tokens: '3080960 token', available: '8.16 GiB' }],
    ],
  },
  'h20-dsv4-flash-060-memory-profiling.log': {
    ranks: [tp(2)],
    outcome: 'ready',
    owner: 'fork',
    records: [
      [
        4,
        'TP0 memory-profiling',
        { available: '57.01 GiB', total: '93.58 GiB', fraction: '0.60 1', rest: '19.58 GiB' },
      ],
      [6, 'TP0 dsv4-budget', { available: '19.58 GiB', tokens: '1317632 token' }],
    ],
  },
  'h800-dsv4pro-0805-rounded-fraction.log': {
    ranks: [''],
    outcome: 'failed',
    owner: 'fork',
    records: [
      [1, 'not-enough-memory', { fraction: '0.805 1' }],
      [
        3,
        'memory-profiling',
        { available: '11.66 GiB', total: '77.80 GiB', fraction: '0.81 1', rest: '-3.51 GiB' },
      ],
    ],
  },
  'h200-dsv4pro-088-minimum-viable.log': {
    ranks: [''],
    outcome: 'failed',
    records: [
      [1, 'load-end', { avail: '12.25 GiB', usage: '125.65 GiB' }],
      [3, 'no-memory-left', { fraction: '0.88 1' }],
    ],
  },
  'autotuner-llama32-1b-wrapped.log': {
    ranks: [''],
    records: [
      [1, 'kv-allocated', { tokens: '2405039 token', k: '36.70 GiB', v: '36.70 GiB' }],
      [3, 'pool-end', { avail: '16.82 GiB' }],
      [
        4,
        'decode-batch',
        { running: '1 request', used: '206 token', usage: '0.00 1', throughput: '656.23 token/s' },
      ],
    ],
  },
  'rtxpro6000-mamba-intermediate-48gb-oom.log': {
    ranks: [''],
    outcome: 'failed',
    release: '0.5.14..',
    records: [
      [1, 'load-begin', { avail: '93.77 GiB' }],
      [
        2,
        'state-pool',
        {
          slots: '64 1',
          conv: '0.07 GiB',
          ssm: '3.05 GiB',
          intermediateSsm: '48.75 GiB',
          intermediateConv: '0.43 GiB',
        },
      ],
      [3, 'kv-allocated', { tokens: '295950 token', k: '4.52 GiB', v: '4.52 GiB' }],
      [4, 'pool-end', { avail: '21.57 GiB' }],
      [5, 'draft kv-allocated', { tokens: '295950 token', k: '3.39 GiB', v: '3.39 GiB' }],
      [6, 'draft pool-end', { avail: '14.77 GiB' }],
      [7, 'graph-end', { usage: '3.85 GiB' }],
      [8, 'graph-end', { usage: '6.13 GiB' }],
      [9, 'draft graph-end', { usage: '2.17 GiB', avail: '2.56 GiB' }],
      [11, 'torch-out-of-memory', { asked: '970.00 MiB', total: '94.50 GiB', free: '676.81 MiB' }],
    ],
  },
  'mimo-v2-flash-swa-asymmetric-kv.log': {
    ranks: [tp(4)],
    records: [
      [1, 'TP2 kv-allocated', { tokens: '1496958 token', k: '41.76 GiB', v: '27.84 GiB' }],
      [3, 'TP2 kv-allocated', { k: '4.82 GiB', v: '3.21 GiB' }],
      [4, 'TP2 swa-pool', { rounded: '77.63 GiB', swa: '1496958 token', full: '1496958 token' }],
      [13, 'TP3 pool-end', { avail: '22.71 GiB' }],
    ],
  },
  'kvcached-elastic-bytes.log': {
    ranks: [''],
    owner: 'kvcached',
    records: [
      [
        1,
        'kvcached-budget',
        {
          budget: '51002933248 B',
          reserved: '18918408192 B',
          available: '32033013760 B',
          total: '102005866496 B',
          fraction: '0.5000 1',
        },
      ],
    ],
  },
  '5090x2-nvfp4-draft-pool.log': {
    ranks: [tp(2)],
    release: '0.5.13..',
    records: [
      [1, 'TP0 kv-allocated', { tokens: '454112 token', k: '3.46 GiB', v: '3.46 GiB' }],
      [2, 'TP0 pool-end', { avail: '8.40 GiB' }],
      [3, 'TP0 draft kv-allocated', { tokens: '454112 token', k: '1.08 GiB', v: '1.08 GiB' }],
      [4, 'TP0 draft pool-end', { avail: '6.23 GiB' }],
      [6, 'TP1 pool-end', { avail: '7.63 GiB' }],
      [8, 'TP1 draft pool-end', { avail: '5.46 GiB' }],
    ],
  },
  'gb200-dsr1-debug-print.log': {
    ranks: [''],
    records: [
      [1, 'debug-variable', { total: '174.8406982421875 GiB' }],
      [2, 'debug-variable', { available: '78.7196044921875 GiB' }],
      [3, 'debug-variable', { rest: '69.97756957808012 GiB' }],
      [4, 'debug-variable', { cellSize: '70272 B/token' }],
      [5, 'debug-variable', { tokens: '1069242 token' }],
    ],
  },
  'qwen2-24gb-tp4-tight.log': {
    ranks: [tp(4)],
    model: 'Qwen2ForCausalLM',
    records: [
      [3, 'TP0 load-end', { avail: '6.09 GiB', usage: '15.54 GiB' }],
      [4, 'TP0 kv-allocated', { tokens: '46611 token', k: '1.42 GiB', v: '1.42 GiB' }],
      [8, 'TP0 pool-end', { avail: '2.09 GiB' }],
      [13, 'TP1 graph-begin', { avail: '1.45 GiB' }],
    ],
  },
  'mi300x-032-bench-no-date.log': {
    ranks: ['TP0'],
    model: 'LlamaForCausalLM',
    records: [
      [7, 'TP0 load-end', { avail: '176.33 GiB' }],
      [8, 'TP0 pool-end', { avail: '22.83 GiB' }],
      [10, 'TP0 summary', { tokens: '1256440 token' }],
    ],
  },
  'docs-notebook-avail-rises.log': {
    ranks: [''],
    release: 'between 0.5.12.post1 and 0.5.13',
    records: [
      [2, 'kv-allocated', { tokens: '20480 token', k: '1.25 GiB', v: '1.25 GiB' }],
      [3, 'pool-end', { avail: '28.98 GiB' }],
      [
        7,
        'summary',
        {
          tokens: '20480 token',
          running: '128 request',
          context: '131072 token',
          available: '48.49 GiB',
        },
      ],
      [8, 'prefix-cache', {}],
    ],
  },
  'unbalanced-after-capture-eagle-tp8.log': {
    ranks: ['TP0 | TP2 | TP3 | TP4 | TP5 | TP6 | TP7'],
    records: [
      [1, 'TP4 graph-end', { elapsed: '1334.38 s' }],
      [9, 'TP4 draft init-begin', {}],
    ],
  },
  'hicache-host-40-but-44-free.log': {
    ranks: [''],
    outcome: 'failed',
    records: [[1, 'host-pool-refused', { asked: '40.00 GB', free: '44.87 GB' }]],
  },
  'hicache-disagg-prefix-3060-tp4.log': {
    ranks: ['TP1 | TP3'],
    records: [
      [1, 'TP1 host-pool', { size: '40.00 GB' }],
      [2, 'TP3 host-pool', { size: '40.00 GB' }],
    ],
  },
  'mixtral-awq-a10-0111-rank-n.log': {
    ranks: [tp(2)],
    records: [
      [4, 'TP0 load-begin', {}],
      [10, 'TP1 load-end', {}],
      [11, 'TP1 summary', { tokens: '115621 token', prefill: '' }],
    ],
  },
  'dsv4-swa-full-token-usage-retract.log': {
    ranks: ['TP0'],
    outcome: 'ready',
    records: [
      [
        1,
        'TP0 decode-batch',
        {
          running: '4 request',
          full: '2642688 token',
          fullUsage: '1.00 1',
          swa: '14592 token',
          swaUsage: '0.06 1',
          throughput: '429.34 token/s',
          queue: '3 request',
          used: '',
          usage: '',
        },
      ],
    ],
  },
  'retract-tiny-pool-1920.log': {
    ranks: ['TP0'],
    records: [
      [
        1,
        'TP0 decode-batch',
        { running: '6 request', used: '1920 token', usage: '0.94 1', queue: '5 request' },
      ],
    ],
  },
  'docker-t-double-timestamp-qwen2-7b.log': {
    ranks: ['TP0'],
    release: '0.4.1.post6..0.4.3.post2',
    model: 'Qwen2ForCausalLM',
    records: [
      [2, 'TP0 load-begin', { avail: '22.76 GiB' }],
      [10, 'TP0 load-end', { avail: '8.37 GiB' }],
      [11, 'TP0 kv-allocated', { k: '2.82 GiB', v: '2.82 GiB', tokens: '' }],
      [12, 'TP0 pool-end', { avail: '1.68 GiB' }],
    ],
  },
  'xpu-nemotronh-tp4-collapsed.log': {
    ranks: [tp(4)],
    model: 'NemotronHForCausalLM',
    records: [
      [1, 'TP3 load-end', { elapsed: '36.9 s', avail: '7.95 GiB', usage: '14.76 GiB' }],
      [3, 'TP0 state-pool', { slots: '8 1', conv: '0.00 GiB', ssm: '0.10 GiB' }],
      [5, 'TP0 kv-allocated', { tokens: '1557504 token', k: '2.23 GiB', v: '2.23 GiB' }],
      [7, 'TP1 pool-end', { avail: '3.39 GiB' }],
      [
        8,
        'TP0 summary',
        {
          tokens: '1557504 token',
          chunk: '1024 token',
          running: '8 request',
          context: '8192 token',
          available: '3.39 GiB',
        },
      ],
    ],
  },
  'granite-hybrid-16gb-bench.log': {
    ranks: ['TP0'],
    release: '0.5.9..0.5.9',
    records: [
      [2, 'TP0 load-end', { avail: '9.26 GiB', usage: '5.98 GiB' }],
      [4, 'TP0 state-pool', { slots: '38 1', conv: '0.03 GiB', ssm: '2.74 GiB' }],
      [5, 'TP0 kv-allocated', { tokens: '399740 token', k: '1.52 GiB', v: '1.52 GiB' }],
      [6, 'TP0 pool-end', { avail: '3.42 GiB' }],
      [13, 'TP0 summary', { tokens: '399740 token' }],
    ],
  },
  'rtxpro6000-glm47-fp8-tp4pp2.log': {
    ranks: [[0, 1].flatMap(pp => [0, 1, 2, 3].map(rank => `PP${pp} TP${rank}`)).join(' | ')],
    model: 'Glm4MoeForCausalLM',
    outcome: 'ready',
    records: [
      [1, 'PP0 TP1 load-end', { avail: '53.41 GiB', usage: '40.69 GiB' }],
      [3, 'PP1 TP3 load-end', { avail: '51.23 GiB', usage: '42.86 GiB' }],
      [15, 'PP0 TP0 kv-allocated', { tokens: '841782 token', k: '18.46 GiB' }],
      [16, 'PP0 TP0 pool-end', { avail: '14.79 GiB' }],
      [18, 'PP1 TP2 pool-end', { avail: '12.61 GiB' }],
      [
        23,
        'PP1 TP0 summary',
        { running: '2125 request', context: '202752 token', available: '12.13 GiB' },
      ],
      [24, 'PP0 TP0 summary', { available: '14.30 GiB' }],
    ],
  },
  'compose-prefix-qwen3-32b-awq-args.log': { ranks: [''], records: [[1, 'server-arguments', {}]] },
  'l4x4-alloc-req-slots.log': {
    ranks: ['TP0'],
    outcome: 'failed',
    records: [
      [
        1,
        'TP0 decode-batch',
        { running: '4 request', used: '9071 token', usage: '0.01 1', throughput: '' },
      ],
      [2, 'TP0 request-slots-exhausted', { available: '1 1', needed: '2 request' }],
    ],
  },
  'input-too-long-tiny-pool.log': {
    ranks: [''],
    records: [[1, 'request-too-long', { length: '3034 token', maximum: '1735 token' }]],
  },
  'pd-decode-no-space-one-request.log': {
    ranks: [''],
    outcome: 'failed',
    records: [[1, 'retraction-failed', { available: '0 token' }]],
  },
  '4gb-gpu-pool-end-zero.log': {
    ranks: [''],
    model: 'Qwen3ForCausalLM',
    records: [
      [3, 'load-begin', { avail: '3.23 GiB' }],
      [6, 'load-end', { avail: '2.03 GiB', usage: '1.20 GiB' }],
      [7, 'kv-allocated', { tokens: '15387 token', k: '0.82 GiB', v: '0.82 GiB' }],
      [8, 'pool-end', { avail: '0.00 GiB' }],
      [10, 'graph-begin', { avail: '0.00 GiB' }],
      [12, 'graph-progress', { avail: '0.00 GiB' }],
    ],
  },
  'return-glyph-joined-dsv2.log': {
    ranks: [tp(2)],
    records: [
      [1, 'TP0 load-begin', { avail: '77.17 GiB' }],
      [1, 'TP1 load-begin', { avail: '77.18 GiB' }],
    ],
  },
  'libtorchcodec-false-traceback.log': {
    ranks: [''],
    outcome: 'open',
    records: [[9, 'load-begin', { avail: '21.63 GiB' }]],
  },
  'ray-sglangengine-decode.log': {
    ranks: ['TP0', 'TP0', 'DP6 TP6 EP6'],
    outcome: 'ready',
    records: [
      [1, 'TP0 decode-batch', { used: '1094261 token', usage: '0.67 1' }],
      [2, 'TP0 decode-batch', { used: '432100 token', usage: '0.27 1' }],
      [
        3,
        'DP6 TP6 EP6 decode-batch',
        { used: '2811200 token', usage: '1.00 1', queue: '655 request' },
      ],
    ],
  },
  'mi300a-slurm-405gb.log': {
    ranks: [''],
    records: [
      [1, 'load-begin', { avail: '405.02 GiB' }],
      [2, 'load-end', { elapsed: '878 s', usage: '167.32 GiB', avail: '' }],
      [3, 'state-pool', { slots: '514 1' }],
      [4, 'kv-allocated', { tokens: '2426200 token', k: '18.51 GiB', v: '' }],
      [5, 'summary', { tokens: '2426200 token' }],
      [6, 'graph-begin', {}],
    ],
  },
  'shared-a100-40gb-qwen25-05b.log': {
    ranks: [''],
    release: '0.5.10rc0..0.5.12.post1',
    model: 'Qwen2ForCausalLM',
    records: [
      [3, 'load-end', { elapsed: '0.41 s', avail: '35.57 GiB', usage: '0.98 GiB' }],
      [5, 'kv-allocated', { tokens: '2658165 token', k: '15.21 GiB', v: '15.21 GiB' }],
      [6, 'pool-end', { avail: '4.55 GiB' }],
      [8, 'summary', { running: '4096 request', context: '32768 token', available: '4.46 GiB' }],
    ],
  },
  'docs-notebook-profiled-minus-89624.log': {
    ranks: [''],
    records: [
      [3, 'token-clamp', { asked: '20480 token', profiled: '-89624 token' }],
      [8, 'graph-progress', { batch: '4 request', avail: '1.85 GiB' }],
      [8, 'graph-progress', { batch: '3 request', avail: '45.97 GiB' }],
    ],
  },
  'b200-dsv3-fp4-before-after-joined.log': {
    ranks: ['TP0'],
    model: 'DeepseekV3ForCausalLM',
    records: [
      [1, 'TP0 load-begin', { avail: '175.34 GiB' }],
      [1, 'TP0 load-end', { avail: '80.84 GiB', usage: '94.50 GiB' }],
    ],
  },
  'gpustack-npu-qwen3-8b-fraction-02.log': {
    ranks: [''],
    outcome: 'failed',
    records: [[3, 'not-enough-memory', { fraction: '0.2 1' }]],
  },
  'seed-baseline.log': baseline(),
  'seed-baseline-crlf.log': baseline(),
  'seed-baseline-k8s-ansi.log': baseline(),
  'seed-failing.log': {
    ranks: [tp(8)],
    release: '0.5.9..0.5.9',
    model: 'KimiK25ForConditionalGeneration',
    outcome: 'failed',
    records: failing(0),
  },
  'seed-restart.log': {
    ranks: [tp(8), tp(8)],
    release: '0.5.9..0.5.9',
    model: 'KimiK25ForConditionalGeneration',
    records: [...baseline().records, ...failing(73)],
  },
};

function baseline(): Case {
  return {
    ranks: [tp(8)],
    release: '0.5.9..0.5.9',
    model: 'KimiK25ForConditionalGeneration',
    outcome: 'ready',
    records: [
      [1, 'TP5 init-begin', {}],
      [10, 'TP0 init-end', { elapsed: '15.27 s', usage: '0.95 GiB' }],
      [18, 'TP0 load-begin', { avail: '94.00 GiB' }],
      [28, 'TP0 load-end', { avail: '21.71 GiB', usage: '72.29 GiB' }],
      [36, 'TP5 kv-allocated', { tokens: '159287 token', kv: '10.42 GiB' }],
      [51, 'TP4 pool-end', { avail: '9.22 GiB' }],
      [62, 'TP5 graph-end', { usage: '1.37 GiB', avail: '7.84 GiB' }],
      [
        70,
        'TP0 summary',
        {
          tokens: '159287 token',
          running: '2048 request',
          context: '262144 token',
          available: '7.83 GiB',
        },
      ],
    ],
  };
}

function failing(before: number): readonly Expected[] {
  return [
    [before + 1, 'server-arguments', {}],
    [before + 19, 'TP0 load-begin', { avail: '94.00 GiB' }],
    [before + 29, 'TP0 load-end', { avail: '21.70 GiB', usage: '72.30 GiB' }],
    [
      before + 37,
      'TP5 debug-profile',
      {
        available: '21.697 GiB',
        total: '93.999 GiB',
        fraction: '0.55 1',
        reserved: '42.300 GiB',
        rest: '-20.603 GiB',
        cellSize: '70272 B/token',
        tokens: '-314811 token',
      },
    ],
    [before + 45, 'TP5 process-exception', {}],
    [before + 50, 'TP5 not-enough-memory', { fraction: '0.55 1' }],
    [before + 101, 'child-failed', {}],
  ];
}

/** `rank draft form` of a record, as the cases spell it. */
function placeOf(record: LogRecord, runs: readonly Run[]): string {
  for (const run of runs) {
    for (const log of run.ranks) {
      if (log.records.includes(record)) {
        const worker = log.draft.includes(record) ? 'draft ' : '';
        return `${log.rank === '' ? '' : `${log.rank} `}${worker}${record.form.id}`;
      }
    }
  }
  return record.form.id;
}

withShared(() => {
  test('every log of the material has a case', () => {
    const files = hasShared
      ? readdirSync(sharedPath('logs')).filter(name => name.endsWith('.log'))
      : ['the material is missing'];
    expect(Object.keys(cases).sort()).toEqual(files.sort());
  });

  describe.each(Object.entries(cases))('%s', (name, expected) => {
    const { records, runs } = readLogText(sharedFile(`logs/${name}`));

    test('has the runs and ranks that printed it', () => {
      expect(runs.map(run => run.ranks.map(log => log.rank).join(' | '))).toEqual(expected.ranks);
      for (const run of runs) {
        expect(run.engine.value).toBe(run.formulaOwner.value === 'fork' ? 'fork' : 'sglang');
        if (expected.owner !== undefined) {
          expect(run.formulaOwner.value).toBe(expected.owner);
        }
        if (expected.model !== undefined) {
          expect(run.modelClass).toBe(expected.model);
        }
        if (expected.outcome !== undefined) {
          expect(run.outcome).toBe(expected.outcome);
        }
        if (expected.release !== undefined) {
          const { release } = run;
          expect(
            release.kind === 'range'
              ? `${release.from}..${release.to ?? ''}`
              : release.kind === 'between'
                ? `between ${release.after} and ${release.before}`
                : 'unknown',
          ).toBe(expected.release);
        }
      }
    });

    test('has the lines with their numbers and units', () => {
      for (const [line, where, fields] of expected.records) {
        const found = records.filter(
          record => record.line === line && placeOf(record, runs) === where,
        );
        const texts = found.map(record =>
          Object.fromEntries(
            Object.keys(fields).map(field => {
              const value = record.fields[field];
              return [field, value === undefined ? '' : `${value.text} ${value.unit}`];
            }),
          ),
        );
        expect(texts, `line ${line} ${where}`).toContainEqual(fields);
      }
    });

    test('shows every number where it stands', () => {
      const lines = sharedFile(`logs/${name}`).split(/\r\n|\r|\n/);
      for (const record of records) {
        for (const field of Object.values(record.fields)) {
          if (field !== undefined) {
            expect(lines[field.line - 1]?.slice(field.start, field.end)).toBe(field.text);
          }
        }
        for (const [key, argument] of record.serverArguments?.values ?? []) {
          expect(lines[argument.line - 1]?.slice(argument.start, argument.end), key).toBe(
            argument.text,
          );
        }
      }
    });
  });

  test('the copies of the seed baseline differ in columns and offsets only', () => {
    const outline = (name: string): unknown =>
      readLogText(sharedFile(`logs/${name}`)).records.map(
        ({ form, rank, line, fields, spelling }) => [
          form.id,
          rank,
          line,
          spelling?.releases,
          Object.entries(fields).map(([field, value]) => [field, value?.text, value?.unit]),
        ],
      );
    const expected = outline('seed-baseline.log');
    expect(outline('seed-baseline-crlf.log')).toEqual(expected);
    expect(outline('seed-baseline-k8s-ansi.log')).toEqual(expected);
  });

  test('the restart file holds the two runs of its parts', () => {
    const { runs } = readLogText(sharedFile('logs/seed-restart.log'));
    expect(runs.map(run => [run.lines, run.outcome])).toEqual([
      [[1, 73], 'ready'],
      [[74, 174], 'failed'],
    ]);
    expect(runs[1]?.serverArguments?.values.get('mem_fraction_static')?.value).toBe(0.55);
    expect(runs[1]?.parallel).toMatchObject({
      tp: 8,
      pp: 1,
      dp: 1,
      ranksSeen: 8,
      ranksExpected: 8,
    });
  });

  test('every rank of the failing seed has its own exception', () => {
    const [run] = readLogText(sharedFile('logs/seed-failing.log')).runs;
    for (const log of run?.ranks ?? []) {
      expect(log.records.filter(record => record.form.id === 'not-enough-memory')).toHaveLength(1);
    }
  });

  test('the cut argument dump is read up to the cut', () => {
    const [run] = readLogText(sharedFile('logs/compose-prefix-qwen3-32b-awq-args.log')).runs;
    const args = run?.serverArguments;
    expect(args?.values.get('mem_fraction_static')?.value).toBe(0.88);
    expect(args?.values.get('chunked_prefill_size')?.value).toBe(8192n);
    expect(args?.isComplete).toBe(false);
    expect(run?.stream).toBe('sglang');
  });

  test('the automatic fraction keeps its sixteen digits', () => {
    const [run] = readLogText(sharedFile('logs/rtxpro6000-kimi-k25-int4-auto-fraction.log')).runs;
    expect(run?.serverArguments?.values.get('mem_fraction_static')?.value).toBe(0.7714564062499999);
  });
});
