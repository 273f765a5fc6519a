/**
 * Where the printed pool does not give the fraction, or only a bound of it, and where the claimed
 * one was not the one in force. The logs are written for the test; figures are calculated beside
 * them.
 */
import { describe, expect, test } from 'vitest';
import type { AccountOptions, RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { budgetTerms } from '../../../src/core/sglang/budgetFormula';
import type { Fact } from '../../../src/core/terms/fact';
import type { Solution } from '../../../src/core/terms/solve';
import { solve } from '../../../src/core/terms/solve';
import type { Quantity } from '../../../src/core/units/quantity';
import { terminalWording } from './wording';

function only(lines: readonly string[], options: AccountOptions = {}): RunAccount {
  const all = accountOfLog(readLogText(lines.join('\n')), options);
  expect(all).toHaveLength(1);
  return all[0]!;
}

function expectAround(quantity: Quantity | undefined, value: number, widest: number): void {
  expect(quantity).toBeDefined();
  const { lo, hi } = quantity!.interval;
  expect([lo <= value, hi >= value, hi - lo <= widest]).toEqual([true, true, true]);
}

const solveWith = (facts: readonly Fact[]): Solution => solve(Object.values(budgetTerms), facts);

const codes = ({ problems }: RunAccount): string[] => problems.map(({ code }) => code);

const dump = (more: string): string =>
  `[2025-10-01 09:59:30] server_args=ServerArgs(model_path='/m', tp_size=1, page_size=1, max_total_tokens=None${more})`;

const begin = '[2025-10-01 10:00:00] Load weight begin. avail mem=78.50 GB';
const loaded =
  '[2025-10-01 10:01:00] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.50 GB, mem usage=15.00 GB.';
// 63.50 - 78.50 x 0.12 = 54.08 GiB of 131,072 B = 443,023 tokens.
const pool =
  '[2025-10-01 10:01:01] KV Cache is allocated. #tokens: 443023, K size: 27.04 GB, V size: 27.04 GB';
const poolEnd = '[2025-10-01 10:01:01] Memory pool end. avail mem=9.00 GB';
const plain = [begin, loaded, pool, poolEnd];

describe('the implied fraction', () => {
  test('follows from pool and samples', () => {
    expectAround(only([dump(''), ...plain]).fraction.implied, 0.88, 0.0008);
  });

  test('is a bound below a typed limit of tokens', () => {
    const { fraction, quantities } = only([
      "[2025-10-01 09:59:30] server_args=ServerArgs(model_path='/m', tp_size=1, page_size=1, max_total_tokens=443023)",
      ...plain,
    ]);
    expect(fraction.implied?.interval.hi).toBe(Infinity);
    expect(fraction.implied?.interval.lo).toBeLessThanOrEqual(0.88);
    expect(quantities.get('profiledTokens')?.interval.hi).toBe(Infinity);
  });

  test('is a bound for a count that looks typed, where no arguments are shown', () => {
    const { fraction } = only([begin, loaded, pool.replace('443023', '440000'), poolEnd]);
    expect(fraction.implied?.interval.hi).toBe(Infinity);
  });

  test('and the floor are bounds with a rank that is not shown', () => {
    const { fraction } = only([
      "[2025-10-01 09:59:30] server_args=ServerArgs(model_path='/m', tp_size=2, page_size=1, max_total_tokens=None)",
      ...plain.map(line => line.replace(/^(\[[^\]]+)\]/, '$1 TP0]')),
    ]);
    expect(fraction.implied?.interval.lo).toBeLessThanOrEqual(0.8801);
    // Less may have been free on the other rank: then the same pool needs a larger fraction.
    expect(fraction.implied?.interval.hi).toBe(Infinity);
    expect(fraction.minimum?.interval.hi).toBe(Infinity);
  });

  test('and the floor are bounds where a server names one rank of several', () => {
    const ranked = [
      ...plain,
      '[2025-10-01 10:01:06] max_total_num_tokens=443023, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=32768, available_gpu_mem=8.70 GB',
    ].map(line =>
      line.replace(/^(\[[^\]]+)\]/, '$1 TP0]').replace('end. type', 'end. elapsed=1.00 s, type'),
    );
    const { fraction, ranks } = only(ranked);
    expect(fraction.implied?.interval).toMatchObject({ hi: Infinity });
    // 1 - 63.50 / 78.50 = 0.19108.
    expect(fraction.minimum?.interval).toMatchObject({ hi: Infinity });
    expectAround(
      { ...fraction.minimum!, interval: { ...fraction.minimum!.interval, hi: 0.19108 } },
      0.19108,
      0.0012,
    );
    expect(ranks.map(({ isBinding }) => isBinding)).toEqual([false]);
  });

  test('is a bound with buffers for LoRA that no line shows', () => {
    const { fraction } = only([dump(', enable_lora=True'), ...plain]);
    expect(fraction.implied?.interval.hi).toBe(Infinity);
  });

  test('is at most what a pool with head-room for speculation allows (0.4.3.post3 to 0.5.6.post2)', () => {
    const { fraction, quantities } = only([dump(", speculative_algorithm='EAGLE'"), ...plain]);
    expect(fraction.implied?.interval.lo).toBe(-Infinity);
    expect(fraction.implied?.interval.hi).toBeGreaterThanOrEqual(0.88);
    expectAround(quantities.get('maxTotalTokens'), 443023, 0);
  });

  test('is absent with one buffer for all pools', () => {
    const { fraction } = only([dump(', enable_unified_memory=True'), ...plain]);
    expect(fraction.implied).toBeUndefined();
  });

  test('is at least what is free allows with a pool that is sized after capture and stays whole', () => {
    const sized =
      '[2026-08-10 10:02:01] Post-capture KV sizing: max_total_num_tokens=443023, free memory=9.00 GB';
    const { fraction } = only([dump(''), ...plain, sized]);
    // 1 - 9.00 / 78.50
    expect(fraction.implied?.interval.lo).toBeCloseTo(0.8854, 2);
    expect(fraction.implied?.interval.hi).toBeGreaterThanOrEqual(1);
  });
});

