/**
 * Lines of pools that get their memory after the capture of graphs. "GB" here is GiB on every line.
 */
import { gib, requests, tokens, word } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const postCaptureForms = [
  {
    id: 'post-capture-pool',
    phase: 'pools',
    event: 'pool',
    owner: 'sglang',
    level: 'info',
    anchors: ['Post-capture KV sizing: '],
    pattern: pattern`Post-capture KV sizing: (?:max_total_num_tokens=<total#>, free memory=<free> GB|full_layer_tokens=<full#>, swa_layer_tokens=<swa#>|KV cache allocated\. dtype: (?<dtype>[\w.]+), #tokens: <tokens#>, KV size: <kv> GB, avail mem=<avail> GB|max_running_requests <before#> -> <after#>|decode CUDA graph max_bs=<maxBatch#> < max_running_requests=<running#>)`,
    fields: {
      tokens: tokens('maxTotalTokens', ['total', 'tokens']),
      free: gib(),
      full: tokens('fullTokens'),
      swa: tokens('swaTokens'),
      dtype: word(),
      kv: gib('kvPool'),
      avail: gib('poolEndAvailable'),
      before: requests(),
      after: requests('maxRunningRequests'),
      maxBatch: requests(),
      running: requests(),
    },
    ends: ['swa', 'after'],
    labels: ['swa_layer_tokens=', '#tokens:', 'KV size:', 'avail mem='],
    spellings: [
      {
        has: ['total'],
        releases: [{ from: '0.5.16', to: '0.5.16' }],
        emitters: [
          'model_executor/model_runner_components/kv_pool_runtime.py::compute_post_capture_kv_resize',
        ],
      },
      {
        has: ['full'],
        releases: [{ from: '0.5.17' }],
        emitters: [
          'model_executor/model_runner_components/kv_pool_runtime.py::compute_post_capture_kv_resize',
        ],
      },
      {
        has: ['kv'],
        releases: [{ from: '0.5.17' }],
        emitters: [
          'model_executor/model_runner_components/kv_pool_runtime.py::compute_post_capture_kv_resize',
        ],
      },
      {
        has: ['before'],
        releases: [{ from: '0.5.16' }],
        emitters: [
          'model_executor/model_runner_components/kv_pool_runtime.py::compute_post_capture_kv_resize',
        ],
      },
      {
        has: ['maxBatch'],
        releases: [{ from: '0.5.16' }],
        emitters: [
          'model_executor/model_runner_components/kv_pool_runtime.py::compute_post_capture_kv_resize',
        ],
      },
    ],
  },
  {
    id: 'post-capture-draft-pool',
    phase: 'pools',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Post-capture KV sizing: '],
    pattern: pattern`Post-capture KV sizing: draft KV cache allocated\. dtype: (?<dtype>[\w.]+), #tokens: <tokens#>, KV size: <kv> GB`,
    fields: { dtype: word(), tokens: tokens(), kv: gib('draftPool') },
    labels: ['#tokens:', 'KV size:'],
    closes: ['kv'],
    spellings: [
      {
        releases: [{ from: '0.5.22' }],
        emitters: [
          'model_executor/model_runner_components/kv_pool_runtime.py::compute_post_capture_kv_resize',
        ],
      },
    ],
  },
  {
    id: 'post-capture-workspace',
    phase: 'pools',
    event: 'note',
    owner: 'sglang',
    level: 'info',
    anchors: ['Post-capture KV sizing: '],
    pattern: pattern`Post-capture KV sizing: KV-canary per-forward workspace <workspace> GB`,
    fields: { workspace: gib() },
    spellings: [
      {
        releases: [{ from: '0.5.20' }],
        emitters: [
          'model_executor/model_runner_components/kv_pool_runtime.py::compute_post_capture_kv_resize',
        ],
      },
    ],
  },
] as const satisfies readonly LineForm[];
