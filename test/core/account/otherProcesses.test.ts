/** Cards that other processes hold a part of: that is the cure, before anything about our own memory. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

const time = '2026-03-01 09:00';

function only(...lines: string[]) {
  const [account] = accountOfLog(readLogText(`${lines.join('\n')}\n`));
  if (account === undefined) {
    throw new Error('no run');
  }
  return account;
}

const failedLoad = (process: string) =>
  only(
    `[${time}:00 TP0] Load weight begin. avail mem=23.20 GB`,
    `[${time}:00 TP1] Load weight begin. avail mem=11.70 GB`,
    `[${time}:09 TP1] Scheduler hit an exception: Traceback (most recent call last):`,
    `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 270.00 MiB. GPU 1 has a total capacity of 23.64 GiB of which 110.06 MiB is free. Including non-PyTorch memory, this process has ${process} GiB memory in use.`,
  );

describe('a load that fails', () => {
  test('on a card that others hold says to free it first', () => {
    const account = failedLoad('12.02');
    // 23.64 - 110.06 / 1024 - 12.02
    const others = account.shortage?.others?.interval;
    expect([others && others.lo <= 11.5125, others && others.hi >= 11.5125]).toEqual([true, true]);
    expect(others && others.hi - others.lo).toBeLessThan(0.03);
    expect(account.problems.map(({ code }) => code)).toEqual([
      'not-enough-memory',
      'occupied-before-start',
    ]);
    expect(terminalWording(account)).toMatch(
      /^Out of memory while loading weights: .* Free GPU 1 first: other processes hold ≈ 11\.51 GiB/,
    );
  });

  test('on a card of its own needs more cards or smaller weights', () => {
    const account = failedLoad('23.10');
    expect(account.problems.map(({ code }) => code)).toEqual(['not-enough-memory']);
    expect(terminalWording(account)).toMatch(/^Out of memory .* The fraction has no effect here/);
  });
});

describe('ranks that differ', () => {
  const rank = (name: string, begin: string, end: string, left: string) => [
    `[${time}:01 ${name}] Load weight begin. avail mem=${begin} GB`,
    `[${time}:09 ${name}] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=${end} GB, mem usage=7.60 GB.`,
    `[${time}:09 ${name}] KV Cache is allocated. #tokens: 597959, K size: 18.25 GB, V size: 18.25 GB`,
    `[${time}:09 ${name}] Memory pool end. avail mem=${left} GB`,
  ];
  const ready = `[${time}:29] The server is fired up and ready to roll!`;

  test('from the start are a card to free', () => {
    const account = only(
      ...rank('TP0', '78.50', '70.90', '33.90'),
      ...rank('TP1', '50.12', '42.52', '5.52'),
      ready,
    );
    // 78.50 - 50.12
    expect(terminalWording(account)).toMatch(
      /It started with ≈ 28\.38 GiB .*: free its card first/,
    );
  });

  test('by their weights are none', () => {
    const account = only(
      ...rank('TP0', '78.50', '70.90', '33.90'),
      ...rank('TP1', '78.50', '50.52', '13.52'),
      ready,
    );
    expect(terminalWording(account)).toMatch(/Rank TP1 has/);
    expect(terminalWording(account)).not.toMatch(/free its card/);
  });
});