describe('a draft that is sized after the target', () => {
  // The target has 60.20 - 78.50 x 0.15 = 48.425 GiB, 396,697 tokens of 131,072 B; the limit is 20,480.
  const log = (more: string): string[] => [
    `[2026-03-01 09:00:00] server_args=ServerArgs(model_path='/m', tp_size=1, mem_fraction_static=0.85, max_total_tokens=20480, page_size=1${more})`,
    begin,
    loaded.replace('63.50', '60.20').replace('15.00', '18.30'),
    '[2025-10-01 10:01:01] KV Cache is allocated. #tokens: 20480, K size: 1.25 GB, V size: 1.25 GB',
    '[2025-10-01 10:01:01] Memory pool end. avail mem=56.70 GB',
    '[2025-10-01 10:01:02] Init torch distributed begin.',
    '[2025-10-01 10:01:02] Load weight begin. avail mem=3.10 GB',
    '[2025-10-01 10:01:03] Load weight end. type=LlamaForCausalLMEagle, dtype=torch.bfloat16, avail mem=2.20 GB, mem usage=0.90 GB.',
    '[2025-10-01 10:01:03] max_total_tokens=20480 is larger than the profiled value -89624. Use the profiled value instead.',
  ];

  test.each(['', ", speculative_algorithm='EAGLE'"])(
    'says nothing of the target’s budget, which the limit only bounds from below%s',
    more => {
      const account = only(log(more));
      expect(codes(account)).toEqual([]);
      const { implied } = account.fraction;
      // 1 - (60.20 - 2.50) / 78.50 = 0.26497 would give just these tokens.
      expect(implied?.interval.hi ?? Infinity).toBe(Infinity);
      expect(implied?.interval.lo ?? -Infinity).toBeLessThanOrEqual(0.85);
      const profiled = account.quantities.get('profiledTokens')?.interval;
      expect(profiled?.hi ?? Infinity).toBeGreaterThanOrEqual(396697);
    },
  );

  test('leaves the profiled value of the target where it is printed', () => {
    const clamp =
      '[2025-10-01 10:01:01] max_total_tokens=500000 is larger than the profiled value 443023. Use the profiled value instead.';
    const { quantities } = only([begin, loaded, clamp, pool, poolEnd, ...log('').slice(5)]);
    expectAround(quantities.get('profiledTokens'), 443023, 0);
  });
});

