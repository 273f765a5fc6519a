/** Verdict and problems of an account as a person reads them in a terminal. */
import type { RunAccount } from '../../../src/core/account/account';
import { summaryMessage } from '../../../src/core/account/accountSummary';
import { defaultFormat } from '../../../src/core/units/format';
import type { RenderOptions } from '../../../src/wording/render';
import { render } from '../../../src/wording/render';

const options: RenderOptions = {
  format: defaultFormat,
  target: 'plain',
  length: 'full',
  translate: (text, values) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
};

/** The problems, else the verdict, in sentences. */
export function terminalWording(account: RunAccount): string {
  const problems = account.problems.map(({ message }) => render(message, options));
  return [...problems, render(summaryMessage(account), options)].join('\n');
}
