/** Says in the status bar what was recognised in the active log, and offers the report. */
import type { Disposable, StatusBarItem } from 'vscode';
import { commands, StatusBarAlignment, window } from 'vscode';
import { summaryMessage } from '../core/account/accountSummary';
import { shortVerdict } from '../core/annotate/log/logVerdict';
import { message } from '../core/message/message';
import { commandId } from './commands';
import type { LogAnalysis } from './logAnalysis';
import type { LogDocuments } from './logDocuments';
import type { Messages } from './messages';
import type { Settings } from './settings';

/** The context key of menus: the active editor shows a log that was recognised. */
const activeLogKey = 'sglangKvLens.isLogActive';

/** Keeps the item and the context key of menus. */
export class StatusItem implements Disposable {
  readonly #documents: LogDocuments;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #listeners: readonly Disposable[];
  #item: StatusBarItem | undefined;
  #isLogActive = false;

  constructor(documents: LogDocuments, messages: Messages, settings: Settings) {
    this.#documents = documents;
    this.#messages = messages;
    this.#settings = settings;
    this.#listeners = [
      window.onDidChangeActiveTextEditor(() => this.#update()),
      settings.onDidChange(() => this.#update()),
      documents.onDidChange(document => {
        if (window.activeTextEditor?.document === document) {
          this.#update();
        }
      }),
    ];
    this.#update();
  }

  /** What the item says; undefined while it is hidden. */
  get text(): string | undefined {
    return this.#item?.text;
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
    this.#item?.dispose();
  }

  #update(): void {
    const document = window.activeTextEditor?.document;
    const analysis = document && this.#documents.latest(document);
    if (document !== undefined && analysis === undefined && this.#documents.isWaiting(document)) {
      return;
    }
    this.#setActive((analysis?.accounts.length ?? 0) > 0);
    const isShown = analysis && this.#settings.get('statusBar.enabled', document.uri);
    if (isShown !== true) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    const item = (this.#item ??= this.#makeItem());
    const text = this.#textOf(analysis);
    item.text = `$(symbol-ruler) ${text}`;
    item.tooltip = this.#tooltipOf(analysis);
    item.accessibilityInformation = { label: text };
    item.show();
  }

  #makeItem(): StatusBarItem {
    const item = window.createStatusBarItem('recognised', StatusBarAlignment.Right, 90);
    item.name = this.#messages.ui('status.name');
    item.command = commandId('evaluateBudget');
    return item;
  }

  #textOf({ accounts }: LogAnalysis): string {
    const last = accounts.at(-1);
    const resource = window.activeTextEditor?.document.uri;
    if (last === undefined) {
      return this.#messages.ui('status.nothing');
    }
    const verdict = shortVerdict(last);
    return this.#messages.short(
      accounts.length === 1
        ? message('status.one-run', { verdict })
        : message('status.runs', { runs: accounts.length, verdict }),
      resource,
    );
  }

  #tooltipOf({ accounts }: LogAnalysis): string {
    const last = accounts.at(-1);
    return last === undefined
      ? this.#messages.ui('status.nothing-tooltip')
      : this.#messages.plain(summaryMessage(last), window.activeTextEditor?.document.uri);
  }

  #setActive(isLogActive: boolean): void {
    if (isLogActive !== this.#isLogActive) {
      this.#isLogActive = isLogActive;
      void commands.executeCommand('setContext', activeLogKey, isLogActive);
    }
  }
}
