/**
 * Reports: as pages, and as virtual Markdown documents that say the same. The report of an open log follows its edits; any other is
 * kept for the session. Writes and opens them; what stands in a report is core's.
 */
import type { Disposable, Event, TextDocumentContentProvider } from 'vscode';
import { commands, EventEmitter, Uri, window, workspace } from 'vscode';
import type { RunAccount } from '../core/account/account';
import type { PageModel } from '../core/report/pageModel';
import { runReport } from '../core/report/runReport';
import { HumanError } from './humanError';
import { lineLink } from './lineLink';
import type { LogDocuments } from './logDocuments';
import type { NamedLog, ReadingPlace } from './logSource';
import type { Messages } from './messages';
import type { PageModels } from './reportPageModel';
import type { ComparedLogs, ReportPages } from './reportPages';
import { nameOf, reportUri, runReportUri, subjectOf } from './reportUri';
import type { Settings } from './settings';

/** Reports of files, texts and comparisons that are kept; the oldest goes first. */
const mostKept = 64;

/** A report that only this session holds; without a page it is shown as Markdown. */
interface KeptReport {
  readonly text: string;
  readonly page: PageModel | undefined;
  readonly logs: ComparedLogs | undefined;
}

/** Provides, keeps and opens reports. */
export class Reports implements TextDocumentContentProvider, Disposable {
  readonly #documents: LogDocuments;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #models: PageModels;
  readonly #changed = new EventEmitter<Uri>();
  readonly #kept = new Map<number, KeptReport>();
  readonly #logs = new Map<string, NamedLog>();
  readonly #listener: Disposable;
  #lastId = 0;
  #pages: ReportPages | undefined;

  constructor(documents: LogDocuments, messages: Messages, settings: Settings, models: PageModels) {
    this.#models = models;
    this.#documents = documents;
    this.#messages = messages;
    this.#settings = settings;
    this.#listener = documents.onDidChange(({ uri }) => this.#refresh(uri));
  }

  /** Where reports are shown as pages from now on. */
  showOn(pages: ReportPages): void {
    this.#pages = pages;
  }

  get onDidChange(): Event<Uri> {
    return this.#changed.event;
  }

  provideTextDocumentContent(uri: Uri): string {
    const subject = subjectOf(uri);
    const text =
      subject?.kind === 'kept'
        ? this.#kept.get(subject.id)?.text
        : subject && this.#ofLog(subject.log, subject.run);
    return text ?? `${this.#messages.ui('error.report-gone')}\n`;
  }

