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
import { env, Uri, ViewColumn, window, workspace } from 'vscode';
import { launchLine } from '../core/account/launchLine';
import type { PageModel } from '../core/report/pageModel';
import type { PageMessage, PageSubject, ShowMessage } from '../webview/protocol';
import { pageMessageFrom, pageStateFrom } from '../webview/protocol';
import { savedPage } from '../webview/savedPage';
import { uriFrom } from './argument';
import { HumanError } from './humanError';
import type { LogDocuments } from './logDocuments';
import type { NamedLog } from './logSource';
import type { Messages } from './messages';
import type { Output } from './output';
import { nameOf } from './reportUri';
import type { PageModels } from './reportPageModel';
import { revealLines } from './reveal';

/** The type of our panels, by which the editor makes them again. */
export const pageType = 'sglangKvLens.report';

/** What a page needs of the rest of the extension. */
export interface PageActions {
  /** The log at an address that was read in this session or is open. */
  readonly knownLog: (address: string) => NamedLog | undefined;
  /** Reads a log again; undefined where it cannot be read or the user stopped. */
  readonly read: (uri: Uri) => Promise<NamedLog | undefined>;
  /** Compares a run (0-based) of a log with one that the user picks. */
  readonly compare: (log: Uri, run: number) => Promise<unknown>;
}

interface OpenPage {
  readonly panel: WebviewPanel;
  subject: PageSubject;
  model: PageModel;
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
    return [...this.#pages].map(({ model }) => model);
  }

  /** Shows the page of a log, or of one of its runs; false where it has none. */
  openLog(log: NamedLog & { readonly uri: Uri }, run?: number): boolean {
    const model = this.#models.ofLog(log, run);
    if (model === undefined) {
      return false;
    }
    const address = log.uri.toString();
    const subject: PageSubject = { kind: 'log', log: address, run: run ?? null };
    const open = [...this.#pages].find(
      page => page.subject.kind === 'log' && page.subject.log === address,
    );
    if (open === undefined) {
      this.#add(this.#makePanel(model), subject, model);
    } else {
      this.#change(open, subject, model);
      open.panel.reveal();
    }
    return true;
  }

  /** Shows a page of something that is no log. */
  openKept(model: PageModel): void {
    this.#add(this.#makePanel(model), { kind: 'kept' }, model);
  }

  async deserializeWebviewPanel(panel: WebviewPanel, kept: unknown): Promise<void> {
    const state = pageStateFrom(kept);
    if (state === undefined) {
      panel.dispose();
      return;
    }
    this.#add(panel, state.subject, state.model);
    const page = [...this.#pages].find(each => each.panel === panel);
    await this.#output.guard('restoring a report', async () => {
      const uri = state.subject.kind === 'log' ? uriFrom(state.subject.log) : undefined;
      const log = uri && isNearby(uri) ? await this.#readAgain(uri) : undefined;
      const run = state.subject.kind === 'log' ? (state.subject.run ?? undefined) : undefined;
      const fresh = log && this.#models.ofLog(log, run);
      if (page !== undefined && fresh !== undefined) {
        this.#change(page, state.subject, fresh);
      } else if (page !== undefined && uri !== undefined) {
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

  #makePanel({ title }: PageModel): WebviewPanel {
    return window.createWebviewPanel(pageType, title, ViewColumn.Active, {});
  }

  #add(panel: WebviewPanel, subject: PageSubject, model: PageModel): void {
    const page: OpenPage = { panel, subject, model };
    this.#pages.add(page);
    panel.title = model.title;
    panel.iconPath = Uri.joinPath(this.#context.extensionUri, 'media', 'report.svg');
    panel.webview.options = {
      enableScripts: true,
      enableCommandUris: false,
      localResourceRoots: [Uri.joinPath(this.#context.extensionUri, 'dist')],
    };
    panel.onDidDispose(() => this.#pages.delete(page));
    panel.webview.onDidReceiveMessage((value: unknown) => {
      const message = pageMessageFrom(value);
      if (message !== undefined) {
        void this.#act(page, message);
      }
    });
    panel.webview.html = this.#document(panel.webview);
  }

  #change(page: OpenPage, subject: PageSubject, model: PageModel): void {
    page.subject = subject;
    page.model = model;
    page.panel.title = model.title;
    this.#send(page);
  }

  #send({ panel, subject, model }: OpenPage): void {
    const message: ShowMessage = { type: 'show', subject, model };
    void panel.webview.postMessage(message);
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
    const log = page.subject.kind === 'log' ? uriFrom(page.subject.log) : undefined;
    switch (message.type) {
      case 'ready':
        this.#send(page);
        return;
      case 'reveal':
        await (log && this.#reveal(log, message.lines));
        return;
      case 'openLog':
        await (log && this.#reveal(log, []));
        return;
      case 'compare':
        await (log && this.#actions.compare(log, page.model.chosen));
        return;
      case 'showRun':
        this.#showRun(page, message.run);
        return;
      case 'copyMarkdown':
        await env.clipboard.writeText(page.model.markdown);
        this.#say(this.#messages.ui('done.markdown-copied'));
        return;
      case 'copyFlag':
        await this.#copyLaunch(page, message.flag);
        return;
      case 'saveHtml':
        await this.#save(page, log);
        return;
    }
  }

  /** The launch line of the run with this flag where the log shows it, else the flag. */
  async #copyLaunch(page: OpenPage, flag: string): Promise<void> {
    const { subject, model } = page;
    const log = subject.kind === 'log' ? this.#actions.knownLog(subject.log) : undefined;
    const run = log?.accounts[model.chosen]?.run;
    const text = (run && launchLine(run, [flag])) ?? flag;
    await env.clipboard.writeText(text);
    this.#say(this.#messages.ui('done.flag-copied', { flag: text }));
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

  async #save({ model }: OpenPage, log: Uri | undefined): Promise<void> {
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
  #document(webview: Webview): string {
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
    <div id="root"></div>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
  }
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
