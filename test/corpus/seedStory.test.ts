/**
 * The founding case, end to end on the shared seed logs: figures as the project's README of the log
 * cases states them.
 */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../src/core/account/account';
import { accountOfLog } from '../../src/core/account/account';
import { compareRuns, movedInputs } from '../../src/core/account/compare';
import { readLogText } from '../../src/core/log/readLog';
import type { QuantityId } from '../../src/core/sglang/quantityId';
import type { Quantity } from '../../src/core/units/quantity';
import { sharedFile, withShared } from './sharedFile';

function accounts(name: string, claim?: number): RunAccount[] {
  const reading = readLogText(sharedFile(`logs/${name}`));
  return accountOfLog(reading, claim === undefined ? {} : { claim });
}

function only(name: string, claim?: number): RunAccount {
  const all = accounts(name, claim);
  expect(all).toHaveLength(1);
  return all[0]!;
}

function get(account: RunAccount, id: QuantityId): Quantity {
  const quantity = account.quantities.get(id);
  expect(quantity, id).toBeDefined();
  return quantity!;
}

/** The interval holds the value and is no wider than asked. */
function expectAround(quantity: Quantity | undefined, value: number, widest: number): void {
  expect(quantity).toBeDefined();
  const { lo, hi } = quantity!.interval;
  expect(lo).toBeLessThanOrEqual(value);
  expect(hi).toBeGreaterThanOrEqual(value);
  expect(hi - lo).toBeLessThanOrEqual(widest);
}

