/** What the hover over a line of a log reads like: short enough to be seen whole. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { logHover } from '../../../src/core/annotate/log/logHover';
import { readLogText } from '../../../src/core/log/readLog';
import { logHoverMarkdown } from '../../../src/wording/logHoverText';

const text =
  'DEBUG profile_max_num_token: avail=21.697 GiB, total=93.999 GiB, fraction=0.55, reserved=42.300 GiB, rest=-20.603 GiB, cell_size=70272, max_tokens=-314811';

function hoverOver(part: string): string {
  const reading = readLogText(text);
  const [account] = accountOfLog(reading);
  const [record] = reading.records;
  if (!account || !record) {
    throw new Error('the line was not read');
  }
  return logHoverMarkdown(
    logHover(account, record, 1, text.indexOf(part) + 1),
    {
      format: { locale: 'en', alsoShow: 'nothing' },
      target: 'markdown',
      length: 'full',
      translate: (words, values) =>
        words.replace(/\{(\w+)\}/g, (_, name: string) => values[name]?.toString() ?? ''),
    },
    line => `line ${line}`,
  );
}

test('a derivation that fits stands on one line, a longer one on two', () => {
  const [, code = ''] = hoverOver('-20.603').split(/\n```text\n|\n```/);
  // python3: 93.999 * (1 - 0.55) = 42.29955; 21.697 - 42.29955 = -20.60255; 1 - 21.697 / 93.999 = 0.76918
  expect(code.split('\n')).toEqual([
    'slack = P * (1 - f) = 93.999 GiB * (1 - 0.55) = 42.300 GiB  ✓ as printed',
    'rest = A - slack = 21.697 GiB - 42.300 GiB = -20.603 GiB  ✓ as printed',
    'profiled = rest * 2 ** 30 // bytes_per_token',
    '         = -20.603 GiB * 2 ** 30 // 70,272 B/token = -314,811 tokens  ✓ as printed',
    'minimum = 1 - A / P = 1 - 21.697 GiB / 93.999 GiB = 0.7692',
  ]);
});

test('the table has the exact bytes of amounts, and nothing that a derivation says already', () => {
  const rows = hoverOver('-20.603')
    .split('\n')
    .filter(row => row.startsWith('| ') && /\d/.test(row));
  expect(rows.map(row => row.split(' | ')[1]?.replace('\u200B', '').trim())).toEqual([
    '21.697 GiB',
    '93.999 GiB',
    '42.300 GiB',
  ]);
  expect(rows.every(row => / ± [\d,]+ B \|$/.test(row))).toBe(true);
});
