/**
 * Every feature, made in the order of its needs. Loaded a moment after the extension was started
 * (extension), whose time the editor waits for: this is nearly all of its code.
 */
import type { ExtensionContext, Uri } from 'vscode';
import { Disposable, languages, window, workspace } from 'vscode';
import { Answering } from './answering';
import { indexFrom, runFrom, uriFrom } from './argument';
import { ChooseConfig } from './chooseConfig';
import { LogCodeLenses } from './codeLenses';
import { telling } from './commandErrors';
import type { CommandBodies } from './commands';
import { CompareRuns } from './compareRuns';
import { CopyFlag } from './copyFlag';
import { Decorations } from './decorations';
import { EvaluateBudget } from './evaluateBudget';
import { ExplainText } from './explainText';
import { LogFolding } from './folding';
import type { ExtensionApi } from './extensionApi';
import type { EditorHost } from './host';
import { LogHoverProvider } from './hover';
import { LineNotes } from './lineNotes';
import { LogDocuments, logSelector } from './logDocuments';
import type { NamedLog } from './logSource';
import { LogSource, openDocument } from './logSource';
import { MemoryNode } from './memoryNode';
import { MemoryView } from './memoryView';
import { Messages } from './messages';
import { openSample } from './openSample';
import { ModelConfigs } from './modelConfigs';
import { LogOutline } from './outline';
import { Output } from './output';
import { LogProblems } from './problems';
import { PlanBudget } from './planBudget';
import { PythonStart } from './python/pythonStart';
import { renewedOnChange } from './renewed';
import { PageModels } from './reportPageModel';
import { ReportPages } from './reportPages';
import { Reports } from './reports';
import { reportScheme } from './reportUri';
import { peekLine, revealEntry, revealLine } from './reveal';
import { Settings } from './settings';
import { logStatus } from './logStatus';
import { ValueInput } from './valueInput';
import { WorkspaceLogs } from './workspaceLogs';

/** The features, and what the start hands on to them. */
export interface Features {
  readonly api: ExtensionApi;
  readonly commands: CommandBodies;
  readonly dispose: () => void;
}

