/** The account of every case of ../shared/logs against the figures that its log alone gives. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../src/core/account/account';
import { accountOfLog } from '../../src/core/account/account';
import { readLogText } from '../../src/core/log/readLog';
import type { QuantityId } from '../../src/core/sglang/quantityId';
import type { Quantity } from '../../src/core/units/quantity';
import type { ExpectedRun, Figure } from './logAccountCases';
import { accountCases } from './logAccountCases';
import { hasShared, sharedFile, sharedPath, withShared } from './sharedFile';

function accountsOf(name: string, claim?: number): RunAccount[] {
  return accountOfLog(
    readLogText(sharedFile(`logs/${name}`)),
    claim === undefined ? {} : { claim },
  );
}

function expectFigure(quantity: Quantity | undefined, figure: Figure, what: string): void {
  expect(quantity, what).toBeDefined();
  const { lo, hi } = quantity!.interval;
  if ('atLeast' in figure) {
    expect([lo, hi], what).toEqual([expect.any(Number), Infinity]);
    expect(lo, what).toBeGreaterThanOrEqual(figure.atLeast);
  } else if ('atMost' in figure) {
    expect(hi, what).toBeLessThanOrEqual(figure.atMost);
    expect(lo, what).toBeLessThanOrEqual(0);
  } else {
    const [value, widest] = figure;
    expect(lo, what).toBeLessThanOrEqual(value);
    expect(hi, what).toBeGreaterThanOrEqual(value);
    expect(hi - lo, `width of ${what}`).toBeLessThanOrEqual(widest * (1 + 1e-9));
  }
}

const fractions = ['claimed', 'effective', 'implied', 'minimum', 'maximum'] as const;

function checkRun(account: RunAccount, expected: ExpectedRun): void {
  const { outcome, quantities, fraction, problems, ranks } = account;
  expect([outcome.kind, outcome.phase]).toEqual(expected.verdict);
  for (const [id, figure] of Object.entries(expected.quantities ?? {})) {
    expectFigure(quantities.get(id as QuantityId), figure, id);
  }
  for (const which of fractions) {
    const figure = expected.fraction?.[which];
    if (figure === undefined) {
      expect(fraction[which], which).toBeUndefined();
    } else {
      expectFigure(fraction[which], figure, which);
    }
  }
  expect(problems.map(({ code }) => code)).toEqual(expected.problems ?? []);
  for (const id of expected.absent ?? []) {
    expect(quantities.get(id), `${id} cannot be known`).toBeUndefined();
  }
  const binding = ranks.find(({ isBinding }) => isBinding);
  if (expected.binding !== undefined) {
    expect(binding?.rank).toBe(expected.binding);
  }
  if (expected.unaccounted !== undefined) {
    const own = (binding ?? ranks[0])?.ledger.find(({ id }) => id === 'unaccounted');
    expectFigure(own?.size, expected.unaccounted, 'unaccounted');
  }
}

withShared(() => {
  test('every log of the material has an account case', () => {
    const files = hasShared
      ? readdirSync(sharedPath('logs')).filter(name => name.endsWith('.log'))
      : ['the material is missing'];
    expect(Object.keys(accountCases).sort()).toEqual(files.sort());
  });

  describe.each(Object.entries(accountCases))('%s', (name, runs) => {
    test.each(runs.map((run, index) => [index, run] as const))(
      'run %i has its verdict, figures and problems',
      (index, expected) => {
        const accounts = accountsOf(name);
        expect(accounts).toHaveLength(runs.length);
        checkRun(accounts[index]!, expected);
      },
    );

    test('what was printed lies in what the account says of it', () => {
      for (const { ranks } of accountsOf(name)) {
        for (const { ledger, figures } of ranks) {
          const entries = ledger.filter(({ id }) => id !== 'start' && id !== 'end');
          const sum = entries.reduce((total, { size }) => total + middle(size), 0);
          const [start, end] = ['start', 'end'].map(id => ledger.find(entry => entry.id === id));
          if (start && end) {
            // The ledger balances: start less every entry is the end.
            expect(middle(start.size) - sum - middle(end.size)).toBeCloseTo(0, 6);
          }
          for (const pool of [figures.kvPool, figures.swaPool, ...figures.draftPools]) {
            const parts = pool?.parts ?? [];
            if (pool !== undefined && parts.length === 2) {
              const total = parts.reduce((all, { quantity }) => all + middle(quantity), 0);
              expect(middle(pool.size.quantity)).toBeCloseTo(total, 9);
            }
          }
        }
      }
    });

    test('no run contradicts itself', () => {
      for (const { solution } of accountsOf(name)) {
        expect(solution.contradiction?.facts).toBeUndefined();
      }
    });
  });
});

function middle({ interval }: Quantity): number {
  return (interval.lo + interval.hi) / 2;
}
