/** The pool of a draft that a log does not print, from the layers that the checkpoint brings along. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { layoutOf } from '../model/configText';
import { latent, sparse } from '../model/modelConfigs';
import { terminalWording } from './wording';

function draftPoolWith(config: object, loadEnd: string, kvLine: string): number | undefined {
  const layout = layoutOf({
    ...config,
    max_position_embeddings: 4096,
    num_nextn_predict_layers: 1,
  });
  const [account] = accountOfLog(
    readLogText(
      [
        "[2026-02-25 09:00:00] server_args=ServerArgs(model_path='/m/a', tp_size=8, mem_fraction_static=0.8, kv_cache_dtype='bfloat16', speculative_algorithm='EAGLE')",
        '[2026-02-25 09:00:01 TP0] Load weight begin. avail mem=138.00 GB',
        `[2026-02-25 09:00:05 TP0] ${loadEnd}`,
        `[2026-02-25 09:00:06 TP0] ${kvLine}`,
        '[2026-02-25 09:00:06 TP0] Memory pool end. avail mem=26.10 GB',
        '[2026-02-25 09:00:07 TP0] max_total_num_tokens=400000, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2049, context_len=4096',
        '[2026-02-25 09:00:09] The server is fired up and ready to roll!',
        '',
      ].join('\n'),
    ),
    { config: { layout, name: 'config.json' } },
  );
  const { lo, hi } = account?.quantities.get('draftPool')?.interval ?? {};
  return lo === undefined || hi === undefined ? undefined : (lo + hi) / 2;
}

const late =
  'Load weight end. elapsed=4.00 s, type=DeepseekV3ForCausalLM, dtype=torch.bfloat16, avail mem=60.50 GB, mem usage=77.50 GB.';

test('one layer of the target, with its index keys, for each token', () => {
  // python3: 400000 * 576 * 2 / 2**30, then 400000 * (576 * 2 + 132) / 2**30
  const plain = 'KV Cache is allocated. #tokens: 400000, KV size: 26.18 GB';
  expect(draftPoolWith(latent(61), late, plain)).toBeCloseTo(0.42915, 4);
  const indexed = 'KV Cache is allocated. #tokens: 400000, KV size: 29.18 GB';
  expect(draftPoolWith(sparse(61), late, indexed)).toBeCloseTo(0.47833, 4);
});

test('a draft of an early release has more tokens than the target, and its pool is left open', () => {
  const early =
    'Load weight end. type=DeepseekV3ForCausalLM, dtype=torch.bfloat16, avail mem=60.50 GB';
  const kv = 'KV Cache is allocated. K size: 13.09 GB, V size: 13.09 GB.';
  expect(draftPoolWith(latent(61), early, kv)).toBeUndefined();
});

test('a log that ends before the pools has none that a config would give, in its verdict', () => {
  const layout = layoutOf({ ...latent(61), max_position_embeddings: 4096 });
  const [account] = accountOfLog(
    readLogText(
      [
        "[2026-02-25 09:00:00] server_args=ServerArgs(model_path='/m/a', tp_size=8, mem_fraction_static=0.8, kv_cache_dtype='bfloat16')",
        ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap(rank => [
          `[2026-02-25 09:00:01 TP${rank}] Load weight begin. avail mem=138.00 GB`,
          `[2026-02-25 09:00:05 TP${rank}] ${late}`,
        ]),
        '',
      ].join('\n'),
    ),
    { config: { layout, name: 'config.json' } },
  );
  expect(account?.outcome.kind).toBe('incomplete');
  expect(account?.quantities.get('kvPool')?.basis).toBe('assumed');
  expect(terminalWording(account!)).toContain('ends before the server was ready');
  expect(terminalWording(account!)).toMatch(/By its config each rank would get .* tokens/);
  expect(terminalWording(account!)).not.toContain('By then');
});