/** Starts the features. */
export function startFeatures(context: ExtensionContext, host: EditorHost): Features {
  const settings = new Settings();
  const messages = new Messages(settings);
  const output = new Output(messages.ui('output.name'));
  const configs = new ModelConfigs(settings);
  const documents = new LogDocuments(settings, output, configs);
  const source = new LogSource(documents, host, messages, settings, configs);
  const models = new PageModels(messages);
  const reports = new Reports(documents, messages, settings, models);
  const decorations = new Decorations();
  const logs = new Answering(documents, { messages, settings, output });
  const notes = new LineNotes(logs, decorations);
  const problems = new LogProblems(logs);
  const lenses = new LogCodeLenses(logs);
  const hover = new LogHoverProvider(logs);
  const outline = new LogOutline(logs);
  const folding = new LogFolding(logs);
  const status = logStatus(documents, messages, settings);
  const values = new ValueInput(messages, settings);
  const evaluate = new EvaluateBudget(documents, source, reports, values, messages, models);
  const compare = new CompareRuns(documents, source, reports, messages, models);
  const pages = new ReportPages(context, documents, models, messages, output, {
    knownLog: address => reports.knownLog(address),
    read: uri => readLog(uri),
    open: uri => openReport(uri),
    chooseConfig: uri => chooseConfig.run(uri),
    compare: async (uri, run) => {
      const log = reports.knownLog(uri.toString()) ?? (await source.read(uri));
      return log && compare.with(log, run);
    },
  });
  reports.showOn(pages);
  const workspaceLogs = new WorkspaceLogs(host, settings);
  const explain = new ExplainText(source, reports, messages);
  const chooseConfig = new ChooseConfig(documents, configs, source, messages, output);
  const planBudget = new PlanBudget(chooseConfig, reports, messages);
  const copyFlag = new CopyFlag(documents, messages);
  const shared = { context, settings, messages, output, decorations, documents, source };
  const python = new PythonStart(shared);

  const readLog = async (uri: Uri): Promise<NamedLog | undefined> => {
    const log = await source.read(uri);
    if (log !== undefined) reports.rememberLog(log);
    return log;
  };
  const openReport = async (address?: unknown, run?: unknown): Promise<Uri | undefined> => {
    const uri = uriFrom(address);
    const log = uri && (await source.read(uri, () => reports.placeFor(uri)));
    return log && reports.open(reports.ofLog(log, runFrom(address, run)), log.uri);
  };
  const openMarkdown = async (address?: unknown, run?: unknown): Promise<Uri | undefined> => {
    const uri = uriFrom(address) ?? window.activeTextEditor?.document.uri;
    const log = uri && (await source.read(uri));
    return log && reports.openMarkdown(reports.ofLog(log, runFrom(address, run)), log.uri);
  };
  /** A hover may lead to its line, there or in place, or to the report of the run that has the line. */
  const reveal = async (
    address: unknown,
    line: unknown,
    what: unknown,
    ...at: readonly unknown[]
  ): Promise<unknown> => {
    const isKnown = (uri: Uri): boolean =>
      python.started?.knows(uri) === true || configs.knows(uri);
    if (what !== 'report') {
      return what === 'peek'
        ? peekLine(address, line, at, isKnown)
        : revealLine(address, line, isKnown);
    }
    const uri = uriFrom(address);
    const document = uri && openDocument(uri);
    const accounts = document && documents.latest(document)?.accounts;
    const number = indexFrom(line) ?? 0;
    const run = accounts?.findIndex(
      ({ run: { lines } }) => lines[0] <= number && number <= lines[1],
    );
    return run === undefined || run < 0 ? undefined : openReport(uri?.toString(), run);
  };
  const compareWith = async (argument: unknown): Promise<Uri | undefined> => {
    const uri = uriFrom(argument);
    const log = uri && (reports.knownLog(uri.toString()) ?? (await source.read(uri)));
    return log && compare.with(log, runFrom(argument, undefined) ?? log.accounts.length - 1);
  };
  const memory = new MemoryView(
    documents,
    reports,
    workspaceLogs,
    readLog,
    messages,
    settings,
    output,
  );

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
    boundText: () => python.started?.statusText(),
    pages: () => pages.models,
    restorePage: (panel, kept) => pages.deserializeWebviewPanel(panel, kept),
    savedPage: model => pages.savedHtml(model),
    memoryRows: depth => memory.rows(depth),
    memoryDrawings: () => memory.drawings,
    memoryBadge: () => memory.badge,
    skippedLines: uri =>
      window.visibleTextEditors
        .filter(({ document }) => document.uri.toString() === uri.toString())
        .flatMap(editor => decorations.skippedIn(editor).map(({ start }) => start.line)),
  };

  const registered = Disposable.from(
    settings,
    output,
    configs,
    documents,
    chooseConfig,
    decorations,
    notes,
    logs,
    problems,
    status,
    reports,
    pages,
    workspaceLogs,
    python,
    memory,
    memory.start(),
    window.registerFileDecorationProvider(memory),
    languages.registerHoverProvider(logSelector, hover),
    languages.registerCodeLensProvider(logSelector, lenses),
    renewedOnChange(settings, () => languages.registerDocumentSymbolProvider(logSelector, outline)),
    renewedOnChange(settings, () => languages.registerFoldingRangeProvider(logSelector, folding)),
    languages.registerCodeActionsProvider(logSelector, problems, LogProblems.metadata),
    workspace.registerTextDocumentContentProvider(reportScheme, reports),
  );
  const commands: CommandBodies = {
    evaluateBudget: argument => evaluate.run(argument),
    compareRuns: (first, second) => compare.run(first, second),
    chooseConfig: (log, config) => chooseConfig.run(log, config),
    planBudget: (config, values) => planBudget.run(config, values),
    explainSelection: () => explain.run(),
    copyLaunchFlag: argument => copyFlag.run(argument),
    openReport,
    openReportMarkdown: openMarkdown,
    reveal,
    compareWith,
    revealEntry: node =>
      node instanceof MemoryNode ? revealEntry(node.uri, node.lines) : undefined,
    refreshMemory: () => memory.findAgain(),
    bindLog: async (address, run) => (await python.features()).bindLog(address, run),
    openEmittingSource: async () => (await python.features()).openEmittingSource(),
    setValue: async (address, name, text) =>
      (await python.features()).setValue(address, name, text),
    openSample: () => openSample(context),
  };
  return {
    api,
    commands: telling(commands, output, messages),
    dispose: () => {
      registered.dispose();
    },
  };
}
