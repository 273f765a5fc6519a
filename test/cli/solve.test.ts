/** `solve`: what stays as it is when something is supposed, and which input is missing. */
import { describe, expect, test } from 'vitest';
import { file, kvlens, kvlensJson } from './kvlens';

interface Solved {
  readonly result: { readonly lo: number; readonly hi: number } | null;
  readonly missing?: readonly string[];
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
});
