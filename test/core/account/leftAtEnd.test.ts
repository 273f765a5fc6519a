/**
 * What is left at another fraction where the log measured what was free at the end, what is offered
 * under a limit of tokens, and a pool shorter than one request. The logs are written for the test;
 * figures are calculated beside them.
 */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { fractionOf } from '../../../src/core/account/advice';
import { readLogText } from '../../../src/core/log/readLog';
import type { Quantity } from '../../../src/core/units/quantity';
import { terminalWording } from './wording';

const time = '[2026-03-01 09:00:00]';

function only(...lines: readonly string[]): RunAccount {
  const [account, ...others] = accountOfLog(readLogText(`${lines.join('\n')}\n`));
  expect(others).toEqual([]);
  return account!;
}

const dump = (f: number, limit: number | 'None' = 'None') =>
  `${time} server_args=ServerArgs(model_path='/m/own', tp_size=1, mem_fraction_static=${f}, max_total_tokens=${limit}, page_size=1)`;

const loaded = (before: string, after: string, usage: string): string[] => [
  `${time} Load weight begin. avail mem=${before} GB`,
  `${time} Load weight end. elapsed=8.0 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=${after} GB, mem usage=${usage} GB.`,
];

const sized = (tokens: number, half: string, afterPools: string, end: string, context: number) => [
  `${time} KV Cache is allocated. #tokens: ${tokens}, K size: ${half} GB, V size: ${half} GB`,
  `${time} Memory pool end. avail mem=${afterPools} GB`,
  `${time} Capture cuda graph end. Time elapsed: 11.20 s. mem usage=1.50 GB. avail mem=${end} GB.`,
  `${time} max_total_num_tokens=${tokens}, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=${context}, available_gpu_mem=${end} GB`,
  `${time} The server is fired up and ready to roll!`,
];

function expectAround(quantity: Quantity | undefined, value: number, widest: number): void {
  const { lo, hi } = quantity!.interval;
  expect([lo <= value, hi >= value, hi - lo <= widest]).toEqual([true, true, true]);
}

describe('a run that measured its end', () => {
  // 38.50 - 78.50 * 0.2 = 22.80 GiB of 8,192 B; 38.50 - 22.80 - 13.18 = 2.52 went elsewhere, of which
  // the request table explains 0.50 and the graphs 1.50.
  const account = () =>
    only(
      dump(0.8),
      ...loaded('78.50', '38.50', '40.00'),
      ...sized(2_988_441, '11.40', '15.20', '13.18', 65_536),
    );

  test('has that left in its own row, with what nothing explains', () => {
    const row = account().table.find(({ fraction }) => fraction.nominal === 0.8);
    // As printed: at the fraction in force nothing has to be supposed.
    expectAround(row?.left, 13.18, 0.0101);
    expect(row?.left?.basis).toBe('proved');
  });

  test('has that less what the pool grows by elsewhere', () => {
    const { whatIf } = account();
    // 13.18 - 78.50 * 0.1 and 13.18 + 78.50 * 0.2.
    expectAround(whatIf.row(fractionOf(0.9)).left, 5.33, 0.15);
    expectAround(whatIf.row(fractionOf(0.6)).left, 28.88, 0.15);
  });

  test('has nothing left above its maximum', () => {
    const { fraction, whatIf } = account();
    // 0.8 + 13.18 / 78.50 = 0.9679.
    expectAround(fraction.maximum, 0.9679, 0.0015);
    for (const tried of [0.969, 0.97, 0.98]) {
      expect(whatIf.row(fractionOf(tried)).left!.interval.hi).toBeLessThanOrEqual(0);
    }
  });

  test('is offered what keeps the reserve of that', () => {
    // Without launch arguments nothing tells what the release keeps.
    const { problems } = only(
      ...loaded('78.50', '38.50', '40.00'),
      ...sized(2_988_441, '11.40', '15.20', '13.18', 65_536),
    );
    // 0.91 would leave 13.18 - 78.50 * 0.11 = 4.545, below 5.
    expect(problems).toMatchObject([{ code: 'idle-memory', fix: '--mem-fraction-static 0.9' }]);
  });

  test('without the sample at its end has what the known costs leave', () => {
    const { whatIf } = only(dump(0.8), ...loaded('78.50', '38.50', '40.00'));
    // 78.50 * 0.2; nothing else is known.
    expectAround(whatIf.row(fractionOf(0.8)).pool, 22.8, 0.15);
    expect(whatIf.base.some(({ interval }) => interval.lo === 13.175)).toBe(false);
  });
});

