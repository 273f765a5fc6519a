/**
 * Taking a line away raises what nobody explains by exactly what the line explained: over every
 * entry of every ledger of the log cases.
 */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../src/core/account/account';
import type { LedgerEntry } from '../../src/core/account/ledger';
import { readLogText } from '../../src/core/log/readLog';
import { accountCases } from './logAccountCases';
import { sharedFile, withShared } from './sharedFile';

type Ledgers = ReadonlyMap<string, readonly LedgerEntry[]>;

function ledgersOf(text: string): Ledgers {
  return new Map(
    accountOfLog(readLogText(text)).flatMap(({ ranks }, run) =>
      ranks.map(({ rank, ledger }) => [`${run} ${rank}`, ledger] as const),
    ),
  );
}

const middle = ({ size }: LedgerEntry): number => (size.interval.lo + size.interval.hi) / 2;

const bounds: ReadonlySet<string> = new Set(['start', 'end', 'unaccounted']);

/** Start, end and all entries but one, as text: what has to stay as it was. */
function others(ledger: readonly LedgerEntry[], without: LedgerEntry | undefined): string {
  return ledger
    .filter(entry => entry !== without && entry.id !== 'unaccounted')
    .map(entry => `${entry.id} ${middle(entry)}`)
    .join('\n');
}

withShared(() => {
  test('a line taken away raises the unaccounted by exactly what it explained', () => {
    const taken = new Set<string>();
    let checks = 0;
    for (const name of Object.keys(accountCases)) {
      const text = sharedFile(`logs/${name}`).replaceAll('\r\n', '\n');
      const lines = text.split('\n');
      const before = ledgersOf(text);
      const tried = new Set<number>();
      for (const [rank, ledger] of before) {
        for (const entry of ledger.filter(({ id }) => !bounds.has(id))) {
          const line = entry.lines.at(-1);
          if (line === undefined || tried.has(line) || tried.size >= 12) {
            continue;
          }
          tried.add(line);
          const next = lines[line] ?? '';
          // A wrapped message goes as a whole.
          const isWrapped = /^\s*(?:K size|conv_state|avail mem|KV size)/.test(next);
          const rest = lines.filter((_, at) => at !== line - 1 && !(isWrapped && at === line));
          const after = ledgersOf(rest.join('\n')).get(rank) ?? [];
          const [old, now] = [ledger, after].map(all => all.find(({ id }) => id === 'unaccounted'));
          if (old && now && others(ledger, entry) === others(after, undefined)) {
            expect(middle(now) - middle(old), `${name} ${rank} ${entry.id}`).toBeCloseTo(
              middle(entry),
              9,
            );
            taken.add(entry.id);
            checks += 1;
          }
        }
      }
    }
    expect([...taken].sort()).toEqual(
      expect.arrayContaining(['draftPool', 'graphMemory', 'kvPool', 'statePool', 'weights']),
    );
    expect(checks).toBeGreaterThan(50);
  });
});
