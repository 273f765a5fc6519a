/** `solve`: what stays as it is when something is supposed, and which input is missing. */
import { describe, expect, test } from 'vitest';
import { file, kvlens, kvlensJson } from './kvlens';

interface Solved {
  readonly result: { readonly lo: number; readonly hi: number } | null;
  readonly missing?: readonly string[];
  readonly reason?: string;
}

/** 131,072 bytes per token: 422,455 tokens in 51.57 GiB. */
const served = [
  "[2026-03-01 10:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=1, pp_size=1, dp_size=1, mem_fraction_static=0.85, max_total_tokens=None, page_size=1)",
  '[2026-03-01 10:00:06] Load weight begin. avail mem=78.48 GB',
  '[2026-03-01 10:00:16] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.34 GB, mem usage=15.14 GB.',
  '[2026-03-01 10:00:16] KV Cache is allocated. #tokens: 422455, K size: 25.78 GB, V size: 25.78 GB',
  '[2026-03-01 10:00:16] Memory pool end. avail mem=10.77 GB',
  '',
].join('\n');

/** 12 full and 12 window layers of 2,048 B a token each. */
const windowed = [
  "[2026-05-20 10:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=1, pp_size=1, dp_size=1, mem_fraction_static=0.85, max_total_tokens=None, page_size=1, swa_full_tokens_ratio=0.8, max_running_requests=None, disable_radix_cache=False)",
  '[2026-05-20 10:00:06] Load weight begin. avail mem=78.48 GB',
  '[2026-05-20 10:00:16] Load weight end. elapsed=9.10 s, type=GptOssForCausalLM, avail mem=63.34 GB, mem usage=15.14 GB.',
  '[2026-05-20 10:00:16] Use sliding window memory pool. full_layer_tokens=1251689, swa_layer_tokens=1001351',
  '[2026-05-20 10:00:16] KV Cache is allocated. #tokens: 1001351, K size: 11.46 GB, V size: 11.46 GB',
  '[2026-05-20 10:00:16] KV Cache is allocated. #tokens: 1251689, K size: 14.32 GB, V size: 14.32 GB',
  '[2026-05-20 10:00:16] SWAKVPool mem usage: 51.57 GB, swa size: 1001351, full size: 1251689',
  '[2026-05-20 10:00:16] Memory pool end. avail mem=11.67 GB',
  '[2026-05-20 10:00:30] max_total_num_tokens=1251689, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=9.50 GB',
  '',
].join('\n');

/** Slots of 60 MiB that take 0.9 to 1 of the rest, 32,768 B a token. */
const hybrid = [
  "[2026-02-25 10:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=1, pp_size=1, dp_size=1, mem_fraction_static=0.85, max_total_tokens=None, page_size=1, mamba_full_memory_ratio=0.9, max_mamba_cache_size=None, disable_radix_cache=False)",
  '[2026-02-25 10:00:06] Load weight begin. avail mem=78.48 GB',
  '[2026-02-25 10:00:16] Load weight end. elapsed=9.10 s, type=Qwen3NextForCausalLM, dtype=torch.bfloat16, avail mem=63.34 GB, mem usage=15.14 GB.',
  '[2026-02-25 10:00:16] Mamba Cache is allocated. max_mamba_cache_size: 416, conv_state size: 0.37GB, ssm_state size: 24.00GB ',
  '[2026-02-25 10:00:16] KV Cache is allocated. #tokens: 891060, K size: 13.60 GB, V size: 13.60 GB',
  '[2026-02-25 10:00:16] Memory pool end. avail mem=11.67 GB',
  '',
].join('\n');

