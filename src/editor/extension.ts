/**
 * The composition root: makes every part in the order of its needs and subscribes what must end with
 * the extension. The two entries differ in the host that they pass.
 */
import type { ExtensionContext, Uri } from 'vscode';
import { languages, window, workspace } from 'vscode';
import { indexFrom, uriFrom } from './argument';
import { LogCodeLenses } from './codeLenses';
import { Commands } from './commands';
import { CompareRuns } from './compareRuns';
import { CopyFlag } from './copyFlag';
import type { LineNote } from './decorations';
import { Decorations } from './decorations';
import { EvaluateBudget } from './evaluateBudget';
import { ExplainText } from './explainText';
import { LogFolding } from './folding';
import type { EditorHost } from './host';
import { LogHoverProvider } from './hover';
import { LineNotes } from './lineNotes';
import { LogDocuments, logSelector } from './logDocuments';
import { LogSource, openDocument } from './logSource';
import { Messages } from './messages';
import { LogOutline } from './outline';
import { Output } from './output';
import { LogProblems } from './problems';
import { startPython } from './python/pythonFeatures';
import { renewedOnChange } from './renewed';
import { Reports } from './reports';
import { reportScheme } from './reportUri';
import { revealLine } from './reveal';
import { Settings } from './settings';
import { StatusItem } from './statusItem';
import { ValueInput } from './valueInput';

/** What the extension shows where the editor has no way to ask for it. For tests; may change. */
export interface ExtensionApi {
  /** True once the document is analysed, false when it is no log of a server. */
  isServerLog(uri: Uri): Promise<boolean>;
  /** The notes that are drawn after lines of a visible document. */
  notes(uri: Uri): readonly LineNote[];
  /** The text of the status item; undefined while it is hidden. */
  statusText(): string | undefined;
  /** The text of the item that says which run is bound; undefined while it is hidden. */
  boundText(): string | undefined;
  /** 0-based first lines of the parts of a visible document that are drawn as not reached. */
  skippedLines(uri: Uri): readonly number[];
}

/** Starts the extension. */
export function activate(context: ExtensionContext, host: EditorHost): ExtensionApi {
  const settings = new Settings();
  const messages = new Messages(settings);
  const output = new Output(messages.ui('output.name'));
  const commands = new Commands(output, messages);
  const documents = new LogDocuments(settings, output);
  const source = new LogSource(documents, host, messages, settings);
  const reports = new Reports(documents, messages, settings);
  const decorations = new Decorations();
  const notes = new LineNotes(documents, decorations, messages, settings);
  const problems = new LogProblems(documents, messages, settings);
  const lenses = new LogCodeLenses(documents, messages, settings, output);
  const hover = new LogHoverProvider(documents, messages, settings, output);
  const outline = new LogOutline(documents, messages, settings, output);
  const folding = new LogFolding(documents, settings, output);
  const status = new StatusItem(documents, messages, settings);
  const values = new ValueInput(messages, settings);
  const evaluate = new EvaluateBudget(documents, source, reports, values, messages);
  const compare = new CompareRuns(documents, source, reports, messages);
  const explain = new ExplainText(source, reports, messages);
  const copyFlag = new CopyFlag(documents, messages);
  const shared = { context, settings, messages, output, commands, decorations, documents, source };
  const python = startPython(shared);

  const openReport = async (address?: unknown, run?: unknown): Promise<Uri | undefined> => {
    const uri = uriFrom(address);
    const log = uri && (await source.read(uri));
    return log && reports.open(reports.ofLog(log, indexFrom(run)), log.uri);
  };

  const api: ExtensionApi = {
    isServerLog: async uri => {
      const document = openDocument(uri);
      const analysis = document && (await documents.current(document));
      return (analysis?.accounts.length ?? 0) > 0;
    },
    notes: uri =>
      window.visibleTextEditors
        .filter(({ document }) => document.uri.toString() === uri.toString())
        .flatMap(editor => decorations.shownIn(editor)),
    statusText: () => status.text,
    boundText: () => python.statusText(),
    skippedLines: uri =>
      window.visibleTextEditors
        .filter(({ document }) => document.uri.toString() === uri.toString())
        .flatMap(editor => decorations.skippedIn(editor).map(({ start }) => start.line)),
  };

  context.subscriptions.push(
    settings,
    output,
    documents,
    decorations,
    notes,
    problems,
    lenses,
    status,
    reports,
    languages.registerHoverProvider(logSelector, hover),
    languages.registerCodeLensProvider(logSelector, lenses),
    renewedOnChange(settings, () => languages.registerDocumentSymbolProvider(logSelector, outline)),
    renewedOnChange(settings, () => languages.registerFoldingRangeProvider(logSelector, folding)),
    languages.registerCodeActionsProvider(logSelector, problems, LogProblems.metadata),
    workspace.registerTextDocumentContentProvider(reportScheme, reports),
    commands.register('evaluateBudget', argument => evaluate.run(argument)),
    commands.register('compareRuns', (first, second) => compare.run(first, second)),
    commands.register('explainSelection', () => explain.run()),
    commands.register('copyLaunchFlag', argument => copyFlag.run(argument)),
    commands.register('openReport', openReport),
    commands.register('reveal', (address, line) => revealLine(address, line, python.knows)),
    ...python.subscriptions,
  );
  return api;
}
