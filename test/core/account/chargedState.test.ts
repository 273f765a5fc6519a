/** What a state pool with states of drafts costs the budget. Figures are calculated beside them. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { chargedState } from '../../../src/core/account/chargedState';
import { readLogText } from '../../../src/core/log/readLog';
import type { Interval } from '../../../src/core/units/interval';

/** 41 slots and 13 requests of 16 drafts; a slot has 1,474,560 B of windows and 75,497,472 B of states. */
function charged(release: string, windows: string, more = ''): Interval {
  const lines = [
    `[2026-09-01 10:00:01] server_args=ServerArgs(model_path='/m', tp_size=1, page_size=1, max_running_requests=256, speculative_algorithm='EAGLE', speculative_num_draft_tokens=16${more})`,
    '[2026-09-01 10:00:20] Load weight end. elapsed=18.00 s, type=Qwen3_5ForConditionalGeneration, avail mem=50.21 GB, mem usage=28.20 GB.',
    `[2026-09-01 10:00:48] Mamba Cache is allocated. max_mamba_cache_size: 41, conv_state size: 0.06GB, ssm_state size: 2.95GB intermediate_ssm_state_cache size: 15.75GB intermediate_conv_window_cache size: ${windows}GB `,
  ];
  const [account] = accountOfLog(readLogText(`${lines.join('\n')}\n`));
  const run = { ...account!.run, release: { kind: 'range' as const, from: release, to: release } };
  return chargedState(run, account!.ranks[0]!.figures)!.interval;
}

test('windows of a chain of drafts are counted in full where less of them is allocated', () => {
  // python3: (42 + 14 * 16) * 76972032 / 2**30 = 19.0685; windows that overlap take 0.1154, not 0.3076
  for (const release of ['0.5.17', '0.5.23']) {
    const { lo, hi } = charged(release, '0.12');
    expect([lo <= 19.0685, hi >= 19.0685, hi - lo < 0.25]).toEqual([true, true, true]);
  }
});

test('windows of a tree are counted as printed', () => {
  const { lo, hi } = charged('0.5.17', '0.31', ', speculative_eagle_topk=4');
  expect([lo <= 19.0685, hi >= 19.0685, hi - lo < 0.08]).toEqual([true, true, true]);
});

test('releases that count no padding count the windows in full too', () => {
  // python3: (41 + 13 * 16) * 76972032 / 2**30 = 17.8499
  const { lo, hi } = charged('0.5.16', '0.12');
  expect([lo <= 17.8499, hi >= 17.8499]).toEqual([true, true]);
  // Up to 0.5.13 they never overlap, and the printed size is the most.
  expect(charged('0.5.13', '0.12').hi).toBeLessThan(18.91);
});
