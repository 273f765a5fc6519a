/** Solving where a release multiplies the typed fraction: the flag is not what the budget uses. */
import { expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import type { SolvableId } from '../../../src/core/account/solveFor';
import { adviseFraction } from '../../../src/core/account/advice';
import { solveFor } from '../../../src/core/account/solveFor';
import { readLogText } from '../../../src/core/log/readLog';
import { givenQuantity } from '../../../src/core/units/givenQuantity';
import { units } from '../../../src/core/units/unit';
import { terminalWording } from './wording';
import type { Unit } from '../../../src/core/units/unit';

/** A release of early 2025 that takes 0.95 of the typed fraction for models with images: 0.836. */
const account = accountOfLog(
  readLogText(
    [
      "[2025-02-10 09:00:00] server_args=ServerArgs(model_path='/m/Qwen2-VL-7B', tp_size=1, mem_fraction_static=0.88, max_total_tokens=None, speculative_algorithm=None)",
      '[2025-02-10 09:00:01 TP0] Load weight begin. avail mem=78.50 GB',
      '[2025-02-10 09:00:09 TP0] Load weight end. type=Qwen2VLForConditionalGeneration, dtype=torch.bfloat16, avail mem=62.90 GB',
      '[2025-02-10 09:00:09 TP0] KV Cache is allocated. K size: 25.01 GB, V size: 25.01 GB.',
      '[2025-02-10 09:00:09 TP0] Memory pool end. avail mem=12.57 GB',
      '[2025-02-10 09:00:15 TP0] max_total_num_tokens=936715, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2049, context_len=32768',
      '[2025-02-10 09:00:18] The server is fired up and ready to roll!',
      '',
    ].join('\n'),
  ),
)[0]!;

function solved(id: SolvableId, given: SolvableId, value: number, unit: Unit) {
  const result = solveFor(
    account satisfies RunAccount,
    id,
    new Map([[given, givenQuantity(value, unit, given)]]),
  );
  return result.kind === 'value' ? result.quantity.interval : undefined;
}

test('tokens of a typed fraction are those of the fraction in force', () => {
  const { lo, hi } = solved('maxTotalTokens', 'memFractionStatic', 0.88, units.one)!;
  // (62.90 - 78.50 * (1 - 0.88 * 0.95)) * 2**30 / (50.02 * 2**30 / 936716) = 936,828.
  expect([lo <= 936_828, hi >= 936_715, hi - lo < 2000]).toEqual([true, true, true]);
});

test('the fraction to type for so many tokens is above the one in force', () => {
  const typed = solved('memFractionStatic', 'maxTotalTokens', 936_715, units.token)!;
  // 0.836 / 0.95 = 0.88.
  expect([typed.lo <= 0.88, typed.hi >= 0.88, typed.hi - typed.lo < 0.002]).toEqual([
    true,
    true,
    true,
  ]);
  const inForce = solved('memFractionEffective', 'maxTotalTokens', 936_715, units.token)!;
  expect([inForce.lo <= 0.836, inForce.hi >= 0.836, inForce.hi < 0.84]).toEqual([true, true, true]);
});

test('an offered flag is what to type, and its row what the budget then gets', () => {
  const costs = { run: account.run, requestTable: undefined, graphs: undefined };
  const advice = adviseFraction(account.whatIf, account.solution, costs, undefined, 0.95);
  // 78.5 * (1 - 0.92 * 0.95) = 9.89 less the table of 0.25 is above 9; 9.15 - 0.25 at 0.93 is not.
  expect(advice).toMatchObject({ kind: 'fraction', flag: '--mem-fraction-static 0.92' });
  expect(advice.kind === 'fraction' && advice.row.fraction.nominal).toBeCloseTo(0.874, 9);
});

test('a shortage lowers the typed fraction by more than the one in force', () => {
  const failed = accountOfLog(
    readLogText(
      [
        "[2025-02-10 09:00:00] server_args=ServerArgs(model_path='/m/Qwen2-VL-7B', tp_size=1, mem_fraction_static=0.88, max_total_tokens=None, speculative_algorithm=None)",
        '[2025-02-10 09:00:01 TP0] Load weight begin. avail mem=78.50 GB',
        '[2025-02-10 09:00:09 TP0] Load weight end. type=Qwen2VLForConditionalGeneration, dtype=torch.bfloat16, avail mem=62.90 GB',
        '[2025-02-10 09:00:09 TP0] KV Cache is allocated. K size: 25.01 GB, V size: 25.01 GB.',
        '[2025-02-10 09:00:09 TP0] Memory pool end. avail mem=12.57 GB',
        '[2025-02-10 09:00:10 TP0] Capture cuda graph begin. This can take up to several minutes.',
        '[2025-02-10 09:00:15 TP0] Scheduler hit an exception: Traceback (most recent call last):',
        'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.20 GiB is free.',
        '',
      ].join('\n'),
    ),
  )[0]!;
  // 0.80 / (78.5 * 0.95) = 0.010727 of what is typed.
  const by = failed.relief!.lowerBy!.interval;
  expect([by.lo <= 0.010727, by.hi >= 0.010727, by.hi - by.lo < 0.0003]).toEqual([
    true,
    true,
    true,
  ]);
  // 0.836 - 1.80 / 78.5 = 0.81307, so 0.81 in force, and 0.81 / 0.95 = 0.85263 to type.
  expect(failed.relief!.flag).toBe('--mem-fraction-static 0.852');
});

test('an offer says that an early release may lower it for a model with images', () => {
  const failed = (type: string, more = ''): string =>
    [
      `[2025-03-29 18:18:34 TP0] Load weight end. type=${type}, dtype=torch.bfloat16, avail mem=9.64 GB, mem usage=12.82 GB.`,
      `RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.${more}`,
      '',
    ].join('\n');
  const told = (text: string): string => terminalWording(accountOfLog(readLogText(text))[0]!);
  expect(told(failed('Gemma3ForConditionalGeneration'))).toMatch(/0\.3\.5 to 0\.4\.8 take 0\.95/);
  expect(told(failed('LlamaForCausalLM'))).not.toMatch(/models with images/);
  // From 0.5.3rc2 on the error repeats the fraction that it used.
  const late = ' Current value: self.server_args.mem_fraction_static=0.5';
  expect(told(failed('Gemma3ForConditionalGeneration', late))).not.toMatch(/models with images/);
});
