/** Says in the status bar what was recognised in the active log, and offers the report. */
import type { Disposable } from 'vscode';
import { window } from 'vscode';
import { summaryMessage } from '../core/account/accountSummary';
import { shortVerdict } from '../core/annotate/log/logVerdict';
import { message } from '../core/message/message';
import type { LogAnalysis } from './logAnalysis';
import type { LogDocuments } from './logDocuments';
import type { Messages } from './messages';
import type { Settings } from './settings';
import { StatusEntry } from './statusEntry';

/** Keeps the item and the context key of menus: true while the active editor shows a log. */
export class StatusItem implements Disposable {
  readonly #documents: LogDocuments;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #entry: StatusEntry;
  readonly #listeners: readonly Disposable[];

  constructor(documents: LogDocuments, messages: Messages, settings: Settings) {
    this.#documents = documents;
    this.#messages = messages;
    this.#settings = settings;
    this.#entry = new StatusEntry({
      id: 'recognised',
      name: messages.ui('status.name'),
      command: 'evaluateBudget',
      priority: 90,
      activeKey: 'sglangKvLens.isLogActive',
    });
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
    return this.#entry.text;
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
    this.#entry.dispose();
  }

  #update(): void {
    const document = window.activeTextEditor?.document;
    const analysis = document && this.#documents.latest(document);
    if (document !== undefined && analysis === undefined && this.#documents.isWaiting(document)) {
      return;
    }
    this.#entry.setActive((analysis?.accounts.length ?? 0) > 0);
    if (analysis !== undefined && this.#settings.get('statusBar.enabled', document?.uri)) {
      this.#entry.show('symbol-ruler', this.#textOf(analysis), this.#tooltipOf(analysis));
    } else {
      this.#entry.hide();
    }
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
}
