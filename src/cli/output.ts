/** How the command line speaks: sentences by the shared wording, JSON on request, one line of error. */
import { t } from '@vscode/l10n';
import { escapeForeign } from '../core/message/escape';
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

/** One line on stderr. */
export function printError(error: UsageError): void {
  process.stderr.write(`kvlens: ${error.message}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

export function printText(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** A path as it may go to a terminal: a file's name can hold control characters. */
export function shownPath(path: string): string {
  return escapeForeign(path, 'plain');
}
