/** What a config says that one request costs in a run: the buffers of a draft hold its tokens too. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { layoutMessages } from '../../../src/core/account/layoutMessages';
import { readLogText } from '../../../src/core/log/readLog';
import type { Quantity } from '../../../src/core/units/quantity';
import { layoutOf } from '../model/configText';
import { latent } from '../model/modelConfigs';

function messagesWith(speculation: string, draftLayers: object, last = '', sizes = 'tp_size=8') {
  const layout = layoutOf({ ...latent(61), max_position_embeddings: 163840, ...draftLayers });
  const [account] = accountOfLog(
    readLogText(
      [
        `[2026-02-25 09:00:00] server_args=ServerArgs(model_path='/m/a', ${sizes}, page_size=1, mem_fraction_static=0.8, kv_cache_dtype='bfloat16', speculative_algorithm=${speculation})`,
        '[2026-02-25 09:00:01 TP0] Init torch distributed ends. elapsed=0.90 s, mem usage=0.20 GB',
        '[2026-02-25 09:00:01 TP0] Load weight begin. avail mem=138.00 GB',
        '[2026-02-25 09:00:05 TP0] Load weight end. elapsed=4.00 s, type=DeepseekV3ForCausalLM, dtype=torch.bfloat16, avail mem=53.50 GB, mem usage=84.50 GB.',
        '[2026-02-25 09:00:06 TP0] KV Cache is allocated. #tokens: 395261, KV size: 25.87 GB',
        '[2026-02-25 09:00:06 TP0] Memory pool end. avail mem=26.10 GB',
        last,
        '',
      ].join('\n'),
    ),
    { config: { layout, name: 'config.json' } },
  );
  if (account?.layout?.kind !== 'known') {
    throw new Error('no layout');
  }
  return layoutMessages(account.layout.value, account.quantities);
}

function costsWith(speculation: string, draftLayers: object): readonly (readonly number[])[] {
  return messagesWith(speculation, draftLayers).flatMap(found => {
    const cost = found.arguments['cost'] as Quantity | undefined;
    return found.id === 'plan.request-cost' && cost ? [[cost.interval.lo, cost.interval.hi]] : [];
  });
}

test('without a draft a request costs its tokens in the pool of the model', () => {
  // python3: 163840 * 61 * 576 * 2 / 2**20
  expect(costsWith('None', { num_nextn_predict_layers: 1 })).toEqual([[10980, 10980]]);
});

test('the pool of a draft of one layer holds the tokens once more', () => {
  // python3: 163840 * (61 + 1) * 576 * 2 / 2**20
  expect(costsWith("'EAGLE'", { num_nextn_predict_layers: 1 })).toEqual([[11160, 11160]]);
});

test('nothing is said where the layers of another draft are not known', () => {
  expect(costsWith("'STANDALONE'", {})).toEqual([]);
});

// 395,261 tokens are two requests of 163,840.
test.each([
  [1, 'layout.concurrency-limited'],
  [2, 'layout.concurrency'],
])('room for two requests is said beside a limit of %d', (most, id) => {
  const summary = `[2026-02-25 09:00:07 TP0] max_total_num_tokens=395261, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=${most}, context_len=163840, available_gpu_mem=20.00 GB`;
  const found = messagesWith('None', {}, summary).filter(one => one.id.startsWith('layout.conc'));
  expect(found.map(one => one.id)).toEqual([id]);
  expect(found[0]?.arguments).toHaveProperty('requests.exact', 2n);
});

test('room is that of one group where there are several', () => {
  const summary =
    '[2026-02-25 09:00:07 TP0] max_total_num_tokens=395261, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=256, context_len=163840, available_gpu_mem=20.00 GB';
  const [said] = messagesWith(
    'None',
    {},
    summary,
    'tp_size=8, dp_size=8, enable_dp_attention=True',
  ).filter(one => one.id.startsWith('layout.conc'));
  expect(said).toMatchObject({ id: 'layout.concurrency-groups', arguments: { groups: 8 } });
});
