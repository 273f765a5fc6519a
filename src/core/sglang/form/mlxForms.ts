/**
 * Lines of the Apple MLX back end, which sizes its pool by a formula of its own.
 */
import { bytesPerToken, gib, mib, requests, tokens } from './field';
import type { LineForm } from './lineForm';
import { pattern } from './pattern';

export const mlxForms = [
  {
    id: 'mlx-pool-sized',
    phase: 'sizing',
    event: 'sizing',
    owner: 'mlx',
    level: 'info',
    anchors: ['KV pool: sys_available'],
    pattern: pattern`Auto-sized (?<attention>attention )?KV pool: sys_available=<system> GB, mlx_limit=<limit> GB, mlx_used=<used> GB, kv_budget=<budget> GB, bytes_per_slot=<perToken#>, pool_size=<tokens#>`,
    fields: {
      system: gib(),
      limit: gib(),
      used: gib(),
      budget: gib(),
      perToken: bytesPerToken('exact'),
      tokens: tokens(),
    },
    ends: ['tokens'],
    spellings: [
      {
        lacks: ['attention'],
        releases: [{ from: '0.5.11', to: '0.5.12.post1' }],
        emitters: ['hardware_backend/mlx/model_runner.py::MlxModelRunner._compute_pool_size'],
      },
      {
        has: ['attention'],
        releases: [{ from: '0.5.13' }],
        emitters: ['hardware_backend/mlx/model_runner.py::MlxModelRunner._compute_pool_size'],
      },
    ],
  },
  {
    id: 'mlx-pool',
    phase: 'pools',
    event: 'pool',
    owner: 'mlx',
    level: 'info',
    anchors: ['KV pool initialized: pool_size', 'MLX stub: initialized minimal pools'],
    pattern: pattern`(?:(?:Attention )?KV pool initialized: pool_size=<tokens#>|MLX stub: initialized minimal pools \(max_total_num_tokens=<stubTokens#>, max_running_requests=<requests#>)`,
    fields: { tokens: tokens(undefined, ['tokens', 'stubTokens']), requests: requests() },
    spellings: [
      {
        releases: [{ from: '0.5.10rc0' }],
        emitters: [
          'hardware_backend/mlx/model_runner_stub.py::MlxModelRunnerStub.initialize',
          'hardware_backend/mlx/model_runner.py::MlxModelRunner.init_kv_pool',
          'hardware_backend/mlx/model_runner.py::MlxModelRunner.init_cache_pools',
        ],
      },
    ],
  },
  {
    id: 'mlx-pool-size',
    phase: 'pools',
    event: 'pool',
    owner: 'mlx',
    level: 'info',
    anchors: ['MlxKVPool: ', 'MlxAttentionKVPool: '],
    pattern: pattern`Mlx(?:Attention)?KVPool: <tokens#> slots [^~\n]{0,200}~<size> MB`,
    fields: { tokens: tokens(), size: mib() },
    spellings: [
      {
        releases: [{ from: '0.5.11' }],
        emitters: [
          'hardware_backend/mlx/kv_cache/kv_pool.py::MlxKVPool.__init__',
          'hardware_backend/mlx/kv_cache/attention_kv_pool.py::MlxAttentionKVPool.__init__',
        ],
      },
    ],
  },
  {
    id: 'mlx-limits',
    phase: 'init',
    event: 'note',
    owner: 'mlx',
    level: 'info',
    anchors: ['Wired memory limit set to', 'MLX buffer cache limit set to'],
    pattern: pattern`(?:Wired memory|MLX buffer cache) limit set to`,
    fields: {},
    spellings: [
      {
        releases: [{ from: '0.5.11' }],
        emitters: ['hardware_backend/mlx/model_runner.py::MlxModelRunner.__init__'],
      },
    ],
  },
] as const satisfies readonly LineForm[];