describe('a claim that was not in force', () => {
  test('is told from what the pool implies', () => {
    const account = only([dump(''), ...plain], { claim: 0.55 });
    expect(codes(account)).toEqual(['fraction-mismatch']);
    expect(terminalWording(account)).toContain('0.55');
  });

  test('is told from the value that the error repeats, without any sample', () => {
    const error =
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=0.2';
    const account = only([error], { claim: 0.9 });
    expect(codes(account)).toEqual(['not-enough-memory', 'fraction-mismatch']);
    expectAround(account.fraction.effective, 0.2, 0);
  });

  test('is told from the launch arguments alone', () => {
    const account = only([dump(', mem_fraction_static=0.88')], { claim: 0.55 });
    expect(codes(account)).toEqual(['fraction-mismatch']);
    expect(terminalWording(account)).toContain('shows a fraction of 0.88');
  });

  test('multiplied for aiter is explained and not called wrong', () => {
    // 63.50 - 78.50 x (1 - 0.95 x 0.85) = 48.389 GiB = 396,401 tokens.
    const account = only([
      dump(", mem_fraction_static=0.95, attention_backend='aiter'"),
      begin,
      loaded,
      '[2025-10-01 10:01:01] KV Cache is allocated. #tokens: 396401, K size: 24.19 GB, V size: 24.19 GB',
      '[2025-10-01 10:01:01] Memory pool end. avail mem=14.00 GB',
      '[2025-10-01 10:01:05] Capture cuda graph bs [1, 2]',
      '[2025-10-01 10:01:05] Capture cuda graph end. Time elapsed: 1.00 s. mem usage=0.10 GB. avail mem=13.90 GB.',
      '[2025-10-01 10:01:06] max_total_num_tokens=396401, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=32768, available_gpu_mem=5.80 GB',
      '[2025-10-01 10:01:09] Prefill batch. #new-seq: 1, #new-token: 6, #cached-token: 0, token usage: 0.00, #running-req: 0, #queue-req: 0, ',
    ]);
    expectAround(account.fraction.effective, 0.8075, 0.001);
    expect(codes(account)).toEqual(['fraction-mismatch']);
    expect(terminalWording(account)).toContain('aiter');
  });

  test('that a line reports as lowered gives the value in force', () => {
    const account = only([
      dump(', mem_fraction_static=0.88'),
      '[2025-10-01 09:59:40] Automatically reduce --mem-fraction-static to 0.792 because this is a multimodal model.',
      begin,
      loaded,
    ]);
    expectAround(account.fraction.effective, 0.792, 0.0011);
  });
});

describe('the engine’s own advice', () => {
  const error = (fraction: string): string =>
    `ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=${fraction}. Raise --mem-fraction-static above 0.912 (minimum viable = 1 - available/pre = 0.9113). If using speculative decoding, draft weights are now counted.`;
  const weights =
    'Load weight end. elapsed=90.00 s, type=DeepseekV4ForCausalLM, avail mem=12.25 GB, mem usage=125.65 GB.';

  test('agrees where nothing was reserved', () => {
    expect(codes(only([weights, error('0.88')]))).toEqual(['not-enough-memory']);
  });

  test('is too low where a reservation was subtracted first', () => {
    const reserve =
      'Reserving 4.00 GB of the KV budget for post-sizing multimodal allocations (feature-transport pools + embedding cache).';
    const account = only([weights, reserve, error('0.88')]);
    // 1 - (12.25 - 4.00) / 137.90.
    expectAround(account.fraction.minimum, 0.94018, 0.0004);
    expect(codes(account)).toEqual(['not-enough-memory', 'advice-too-low']);
  });

  test('is too low where it lies below the value that failed', () => {
    const account = only([weights, error('0.93')]);
    expect(codes(account)).toContain('advice-too-low');
  });
});

