/**
 * Reports as pages beside the editors: opens them, keeps the page of an open log up to date, makes
 * them again after a reload, and does what their buttons ask for. What stands on a page is made
 * elsewhere (reportPageModel, src/webview).
 */
import type {
  Disposable,
  ExtensionContext,
  Webview,
  WebviewPanel,
  WebviewPanelSerializer,
} from 'vscode';
import { CancellationTokenSource, env, Uri, ViewColumn, window, workspace } from 'vscode';
import { launchLine } from '../core/account/launchLine';
import { escapeHtml } from '../core/message/escape';
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
import { nameOf } from './reportUri';
import type { PageModels } from './reportPageModel';
import { revealLines } from './reveal';

/** The type of our panels, by which the editor makes them again. */
export const pageType = 'sglangKvLens.report';

/** Steps in which a page sees how far a reading is. */
const shownSteps = 50;

/** What a page needs of the rest of the extension. */
export interface PageActions {
  /** The log at an address that was read in this session or is open. */
  readonly knownLog: (address: string) => NamedLog | undefined;
  /** Reads a log again; undefined where it cannot be read or the user stopped. */
  readonly read: (uri: Uri) => Promise<NamedLog | undefined>;
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
  readonly reading: Reading | undefined;
}

/** How far the reading is that a page waits for. */
interface Reading {
  readonly text: string;
  readonly stopping: CancellationTokenSource;
  /** 0..1 */
  share: number;
}

/** Keeps the open pages. */
export class ReportPages implements WebviewPanelSerializer, Disposable {
  readonly #context: ExtensionContext;
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
      this.#add(this.#makePanel(model.title), subject, model);
    } else {
      this.#change(open, subject, model);
      open.panel.reveal();
    }
    return true;
  }

  /**
   * Shows at once a page that waits for a log: how far the reading is, a button to stop it, and what
   * the beginning tells. The page of the log takes its place. Undefined where it has a page already.
   */
  openReading(uri: Uri): ReadingPlace | undefined {
    const address = uri.toString();
    if (this.#pageOf(address) !== undefined) {
      return undefined;
    }
    const name = nameOf(uri);
    const stopping = new CancellationTokenSource();
    const text = this.#messages.ui('progress.reading', { name });
    const reading: Reading = { text, stopping, share: 0 };
    const subject: PageSubject = { kind: 'log', log: address, run: null };
    const title = this.#messages.ui('report.budget-of', { name });
    const page = this.#add(this.#makePanel(title), subject, undefined, reading);
    return {
      progress: {
        report: ({ increment }) => {
          const before = Math.floor(reading.share * shownSteps);
          reading.share = Math.min(1, reading.share + increment / 100);
          if (Math.floor(reading.share * shownSteps) > before) this.#sendReading(page);
        },
      },
      showHead: log => {
        page.model = this.#models.ofHead(log);
        this.#send(page);
      },
      token: stopping.token,
      end: isRead => {
        if (!isRead) page.panel.dispose();
      },
    };
  }

  /** Shows a page of something that is no log: values, or the comparison of the runs of two logs. */
  openKept(model: PageModel, logs?: ComparedLogs): void {
    const subject: PageSubject = logs
      ? { kind: 'comparison', logs: [addressOf(logs[0]), addressOf(logs[1])] }
      : { kind: 'kept' };
    this.#add(this.#makePanel(model.title), subject, model);
  }

  async deserializeWebviewPanel(panel: WebviewPanel, kept: unknown): Promise<void> {
    const state = pageStateFrom(kept);
    if (state === undefined) {
      panel.dispose();
      return;
    }
    const page = this.#add(panel, state.subject, state.model);
    await this.#output.guard('restoring a report', async () => {
      const uri = state.subject.kind === 'log' ? uriFrom(state.subject.log) : undefined;
      const log = uri && isNearby(uri) ? await this.#readAgain(uri) : undefined;
      const run = state.subject.kind === 'log' ? (state.subject.run ?? undefined) : undefined;
      const fresh = log && this.#models.ofLog(log, run);
      if (fresh !== undefined) {
        this.#change(page, state.subject, fresh);
      } else if (uri !== undefined) {
        const notice = this.#messages.ui('page.log-gone', { name: nameOf(uri) });
        this.#change(page, { kind: 'kept' }, { ...state.model, hasLog: false, notice });
      }
    });
  }

  /** A page as a file of its own, in light and dark. */
  async savedHtml(model: PageModel): Promise<string> {
    const css = await workspace.fs.readFile(this.#resource('webview.css'));
    return savedPage(model, new TextDecoder().decode(css));
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

  #add(
    panel: WebviewPanel,
    subject: PageSubject,
    model: PageModel | undefined,
    reading?: Reading,
  ): OpenPage {
    const page: OpenPage = { panel, subject, model, reading };
    this.#pages.add(page);
    panel.title = model?.title ?? panel.title;
    panel.iconPath = Uri.joinPath(this.#context.extensionUri, 'media', 'report.svg');
    panel.webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      localResourceRoots: [Uri.joinPath(this.#context.extensionUri, 'dist')],
    };
    panel.onDidDispose(() => {
      this.#pages.delete(page);
      reading?.stopping.cancel();
    });
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const message = pageMessageFrom(value);
      if (message !== undefined) {
        void this.#act(page, message);
      }
    });
    panel.webview.html = this.#document(panel.webview, reading?.text ?? '');
    return page;
  }

  #change(page: OpenPage, subject: PageSubject, model: PageModel): void {
    page.subject = subject;
    page.model = model;
    page.panel.title = model.title;
    this.#send(page);
  }

  #send(page: OpenPage): void {
    const { panel, subject, model } = page;
    if (model !== undefined) {
      const message: ShowMessage = { type: 'show', subject, model };
      void panel.webview.postMessage(message);
    }
    this.#sendReading(page);
  }

  /** Says how far the reading is, where the page waits for one. */
  #sendReading({ panel, model, reading }: OpenPage): void {
    const isWaiting = model === undefined || model.isPartial === true;
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
    } else if (model !== undefined) {
      await this.#answer(page, model, log, message);
    }
  }

  async #answer(
    page: OpenPage,
    model: PageModel,
    log: Uri | undefined,
    message: Exclude<PageMessage, { type: 'ready' | 'stop' }>,
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

  #resource(name: string): Uri {
    return Uri.joinPath(this.#context.extensionUri, 'dist', name);
  }

  /** Nothing may run on the page but our script, nothing is fetched but our style sheet. */
  #document(webview: Webview, text: string): string {
    const nonce = makeNonce();
    const script = webview.asWebviewUri(this.#resource('webview.js')).toString();
    const style = webview.asWebviewUri(this.#resource('webview.css')).toString();
    const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${style}" />
    <title>KV Lens</title>
  </head>
  <body>
    <div id="root"><p class="page">${escapeHtml(text)}</p></div>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
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

function makeNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
