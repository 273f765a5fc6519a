/** What else a fraction moves: slots, draft pools, host pools. Figures are calculated beside them. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import type { BudgetAnswer, MovingId } from '../../../src/core/report/budgetAnswer';
import { budgetAnswer } from '../../../src/core/report/budgetAnswer';
import { factsAsData, whatIfOfData } from '../../../src/core/report/budgetData';
import type { Quantity } from '../../../src/core/units/quantity';

const dump = (more: string): string =>
  `[2026-02-05 04:20:00] server_args=ServerArgs(model_path='/m', tp_size=1, page_size=1, max_total_tokens=None${more})`;
const loadedOf = (model: string): string =>
  `[2026-02-05 04:39:27] Load weight end. elapsed=653.47 s, type=${model}, dtype=torch.bfloat16, avail mem=19.08 GB, mem usage=3.76 GB.`;
const hybrid = loadedOf('Qwen3NextForCausalLM');
const plain = loadedOf('LlamaForCausalLM');
const state =
  '[2026-02-05 04:39:28] Mamba Cache is allocated. max_mamba_cache_size: 82, conv_state size: 0.13GB, ssm_state size: 7.29GB ';
const pool =
  '[2026-02-05 04:39:28] KV Cache is allocated. #tokens: 580364, K size: 4.15 GB, V size: 4.15 GB';
const alone =
  '[2026-02-05 04:39:28] KV Cache is allocated. #tokens: 580364, K size: 7.86 GB, V size: 7.86 GB';
const end = '[2026-02-05 04:39:28] Memory pool end. avail mem=3.30 GB';
const host = '[2026-02-05 04:39:29] Allocating 33.76 GB host memory for hierarchical KV cache.';
const ready =
  '[2026-02-05 04:39:40] max_total_num_tokens=580364, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=16, context_len=32768, available_gpu_mem=3.20 GB';

/** As the page asks it: over the facts as plain data. */
function answerOf(lines: readonly string[], fraction: number): BudgetAnswer {
  const [account] = accountOfLog(readLogText(lines.join('\n')));
  return budgetAnswer(whatIfOfData(factsAsData(account!.whatIf)), fraction);
}

function moved({ moves }: BudgetAnswer, id: MovingId): Quantity | undefined {
  return moves.find(each => each.id === id)?.quantity;
}

function expectAround(quantity: Quantity | undefined, value: number, widest: number): void {
  expect(quantity).toBeDefined();
  const { lo, hi } = quantity!.interval;
  expect([lo <= value, hi >= value, hi - lo <= widest]).toEqual([true, true, true]);
}

describe('beside the KV pool', () => {
  test('automatic slots of state move, with their pool', () => {
    const answer = answerOf([dump(''), hybrid, state, pool, end], 0.9);
    // (19.08 - 22.84 x 0.1) x 0.9 / 1.9 = 7.956 GiB; over 7.42 / 82 GiB each: 87 slots.
    expectAround(moved(answer, 'statePool'), 7.956, 0.45);
    expectAround(moved(answer, 'stateSlots'), 87, 6);
    expect(moved(answer, 'stateSlots')?.unit.name).toBe('1');
  });

  test('typed slots stay, and are not said to move', () => {
    const answer = answerOf([dump(', max_mamba_cache_size=82'), hybrid, state, pool, end], 0.9);
    expect(moved(answer, 'kvPool')).toBeDefined();
    expect(moved(answer, 'stateSlots')).toBeUndefined();
    expect(moved(answer, 'statePool')).toBeUndefined();
  });

  test('a host pool by ratio grows with the tokens', () => {
    const hierarchical = ', enable_hierarchical_cache=True, hicache_ratio=2.0, hicache_size=0';
    const answer = answerOf([dump(hierarchical), plain, alone, end, host, ready], 0.9);
    // 19.08 - 22.84 x 0.1 = 16.796 GiB against 15.72 that hold 33.76 GB: 36.07.
    expectAround(moved(answer, 'hostKvPool'), 36.07, 0.2);
    expect(moved(answer, 'hostKvPool')?.unit.name).toBe('GB');
    expect(moved(answer, 'hostKvPool')?.basis).toBe('assumed');
  });

  test('a host pool of a typed size, or of unknown arguments, is not said to move', () => {
    for (const start of [[dump(', hicache_ratio=2.0, hicache_size=30')], []]) {
      const answer = answerOf([...start, plain, alone, end, host, ready], 0.9);
      expect(moved(answer, 'hostKvPool')).toBeUndefined();
    }
  });

  test('a run without draft, state and host pools says nothing of them', () => {
    const answer = answerOf([dump(''), plain, alone, end, ready], 0.9);
    expect(answer.moves.map(({ id }) => id)).toEqual(['slack', 'restMemory', 'kvPool']);
  });
});
