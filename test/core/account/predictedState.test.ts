/** State slots and tokens of a model with a vision tower, where the log ends before its pools. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { layoutOf } from '../model/configText';
import { gatedDelta } from '../model/modelConfigs';

const lines = [
  "[2026-09-01 10:00:01] server_args=ServerArgs(model_path='/m/a', tp_size=1, mem_fraction_static=0.8, max_running_requests=48, speculative_algorithm='EAGLE', speculative_num_steps=3, speculative_eagle_topk=1, speculative_num_draft_tokens=4, page_size=1, kv_cache_dtype='auto', mamba_full_memory_ratio=0.9, mamba_radix_cache_strategy='extra_buffer', disable_radix_cache=False, disable_overlap_schedule=False, chunked_prefill_size=8192, context_length=8192)",
  '[2026-09-01 10:00:02 TP0] Load weight begin. avail mem=78.41 GB',
  '[2026-09-01 10:00:23 TP0] Load weight end. elapsed=42.10 s, type=Qwen3_5ForConditionalGeneration, avail mem=51.01 GB, mem usage=27.40 GB.',
  '[2026-09-01 10:00:44 TP0] Load weight begin. avail mem=51.01 GB',
  '[2026-09-01 10:00:46 TP0] Load weight end. elapsed=2.10 s, type=Qwen3_5ForCausalLMMTP, avail mem=50.21 GB, mem usage=0.80 GB.',
  '',
].join('\n');

// The releases 0.5.14 to 0.5.18 under python3, from 50.21 - 78.41 x 0.2 GiB: 100 MiB less in 0.5.18.
test('both are predicted, with the reservation of the last release that it may be', () => {
  const config = {
    layout: layoutOf({
      ...gatedDelta(48, 2, 32),
      architectures: ['Qwen3_5ForConditionalGeneration'],
      vision_config: {},
      mtp_num_hidden_layers: 1,
    }),
    name: 'config.json',
  };
  const [account] = accountOfLog(readLogText(lines), { config });
  const slots = account!.quantities.get('stateSlots')!;
  const tokens = account!.quantities.get('maxTotalTokens')!;
  expect(account!.quantities.get('slotsPerRequest')).toMatchObject({
    exact: 5n,
    provenance: [{ kind: 'given', name: '--mamba-radix-cache-strategy' }],
  });
  expect([slots.interval.lo <= 123, slots.interval.hi >= 126]).toEqual([true, true]);
  expect(slots.interval.hi - slots.interval.lo).toBeLessThan(8);
  expect([tokens.interval.lo <= 736622, tokens.interval.hi >= 742426]).toEqual([true, true]);
  expect(tokens.interval.hi / tokens.interval.lo).toBeLessThan(1.03);
  expect(tokens.assumptions).toContain('multimodal reservation of 100 MiB');
});
