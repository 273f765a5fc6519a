/**
 * Everything that is shown of Python sources, made in the order of its needs. The composition root
 * passes what logs and sources share.
 */
import type { ExtensionContext, Uri } from 'vscode';
import { languages } from 'vscode';
import type { Commands } from '../commands';
import type { Decorations } from '../decorations';
import type { LogDocuments } from '../logDocuments';
import type { LogSource } from '../logSource';
import type { Messages } from '../messages';
import type { Output } from '../output';
import { renewedOnChange } from '../renewed';
import type { Settings } from '../settings';
import { BindLog } from './bindLog';
import { BoundStatus } from './boundStatus';
import { DebugLineAction } from './debugLineAction';
import { OpenEmittingSource } from './openEmittingSource';
import { PythonDocuments, pythonSelector } from './pythonDocuments';
import { PythonHoverProvider } from './pythonHover';
import { PythonInlayHints } from './pythonInlayHints';
import { PythonLenses } from './pythonLenses';
import { PythonProblems } from './pythonProblems';
import { PythonSources } from './pythonSources';
import { RunBinding } from './runBinding';
import { SetValueCommand } from './setValue';
import { SetValues } from './setValues';
import { SkippedBranches } from './skippedBranches';

/** What the composition root shares. */
export interface SharedParts {
  readonly context: ExtensionContext;
  readonly settings: Settings;
  readonly messages: Messages;
  readonly output: Output;
  readonly commands: Commands;
  readonly decorations: Decorations;
  readonly documents: LogDocuments;
  readonly source: LogSource;
}

/** The features and what the composition root asks of them. */
export interface PythonFeatures {
  readonly subscriptions: ExtensionContext['subscriptions'];
  /** True for a file that a link of ours may open: the bound log, and sources that were read. */
  readonly knows: (uri: Uri) => boolean;
  /** The text of the status item; undefined while it is hidden. */
  readonly statusText: () => string | undefined;
}

/** Starts the features; nothing is parsed until a Python source asks for it. */
export function startPython(parts: SharedParts): PythonFeatures {
  const { context, settings, messages, output, commands, decorations, documents, source } = parts;
  const sources = new PythonSources(context.extensionUri, messages, output);
  const binding = new RunBinding(context.workspaceState, documents, source, output);
  const values = new SetValues(context.workspaceState);
  const python = new PythonDocuments(sources, binding, values, output);
  const hints = new PythonInlayHints(python, messages, settings, output);
  const lenses = new PythonLenses(python, binding, messages, settings, output);
  const hover = new PythonHoverProvider(python, binding, messages, settings, output);
  const skipped = new SkippedBranches(python, decorations, settings);
  const problems = new PythonProblems(python, messages, settings);
  const status = new BoundStatus(python, binding, messages, settings);
  const debugLine = new DebugLineAction(python, messages);
  const bindLog = new BindLog(documents, source, binding, messages);
  const emitting = new OpenEmittingSource(documents, messages);
  const setValue = new SetValueCommand(python, values, messages);
  return {
    knows: uri => sources.knows(uri) || binding.latest?.uri.toString() === uri.toString(),
    statusText: () => status.text,
    subscriptions: [
      sources,
      binding,
      values,
      python,
      hints,
      lenses,
      skipped,
      problems,
      status,
      languages.registerHoverProvider(pythonSelector, hover),
      languages.registerCodeLensProvider(pythonSelector, lenses),
      languages.registerCodeActionsProvider(pythonSelector, debugLine, DebugLineAction.metadata),
      renewedOnChange(settings, () => languages.registerInlayHintsProvider(pythonSelector, hints)),
      commands.register('bindLog', (address, run) => bindLog.run(address, run)),
      commands.register('openEmittingSource', () => emitting.run()),
      commands.register('setValue', (address, name, text) => setValue.run(address, name, text)),
    ],
  };
}
