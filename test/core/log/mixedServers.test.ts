/** Servers that write into one file side by side: no figure of one is joined to a figure of the other. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { cureOf } from '../../../src/core/account/accountCure';
import { summaryMessage } from '../../../src/core/account/accountSummary';
import { readLogText } from '../../../src/core/log/readLog';

/** The lines of one server in order. */
function server(
  free: readonly [begin: string, end: string, pool: string, last: string],
  rank = '',
): readonly string[] {
  const [begin, end, pool, last] = free;
  const at = (message: string): string =>
    `[2026-03-02 08:00:00${rank === '' ? '' : ` ${rank}`}] ${message}`;
  return [
    at(`Load weight begin. avail mem=${begin} GB`),
    at(
      `Load weight end. elapsed=7.00 s, type=AForCausalLM, avail mem=${end} GB, mem usage=9.00 GB.`,
    ),
    at('KV Cache is allocated. #tokens: 200000, K size: 20.00 GB, V size: 20.00 GB'),
    at(`Memory pool end. avail mem=${pool} GB`),
    at(`max_total_num_tokens=200000, context_len=8192, available_gpu_mem=${last} GB`),
  ];
}

const args = (share: number): string =>
  `[2026-03-02 08:00:00] server_args=ServerArgs(model_path='/m/a', tp_size=1, mem_fraction_static=${share})`;
const ready = '[2026-03-02 08:00:09] The server is fired up and ready to roll!';

const one = server(['78.00', '69.00', '28.50', '28.40']);
const other = server(['78.60', '60.00', '19.50', '19.30']);

/** The lines of two servers in the order that the places name: `a` is the next line of the first. */
function woven(order: string, first = one, second = other): readonly string[] {
  const rest = { a: [...first], b: [...second] };
  return Array.from(order).map(who => rest[who === 'a' ? 'a' : 'b'].shift() ?? '');
}

const accountsOf = (lines: readonly string[]) =>
  accountOfLog(readLogText([...lines, ''].join('\n')));

describe('two servers of one rank in one file', () => {
  test.each([
    ['line by line', 'ababababab'],
    ['the second a load later', 'aababababb'],
    ['the second beginning while the first makes its pools', 'aaabaabbbb'],
    ['the first loading all the while', 'abbaabbbaa'],
    ['one load after the other, pools side by side', 'aabbababab'],
  ])('%s have no figures', (_, order) => {
    const lines = [args(0.6), args(0.65), ...woven(order), ready, ready];
    const accounts = accountsOf(lines);
    expect(accounts.map(({ run }) => run.isMixed)).toEqual([true]);
    const [account] = accounts;
    expect(account!.run.lines).toEqual([1, lines.length]);
    expect(account!.ranks).toEqual([]);
    expect([...account!.quantities.keys()]).toEqual([]);
    expect(account!.fraction.claimed).toBeUndefined();
    expect(account!.freed).toBeUndefined();
    expect(account!.problems).toEqual([]);
    expect(account!.table).toEqual([]);
    expect(summaryMessage(account!).id).toBe('verdict.mixed-servers');
  });

  test('of named ranks have none either', () => {
    const lines = woven(
      'ababababab',
      server(['78.00', '69.00', '28.50', '28.40'], 'TP0'),
      server(['78.60', '60.00', '19.50', '19.30'], 'TP0'),
    );
    expect(accountsOf(lines).map(({ run }) => run.isMixed)).toEqual([true]);
  });

  test('leave a start after them alone', () => {
    const accounts = accountsOf([...woven('ababababab'), ready, ready, args(0.6), ...one, ready]);
    expect(accounts.map(({ run }) => run.isMixed)).toEqual([true, false]);
    expect(accounts[1]!.quantities.get('weights')?.nominal).toBe(9);
  });
});

describe('one server', () => {
  const draft = [
    '[2026-03-02 08:00:01] Load weight begin. avail mem=69.00 GB',
    '[2026-03-02 08:00:02] Load weight end. elapsed=1.00 s, type=BForCausalLM, avail mem=68.00 GB, mem usage=1.00 GB.',
  ];

  test.each([
    ['with a draft before its pools', [...one.slice(0, 2), ...draft, ...one.slice(2)], 1],
    ['with a draft that has no line of its beginning', [...one.slice(1, 2), ...draft.slice(1)], 1],
    ['started again after it was killed in its load', [...one.slice(0, 1), ...one], 2],
    ['started again with arguments', [args(0.6), ...one.slice(0, 1), args(0.6), ...one], 2],
    ['of which the log begins after its load began', [...one.slice(1), ready, ...one], 2],
    [
      'of two ranks',
      woven(
        'ababababab',
        server(['78.00', '69.00', '28.50', '28.40'], 'TP0'),
        server(['78.60', '60.00', '19.50', '19.30'], 'TP1'),
      ),
      1,
    ],
  ])('%s is not mixed', (_, lines, runs) => {
    const accounts = accountsOf(lines);
    expect(accounts.map(({ run }) => run.isMixed)).toEqual(new Array(runs).fill(false));
  });
});

test('servers that cannot be told apart are told no cure', () => {
  const failed = 'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.';
  const [account] = accountsOf([args(0.1), ...woven('abab'), failed]);
  expect(account!.run.isMixed).toBe(true);
  expect(cureOf(account!)).toBeUndefined();
});

describe('ranks whose names were cut away', () => {
  /** Each line as often as there are ranks. */
  const times = (count: number, lines: readonly string[]): readonly string[] =>
    lines.flatMap(line => Array.from({ length: count }, () => line));

  test('that print the same have the figures of one, and a word that they are unnamed', () => {
    const elapsed = times(4, one).map((line, index) => line.replace('7.00 s', `7.0${index % 4} s`));
    const accounts = accountsOf([args(0.6), ...elapsed, ready]);
    expect(accounts.map(({ run }) => [run.isMixed, run.copies])).toEqual([[false, 4]]);
    const [account] = accounts;
    const alone = accountsOf([args(0.6), ...one, ready])[0]!;
    for (const id of ['weights', 'kvPool', 'maxTotalTokens', 'finalAvailable'] as const) {
      expect(account!.quantities.get(id)?.interval).toEqual(alone.quantities.get(id)?.interval);
    }
    expect(account!.fraction.implied?.interval).toEqual(alone.fraction.implied?.interval);
    expect(summaryMessage(account!)).toMatchObject({
      id: 'verdict.unnamed-ranks',
      arguments: { count: 4, verdict: { id: 'verdict.ok' } },
    });
  });

  test('have none where one line differs, arguments of two servers stand there, or some failed', () => {
    const lines = times(2, one);
    const changed = [...lines.slice(0, -1), (lines.at(-1) ?? '').replace('28.40', '28.39')];
    const failed = 'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.';
    for (const mixed of [
      [args(0.6), ...changed],
      [args(0.6), args(0.6), ...lines],
      [args(0.6), ...lines.slice(0, 4), failed],
    ]) {
      expect(accountsOf(mixed).map(({ run }) => run.isMixed)).toEqual([true]);
    }
  });
});
