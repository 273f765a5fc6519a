/**
 * An item of the status bar that is there only while it has something to say of the active editor,
 * with the context key of menus that tells the same. Leaves out what it says.
 */
import type { Disposable, StatusBarItem } from 'vscode';
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
}

/** One item. */
export class StatusEntry implements Disposable {
  readonly #options: StatusEntryOptions;
  #item: StatusBarItem | undefined;
  #isActive = false;

  constructor(options: StatusEntryOptions) {
    this.#options = options;
  }

  /** What the item says; undefined while it is hidden. */
  get text(): string | undefined {
    return this.#item?.text;
  }

  /** Says this with an icon in front, which screen readers leave out. */
  show(icon: string, text: string, tooltip: string): void {
    const item = (this.#item ??= this.#make());
    item.text = `$(${icon}) ${text}`;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: text };
    item.show();
  }

  hide(): void {
    this.#item?.dispose();
    this.#item = undefined;
  }

  setActive(isActive: boolean): void {
    if (isActive !== this.#isActive) {
      this.#isActive = isActive;
      void commands.executeCommand('setContext', this.#options.activeKey, isActive);
    }
  }

  dispose(): void {
    this.hide();
  }

  #make(): StatusBarItem {
    const { id, name, command, priority } = this.#options;
    const item = window.createStatusBarItem(id, StatusBarAlignment.Right, priority);
    item.name = name;
    item.command = commandId(command);
    return item;
  }
}
