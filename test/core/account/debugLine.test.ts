/** The debug line of the sizing function, alone in any log: recomputed, judged and explained. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { logHover } from '../../../src/core/annotate/log/logHover';
import { logNote } from '../../../src/core/annotate/log/logNote';
import { readLogText } from '../../../src/core/log/readLog';
import { nameOf } from '../../../src/core/terms/explain';

const line = (rest: string, tokens: number): string =>
  `DEBUG profile_max_num_token: avail=21.697 GiB, total=93.999 GiB, fraction=0.55, reserved=42.300 GiB, rest=${rest} GiB, cell_size=70272, max_tokens=${tokens}`;

function read(text: string) {
  const reading = readLogText(text);
  const [account] = accountOfLog(reading);
  const [record] = reading.records;
  if (!account || !record) {
    throw new Error('the line was not read');
  }
  return { account, record };
}

describe('the debug line alone', () => {
  test('is a run that cannot fit, with the floor of the fraction', () => {
    const { account } = read(line('-20.603', -314811));
    expect(account.outcome).toMatchObject({ kind: 'not-enough-memory', phase: 'sizing' });
    expect(account.problems.map(({ code, line: at }) => [code, at])).toEqual([
      ['not-enough-memory', 1],
    ]);
    expect(account.fraction.minimum?.interval.lo.toFixed(4)).toBe('0.7692');
  });

  test('is recomputed, and the printed figures agree', () => {
    const { account, record } = read(
      `noise\n[2026-02-27 12:40:00 TP5] ${line('-20.603', -314811)}`,
    );
    const { derivations } = logHover(account, record, record.line, 0);
    expect(derivations.map(({ formula }) => formula.length > 0)).not.toContain(false);
    expect(derivations.map(({ agrees }) => agrees)).toEqual([true, true, true, undefined]);
    const names = derivations[0]?.formula.map(part =>
      typeof part === 'string' ? part : nameOf(part.term),
    );
    expect(names?.join('')).toBe('totalBeforeLoad * (1 - memFractionEffective)');
  });

  test('a figure that does not follow from the others is said to differ, and contradicts', () => {
    const { account, record } = read(line('-10.603', -314811));
    const { derivations } = logHover(account, record, record.line, 0);
    expect(derivations.map(({ agrees }) => agrees)).toContain(false);
    expect(account.problems.map(({ code }) => code)).toContain('contradiction');
  });

  test('a positive rest has a note with its tokens and is no problem', () => {
    // 21.697 - 93.999 * 0.12 = 10.41712 GiB; 10.41712 * 2^30 // 70272 = 159171 (python3).
    const text =
      'DEBUG profile_max_num_token: avail=21.697 GiB, total=93.999 GiB, fraction=0.88, reserved=11.280 GiB, rest=10.417 GiB, cell_size=70272, max_tokens=159171';
    const { account, record } = read(text);
    expect(account.problems).toEqual([]);
    expect(logNote(account, record)?.id).toBe('note.rest');
  });

  test('a cut line claims nothing', () => {
    expect(readLogText(line('-20.603', -314811).slice(0, 80)).records).toEqual([]);
  });
});