describe('a pool that is wider than its budget', () => {
  // mi355x-glm5 in one rank: 193.90 - 283.48 x 0.092 = 167.82 GiB budgeted, 186.77 allocated.
  const log = [
    '[2026-02-01 10:00:00] Load weight end. elapsed=887.93 s, type=GlmMoeDsaForCausalLM, dtype=torch.bfloat16, avail mem=193.90 GB, mem usage=89.58 GB.',
    '[2026-02-01 10:00:01] Using KV cache dtype: torch.float8_e4m3fn',
    '[2026-02-01 10:00:01] KV Cache is allocated. #tokens: 3262823, KV size: 186.77 GB',
    '[2026-02-01 10:00:02] Memory pool end. avail mem=3.88 GB',
  ];

  test('is told from the claimed fraction', () => {
    const account = only(log, { claim: 0.908 });
    expect(codes(account)).toEqual(['over-allocated']);
    // 18.96 GiB.
    expect(terminalWording(account)).toMatch(/18\.9\d GiB/);
  });

  test('is not claimed where the fraction does not go with it', () => {
    expect(codes(only(log, { claim: 0.8 }))).toEqual([]);
  });
});

describe('memory of others', () => {
  const capacity =
    '[2025-10-01 09:59:31] Reported total GPU memory per device (MiB): [81559], using min: 81559 MiB';
  const context = (usage: string): string =>
    `[2025-10-01 09:59:50] Init torch distributed ends. mem usage=${usage} GB`;
  const occupied = (free: string): RunAccount =>
    only([capacity, context('0.95'), begin.replace('78.50', free)]);

  test('is named after our own context is subtracted', () => {
    const account = occupied('50.00');
    expect(codes(account)).toEqual(['occupied-before-start']);
    // 81559 / 1024 - 50.00 - 0.95.
    expectAround(account.occupied?.amount, 81559 / 1024 - 50.95, 0.03);
  });

  test('is not seen in what every context takes', () => {
    // 79.65 - 77.70 - 0.95 = 1.00 GiB.
    expect(codes(occupied('77.70'))).toEqual([]);
  });
});

describe('replicas', () => {
  const rank = (dp: number): string =>
    `[2025-10-01 10:01:06 DP${dp} TP${dp}] max_total_num_tokens=100001, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=32768, available_gpu_mem=5.80 GB`;

  test('add their tokens, ranks of one replica do not', () => {
    expectAround(only([rank(0), rank(1)]).quantities.get('clusterTokens'), 200002, 0);
    const tp = [0, 1].map(each => rank(0).replace('DP0 TP0', `TP${each}`));
    expect(only(tp).quantities.get('clusterTokens')).toBeUndefined();
  });

  test('with pools of their own are added as each prints them', () => {
    const [first, second] = [rank(0), rank(1)].map(line => line.replace(/TP\d/, 'TP0'));
    const account = only([first!.replace('100001', '442204'), second!.replace('100001', '434995')]);
    // 442,204 + 434,995.
    expectAround(account.quantities.get('clusterTokens'), 877199, 0);
    expect(account.quantities.get('clusterTokens')?.basis).toBe('proved');
  });

  test('without attention in common have no minimum and no imbalance in common', () => {
    const replica = (dp: number, free: number, tokens: number): string[] =>
      [0, 1].flatMap(tp => [
        `[2025-10-01 10:00:00 DP${dp} TP${tp}] Load weight begin. avail mem=${dp === 0 ? '77.00' : '78.50'} GB`,
        `[2025-10-01 10:01:00 DP${dp} TP${tp}] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=${free.toFixed(2)} GB, mem usage=7.60 GB.`,
        `[2025-10-01 10:01:01 DP${dp} TP${tp}] KV Cache is allocated. #tokens: ${tokens}, K size: 30.00 GB, V size: 30.00 GB`,
      ]);
    const account = only([...replica(0, 70.9, 983040), ...replica(1, 69.42, 983041)]);
    expect(codes(account)).toEqual([]);
    // P and A of the second replica alone: 1 - (69.42 - 60.00) / 78.50.
    expectAround(account.fraction.implied, 0.88, 0.0012);
    expectAround(account.quantities.get('totalBeforeLoad'), 78.5, 0.115);
  });

  test('of different sizes are told together where the server is ready', () => {
    const replica = (dp: number, tokens: number, size: string): string[] => [
      `[2025-10-01 10:01:01 DP${dp}] KV Cache is allocated. #tokens: ${tokens}, K size: ${size} GB, V size: ${size} GB`,
      rank(dp).replace(` TP${dp}`, '').replace('100001', String(tokens)),
    ];
    const account = only([
      ...replica(0, 38666, '2.36'),
      ...replica(1, 17776, '1.08'),
      '[2025-10-01 10:01:09] The server is fired up and ready to roll!',
    ]);
    // 38,666 + 17,776.
    expect(terminalWording(account)).toMatch(/56,442 tokens over unequal replicas; .* has 38,666/);
  });

  test('are not counted where some are not in the log', () => {
    expect(only([rank(0), rank(3)]).quantities.get('clusterTokens')).toBeUndefined();
  });
});

