/** Says in the status bar, while a source with memory arithmetic is active, which run is bound. */
import type { Disposable } from 'vscode';
import { window } from 'vscode';
import type { FeatureParts } from '../answering';
import type { Messages } from '../messages';
import type { Settings } from '../settings';
import { StatusEntry } from '../statusEntry';
import { boundName } from './boundName';
import type { PythonDocuments } from './pythonDocuments';
import type { RunBinding } from './runBinding';

/** Keeps the item and the context key of menus: true while the editor shows memory arithmetic. */
export class BoundStatus implements Disposable {
  readonly #documents: PythonDocuments;
  readonly #binding: RunBinding;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #entry: StatusEntry;
  readonly #listeners: readonly Disposable[];

  constructor(
    documents: PythonDocuments,
    binding: RunBinding,
    { messages, settings }: FeatureParts,
  ) {
    this.#documents = documents;
    this.#binding = binding;
    this.#messages = messages;
    this.#settings = settings;
    this.#entry = new StatusEntry({
      id: 'bound',
      name: messages.ui('python.status-name'),
      command: 'bindLog',
      priority: 91,
      activeKey: 'sglangKvLens.isPythonActive',
    });
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
    if (document !== undefined && this.#documents.isWaiting(document)) {
      return;
    }
    const found = document && this.#documents.latest(document);
    const isActive = (found?.functions.length ?? 0) > 0;
    this.#entry.setActive(isActive);
    if (!isActive || !this.#settings.get('statusBar.enabled', document?.uri)) {
      this.#entry.hide();
      return;
    }
    const bound = this.#binding.latest;
    this.#entry.show(
      'link',
      bound ? boundName(bound, this.#messages) : this.#messages.ui('python.status-unbound'),
      this.#messages.ui(bound ? 'python.status-tooltip' : 'python.status-unbound-tooltip'),
    );
  }
}
