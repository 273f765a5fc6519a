/** What stands above the first line of a run: its verdict, and that there is a report of it. */
import type { RunAccount } from '../../account/account';
import type { Message } from '../../message/message';
import { message } from '../../message/message';
import { shortVerdict } from './logVerdict';

/** One lens. `run` is the index of its run in the log. */
export interface LogLens {
  /** 1-based. */
  readonly line: number;
  readonly run: number;
  readonly label: Message;
  readonly does: 'open-report' | 'copy-flag';
}

/** The lenses of every run; the flag only where a value is offered and the run failed for memory. */
export function logLenses(accounts: readonly RunAccount[]): LogLens[] {
  return accounts.flatMap((account, run): LogLens[] => {
    // The first line that the run itself printed: nothing hides it above a banner.
    const line = account.run.records[0]?.line ?? account.run.lines[0];
    const summary = message('lens.verdict', { summary: shortVerdict(account) });
    const open = message('lens.open-report', {});
    const lenses: LogLens[] = [
      { line, run, label: summary, does: 'open-report' },
      { line, run, label: open, does: 'open-report' },
    ];
    // A flag is offered where the run ended for want of memory: by its problem, which is checked.
    const flag = account.problems.find(({ code }) => code === 'not-enough-memory')?.fix;
    if (flag !== undefined) {
      lenses.push({ line, run, label: message('lens.copy-flag', { flag }), does: 'copy-flag' });
    }
    return lenses;
  });
}