/** Two replicas of the server above, to the end. */
const replicated = [
  "[2026-02-25 10:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=1, pp_size=1, dp_size=2, mem_fraction_static=0.85, max_total_tokens=None, page_size=1, enable_dp_attention=False)",
  '[2026-02-25 10:00:06 DP0] Load weight begin. avail mem=78.48 GB',
  '[2026-02-25 10:00:06 DP1] Load weight begin. avail mem=78.48 GB',
  '[2026-02-25 10:00:16 DP0] Load weight end. elapsed=9.10 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.34 GB, mem usage=15.14 GB.',
  '[2026-02-25 10:00:16 DP1] Load weight end. elapsed=9.10 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.34 GB, mem usage=15.14 GB.',
  '[2026-02-25 10:00:16 DP0] KV Cache is allocated. #tokens: 422444, K size: 25.78 GB, V size: 25.78 GB',
  '[2026-02-25 10:00:16 DP1] KV Cache is allocated. #tokens: 422444, K size: 25.78 GB, V size: 25.78 GB',
  '[2026-02-25 10:00:16 DP0] Memory pool end. avail mem=10.77 GB',
  '[2026-02-25 10:00:16 DP1] Memory pool end. avail mem=10.77 GB',
  '[2026-02-25 10:00:26 DP0] Capture cuda graph begin. This can take up to several minutes. avail mem=10.50 GB',
  '[2026-02-25 10:00:30 DP0] Capture cuda graph end. Time elapsed: 4.00 s. mem usage=1.00 GB. avail mem=9.50 GB.',
  '[2026-02-25 10:00:30 DP0] max_total_num_tokens=422444, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=9.50 GB',
  '[2026-02-25 10:00:30 DP1] max_total_num_tokens=422444, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=9.50 GB',
  '',
].join('\n');

const onlyArguments =
  "[2026-03-01 10:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=1, mem_fraction_static=0.85, max_total_tokens=None, page_size=1)\n";

function expectAround(solved: Solved, value: number, widest: number): void {
  const { lo, hi } = solved.result ?? { lo: NaN, hi: NaN };
  expect(lo).toBeLessThanOrEqual(value);
  expect(hi).toBeGreaterThanOrEqual(value);
  expect(hi - lo).toBeLessThan(widest);
}

