/**
 * What is told of an error in a command: one that is meant for the user is shown as it is; any other
 * goes to the output channel, with one calm sentence on screen.
 */
import { window } from 'vscode';
import type { CommandBodies, CommandBody, CommandName } from './commands';
import { HumanError } from './humanError';
import type { Messages } from './messages';
import type { Output } from './output';

/** The same commands, which answer nothing where they fail. */
export function telling(bodies: CommandBodies, output: Output, messages: Messages): CommandBodies {
  const told = (name: CommandName): CommandBody => {
    return async (...values) => {
      try {
        return await bodies[name](...values);
      } catch (error) {
        tell(name, error, output, messages);
        return undefined;
      }
    };
  };
  return Object.fromEntries(
    Object.keys(bodies).map(name => [name, told(name as CommandName)]),
  ) as CommandBodies;
}

function tell(name: CommandName, error: unknown, output: Output, messages: Messages): void {
  if (error instanceof HumanError) {
    void window.showWarningMessage(error.message);
    return;
  }
  output.error(name, error);
  const show = messages.ui('error.show-details');
  void window
    .showErrorMessage(messages.ui('error.unexpected'), show)
    .then(answer => (answer === show ? output.show() : undefined));
}
