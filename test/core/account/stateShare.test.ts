/** Other fractions beside a pool of linear-attention state. Figures are calculated beside them. */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { fractionOf } from '../../../src/core/account/advice';
import { readLogText } from '../../../src/core/log/readLog';
import type { Quantity } from '../../../src/core/units/quantity';

function only(...lines: string[]): RunAccount {
  const all = accountOfLog(readLogText(lines.join('\n')));
  expect(all).toHaveLength(1);
  return all[0]!;
}

function expectAround(quantity: Quantity | undefined, value: number, widest: number): void {
  expect(quantity).toBeDefined();
  const { lo, hi } = quantity!.interval;
  expect([lo <= value, hi >= value, hi - lo <= widest]).toEqual([true, true, true]);
}

const dump = (more: string): string =>
  `[2026-02-05 04:20:00] server_args=ServerArgs(model_path='/m', tp_size=1, page_size=1, max_total_tokens=None${more})`;
const loaded =
  '[2026-02-05 04:39:27] Load weight end. elapsed=653.47 s, type=Qwen3NextForCausalLM, dtype=torch.bfloat16, avail mem=19.08 GB, mem usage=3.76 GB.';
const state =
  '[2026-02-05 04:39:28] Mamba Cache is allocated. max_mamba_cache_size: 82, conv_state size: 0.13GB, ssm_state size: 7.29GB ';
const pool =
  '[2026-02-05 04:39:28] KV Cache is allocated. #tokens: 580364, K size: 4.15 GB, V size: 4.15 GB';
const end = '[2026-02-05 04:39:28] Memory pool end. avail mem=3.30 GB';

const poolAt = (account: RunAccount, fraction: number): Quantity | undefined =>
  account.whatIf.row(fractionOf(fraction)).pool;

describe('beside a state pool', () => {
  test('automatic slots take 0.9 / 1.9 of the rest at any fraction', () => {
    const account = only(dump(''), loaded, state, pool, end);
    // (19.08 - 22.84 x 0.1) / 1.9 = 8.840 GiB, give or take two slots of 0.09 GiB.
    expectAround(poolAt(account, 0.9), 8.84, 0.45);
    expect(account.table.length).toBeGreaterThan(3);
  });

  test('typed slots stay as they are', () => {
    const account = only(dump(', max_mamba_cache_size=82'), loaded, state, pool, end);
    // 19.08 - 22.84 x 0.1 - 7.42 x 82 / 83: one of the printed rows is padding.
    expectAround(poolAt(account, 0.9), 9.465, 0.15);
  });

  test('a pool that is neither gives no other fraction', () => {
    const large = state.replace('7.29', '1.29');
    const account = only(dump(''), loaded, large, pool, end);
    expect(poolAt(account, 0.9)).toBeUndefined();
    expect(account.table).toEqual([]);
    expect(account.advice).toMatchObject({ kind: 'none', reason: 'state-pool' });
  });

  test('a model with state that fails before its pool is offered no value', () => {
    const account = only(
      dump(', mem_fraction_static=0.1'),
      loaded,
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=0.1',
    );
    expect(account.outcome.kind).toBe('not-enough-memory');
    // 1 - 19.08 / 22.84.
    expectAround(account.fraction.minimum, 0.1646, 0.006);
    expect(account.advice).toMatchObject({ kind: 'none', reason: 'state-pool' });
    expect(account.problems[0]?.fix).toBeUndefined();
  });
});

// A = 37.20, P = 78.10, f = 0.8; python3 by the function of 0.5.12: 477 slots of 19,316,736 B, the states
// of 48 requests and 4 draft tokens, and 834,021 tokens of 12,288 B. Buffers have one row more of each.
describe('padding that no budget counts', () => {
  const logOf = (flags: string, intermediate: string): RunAccount =>
    only(
      `[2026-05-17 10:00:01] server_args=ServerArgs(model_path='/m', mem_fraction_static=0.8, tp_size=1, page_size=1${flags})`,
      '[2026-05-17 10:00:10] Load weight begin. avail mem=78.10 GB',
      '[2026-05-17 10:01:10] Load weight end. elapsed=60.00 s, type=Qwen3NextForCausalLM, avail mem=37.20 GB, mem usage=40.90 GB.',
      `[2026-05-17 10:01:11] Mamba Cache is allocated. max_mamba_cache_size: 477, conv_state size: 0.20GB, ssm_state size: 8.40GB ${intermediate}`,
      '[2026-05-17 10:01:11] KV Cache is allocated. #tokens: 834021, K size: 4.77 GB, V size: 4.77 GB',
      '[2026-05-17 10:01:11] Memory pool end. avail mem=15.40 GB',
    );

  test('leaves the fraction that was typed possible with speculation', () => {
    const { fraction } = logOf(
      ", max_running_requests=48, mamba_scheduler_strategy='no_buffer', speculative_algorithm='EAGLE', speculative_num_draft_tokens=4",
      'intermediate_ssm_state_cache size: 3.45GB intermediate_conv_window_cache size: 0.08GB ',
    );
    // One slot is 0.018 GiB, one row of draft states 0.072 GiB: 0.0012 of 78.10 beside roundings.
    expectAround(fraction.implied, 0.8, 0.006);
  });

  // python3: five slots of 2 GiB leave 21.58 - 10 GiB for 1,011,875 tokens; the buffers have six.
  test('is no part of what slots of state take without speculation', () => {
    const { fraction, problems } = only(
      "[2026-05-17 10:00:01] server_args=ServerArgs(model_path='/m', mem_fraction_static=0.8, tp_size=1, page_size=1, max_mamba_cache_size=5, mamba_scheduler_strategy='no_buffer')",
      '[2026-05-17 10:00:10] Load weight begin. avail mem=78.10 GB',
      '[2026-05-17 10:01:10] Load weight end. elapsed=60.00 s, type=Qwen3NextForCausalLM, avail mem=37.20 GB, mem usage=40.90 GB.',
      '[2026-05-17 10:01:11] Mamba Cache is allocated. max_mamba_cache_size: 5, conv_state size: 0.60GB, ssm_state size: 11.40GB ',
      '[2026-05-17 10:01:11] KV Cache is allocated. #tokens: 1011875, K size: 5.79 GB, V size: 5.79 GB',
      '[2026-05-17 10:01:11] Memory pool end. avail mem=11.60 GB',
    );
    // A row of 2 GiB is 0.0256 of 78.10.
    expectAround(fraction.implied, 0.8, 0.032);
    expect(problems).toEqual([]);
  });
});
