/** What a state pool that a decode server prints says of the budget. Figures are calculated beside them. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { chargedState } from '../../../src/core/account/chargedState';
import { readLogText } from '../../../src/core/log/readLog';

function charged(more: string) {
  const lines = [
    `[2026-05-20 04:20:00] server_args=ServerArgs(model_path='/m', tp_size=1, page_size=1, disaggregation_mode='decode', disaggregation_decode_extra_slots=16, swa_full_tokens_ratio=0.8${more})`,
    '[2026-05-20 04:39:27] Load weight end. elapsed=653.47 s, type=Qwen3NextForCausalLM, avail mem=40.00 GB, mem usage=3.76 GB.',
    '[2026-05-20 04:39:28] Mamba Cache is allocated. max_mamba_cache_size: 24, conv_state size: 0.10GB, ssm_state size: 4.90GB ',
    '[2026-05-20 04:39:28] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 580364, K size: 4.15 GB, V size: 4.15 GB',
    '[2026-05-20 04:39:28] Memory pool end. avail mem=3.30 GB',
  ];
  const [account] = accountOfLog(readLogText(lines.join('\n')));
  const run = account!.run;
  return chargedState(
    { ...run, release: { kind: 'range', from: '0.5.14', to: '0.5.16' } },
    account!.ranks[0]!.figures,
  );
}

test('the budget has the slots that are asked for, not those of requests under way', () => {
  // 25 rows of 0.2 GiB, of which 8 are charged.
  const { interval } = charged(', max_running_requests=8')!;
  expect([interval.lo <= 1.6, interval.hi >= 1.6]).toEqual([true, true]);
  expect(interval.hi - interval.lo).toBeLessThan(0.01);
});

test('a share of the budget leaves it open', () => {
  expect(charged('')).toBeUndefined();
});
