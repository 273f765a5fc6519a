/** A quick pick that is there at once and grows: finding files in a large workspace takes seconds. */
import type { QuickPickItem } from 'vscode';
import { window } from 'vscode';

/** What is offered. */
export interface GrowingChoice<Item extends QuickPickItem> {
  readonly placeHolder: string;
  readonly now: readonly Item[];
  /** Stands after `now` when it is known; a failure adds nothing. */
  readonly later: Thenable<readonly Item[]>;
  readonly last: readonly Item[];
}

/** The item that was picked; undefined when the user stopped. */
export function pickGrowing<Item extends QuickPickItem>(
  choice: GrowingChoice<Item>,
): Promise<Item | undefined> {
  const pick = window.createQuickPick<Item>();
  pick.placeholder = choice.placeHolder;
  pick.matchOnDescription = true;
  pick.busy = true;
  pick.items = [...choice.now, ...choice.last];
  let isOpen = true;
  const end = (more: readonly Item[]): void => {
    if (isOpen) {
      const [active] = pick.activeItems;
      pick.items = [...choice.now, ...more, ...choice.last];
      pick.activeItems = active === undefined ? [] : [active];
      pick.busy = false;
    }
  };
  void choice.later.then(end, () => end([]));
  return new Promise(resolve => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]);
      pick.hide();
    });
    pick.onDidHide(() => {
      isOpen = false;
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