describe('a limit of tokens in a start that failed', () => {
  // 63.50 - 78.50 * 0.85 = -3.225 GiB are -26,420 tokens of 131,072 B.
  const failed = (limit: number): RunAccount =>
    only(
      dump(0.15, limit),
      ...loaded('78.50', '63.50', '15.00'),
      `${time} max_total_tokens=${limit} is larger than the profiled value -26420. Use the profiled value instead.`,
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=0.15',
    );

  test('is what the offered fraction holds, and no more is offered', () => {
    const account = failed(131_072);
    // 1 - (63.50 - 16.00) / 78.50 = 0.3949; rounded inputs make 0.41 the first that surely holds it.
    expect(account.advice).toMatchObject({
      kind: 'fraction',
      flag: '--mem-fraction-static 0.41',
      need: { kind: 'limit', tokens: { nominal: 131_072 } },
    });
    expect(terminalWording(account)).toContain('the 131,072 tokens of --max-total-tokens');
  });

  test('is the pool of every row above it, in GiB', () => {
    const { table } = failed(131_072);
    const above = table.filter(({ fraction }) => (fraction.nominal ?? 0) > 0.42);
    expect(above.length).toBeGreaterThan(3);
    for (const { pool } of above) {
      expectAround(pool, 16, 0.7);
    }
    // Below it the budget decides: 63.50 - 78.50 * 0.7 = 8.55.
    expectAround(table.find(({ fraction }) => fraction.nominal === 0.3)?.pool, 8.55, 0.15);
  });

  test('beyond the card asks for nothing', () => {
    expect(failed(9_000_000).advice).toMatchObject({ kind: 'none', reason: 'need-does-not-fit' });
  });
});

test('the pool of a row holds the tokens that a release adds for drafts', () => {
  const account = only(
    `${time} server_args=ServerArgs(model_path='/m/own', tp_size=1, mem_fraction_static=0.8, max_running_requests=2048, max_total_tokens=None, page_size=1, speculative_algorithm='EAGLE', speculative_num_steps=3, speculative_eagle_topk=1, speculative_num_draft_tokens=4)`,
    ...loaded('78.50', '63.50', '15.00').map(line => line.replace('elapsed=8.0 s, ', '')),
    `${time} Using KV cache dtype: torch.bfloat16`,
    // 47.80 GiB are 391,577 tokens; with 2048 * 7 + 100 more they are 406,013 of 131,072 B, 49.56 GiB.
    ...sized(406_013, '24.78', '11.50', '8.50', 8192),
  );
  const pool = account.whatIf.row(fractionOf(0.8)).pool!.interval;
  expect([pool.lo <= 49.56, pool.hi >= 49.56, pool.hi < 51]).toEqual([true, true, true]);
});

describe('a pool shorter than one request', () => {
  const small = (context: number): RunAccount =>
    only(
      dump(0.9),
      ...loaded('78.50', '8.50', '70.00'),
      // 8.50 - 78.50 * 0.1 = 0.65 GiB.
      ...sized(4259, '0.33', '6.83', '4.83', context),
    );

  test('is said without idle memory, as information', () => {
    const account = small(131_072);
    expect(account.problems).toMatchObject([{ code: 'tiny-pool', severity: 'information' }]);
    expect(account.problems[0]).not.toHaveProperty('fix');
    expect(terminalWording(account)).toContain(
      'The pool holds 4,259 tokens: one request of the full context length is 131,072 tokens and can never run.',
    );
  });

  test('is not said of one that holds it', () => {
    expect(small(4096).problems).toEqual([]);
  });

  test('is not said of one that holds most of it', () => {
    expect(small(8192).problems).toEqual([]);
    expect(small(8520).problems).toMatchObject([{ code: 'tiny-pool' }]);
  });
});