describe('pools of which the log shows a part', () => {
  const kv = (tokens: string, size: string): string =>
    `[2025-10-01 10:01:01] KV Cache is allocated. #tokens: ${tokens}, K size: ${size} GB, V size: ${size} GB`;

  test('two lines of different sizes and no more are of unknown pools', () => {
    const { quantities, fraction } = only([
      begin,
      loaded,
      kv('443023', '20.00'),
      kv('443023', '7.04'),
    ]);
    expect(quantities.get('kvPool')).toBeUndefined();
    expect(fraction.implied).toBeUndefined();
  });

  test('one line of a pair with a window is the pool that has its tokens', () => {
    const split =
      '[2025-10-01 10:01:00] Use sliding window memory pool. full_layer_tokens=443023, swa_layer_tokens=354418';
    const window = only([begin, loaded, split, kv('354418', '20.00')]);
    expect(window.quantities.get('kvPool')).toBeUndefined();
    expect(window.quantities.get('swaPool')?.nominal).toBe(40);
    const full = only([begin, loaded, split, kv('443023', '20.00')]);
    expect(full.quantities.get('kvPool')?.nominal).toBe(40);
    expect(full.quantities.get('swaPool')).toBeUndefined();
  });

  test('one line of a pair with as many tokens in both is of either', () => {
    const split =
      '[2025-10-01 10:01:00] Use sliding window memory pool. full_layer_tokens=354418, swa_layer_tokens=354418';
    const { quantities, ranks } = only([begin, loaded, split, kv('354418', '20.00')]);
    expect(quantities.get('kvPool')).toBeUndefined();
    expect(quantities.get('swaPool')).toBeUndefined();
    // What was free after loading is no end: a pool was allocated since.
    expect(ranks[0]?.ledger.map(({ id }) => id)).toEqual(['start', 'weights']);
  });
});

describe('stages of a pipeline', () => {
  // Both stages have rest = 40.00 - 78.50 x 0.12 = 30.58 GiB; the second has more bytes per token:
  // 30.58 x 2^30 / 65,536 = 501,023 tokens, of which the first takes 30.58 x 0.8 = 24.46 GiB.
  const rank = (pp: number, free: string, size: string): string[] => [
    `[2025-10-01 10:00:00 PP${pp} TP0] Load weight begin. avail mem=78.50 GB`,
    `[2025-10-01 10:01:00 PP${pp} TP0] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=${free} GB, mem usage=38.00 GB.`,
    `[2025-10-01 10:01:01 PP${pp} TP0] KV Cache is allocated. #tokens: 501023, K size: ${size} GB, V size: ${size} GB`,
  ];

  test('the one with the largest pool decides, with the smallest free memory of all', () => {
    const account = only([...rank(0, '40.00', '12.23'), ...rank(1, '41.00', '15.29')]);
    expect(account.ranks.find(({ isBinding }) => isBinding)?.rank).toBe('PP1 TP0');
    expectAround(account.quantities.get('availableAfterLoad'), 40, 0.021);
    expectAround(account.fraction.implied, 0.88, 0.0015);
  });
});

