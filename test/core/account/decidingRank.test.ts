/** Which rank decides for others, what a heavier stage is told for, and what is no run at all. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { logNote } from '../../../src/core/annotate/log/logNote';
import { readLogText } from '../../../src/core/log/readLog';
import type { Quantity } from '../../../src/core/units/quantity';
import { terminalWording } from './wording';

interface RankLines {
  readonly name: string;
  readonly weights: string;
  readonly end: string;
  readonly left: string;
}

const log = (flags: string, ranks: readonly RankLines[]): string =>
  [
    `[2026-02-25 10:00:00] server_args=ServerArgs(model_path='/m/own', mem_fraction_static=0.85, max_total_tokens=None, page_size=1, ${flags})`,
    ...ranks.map(
      ({ name }) => `[2026-02-25 10:00:06 ${name}] Load weight begin. avail mem=94.10 GB`,
    ),
    ...ranks.map(
      ({ name, weights, end }) =>
        `[2026-02-25 10:00:16 ${name}] Load weight end. elapsed=9.10 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=${end} GB, mem usage=${weights} GB.`,
    ),
    ...ranks.map(
      ({ name }) =>
        `[2026-02-25 10:00:17 ${name}] KV Cache is allocated. #tokens: 841782, K size: 18.46 GB, V size: 18.46 GB`,
    ),
    ...ranks.map(
      ({ name, left }) => `[2026-02-25 10:00:17 ${name}] Memory pool end. avail mem=${left} GB`,
    ),
    ...ranks.map(
      ({ name }) =>
        `[2026-02-25 10:00:30 ${name}] max_total_num_tokens=841782, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=11.50 GB`,
    ),
    '[2026-02-25 10:00:35] The server is fired up and ready to roll!',
    '',
  ].join('\n');

const light = (name: string): RankLines => ({
  name,
  weights: '40.69',
  end: '53.41',
  left: '14.79',
});
const heavy = (name: string): RankLines => ({
  name,
  weights: '42.86',
  end: '51.23',
  left: '12.61',
});

const accountOf = (text: string) => accountOfLog(readLogText(text))[0]!;
const deciding = (text: string): string[] =>
  accountOf(text)
    .ranks.filter(({ decides }) => decides)
    .map(({ rank }) => rank);

describe('the rank that decides', () => {
  test('has really less than another', () => {
    expect(deciding(log('tp_size=2', [light('TP0'), heavy('TP1')]))).toEqual(['TP1']);
  });

  test('is none of equal ones', () => {
    expect(deciding(log('tp_size=2', [light('TP0'), light('TP1')]))).toEqual([]);
  });

  test('is each of several that are equally low', () => {
    const ranks = [light('PP0 TP0'), light('PP0 TP1'), heavy('PP1 TP0'), heavy('PP1 TP1')];
    const text = log('tp_size=2, pp_size=2', ranks);
    expect(deciding(text)).toEqual(['PP1 TP0', 'PP1 TP1']);
    const account = accountOf(text);
    expect(account.ranks.filter(({ isBinding }) => isBinding)).toHaveLength(1);
    expect(terminalWording(account)).toMatch(
      /Ranks PP1 TP0, PP1 TP1 have ≈ 2\.18 GiB .* decide for all/,
    );
    const found = account.problems.find(({ code }) => code === 'rank-imbalance');
    const inner = found!.message.arguments as unknown as {
      imbalanced: { arguments: { tokens: Quantity } };
    };
    const { lo, hi } = inner.imbalanced.arguments.tokens.interval;
    // python3: cell = 36.92 * 2**30 / 841782 = 47,094; (53.41 - 51.23) * 2**30 / cell = 49,704
    expect([lo <= 49_704, hi >= 49_704, lo > 49_000, hi < 50_400]).toEqual(Array(4).fill(true));
  });

  test('of which others started with less is told with all of them', () => {
    const text = log('tp_size=3', [light('TP0'), heavy('TP1'), heavy('TP2')]).replaceAll(
      /(TP[12]\] Load weight begin\. avail mem=)94\.10/g,
      '$191.00',
    );
    // 94.10 - 91.00, each to 0.005.
    expect(terminalWording(accountOf(text))).toMatch(
      /Ranks TP1, TP2 have .* They started with ≈ 3\.10 GiB .* free their cards first/,
    );
  });

  test('is no replica for another', () => {
    const text = log('tp_size=1, dp_size=2', [light('DP0'), heavy('DP1')]);
    expect(deciding(text)).toEqual([]);
    const account = accountOf(text);
    const noted = account.run.records.flatMap(record =>
      logNote(account, record) === undefined ? [] : [`${record.form.id} ${record.rank}`],
    );
    expect(noted.sort()).toEqual([
      'kv-allocated DP0',
      'kv-allocated DP1',
      'pool-end DP0',
      'pool-end DP1',
      'summary DP0',
      'summary DP1',
    ]);
  });

  test('of a pipeline is told with what its weights take more', () => {
    const account = accountOf(log('tp_size=1, pp_size=2', [light('PP0'), heavy('PP1')]));
    // 53.41 - 51.23, and 42.86 - 40.69.
    expect(terminalWording(account)).toMatch(
      /Rank PP1 has ≈ 2\.18 GiB .* pipeline stage take ≈ 2\.17 GiB .* more/,
    );
  });
});

test('a bare count of another program is no run', () => {
  expect(accountOfLog(readLogText('max_total_num_tokens=5\n'))).toEqual([]);
  // With anything of a server's own it is.
  const old =
    'Rank 0: load weight begin.\nmax_total_num_token=115621, max_prefill_num_token=8192\n';
  expect(accountOfLog(readLogText(old))).toHaveLength(1);
});

describe('a stage that decides by its bytes beside one with less free memory', () => {
  const at = '[2026-02-25 10:00';
  /** A 60.10 and 59.40; f = 0.85 gives 59.40 - 78.30 * 0.15 = 47.655 GiB to both pools of stage 0. */
  const account = accountOf(
    [
      `${at}:00] server_args=ServerArgs(model_path='/m/own', mem_fraction_static=0.85, max_total_tokens=None, page_size=1, tp_size=1, pp_size=2, swa_full_tokens_ratio=0.8)`,
      ...['PP0', 'PP1'].map(rank => `${at}:06 ${rank} TP0] Load weight begin. avail mem=78.30 GB`),
      `${at}:16 PP0 TP0] Load weight end. elapsed=9.10 s, type=GptOssForCausalLM, avail mem=60.10 GB, mem usage=18.20 GB.`,
      `${at}:16 PP1 TP0] Load weight end. elapsed=9.10 s, type=GptOssForCausalLM, avail mem=59.40 GB, mem usage=18.90 GB.`,
      ...['PP0', 'PP1'].flatMap((rank, stage) => [
        `${at}:17 ${rank} TP0] Use sliding window memory pool. full_layer_tokens=2939405, swa_layer_tokens=2351524`,
        `${at}:17 ${rank} TP0] Full KV Cache is allocated. dtype: torch.bfloat16, #tokens: 2939405, K size: 12.61 GB, V size: 12.61 GB`,
        `${at}:17 ${rank} TP0] SWA KV Cache is allocated. dtype: torch.bfloat16, #tokens: 2351524, K size: ${stage ? '10.09' : '11.21'} GB, V size: ${stage ? '10.09' : '11.21'} GB`,
      ]),
      `${at}:30 PP0 TP0] max_total_num_tokens=2939405, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=9.04 GB`,
      `${at}:35] The server is fired up and ready to roll!`,
      '',
    ].join('\n'),
  );

  test('is found by all pools of the budget, and denies no claim', () => {
    expect(account.ranks.filter(({ isBinding }) => isBinding).map(({ rank }) => rank)).toEqual([
      'PP0 TP0',
    ]);
    const { lo, hi } = account.fraction.implied!.interval;
    expect([lo <= 0.85, hi >= 0.85, hi - lo < 0.002]).toEqual([true, true, true]);
    expect(account.problems.map(({ code }) => code)).not.toContain('fraction-mismatch');
  });

  test('leaves the loss of the other one to be told, without a layer to move', () => {
    const found = account.problems.find(({ code }) => code === 'rank-imbalance');
    const inner = found!.message.arguments as unknown as {
      imbalanced: { arguments: { tokens: Quantity } };
    };
    const { lo, hi } = inner.imbalanced.arguments.tokens.interval;
    // python3: 0.70 * 2**30 / 17408 = 43,177
    expect([lo <= 43_177, hi >= 43_177, hi - lo < 1500]).toEqual([true, true, true]);
    expect(terminalWording(account)).toMatch(/Another stage has more bytes per token/);
    expect(terminalWording(account)).not.toContain('SGLANG_PP_LAYER_PARTITION');
  });
});
