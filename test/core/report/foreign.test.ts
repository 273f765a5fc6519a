/** Text of a log that was written to act: in the report that is pasted, and in the file that is saved. */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { runReport } from '../../../src/core/report/runReport';
import { defaultFormat } from '../../../src/core/units/format';
import { savedPage } from '../../../src/webview/savedPage';
import type { RenderOptions } from '../../../src/wording/render';
import { reportMarkdown } from '../../../src/wording/reportText';
import { sharedFile, withShared } from '../../corpus/sharedFile';
import { accountCases } from '../../corpus/logAccountCases';
import { modelOfAccount } from '../../ui/pageModels';

const options: RenderOptions = {
  format: defaultFormat,
  target: 'markdown',
  length: 'full',
  translate: (text, values) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
};

const hostile: readonly string[] = [
  '</script><script>document.title=1</script>',
  '<img/src=x/onerror=alert(1)>',
  '[x](command:workbench.action.quit)',
  '`|**x**|`',
  '\u202egnp.exe\u2066\u200f',
  'nul\u0000\u0007\u001b[31mred',
  'x'.repeat(5000),
  '${7*7}{{7*7}}',
];

/** A run that fails, with the text wherever a log can carry it. */
function accountWith(text: string): RunAccount {
  const log = [
    `[2026-02-27 12:29:40] server_args=ServerArgs(model_path='${text}', tokenizer_path='${text}', mem_fraction_static=0.55, tp_size=2, kv_cache_dtype='${text}')`,
    '[2026-02-27 12:30:08 TP0] Load weight begin. avail mem=94.00 GB',
    `[2026-02-27 12:30:08 TP1 ${text}] Load weight begin. avail mem=94.00 GB`,
    `[2026-02-27 12:39:56 TP0] Load weight end. elapsed=588.70 s, type=${text}, dtype=torch.bfloat16, avail mem=21.70 GB, mem usage=72.30 GB.`,
    `RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. ${text}`,
    `[2026-02-27 12:39:57 TP0] Scheduler hit an exception: ${text}`,
  ].join('\n');
  const account = accountOfLog(readLogText(log)).at(-1);
  expect(account).toBeDefined();
  return account!;
}

describe('text of a log that was written to act', () => {
  test.each(hostile)('does nothing in Markdown: %j', text => {
    const markdown = reportMarkdown(runReport(accountWith(text)), options);
    expect(markdown).not.toMatch(/<(?:script|img|\/)/);
    expect(markdown).not.toMatch(/\]\(command:/);
    expect(markdown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u2066-\u2069\u200f]/);
    expect(Math.max(...markdown.split('\n').map(line => line.length))).toBeLessThan(2000);
  });

  test.each(hostile)('does nothing in a saved file: %j', text => {
    const model = modelOfAccount(accountWith(text));
    const file = savedPage({ ...model, title: text, subtitle: text, notice: text }, '');
    expect(file).not.toMatch(/<(?:script|img|a) ?/);
    expect(file).not.toMatch(/<[^>]* on\w+=/);
    expect(file).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069\u200f]/);
  });
});

withShared(() => {
  describe('the Markdown of every log', () => {
    test.each(Object.keys(accountCases))('has whole tables: %s', name => {
      for (const account of accountOfLog(readLogText(sharedFile(`logs/${name}`)))) {
        const lines = reportMarkdown(runReport(account), options).split('\n');
        let columns = 0;
        for (const line of lines) {
          const cells = line.startsWith('|') ? line.split(/(?<!\\)\|/).length - 2 : 0;
          // Every row of a table has as many cells as its head.
          if (cells > 0 && columns > 0) expect([line, cells]).toEqual([line, columns]);
          columns = cells;
        }
        const fences = lines.filter(line => line.startsWith('```')).length;
        expect(fences % 2).toBe(0);
      }
    });
  });
});
