/**
 * The one place where commands are registered. An error that is meant for the user is shown as it
 * is; any other goes to the output channel, with one calm sentence on screen.
 */
import type { Disposable } from 'vscode';
import { commands, window } from 'vscode';
import { HumanError } from './humanError';
import type { Messages } from './messages';
import type { Output } from './output';

/** What a command does. Its arguments come from anywhere and are checked by it. */
export type CommandBody = (...values: readonly unknown[]) => unknown;

/** Every command of the extension, without the common prefix. */
export type CommandName =
  | 'evaluateBudget'
  | 'compareRuns'
  | 'explainSelection'
  | 'copyLaunchFlag'
  | 'openReport'
  | 'planBudget'
  | 'chooseConfig'
  | 'bindLog'
  | 'openEmittingSource'
  | 'setValue'
  | 'reveal'
  | 'openReportMarkdown'
  | 'compareWith'
  | 'revealEntry'
  | 'refreshMemory'
  | 'openSample';

/** The full id of a command. */
export function commandId(name: CommandName): string {
  return `sglangKvLens.${name}`;
}

/** Registers commands. */
export class Commands {
  readonly #output: Output;
  readonly #messages: Messages;

  constructor(output: Output, messages: Messages) {
    this.#output = output;
    this.#messages = messages;
  }

  register(name: CommandName, body: CommandBody): Disposable {
    return commands.registerCommand(commandId(name), async (...values: readonly unknown[]) => {
      try {
        return await body(...values);
      } catch (error) {
        this.#tell(name, error);
        return undefined;
      }
    });
  }

  #tell(name: CommandName, error: unknown): void {
    if (error instanceof HumanError) {
      void window.showWarningMessage(error.message);
      return;
    }
    this.#output.error(name, error);
    const show = this.#messages.ui('error.show-details');
    void window
      .showErrorMessage(this.#messages.ui('error.unexpected'), show)
      .then(answer => (answer === show ? this.#output.show() : undefined));
  }
}
