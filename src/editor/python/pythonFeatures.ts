/**
 * Everything that is shown of Python sources, made in the order of its needs. The composition root
 * passes what logs and sources share.
 */
import type { ExtensionContext, Uri } from 'vscode';
import { Disposable, languages } from 'vscode';
import type { FeatureParts } from '../answering';
import { Answering } from '../answering';
import type { Decorations } from '../decorations';
import type { LogDocuments } from '../logDocuments';
import type { LogSource } from '../logSource';
import { renewedOnChange } from '../renewed';
import { BindLog } from './bindLog';
import { boundStatus } from './boundStatus';
import { DebugLineAction } from './debugLineAction';
import { LogHitLenses } from './logHitLenses';
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
export interface SharedParts extends FeatureParts {
  readonly context: ExtensionContext;
  readonly decorations: Decorations;
  readonly documents: LogDocuments;
  readonly source: LogSource;
}

/** The features and what the composition root asks of them. */
export interface PythonFeatures {
  /** True for a file that a link of ours may open: the bound log, and sources that were read. */
  readonly knows: (uri: Uri) => boolean;
  /** The text of the status item; undefined while it is hidden. */
  readonly statusText: () => string | undefined;
  /** The bodies of commands. */
  readonly bindLog: (address: unknown, run: unknown) => Promise<void>;
  readonly openEmittingSource: () => Promise<void>;
  readonly setValue: (address: unknown, name: unknown, text: unknown) => Promise<void>;
  readonly dispose: () => void;
}

/** Starts the features; nothing is parsed until a Python source asks for it. */
export function startPython(parts: SharedParts): PythonFeatures {
  const { context, settings, messages, output, decorations, documents, source } = parts;
  const sources = new PythonSources(context.extensionUri, messages, output);
  const binding = new RunBinding(context.workspaceState, documents, source, output);
  const values = new SetValues(context.workspaceState);
  const python = new PythonDocuments(sources, binding, values, output);
  const answering = new Answering(python, parts);
  const hints = new PythonInlayHints(answering);
  const lenses = new PythonLenses(answering, binding);
  const hits = new LogHitLenses(binding, parts);
  const hover = new PythonHoverProvider(answering, python, binding);
  const skipped = new SkippedBranches(answering, decorations);
  const problems = new PythonProblems(answering);
  const status = boundStatus(python, binding, parts);
  const debugLine = new DebugLineAction(python, messages);
  const bindLog = new BindLog(documents, source, binding, messages);
  const emitting = new OpenEmittingSource(documents, messages);
  const setValue = new SetValueCommand(python, values, messages);
  const registered = Disposable.from(
    sources,
    binding,
    values,
    python,
    answering,
    hits,
    skipped,
    problems,
    status,
    languages.registerHoverProvider(pythonSelector, hover),
    languages.registerCodeLensProvider(pythonSelector, lenses),
    languages.registerCodeLensProvider(pythonSelector, hits),
    languages.registerCodeActionsProvider(pythonSelector, debugLine, DebugLineAction.metadata),
    renewedOnChange(settings, () => languages.registerInlayHintsProvider(pythonSelector, hints)),
  );
  return {
    knows: uri => sources.knows(uri) || binding.latest?.uri.toString() === uri.toString(),
    statusText: () => status.text,
    bindLog: (address, run) => bindLog.run(address, run),
    openEmittingSource: () => emitting.run(),
    setValue: (address, name, text) => setValue.run(address, name, text),
    dispose: () => {
      registered.dispose();
    },
  };
}
