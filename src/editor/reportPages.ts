/**
 * Reports as pages beside the editors: opens them, keeps the page of an open log up to date, makes
 * them again after a reload, and does what their buttons ask for. What stands on a page is made
 * elsewhere (reportPageModel, src/webview).
 */
import type { Disposable, ExtensionContext, WebviewPanel, WebviewPanelSerializer } from 'vscode';
import { CancellationTokenSource, env, Uri, ViewColumn, window, workspace } from 'vscode';
import { launchLine } from '../core/account/launchLine';
import type { PageModel } from '../core/report/pageModel';
import type { PageMessage, PageSubject, ReadingMessage, ShowMessage } from '../webview/protocol';
import { pageMessageFrom, pageStateFrom } from '../webview/protocol';
import { savedPage } from '../webview/savedPage';
import { uriFrom } from './argument';
import { HumanError } from './humanError';
import type { LogDocuments } from './logDocuments';
import type { NamedLog, ReadingPlace } from './logSource';
import type { Messages } from './messages';
import type { Output } from './output';
import { pageType } from './pageType';
import { ReportDocuments } from './reportDocument';
import { nameOf } from './reportUri';
import type { PageModels } from './reportPageModel';
import { revealLines } from './reveal';

/**
 * A page that waits for a log says so after this long; where the beginning is read sooner it stands
 * there at once, and nothing is drawn twice.
 */
const quietMs = 250;

/** Steps in which a page sees how far a reading is. */
const shownSteps = 50;

/** What a page needs of the rest of the extension. */
export interface PageActions {
  /** The log at an address that was read in this session or is open. */
  readonly knownLog: (address: string) => NamedLog | undefined;
  /** Reads a log again; undefined where it cannot be read or the user stopped. */
  readonly read: (uri: Uri) => Promise<NamedLog | undefined>;
  /** Reads a log whole and shows its report. */
  readonly open: (log: Uri) => Promise<unknown>;
  /** Asks for the config.json of a log's model. */
  readonly chooseConfig: (log: Uri) => Promise<unknown>;
  /** Compares a run (0-based) of a log with one that the user picks. */
  readonly compare: (log: Uri, run: number) => Promise<unknown>;
}

/** Where the logs of two compared runs stand; undefined for a piece of text. */
export type ComparedLogs = readonly [a: Uri | undefined, b: Uri | undefined];

interface OpenPage {
  readonly panel: WebviewPanel;
  subject: PageSubject;
  /** Undefined while the log of the page is read. */
  model: PageModel | undefined;
  reading: Reading | undefined;
  /** What stands there without a model. */
  text: string;
  /** What its document shows before the script runs; null without a document. */
  laid: PageModel | string | null;
}

/** How far the reading is that a page waits for. */
interface Reading {
  readonly text: string;
  readonly stopping: CancellationTokenSource;
  /** 0..1 */
  share: number;
  /** True where what was read until then is shown. */
  isStopped: boolean;
}

/** Keeps the open pages. */
export class ReportPages implements WebviewPanelSerializer, Disposable {
  readonly #context: ExtensionContext;
  readonly #documents: ReportDocuments;
  readonly #models: PageModels;
  readonly #messages: Messages;
  readonly #output: Output;
  readonly #actions: PageActions;
  readonly #pages = new Set<OpenPage>();
  readonly #listener: Disposable;

  constructor(
    context: ExtensionContext,
    documents: LogDocuments,
    models: PageModels,
    messages: Messages,
    output: Output,
    actions: PageActions,
  ) {
    this.#context = context;
    this.#documents = new ReportDocuments(context);
    this.#models = models;
    this.#messages = messages;
    this.#output = output;
    this.#actions = actions;
    this.#listener = documents.onDidChange(({ uri }) => this.#refresh(uri));
  }

