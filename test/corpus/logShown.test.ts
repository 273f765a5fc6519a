/**
 * What is shown of the log cases: each note once a run, each problem once a run with its cure in
 * the first sentence, and in the report the launch to paste and what the attempt cost.
 */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../src/core/account/account';
import { accountOfLog } from '../../src/core/account/account';
import { logNote } from '../../src/core/annotate/log/logNote';
import { readLogText } from '../../src/core/log/readLog';
import { runReport } from '../../src/core/report/runReport';
import { defaultFormat } from '../../src/core/units/format';
import { render } from '../../src/wording/render';
import type { RenderOptions } from '../../src/wording/render';
import { reportTerminal } from '../../src/wording/reportText';
import { accountCases } from './logAccountCases';
import { sharedFile, withShared } from './sharedFile';

const options: RenderOptions = {
  format: defaultFormat,
  target: 'plain',
  length: 'full',
  translate: (text, values) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
};

const accountsOf = (name: string): RunAccount[] =>
  accountOfLog(readLogText(sharedFile(`logs/${name}`)));

/** Notes that every rank could repeat. */
const once = ['note.bytes-per-token', 'note.gap', 'note.requests', 'note.minimum', 'note.rest'];

withShared(() => {
  describe.each(Object.keys(accountCases))('%s', name => {
    test('notes and problems are there once a run', () => {
      for (const account of accountsOf(name)) {
        const notes = account.run.records.flatMap(record => logNote(account, record)?.id ?? []);
        for (const id of once) {
          expect(notes.filter(note => note === id).length, id).toBeLessThanOrEqual(1);
        }
        const codes = account.problems.map(({ code }) => code);
        expect(new Set(codes).size).toBe(codes.length);
      }
    });

    test('a failure for want of memory is told first, then what to do about it', () => {
      for (const { problems, shortage, outcome } of accountsOf(name)) {
        const isSizing = outcome.kind === 'not-enough-memory';
        for (const { code, message } of problems) {
          if (code === 'not-enough-memory' && (isSizing || shortage !== undefined)) {
            const text = render(message, options);
            expect(text).toMatch(/^(?:Not enough|Out of) memory/);
            expect(text.slice(0, 100)).toMatch(/[.:]/);
          }
        }
      }
    });
  });

  test('the report of the failing seed has the launch to paste and what the attempt cost', () => {
    const [account] = accountsOf('seed-failing.log');
    const text = reportTerminal(runReport(account!), options);
    expect(text).toContain(
      'python3 -m sglang.launch_server --model-path /models/kimi-k2.5-int4 --trust-remote-code --tp-size 8 --chunked-prefill-size 8192 --cuda-graph-max-bs 128 --mem-fraction-static 0.9',
    );
    // 12:29:40 to 12:40:00.
    expect(text).toMatch(/This attempt took 620(?:\.0)? s/);
  });

  test('the report of host pools adds the ranks of the node', () => {
    const [account] = accountsOf('hicache-disagg-prefix-3060-tp4.log');
    expect(reportTerminal(runReport(account!), options)).toMatch(
      /40\.00 GB on each of 4 ranks, .*160\.00 GB/,
    );
  });
});