withShared(() => {
  describe('the seed story', () => {
    test('the failing run says what is missing and where the floor is', () => {
      const account = only('seed-failing.log');
      expect(account.outcome).toMatchObject({ kind: 'not-enough-memory', phase: 'sizing' });
      expect(get(account, 'restMemory').printed).toBe(-20.603);
      expect(get(account, 'profiledTokens').printed).toBe(-314811);
      expect(get(account, 'bytesPerToken').exact).toEqual(70272n);
      // 1 - A/P with A = rest + 0.45 P and rest = -314811 * 70272 B, which the printed tokens fix.
      const minimum = 0.55 + (314810.5 * 70272) / 2 ** 30 / 93.999;
      expectAround(account.fraction.minimum, minimum, 0.000005);
      expect(account.fraction.minimum?.basis).toBe('proved');
      expect(account.fraction.claimed?.printed).toBe(0.55);
      expect(account.fraction.effective?.printed).toBe(0.55);
      expectAround(account.fraction.implied, 0.55, 0.00003);
    });

    test('the printed token count lies in the interval that the printed inputs allow', () => {
      const account = only('seed-failing.log');
      const row = account.whatIf.row(account.fraction.effective!);
      expectAround(row.tokens, -314811, 25);
    });

    test('the failing run is one problem, and the offered flag is above the floor', () => {
      const { problems, advice } = only('seed-failing.log');
      expect(problems.map(({ code }) => code)).toEqual(['not-enough-memory']);
      expect(advice.kind).toBe('fraction');
      if (advice.kind === 'fraction') {
        expect(advice.row.fraction.nominal).toBeGreaterThan(0.77);
        expect(advice.row.left?.interval.lo).toBeGreaterThanOrEqual(9);
        expect(problems[0]?.fix).toBe(advice.flag);
      }
    });

    test.each(['seed-baseline.log', 'seed-baseline-crlf.log', 'seed-baseline-k8s-ansi.log'])(
      '%s implies 0.88, needs 0.7692 and explains its gap',
      name => {
        const account = only(name);
        expect(account.outcome.kind).toBe('ok');
        expectAround(account.fraction.implied, 0.88, 0.0005);
        expect(account.fraction.implied?.assumptions).toContain('P = begin');
        expectAround(account.fraction.minimum, 1 - 21.71 / 94, 0.0006);
        expect(get(account, 'maxTotalTokens').exact).toEqual(159287n);
        expectAround(get(account, 'bytesPerToken'), 70272, 70);
        // 2048 rows of 262144 + 4 entries of 4 bytes.
        expectAround(get(account, 'requestToTokenPool'), (2048 * (262144 + 4) * 4) / 2 ** 30, 1e-9);
        const binding = account.ranks.find(({ isBinding }) => isBinding);
        // 94.00 - 72.29 - 10.42 - 2.00 - 1.37 - 7.83 = 0.09 GiB.
        expectAround(binding?.quantities.get('unaccounted'), 0.09, 0.07);
        expect(account.ranks).toHaveLength(8);
      },
    );

    test('0.55 claimed for the baseline is a mismatch, 0.88 is none', () => {
      const codes = (claim: number) =>
        only('seed-baseline.log', claim).problems.map(({ code }) => code);
      expect(codes(0.55)).toContain('fraction-mismatch');
      expect(codes(0.88)).not.toContain('fraction-mismatch');
    });

    test('the restart file holds the baseline and then the failing run', () => {
      const [first, second, ...others] = accounts('seed-restart.log');
      expect(others).toHaveLength(0);
      expect(first?.outcome.kind).toBe('ok');
      expect(second?.outcome.kind).toBe('not-enough-memory');
      expect(first?.fraction.implied?.interval).toEqual(
        only('seed-baseline.log').fraction.implied?.interval,
      );
      expect(second && get(second, 'restMemory').printed).toBe(-20.603);
    });

    test('only the fraction moved, and the failing run would get 159,171 tokens at 0.88', () => {
      const comparison = compareRuns(only('seed-baseline.log'), only('seed-failing.log'));
      expect(movedInputs(comparison).map(({ id }) => id)).toEqual(['memFractionEffective']);
      const prediction = comparison.predictions.find(({ run }) => run === 'b');
      expect(prediction?.row.fraction.nominal).toBe(0.88);
      expect(prediction?.row.tokens?.nominal).toBe(159171);
      expectAround(prediction?.row.tokens, 159171, 25);
      // 21.697 - 10.417 - 2.000 - 1.37 = 7.91 GiB.
      expectAround(prediction?.row.left, 7.91, 0.02);
      const advice = prediction?.advice;
      expect(advice?.kind).toBe('fraction');
      if (advice?.kind === 'fraction') {
        // 116 tokens less are 0.008 GiB: free memory of two starts differs by more.
        // python3: 159287 - 0.1 * 2**30 / 70272 = 157759
        expect(advice.row.tokens?.interval.lo).toBeGreaterThanOrEqual(157759);
        expect(advice.row.left?.interval.lo).toBeGreaterThanOrEqual(5);
        expect(advice.row.fraction.nominal).toBe(0.88);
      }
    });

    test('the shares of the difference add up to it', () => {
      const { inputs, difference } = compareRuns(
        only('seed-baseline.log'),
        only('seed-failing.log'),
      );
      const middle = (quantity: Quantity | undefined): number =>
        quantity === undefined ? NaN : (quantity.interval.lo + quantity.interval.hi) / 2;
      const total = inputs.reduce((sum, { share }) => sum + middle(share), 0);
      expect(difference?.exact).toEqual(-474098n);
      expect(Math.abs(total - -474098)).toBeLessThan(800);
    });

    test('taking a ledger line away raises the unaccounted by exactly what it explained', () => {
      const text = sharedFile('logs/seed-baseline.log');
      const without = text
        .split('\n')
        .filter(line => !line.includes('TP0] Capture cuda graph end'))
        .join('\n');
      const ledger = (log: string) => {
        const [account] = accountOfLog(readLogText(log));
        const rank = account?.ranks.find(candidate => candidate.rank === 'TP0');
        const entry = rank?.ledger.find(({ id }) => id === 'unaccounted');
        return (entry!.size.interval.lo + entry!.size.interval.hi) / 2;
      };
      expect(ledger(without) - ledger(text)).toBeCloseTo(1.37, 9);
    });
  });
});
