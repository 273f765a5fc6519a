/**
 * An item of the status bar that is there only while it has something to say of the active editor,
 * with the context key of menus that tells the same. Leaves out what it says.
 */
import type { Disposable, Event, StatusBarItem, TextDocument } from 'vscode';
import { commands, StatusBarAlignment, window } from 'vscode';
import type { CommandName } from './commands';
import { commandId } from './commands';

/** What stays the same of an item. */
export interface StatusEntryOptions {
  readonly id: string;
  /** How the item is called where people choose what the bar shows. */
  readonly name: string;
  readonly command: CommandName;
  readonly priority: number;
  /** The context key, true while the active editor is of our kind. */
  readonly activeKey: string;
  /** What the item says of a document; undefined where that is not known yet: it stays as it is. */
  readonly say: (document: TextDocument | undefined) => StatusContent | undefined;
  /** Asks again, besides for another active editor. */
  readonly changes: readonly Event<unknown>[];
}

/** What an item says of the active editor. */
export interface StatusContent {
  readonly isActive: boolean;
  /** Undefined hides the item. Screen readers leave the icon out. */
  readonly shown:
    { readonly icon: string; readonly text: string; readonly tooltip: string } | undefined;
}

/** One item. */
export class StatusEntry implements Disposable {
  readonly #options: StatusEntryOptions;
  readonly #listeners: readonly Disposable[];
  #item: StatusBarItem | undefined;
  #isActive = false;

  constructor(options: StatusEntryOptions) {
    this.#options = options;
    this.#listeners = [window.onDidChangeActiveTextEditor, ...options.changes].map(event =>
      event(() => this.#update()),
    );
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
    const content = this.#options.say(window.activeTextEditor?.document);
    if (content === undefined) {
      return;
    }
    const { isActive, shown } = content;
    if (isActive !== this.#isActive) {
      this.#isActive = isActive;
      void commands.executeCommand('setContext', this.#options.activeKey, isActive);
    }
    if (shown === undefined) {
      this.#item?.dispose();
      this.#item = undefined;
      return;
    }
    const item = (this.#item ??= this.#make());
    item.text = `$(${shown.icon}) ${shown.text}`;
    item.tooltip = shown.tooltip;
    item.accessibilityInformation = { label: shown.text };
    item.show();
  }

  #make(): StatusBarItem {
    const { id, name, command, priority } = this.#options;
    const item = window.createStatusBarItem(id, StatusBarAlignment.Right, priority);
    item.name = name;
    item.command = commandId(command);
    return item;
  }
}
