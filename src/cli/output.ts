/** How the command line speaks: sentences by the shared wording, JSON on request, one line of error. */
import { t } from '@vscode/l10n';
import type { Message } from '../core/message/message';
import { defaultFormat } from '../core/units/format';
import type { RenderOptions } from '../wording/render';
import { render } from '../wording/render';

/** Options of everything printed to a terminal. */
export const terminalOptions: RenderOptions = {
  format: defaultFormat,
  target: 'plain',
  length: 'full',
  translate: (text, values) => t(text, values),
};

/** A message as a sentence. */
export function word(message: Message): string {
  return render(message, terminalOptions);
}

/** An error that is meant for people: printed as one line on stderr, exit code 2. */
export class UsageError extends Error {}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

export function printText(text: string): void {
  process.stdout.write(`${text}\n`);
}