describe('rows of the request table', () => {
  const small = (running: number): RunAccount =>
    only([
      ...plain.slice(0, 2),
      `[2025-10-01 10:01:06] max_total_num_tokens=3001, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=${running}, context_len=32768, available_gpu_mem=5.80 GB`,
    ]);

  test('are those of all ranks under data-parallel attention with a typed limit', () => {
    const first =
      "[2025-10-01 09:59:30] server_args=ServerArgs(model_path='/m', tp_size=8, dp_size=8, enable_dp_attention=True, page_size=1, max_total_tokens=None, max_running_requests=4096)";
    const summary =
      '[2025-10-01 10:01:06 DP0 TP0] max_total_num_tokens=443023, chunked_prefill_size=1024, max_prefill_tokens=16384, max_running_requests=512, context_len=262144, available_gpu_mem=5.80 GB';
    const table = (log: readonly string[]): Quantity | undefined =>
      only(log).quantities.get('requestToTokenPool');
    // 4096 x 262,148 x 4 B; the usage of a load line is printed up to 0.5.8.post1 without `elapsed=`.
    expectAround(table([first, ...plain, summary]), (4096 * 262148 * 4) / 2 ** 30, 1e-9);
    // Without the typed limit 512 rows or 8 times as many.
    const bounds = table([first.replace(', max_running_requests=4096', ''), ...plain, summary]);
    expect(bounds?.interval.lo).toBeCloseTo((512 * 262148 * 4) / 2 ** 30, 9);
    expect(bounds?.interval.hi).toBeCloseTo((4096 * 262148 * 4) / 2 ** 30, 9);
  });

  test('may be more than printed where a tiny pool halves the requests', () => {
    // 4096 x 32772 x 4 B is possible, 1500 x 32772 x 4 B is the least.
    const table = small(1500).quantities.get('requestToTokenPool')?.interval;
    expect(table?.lo).toBeLessThanOrEqual((1500 * 32772 * 4) / 2 ** 30);
    expect(table?.hi).toBeGreaterThanOrEqual((4096 * 32772 * 4) / 2 ** 30);
  });
});

describe('figures that contradict each other', () => {
  // rest = 21.697 - 93.999 x 0.45 = -20.603; -314811 x 70,272 B = -20.603 GiB.
  const line =
    'DEBUG profile_max_num_token: avail=21.697 GiB, total=93.999 GiB, fraction=0.55, reserved=42.300 GiB, rest=-20.603 GiB, cell_size=70272, max_tokens=-314811';

  const named = (text: string): string[] => {
    const account = only([text]);
    expect(codes(account)).toEqual(['contradiction']);
    return [...terminalWording(account).matchAll(/(\w+) (?:-?[\d.,]+)[^,()]*\(line 1\)/g)].map(
      ([, term = '']) => term,
    );
  };

  test('are none where the line is as it was', () => {
    expect(codes(only([line]))).not.toContain('contradiction');
  });

  test.each([
    // The slack still goes with P and f, the tokens with the cell.
    ['rest=-20.603', 'rest=-10.603', ['rest']],
    ['avail=21.697', 'avail=25.000', ['A']],
    ['max_tokens=-314811', 'max_tokens=-300000', ['profiled', 'bytes_per_token']],
    ['reserved=42.300', 'reserved=40.000', ['slack']],
  ] as const)('%s printed as %s is found out', (before, after, expected) => {
    expect(named(line.replace(before, after)).sort()).toEqual([...expected].sort());
  });

  test('of two that are wrong neither is named', () => {
    const text = line
      .replace('avail=21.697', 'avail=25.000')
      .replace('cell_size=70272', 'cell_size=50000');
    expect(named(text)).toEqual([]);
  });

  test('each that is named resolves it alone', () => {
    const account = only([line.replace('max_tokens=-314811', 'max_tokens=-300000')]);
    const facts = account.budget.facts.filter(({ term }) =>
      [budgetTerms.profiled, budgetTerms.cell].includes(term),
    );
    expect(facts).toHaveLength(2);
    for (const fact of facts) {
      const others = account.budget.facts.filter(other => other !== fact);
      expect(solveWith(others).contradiction).toBeUndefined();
    }
  });
});