  /** The report of a log that was read, or of one of its runs (0-based). */
  ofLog(log: NamedLog, run?: number): Uri {
    if (log.uri === undefined) {
      const title = this.#messages.ui('report.budget-of', { name: log.name });
      return this.keep(title, this.#text(log), this.#models.ofLog(log, run));
    }
    if (run !== undefined && log.accounts[run] === undefined) {
      throw new HumanError(this.#messages.ui('error.report-gone'));
    }
    remember(this.#logs, log.uri.toString(), log);
    const uri = runReportUri(log.uri, run, this.#messages);
    this.#changed.fire(uri);
    return uri;
  }

  /** A page that shows how a long log is read; undefined where reports are no pages. */
  placeFor(log: Uri): ReadingPlace | undefined {
    return this.#settings.get('reportPage.enabled', log)
      ? this.#pages?.openReading(log)
      : undefined;
  }

  /** Keeps a report for this session under a title; `logs` are those of a comparison. */
  keep(title: string, text: string, page?: PageModel, logs?: ComparedLogs): Uri {
    this.#lastId += 1;
    remember(this.#kept, this.#lastId, { text, page, logs });
    return reportUri(title, { kind: 'kept', id: this.#lastId });
  }

  /** Shows a report as the user prefers, and answers its address. */
  async open(uri: Uri, resource: Uri | undefined): Promise<Uri> {
    if (this.#settings.get('reportPage.enabled', resource) && this.#openPage(uri)) {
      return uri;
    }
    return this.openMarkdown(uri, resource);
  }

  /** Shows a report as Markdown, rendered or as text. */
  async openMarkdown(uri: Uri, resource: Uri | undefined): Promise<Uri> {
    if (this.#settings.get('report.openAs', resource) === 'preview') {
      try {
        await commands.executeCommand('markdown.showPreview', uri);
        return uri;
      } catch {
        // No Markdown preview in this editor: the text says the same.
      }
    }
    await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true });
    return uri;
  }

  dispose(): void {
    this.#listener.dispose();
    this.#changed.dispose();
  }

  /** A log that is open, or was read in this session. */
  knownLog(address: string): NamedLog | undefined {
    const open = this.#documents.all.find(({ document }) => document.uri.toString() === address);
    return open
      ? { uri: open.document.uri, name: nameOf(open.document.uri), ...open.analysis }
      : this.#logs.get(address);
  }

  /** Logs that were read in this session and are not open. */
  get readLogs(): readonly NamedLog[] {
    return [...this.#logs.values()];
  }

  /** Remembers a log that was read. */
  rememberLog(log: NamedLog): void {
    if (log.uri !== undefined) {
      remember(this.#logs, log.uri.toString(), log);
      this.#changed.fire(log.uri);
    }
  }

  /** A log that is gone. */
  forgetLog(uri: Uri): void {
    if (this.#logs.delete(uri.toString())) {
      this.#changed.fire(uri);
    }
  }

  #openPage(uri: Uri): boolean {
    const subject = subjectOf(uri);
    if (subject?.kind === 'kept') {
      const { page, logs } = this.#kept.get(subject.id) ?? {};
      if (page !== undefined) {
        this.#pages?.openKept(page, logs);
      }
      return page !== undefined;
    }
    const log = subject && this.knownLog(subject.log);
    return log?.uri !== undefined && this.#pages !== undefined
      ? this.#pages.openLog({ ...log, uri: log.uri }, subject?.run)
      : false;
  }

  #ofLog(address: string, run: number | undefined): string | undefined {
    const log = this.knownLog(address);
    return log && this.#text(log, run);
  }

  #text({ uri, name, accounts }: NamedLog, run?: number): string {
    const shown = [...accounts.entries()].filter(([index]) => run === undefined || index === run);
    const title = this.#messages.ui('report.budget-of', { name });
    const parts = shown.map(([index, account]) => {
      const heading = accounts.length > 1 ? `# ${this.#runHeading(index, account)}\n\n` : '';
      const config = configAddress(account);
      const text = this.#messages.report(
        runReport(account),
        uri,
        line => lineLink(uri, line),
        (label, { line }) => lineLink(config, line, label),
      );
      return `${heading}${text}`;
    });
    return `# ${escapeHeading(title)}\n\n${parts.join('\n')}`;
  }

  #runHeading(index: number, { run }: RunAccount): string {
    const [first, last] = run.lines;
    return this.#messages.ui('report.run-heading', { number: index + 1, first, last });
  }

  /** Tells the editor that the open reports of a log are to be asked for again. */
  #refresh(log: Uri): void {
    const address = log.toString();
    for (const { uri } of workspace.textDocuments) {
      const subject = subjectOf(uri);
      if (subject?.kind === 'log' && subject.log === address) {
        this.#changed.fire(uri);
      }
    }
  }
}

function remember<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) {
    kept.delete(oldest);
  }
}

/** Where the config of a run stands; undefined for a run without one. */
function configAddress({ layout }: RunAccount): Uri | undefined {
  try {
    return layout?.kind === 'known' ? Uri.parse(layout.value.config.name, true) : undefined;
  } catch {
    return undefined;
  }
}

/** A file's name in a heading acts as no markup. */
export function escapeHeading(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|!]/g, '\\$&');
}
