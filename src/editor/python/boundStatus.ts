/** Says in the status bar, while a source with memory arithmetic is active, which run is bound. */
import type { Disposable, StatusBarItem } from 'vscode';
import { commands, StatusBarAlignment, window } from 'vscode';
import { commandId } from '../commands';
import type { Messages } from '../messages';
import type { Settings } from '../settings';
import { boundName } from './boundName';
import type { PythonDocuments } from './pythonDocuments';
import type { RunBinding } from './runBinding';

/** The context key of menus: the active editor shows memory arithmetic. */
const activePythonKey = 'sglangKvLens.isPythonActive';

/** Keeps the item and the context key. */
export class BoundStatus implements Disposable {
  readonly #documents: PythonDocuments;
  readonly #binding: RunBinding;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #listeners: readonly Disposable[];
  #item: StatusBarItem | undefined;
  #isActive = false;

  constructor(
    documents: PythonDocuments,
    binding: RunBinding,
    messages: Messages,
    settings: Settings,
  ) {
    this.#documents = documents;
    this.#binding = binding;
    this.#messages = messages;
    this.#settings = settings;
    const update = (): void => this.#update();
    this.#listeners = [
      window.onDidChangeActiveTextEditor(update),
      settings.onDidChange(update),
      binding.onDidChange(update),
      documents.onDidChange(update),
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
    if (document !== undefined && this.#documents.isWaiting(document)) {
      return;
    }
    const found = document && this.#documents.latest(document);
    const isActive = (found?.functions.length ?? 0) > 0;
    this.#setActive(isActive);
    if (!isActive || !this.#settings.get('statusBar.enabled', document?.uri)) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    const item = (this.#item ??= this.#makeItem());
    const bound = this.#binding.latest;
    const text = bound
      ? boundName(bound, this.#messages)
      : this.#messages.ui('python.status-unbound');
    item.text = `$(link) ${text}`;
    item.tooltip = this.#messages.ui(
      bound ? 'python.status-tooltip' : 'python.status-unbound-tooltip',
    );
    item.accessibilityInformation = { label: text };
    item.show();
  }

  #makeItem(): StatusBarItem {
    const item = window.createStatusBarItem('bound', StatusBarAlignment.Right, 91);
    item.name = this.#messages.ui('python.status-name');
    item.command = commandId('bindLog');
    return item;
  }

  #setActive(isActive: boolean): void {
    if (isActive !== this.#isActive) {
      this.#isActive = isActive;
      void commands.executeCommand('setContext', activePythonKey, isActive);
    }
  }
}
