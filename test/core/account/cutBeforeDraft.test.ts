/** A start with a draft model whose log stops before the draft's pool. Figures are calculated beside them. */
import { expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { assumptions } from '../../../src/core/account/assumption';
import { readLogText } from '../../../src/core/log/readLog';
import { budgetTerms } from '../../../src/core/sglang/budgetFormula';
import type { Interval } from '../../../src/core/units/interval';
import { units } from '../../../src/core/units/unit';
import { exactly } from '../python/python';
import { terminalWording } from './wording';

const at = '[2026-08-01 10:00';

/** 0.5.14 and later; the budget of 61.60 - 78.57 * 0.14 = 50.60 GiB counts 36 layers and one of the draft. */
function account(
  algorithm: string,
  ...more: readonly (string | { readonly typed: number })[]
): RunAccount {
  const end = more.filter(one => typeof one === 'string');
  const typed = more.find(one => typeof one !== 'string')?.typed ?? 0.86;
  const lines = [
    `${at}:01] server_args=ServerArgs(model_path='/m/q8', tp_size=1, mem_fraction_static=${typed}, speculative_algorithm=${algorithm}, page_size=1, max_total_tokens=None)`,
    `${at}:03] Load weight begin. avail mem=78.57 GB`,
    `${at}:04] Load weight end. elapsed=12.10 s, type=Qwen3ForCausalLM, avail mem=63.10 GB, mem usage=15.47 GB.`,
    `${at}:05] Load weight begin. avail mem=63.10 GB`,
    `${at}:06] Load weight end. elapsed=1.10 s, type=LlamaForCausalLMEagle3, avail mem=61.60 GB, mem usage=1.50 GB.`,
    `${at}:08] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 358514, K size: 24.62 GB, V size: 24.62 GB`,
    `${at}:09] Memory pool end. avail mem=12.36 GB`,
    ...end,
    '',
  ];
  return accountOfLog(readLogText(lines.join('\n')))[0]!;
}

/** True for an interval that holds the value and is known to a part in 250. */
function isAround(interval: Interval | undefined, value: number): boolean {
  return (
    interval !== undefined &&
    interval.lo <= value &&
    value <= interval.hi &&
    interval.hi - interval.lo < value / 250
  );
}

test('the pool of the target alone bounds the fraction on one side, and denies no claim', () => {
  const { fraction, problems } = account("'EAGLE3'");
  // python3: 1 - (61.60 - 49.24) / 78.57 = 0.8427
  const { lo, hi } = fraction.implied!.interval;
  expect([lo > 0.841, lo < 0.8427, hi]).toEqual([true, true, Infinity]);
  expect(problems.map(({ code }) => code)).not.toContain('fraction-mismatch');
});

test('what other fractions give follows from the fraction as typed, which is named', () => {
  const { whatIf, solution } = account("'EAGLE3'");
  const row = whatIf.row(exactly(0.9, units.one));
  // python3: (61.60 - 78.57 * 0.10) / (61.60 - 78.57 * 0.14) * 358514 = 380781
  expect(isAround(row.tokens?.interval, 380_781)).toBe(true);
  expect(row.tokens?.assumptions).toContain(assumptions.fractionAsTyped);
  // python3: (61.60 - 78.57 * 0.14) * 2 ** 30 // 358514 = 151548
  expect(isAround(solution.quantityOf(budgetTerms.cell)?.interval, 151_548)).toBe(true);
});

test('a typed fraction below what the pools take tells nothing of a draft', () => {
  const { fraction, whatIf } = account("'EAGLE3'", { typed: 0.8 });
  expect(fraction.implied?.interval.hi).toBe(Infinity);
  expect(whatIf.row(exactly(0.9, units.one)).tokens?.assumptions ?? []).not.toContain(
    assumptions.fractionAsTyped,
  );
});

test('with the line of the draft’s pool both sides are known, as far as the release is', () => {
  const pool = `${at}:10] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 358514, K size: 0.68 GB, V size: 0.68 GB`;
  const { lo, hi } = account("'EAGLE3'", pool).fraction.implied!.interval;
  expect([lo <= 0.86, hi >= 0.86, hi - lo < 0.02]).toEqual([true, true, true]);
});

test('a draft that shares the target’s pool has none to wait for', () => {
  const { lo, hi } = account("'FROZEN_KV_MTP'").fraction.implied!.interval;
  expect([lo < 0.8427, hi > 0.8427, hi - lo < 0.003]).toEqual([true, true, true]);
});

test('a shortage at the draft’s pool is counted from the fraction as typed', () => {
  const found = account(
    "'EAGLE3'",
    `${at}:20] Scheduler hit an exception: Traceback (most recent call last):`,
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.37 GiB. GPU 0 has a total capacity of 79.11 GiB of which 0.91 GiB is free.',
  );
  // python3: 0.86 - (1.37 - 0.91) / 78.57 = 0.8541
  const { lo, hi } = found.fraction.maximum!.interval;
  expect([lo <= 0.8541, hi >= 0.8541, hi - lo < 0.001]).toEqual([true, true, true]);
  expect(terminalWording(found)).toContain('Set --mem-fraction-static 0.84: ');
  // python3: (61.60 - 78.57 * 0.16) / (61.60 - 78.57 * 0.14) * 358514 = 347380
  const { tokens } = found.whatIf.row(exactly(0.84, units.one));
  expect(isAround(tokens?.interval, 347_380)).toBe(true);
});

test('a pool whose label says that it has a window pool beside it is not all of the budget', () => {
  const lines = [
    `${at}:01] server_args=ServerArgs(model_path='/m/w', tp_size=1, mem_fraction_static=0.85, page_size=1, max_total_tokens=None)`,
    `${at}:03] Load weight begin. avail mem=78.30 GB`,
    `${at}:04] Load weight end. elapsed=12.10 s, type=GptOssForCausalLM, avail mem=60.90 GB, mem usage=17.40 GB.`,
    `${at}:08] Full KV Cache is allocated. dtype: torch.bfloat16, #tokens: 3086392, K size: 13.25 GB, V size: 13.25 GB`,
    `${at}:09] Memory pool end. avail mem=13.20 GB`,
    '',
  ];
  const [run] = accountOfLog(readLogText(lines.join('\n')));
  expect(run?.fraction.implied).toBeUndefined();
  expect(run?.problems).toEqual([]);
  // python3: 60.90 - 78.30 * 0.15 = 49.155
  const { lo, hi } = run?.table.find(row => row.fraction.nominal === 0.85)?.pool?.interval ?? {
    lo: 0,
    hi: 0,
  };
  expect([lo <= 49.155, hi >= 49.155, hi - lo < 0.15]).toEqual([true, true, true]);
});
