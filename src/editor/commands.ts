/**
 * The one place where commands are registered, before what they do is loaded. Leaves out their bodies
 * (features) and what is told of an error (commandErrors).
 */
import { commands, Disposable } from 'vscode';

/** What a command does. Its arguments come from anywhere and are checked by it. */
export type CommandBody = (...values: readonly unknown[]) => unknown;

/** Every command of the extension, without the common prefix. */
const commandNames = [
  'evaluateBudget',
  'compareRuns',
  'explainSelection',
  'copyLaunchFlag',
  'openReport',
  'planBudget',
  'chooseConfig',
  'bindLog',
  'openEmittingSource',
  'setValue',
  'reveal',
  'openReportMarkdown',
  'compareWith',
  'revealEntry',
  'refreshMemory',
  'openSample',
] as const;

export type CommandName = (typeof commandNames)[number];

/** What every command does. */
export type CommandBodies = Readonly<Record<CommandName, CommandBody>>;

/** The full id of a command. */
export function commandId(name: CommandName): string {
  return `sglangKvLens.${name}`;
}

/** Registers every command; `bodies` are asked for when one of them runs. */
export function registerCommands(bodies: () => Promise<CommandBodies>): Disposable {
  return Disposable.from(
    ...commandNames.map(name =>
      commands.registerCommand(commandId(name), async (...values: readonly unknown[]) =>
        (await bodies())[name](...values),
      ),
    ),
  );
}