  /** The models of the open pages. For tests. */
  get models(): readonly PageModel[] {
    return [...this.#pages].flatMap(({ model }) => model ?? []);
  }

  /** Shows the page of a log, or of one of its runs; false where it has none. */
  openLog(log: NamedLog & { readonly uri: Uri }, run?: number): boolean {
    const model = this.#models.ofLog(log, run);
    if (model === undefined) {
      return false;
    }
    const address = log.uri.toString();
    const subject: PageSubject = { kind: 'log', log: address, run: run ?? null };
    const open = this.#pageOf(address);
    if (open === undefined) {
      this.#layOut(this.#add(this.#makePanel(model.title), subject, model));
    } else {
      this.#change(open, subject, model);
      open.panel.reveal();
    }
    return true;
  }

  /**
   * Shows at once a page that waits for a log: how far the reading is, a button to stop it, and what
   * the beginning tells. The page of the log takes its place. Undefined where it has a whole one.
   */
  openReading(uri: Uri): ReadingPlace | undefined {
    const address = uri.toString();
    const open = this.#pageOf(address);
    if (open !== undefined && open.model?.isStopped !== true) {
      return undefined;
    }
    const name = nameOf(uri);
    const reading: Reading = {
      text: this.#messages.ui('progress.reading', { name }),
      stopping: new CancellationTokenSource(),
      share: 0,
      isStopped: false,
    };
    const page = open ?? this.#addWaiting(address, name);
    page.reading = reading;
    page.text = reading.text;
    this.#sendReading(page);
    open?.panel.reveal();
    return {
      progress: {
        report: ({ increment }) => {
          const before = Math.floor(reading.share * shownSteps);
          reading.share = Math.min(1, reading.share + increment / 100);
          if (Math.floor(reading.share * shownSteps) > before) this.#sendReading(page);
        },
      },
      showHead: log => {
        if (page.model === undefined) this.#showPart(page, this.#models.ofHead(log));
      },
      showStopped: log => {
        reading.isStopped = true;
        this.#showPart(page, this.#models.ofStopped(log, reading.share));
      },
      token: reading.stopping.token,
      end: isRead => {
        if (!isRead && !(reading.isStopped && page.model !== undefined)) page.panel.dispose();
      },
    };
  }

  /** Shows a page of something that is no log: values, or the comparison of the runs of two logs. */
  openKept(model: PageModel, logs?: ComparedLogs): void {
    const subject: PageSubject = logs
      ? { kind: 'comparison', logs: [addressOf(logs[0]), addressOf(logs[1])] }
      : { kind: 'kept' };
    this.#layOut(this.#add(this.#makePanel(model.title), subject, model));
  }

  /**
   * The page as it was kept, then made anew from its log. One that another build kept in another
   * shape is made from its log alone; where that cannot be, the page says so.
   */
  async deserializeWebviewPanel(panel: WebviewPanel, kept: unknown): Promise<void> {
    const state = pageStateFrom(kept) ?? { subject: { kind: 'kept' }, tried: { texts: {} } };
    const { subject, model } = state;
    const uri = subject.kind === 'log' ? uriFrom(subject.log) : undefined;
    const name = uri ? nameOf(uri) : panel.title;
    const page = this.#add(panel, subject, model);
    page.text = this.#messages.ui(uri ? 'progress.reading' : 'page.not-kept', { name });
    this.#layOut(page);
    await this.#output.guard('restoring a report', async () => {
      const log = uri && isNearby(uri) ? await this.#readAgain(uri) : undefined;
      const run = subject.kind === 'log' ? (subject.run ?? undefined) : undefined;
      const fresh = log && this.#models.ofLog(log, run);
      if (fresh !== undefined) {
        this.#change(page, subject, fresh);
      } else if (uri !== undefined && model !== undefined) {
        const notice = this.#messages.ui('page.log-gone', { name });
        this.#change(page, { kind: 'kept' }, { ...model, hasLog: false, notice });
      } else if (uri !== undefined) {
        page.text = this.#messages.ui('page.not-kept', { name });
        this.#layOut(page);
      }
    });
  }

  /** A page as a file of its own, in light and dark. */
  async savedHtml(model: PageModel): Promise<string> {
    return savedPage(model, await this.#documents.style());
  }

  dispose(): void {
    this.#listener.dispose();
    for (const { panel } of this.#pages) {
      panel.dispose();
    }
  }

  async #readAgain(uri: Uri): Promise<NamedLog | undefined> {
    try {
      return this.#actions.knownLog(uri.toString()) ?? (await this.#actions.read(uri));
    } catch (error) {
      if (error instanceof HumanError) {
        return undefined;
      }
      throw error;
    }
  }

  #makePanel(title: string): WebviewPanel {
    return window.createWebviewPanel(pageType, title, ViewColumn.Active, {});
  }

  #pageOf(address: string): OpenPage | undefined {
    return [...this.#pages].find(
      ({ subject }) => subject.kind === 'log' && subject.log === address,
    );
  }

  /** A page that has a document as soon as there is something to read on it. */
  #addWaiting(address: string, name: string): OpenPage {
    const subject: PageSubject = { kind: 'log', log: address, run: null };
    const title = this.#messages.ui('report.budget-of', { name });
    const page = this.#add(this.#makePanel(title), subject, undefined);
    setTimeout(() => {
      if (page.laid === null) this.#layOut(page);
    }, quietMs);
    return page;
  }

  #add(panel: WebviewPanel, subject: PageSubject, model: PageModel | undefined): OpenPage {
    const page: OpenPage = { panel, subject, model, reading: undefined, text: '', laid: null };
    this.#pages.add(page);
    panel.title = model?.title ?? panel.title;
    panel.iconPath = Uri.joinPath(this.#context.extensionUri, 'media', 'report.svg');
    panel.webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      localResourceRoots: [this.#documents.folder],
    };
    panel.onDidDispose(() => {
      this.#pages.delete(page);
      page.reading?.stopping.cancel();
    });
    panel.onDidChangeViewState(() => {
      // The editor loads a page that was hidden from its document again.
      if (!panel.visible) this.#layOut(page);
    });
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const message = pageMessageFrom(value);
      if (message !== undefined) {
        void this.#act(page, message);
      }
    });
    return page;
  }

  /** Gives the page the document of what it shows now. */
  #layOut(page: OpenPage): void {
    const { panel, model, text, laid } = page;
    const shown = model ?? text;
    if (this.#pages.has(page) && laid !== shown) {
      page.laid = shown;
      panel.webview.html = this.#documents.of(panel.webview, shown);
    }
  }

  /** What is known of a log that is not read to its end. */
  #showPart(page: OpenPage, model: PageModel | undefined): void {
    if (model !== undefined && this.#pages.has(page)) {
      page.model = model;
      this.#send(page);
    }
  }

  #change(page: OpenPage, subject: PageSubject, model: PageModel): void {
    page.subject = subject;
    page.model = model;
    page.panel.title = model.title;
    this.#send(page);
  }

  #send(page: OpenPage): void {
    const { panel, subject, model } = page;
    if (page.laid === null) {
      this.#layOut(page);
    } else if (model !== undefined) {
      const message: ShowMessage = { type: 'show', subject, model };
      void panel.webview.postMessage(message);
    }
    this.#sendReading(page);
  }

  /** Says how far the reading is, where the page waits for one. */
  #sendReading({ panel, model, reading, laid }: OpenPage): void {
    const isWaiting = laid !== null && (model === undefined || model.isPartial === true);
    if (reading && isWaiting && !reading.stopping.token.isCancellationRequested) {
      const { text, share } = reading;
      const stop = this.#messages.ui('progress.stop');
      const message: ReadingMessage = { type: 'reading', text, stop, share };
      void panel.webview.postMessage(message);
    }
  }

  async #act(page: OpenPage, message: PageMessage): Promise<void> {
    try {
      await this.#do(page, message);
    } catch (error) {
      if (error instanceof HumanError) {
        void window.showWarningMessage(error.message);
      } else {
        this.#output.error(`report: ${message.type}`, error);
        void window.showErrorMessage(this.#messages.ui('error.unexpected'));
      }
    }
  }

  async #do(page: OpenPage, message: PageMessage): Promise<void> {
    const log = logOf(page.subject, message);
    const { model } = page;
    if (message.type === 'ready') {
      this.#send(page);
    } else if (message.type === 'stop') {
      page.reading?.stopping.cancel();
    } else if (message.type === 'readOn') {
      await (log && this.#actions.open(log));
    } else if (model !== undefined) {
      await this.#answer(page, model, log, message);
    }
  }

  async #answer(
    page: OpenPage,
    model: PageModel,
    log: Uri | undefined,
    message: Exclude<PageMessage, { type: 'ready' | 'stop' | 'readOn' }>,
  ): Promise<void> {
    switch (message.type) {
      case 'reveal':
        await (log && this.#reveal(log, message.lines));
        return;
      case 'openLog':
        await (log && this.#reveal(log, []));
        return;
      case 'compare':
        await (log && this.#actions.compare(log, model.chosen));
        return;
      case 'chooseConfig':
        await (log && this.#chooseConfig(page, model, log));
        return;
      case 'showRun':
        this.#showRun(page, message.run);
        return;
      case 'copyMarkdown':
        await env.clipboard.writeText(model.markdown);
        this.#say(this.#messages.ui('done.markdown-copied'));
        return;
      case 'copyFlag':
        await this.#copyLaunch(page, model, message.flag);
        return;
      case 'saveHtml':
        await this.#save(model, log);
        return;
    }
  }

  /** The launch line of the run with this flag where the log shows it, else the flag. */
  async #copyLaunch({ subject }: OpenPage, model: PageModel, flag: string): Promise<void> {
    const log = subject.kind === 'log' ? this.#actions.knownLog(subject.log) : undefined;
    const run = log?.accounts[model.chosen]?.run;
    const text = (run && launchLine(run, [flag])) ?? flag;
    await env.clipboard.writeText(text);
    this.#say(this.#messages.ui('done.flag-copied', { flag: text }));
  }

  /** A log that is open is shown anew by itself; any other is read again. */
  async #chooseConfig(page: OpenPage, { chosen }: PageModel, log: Uri): Promise<void> {
    const config = await this.#actions.chooseConfig(log);
    const read = config === undefined ? undefined : await this.#actions.read(log);
    const model = read && this.#models.ofLog(read, chosen);
    if (model !== undefined) {
      this.#change(page, page.subject, model);
    }
  }

  #showRun(page: OpenPage, run: number): void {
    const { subject } = page;
    const log = subject.kind === 'log' ? this.#actions.knownLog(subject.log) : undefined;
    const model = log && this.#models.ofLog(log, run);
    if (model !== undefined && subject.kind === 'log') {
      this.#change(page, { ...subject, run }, model);
    }
  }

  async #reveal(log: Uri, lines: readonly number[]): Promise<void> {
    await revealLines(log, lines).catch(() => {
      throw new HumanError(this.#messages.ui('error.cannot-show', { name: nameOf(log) }));
    });
  }

  async #save(model: PageModel, log: Uri | undefined): Promise<void> {
    const folder = log ? Uri.joinPath(log, '..') : workspace.workspaceFolders?.[0]?.uri;
    const name = `${model.title.replace(/[^\w.-]+/g, '-')}.html`;
    const target = await window.showSaveDialog({
      ...(folder && { defaultUri: Uri.joinPath(folder, name) }),
      filters: { HTML: ['html'] },
    });
    if (target !== undefined) {
      const text = await this.savedHtml(model);
      await workspace.fs.writeFile(target, new TextEncoder().encode(text));
      this.#say(this.#messages.ui('done.saved', { name: nameOf(target) }));
    }
  }

  #say(text: string): void {
    window.setStatusBarMessage(text, 4000);
  }

  /** The pages of a log that changed. */
  #refresh(uri: Uri): void {
    const address = uri.toString();
    for (const page of this.#pages) {
      const { subject } = page;
      const log = subject.kind === 'log' && subject.log === address;
      const known = log ? this.#actions.knownLog(address) : undefined;
      const run = subject.kind === 'log' ? (subject.run ?? undefined) : undefined;
      const model = known && this.#models.ofLog(known, run);
      if (model !== undefined) {
        this.#change(page, subject, model);
      }
    }
  }
}

function addressOf(uri: Uri | undefined): string | null {
  return uri?.toString() ?? null;
}

/** The log that a message is about. */
function logOf(subject: PageSubject, message: PageMessage): Uri | undefined {
  if (subject.kind === 'comparison') {
    const which = message.type === 'reveal' ? message.log : undefined;
    const address = which === undefined ? null : subject.logs[which];
    return address === null ? undefined : uriFrom(address);
  }
  return subject.kind === 'log' ? uriFrom(subject.log) : undefined;
}

/** A file of this workspace, or of this machine and no other. */
function isNearby(uri: Uri): boolean {
  const isLocalFile = uri.scheme === 'file' && uri.authority === '';
  return isLocalFile || workspace.getWorkspaceFolder(uri) !== undefined;
}