describe('solve', () => {
  test('keeps the fraction in force when other memory is supposed', async () => {
    const log = file('served.log', served);
    const set = ['--set', 'availableAfterLoad=58'];
    const solved = (await kvlensJson('solve', log, '--for', 'maxTotalTokens', ...set)) as Solved;
    // (58 - 78.48 * 0.15) * 2**30 / 131072
    expectAround(solved, 378699, 1000);
  });

  test('gives the free memory that so many tokens need, in place of what the log says', async () => {
    const log = file('needs.log', served);
    const set = ['--set', 'maxTotalTokens=400000'];
    const solved = (await kvlensJson(
      'solve',
      log,
      '--for',
      'availableAfterLoad',
      ...set,
    )) as Solved;
    // 400000 * 131072 / 2**30 + 78.48 * 0.15
    expectAround(solved, 60.6001, 0.1);
  });

  test('names what is missing and exits with 1', async () => {
    const log = file('arguments.log', onlyArguments);
    const asked = ['solve', log, '--for', 'maxTotalTokens', '--set', 'memFractionStatic=0.85'];
    const { code, stdout, stderr } = await kvlens(...asked);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /\?\n {2}missing: totalBeforeLoad, availableAfterLoad, bytesPerToken \(/,
    );
    expect(stderr).toBe('');
    const { result, missing } = (await kvlensJson(...asked)) as Solved;
    expect(result).toBeNull();
    expect(missing).toEqual(['totalBeforeLoad', 'availableAfterLoad', 'bytesPerToken']);
  });

  test('answers once all that was missing is given', async () => {
    const log = file('all.log', onlyArguments);
    const settings = [
      'memFractionStatic=0.9',
      'totalBeforeLoad=78.5',
      'availableAfterLoad=60',
      'bytesPerToken=131072',
    ].flatMap(setting => ['--set', setting]);
    const solved = (await kvlensJson(
      'solve',
      log,
      '--for',
      'maxTotalTokens',
      ...settings,
    )) as Solved;
    // floor((60 - 78.5 * 0.1) * 2**30) // 131072
    expectAround(solved, 427212, 2);
  });

  const solve = async (log: string, asked: string, ...set: string[]): Promise<Solved> =>
    (await kvlensJson(
      'solve',
      file('asked.log', log),
      '--for',
      asked,
      ...set.flatMap(setting => ['--set', setting]),
    )) as Solved;

  test('gives the tokens of a window pool at another fraction, and the fraction that they need', async () => {
    // Full 24,576 B a token, window 0.8 of the tokens: 44,236.8 B. rest = 63.34 - 78.48 * 0.2.
    expectAround(await solve(windowed, 'swaTokens', 'memFractionStatic=0.8'), 925154, 2500);
    expectAround(await solve(windowed, 'fullTokens', 'memFractionStatic=0.8'), 1156443, 2500);
    expectAround(await solve(windowed, 'kvPool', 'memFractionStatic=0.8'), 26.4689, 0.25);
    expectAround(await solve(windowed, 'swaPool', 'memFractionStatic=0.8'), 21.1751, 0.15);
    expectAround(await solve(windowed, 'memFractionStatic', 'swaTokens=925154'), 0.8, 0.003);
  });

  test('gives the slots of a state pool by its share, and the tokens beside so many slots', async () => {
    // Slots of 60 MiB, 0.9 / 1.9 of the rest: floor(47.644 * 0.9 / 1.9 * 1024 / 60).
    expectAround(await solve(hybrid, 'stateSlots', 'memFractionStatic=0.8'), 385, 10);
    // (51.568 - 200 * 60 / 1024) * 2**30 / 32768
    expectAround(await solve(hybrid, 'maxTotalTokens', 'stateSlots=200'), 1305780, 5000);
    // 1 - (63.34 - 900000 * 32768 / 2**30 * 1.9) / 78.48
    expectAround(await solve(hybrid, 'memFractionStatic', 'maxTotalTokens=900000'), 0.85786, 0.01);
    // (51.568 - 10**6 * 32768 / 2**30) * 1024 / 60 = 359.26
    expectAround(await solve(hybrid, 'stateSlots', 'maxTotalTokens=1000000'), 359, 4);
  });

  test('gives the tokens of all replicas, the weights and what stays free', async () => {
    // 2 * floor(47.644 * 2**30 / 131072)
    expectAround(await solve(replicated, 'clusterTokens', 'memFractionStatic=0.8'), 780598, 1500);
    // 78.48 * 0.85 - 400000 * 131072 / 2**30, and the other way round.
    expectAround(await solve(replicated, 'weights', 'maxTotalTokens=400000'), 17.8799, 0.4);
    expectAround(await solve(replicated, 'maxTotalTokens', 'weights=20'), 382631, 3000);
    // 9.50 + 78.48 * 0.05; with less free after loading the slack stays what it was.
    expectAround(await solve(replicated, 'finalAvailable', 'memFractionStatic=0.8'), 13.424, 0.2);
    expectAround(await solve(replicated, 'finalAvailable', 'availableAfterLoad=60'), 9.5, 0.2);
    expectAround(await solve(replicated, 'memFractionStatic', 'finalAvailable=15'), 0.77992, 0.003);
  });

  test('says why a quantity has no link to the budget of this run', async () => {
    const asked: readonly (readonly [string, string, RegExp])[] = [
      ['swaTokens', 'memFractionStatic=0.8', /no pool of a sliding window/],
      ['clusterTokens', 'memFractionStatic=0.8', /one replica: maxTotalTokens is all/],
      ['finalAvailable', 'memFractionStatic=0.8', /does not show what is free at the end/],
      ['maxTotalTokens', 'swaTokens=1000', /no pool of a sliding window/],
    ];
    for (const [id, set, reason] of asked) {
      const { result, reason: said } = await solve(served, id, set);
      expect(result).toBeNull();
      expect(said).toMatch(reason);
    }
  });

  test('gives what a log prints of a quantity that no equation has', async () => {
    const printed = await solve(replicated, 'graphMemory');
    expect(printed.result).toMatchObject({ value: 1, unit: 'GiB' });
    const supposed = await solve(replicated, 'graphMemory', 'memFractionStatic=0.8');
    expect([supposed.result, supposed.reason]).toEqual([
      null,
      'no equation of the budget gives it from others: only a log prints it',
    ]);
    expect((await solve(served, 'loraPool')).reason).toMatch(/does not print it/);
    const { code, stderr } = await kvlens('solve', file('x.log', served), '--for', 'kvpool');
    expect([code, stderr.startsWith('kvlens: kvpool: unknown; one of ')]).toEqual([2, true]);
  });

  test('refuses more free memory after loading than before, and tells where an answer is that', async () => {
    const log = file('grows.log', served);
    const set = ['--set', 'availableAfterLoad=80'];
    const { code, stderr, stdout } = await kvlens('solve', log, '--for', 'maxTotalTokens', ...set);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/80\.00 GiB free after loading is more than the .*78\.48 GiB/);
    const { result, reason } = await solve(served, 'availableAfterLoad', 'maxTotalTokens=700000');
    // 700000 * 131072 / 2**30 + 78.48 * 0.15 = 97.22
    expectAround({ result }, 97.2217, 0.2);
    expect(reason).toMatch(/more than the .* free before loading/);
    const fraction = await solve(served, 'memFractionStatic', 'maxTotalTokens=700000');
    expect(fraction.reason).toMatch(/above 1/);
  });
});
