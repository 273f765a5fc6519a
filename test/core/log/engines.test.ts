/**
 * Runs of other engines and of plug-ins that size pools by their own formula: printed values stay,
 * values that SGLang's formula would derive are absent.
 */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';

const start: readonly string[] = [
  "[2026-03-01 08:00:00] server_args=ServerArgs(model_path='org/m', mem_fraction_static=0.85, tp_size=1)",
  '[2026-03-01 08:00:06] Load weight begin. avail mem=78.50 GB',
  '[2026-03-01 08:02:06] Load weight end. type=BigForCausalLM, dtype=torch.bfloat16, avail mem=62.30 GB, mem usage=16.20 GB.',
  '[2026-03-01 08:02:07] KV Cache is allocated. #tokens: 400000, K size: 24.41 GB, V size: 24.41 GB',
  '[2026-03-01 08:02:07] Memory pool end. avail mem=12.60 GB',
  '[2026-03-01 08:02:29] max_total_num_tokens=400000, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=32768, available_gpu_mem=11.90 GB',
];

const derived = ['implied', 'minimum', 'maximum'] as const;
const derivedQuantities = ['restMemory', 'bytesPerToken'] as const;

function accountOf(lines: readonly string[]) {
  const accounts = accountOfLog(readLogText(`${lines.join('\n')}\n`));
  expect(accounts).toHaveLength(1);
  const [account] = accounts;
  if (account === undefined) {
    throw new Error('no run');
  }
  return account;
}

test('a run of SGLang has the values that the others lack', () => {
  const { run, fraction, quantities } = accountOf(start);
  expect([run.engine.value, run.formulaOwner.value]).toEqual(['sglang', 'sglang']);
  // 1 - 62.30 / 78.50, and P may lie up to 0.1 GiB above the printed begin.
  expect(fraction.minimum?.interval.lo).toBeGreaterThan(0.206);
  expect(fraction.minimum?.interval.hi).toBeLessThan(0.2077);
  expect(fraction.implied).toBeDefined();
  for (const id of derivedQuantities) {
    expect(quantities.has(id), id).toBe(true);
  }
});

describe('a formula owner switches derived values off', () => {
  test.each([
    ['kvcached', '[kvcached][INFO][2026-03-01 08:00:01][x.py:7] started'],
    [
      'ktransformers',
      "[2026-03-01 08:00:01] server_args=ServerArgs(kt_weight_path='/m', kt_num_gpu_experts=8)",
    ],
    ['sglang-omni', '[2026-03-01 08:00:01] sglang_omni pipeline starts'],
    [
      'mlx',
      '[2026-03-01 08:00:01] KV pool initialized: pool_size=4096 (buffer size 4097 incl. padding slot 0), 4 layers, 8 kv_heads, 128 head_dim',
    ],
    [
      'fork',
      '[2026-03-01 08:00:01] Memory profiling: available_gpu_memory=62.30 GB, total_gpu_memory=78.50 GB, mem_fraction_static=0.85, rest_memory=50.53 GB',
    ],
  ])('%s', (owner, mark) => {
    const lines =
      owner === 'ktransformers'
        ? [mark, ...start.slice(1)]
        : [start[0] ?? '', mark, ...start.slice(1)];
    const account = accountOf(lines);
    expect(account.run.formulaOwner.value).toBe(owner);
    for (const which of derived) {
      // The line of the fork prints every term of its formula.
      if (owner !== 'fork' || which === 'maximum') {
        expect(account.fraction[which], which).toBeUndefined();
      }
    }
    expect(account.table).toEqual([]);
    expect(account.advice.kind).not.toBe('fraction');
    // What the lines print stays.
    expect(account.quantities.get('maxTotalTokens')?.exact).toBe(400000n);
    expect(account.quantities.get('weights')?.printed).toBe(16.2);
    for (const id of derivedQuantities) {
      const source = account.quantities.get(id)?.provenance.map(({ kind }) => kind) ?? [];
      expect(
        source.filter(kind => kind !== 'printed'),
        id,
      ).toEqual([]);
    }
  });
});

describe('other engines', () => {
  test.each([
    ['sglang-jax', 'INFO 2026-03-01 08:00:01 sgl_jax/srt/server.py: launching'],
    ['sglang-diffusion', '[2026-03-01 08:00:01] sglang.multimodal_gen worker 0 starts'],
  ])('%s prints lines like those of SGLang; none of them feeds the formula', (engine, mark) => {
    const account = accountOf([mark, ...start.slice(1)]);
    expect(account.run.engine.value).toBe(engine);
    for (const which of derived) {
      expect(account.fraction[which], which).toBeUndefined();
    }
    expect(account.problems).toEqual([]);
  });

  test('vLLM starts a run of its own, whose numbers are no quantity of SGLang', () => {
    const accounts = accountOfLog(
      readLogText(
        [
          'INFO 03-01 08:00:01 [api_server.py:1] vLLM API server version 0.9.1',
          'INFO 03-01 08:00:41 [worker.py:2] Available KV cache memory: 50.12 GiB',
          'INFO 03-01 08:00:42 [kv.py:3] GPU KV cache size: 410,000 tokens',
        ].join('\n'),
      ),
    );
    expect(accounts.map(({ run }) => run.engine.value)).toEqual(['vllm']);
    expect([...(accounts[0]?.quantities.keys() ?? [])]).toEqual([]);
  });

  test('vLLM lines inside a run of SGLang start nothing and say nothing', () => {
    const lines = [
      ...start.slice(0, 3),
      'INFO GPU KV cache size: 410,000 tokens',
      ...start.slice(3),
    ];
    const { run, quantities } = accountOf(lines);
    expect([run.engine.value, run.formulaOwner.value]).toEqual(['sglang', 'sglang']);
    expect(quantities.get('maxTotalTokens')?.exact).toBe(400000n);
  });
});
