/** Which fraction is called the one in effect: what was typed, if the pools allow it, never a guess. */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { currentFraction, nearFraction } from '../../../src/core/account/currentFraction';
import { readLogText } from '../../../src/core/log/readLog';

/** 78.48 GiB free, 63.34 after loading, a pool of so many GiB of 131,072 B. */
function only(typed: string, tokens: number, half: string, limit = 'None'): RunAccount {
  const lines = [
    ...(typed === ''
      ? []
      : [
          `[2026-03-01 09:00:00] server_args=ServerArgs(model_path='/m/L', tp_size=1, mem_fraction_static=${typed}, max_total_tokens=${limit}, page_size=1)`,
        ]),
    '[2026-03-01 09:00:06] Load weight begin. avail mem=78.48 GB',
    '[2026-03-01 09:00:16] Load weight end. elapsed=9.80 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.34 GB, mem usage=15.14 GB.',
    `[2026-03-01 09:00:16] KV Cache is allocated. #tokens: ${tokens}, K size: ${half} GB, V size: ${half} GB`,
  ];
  return accountOfLog(readLogText(`${lines.join('\n')}\n`))[0]!;
}

const inTable = ({ table }: RunAccount): (number | undefined)[] =>
  table.map(({ fraction }) => fraction.nominal);

describe('the fraction in effect', () => {
  test('is the typed one where a limit of tokens leaves the implied one open above', () => {
    // 40,000 tokens are 4.88 GiB: 1 - (63.34 - 4.88) / 78.48 = 0.2551, or anything above.
    const account = only('0.85', 40_000, '2.44', '40000');
    expect(account.fraction.implied?.interval.hi).toBe(Infinity);
    expect(currentFraction(account.fraction)).toBe(0.85);
    expect(inTable(account)).toContain(0.85);
  });

  test('is the typed one with all its digits where the pools allow it', () => {
    // 63.34 - 78.48 * (1 - 0.8514564) = 51.6823 GiB are 423,381 tokens.
    const account = only('0.8514564', 423_381, '25.84');
    expect(currentFraction(account.fraction)).toBe(0.8514564);
  });

  test('is not named where the pools say another than was typed', () => {
    // 63.34 - 78.48 * 0.12 = 53.9224 GiB are 441,732 tokens: 0.88, not 0.95.
    const account = only('0.95', 441_732, '26.96');
    expect(currentFraction(account.fraction)).toBeUndefined();
    expect(nearFraction(account.fraction)).toBe(0.88);
  });

  test('is not named where nothing was typed; a round value near it is still in the table', () => {
    const account = only('', 441_732, '26.96');
    expect(currentFraction(account.fraction)).toBeUndefined();
    expect(inTable(account)).toContain(0.88);
  });
});
