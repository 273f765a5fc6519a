/** The Memory view in the window: rows, menus, keys, first steps. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { EditorWindow } from './window';
import { isDone, withWindow } from './window';
import {
  chooseInMenu,
  failing,
  isRead,
  leadsToLine,
  memoryRow,
  openMemoryView,
  reportFrame,
} from './reportWindow';

/** Windows are slow on a machine that does other work. */
const patienceMs = 360_000;

/** Opens the menu of a row until it has these entries: rows move while logs are still found. */
async function offers(
  window: EditorWindow,
  row: string,
  entries: readonly string[],
): Promise<void> {
  const { page } = window;
  const labels = page.locator('.monaco-menu .action-item:not(.disabled) .action-label');
  let last: string[] = [];
  await window
    .eventually(`the menu of ${row} has its entries`, async () => {
      await page.keyboard.press('Escape');
      await isDone(async () => {
        await memoryRow(window, row).click({ button: 'right', timeout: 5_000 });
        await labels.first().waitFor({ timeout: 5_000 });
      });
      last = (await labels.allInnerTexts()).filter(text => text !== '');
      return last.join() === entries.join() ? true : undefined;
    })
    .catch(() => assert.deepEqual(last, entries));
  await page.keyboard.press('Escape');
}

async function isCopied({ page }: EditorWindow, text: string): Promise<boolean> {
  return (await page.evaluate(() => navigator.clipboard.readText())) === text;
}

/** True once some page of the window shows the text. */
async function isOnPage({ page }: EditorWindow, text: string): Promise<boolean> {
  for (const frame of page.frames()) {
    const found = frame.getByText(text).first();
    if (frame !== page.mainFrame() && (await found.isVisible().catch(() => false))) return true;
  }
  return false;
}

/** Unfolds a row: the list lends its elements to other rows while it is drawn, so one click may miss. */
async function unfold(window: EditorWindow, row: string): Promise<void> {
  const folded = memoryRow(window, row);
  const unfolded = window.page
    .locator('.sidebar .monaco-list-row[aria-expanded="true"]')
    .filter({ hasText: row });
  await window.eventually(`${row} is unfolded`, async () => {
    if ((await unfolded.count()) > 0) return true;
    return isDone(async () => {
      await folded.locator('.monaco-tl-twistie').click({ timeout: 5_000 });
      await unfolded.waitFor({ timeout: 3_000 });
    });
  });
}

/** Without logs: what is there at the first start. */
const noLogs = {
  'seed-failing.log': '',
  'seed-baseline.log': '',
  'seed-restart.log': '',
  'seed-baseline-crlf.log': '',
  'seed-baseline-k8s-ansi.log': '',
};

describe('The Memory view in the window', () => {
  it('leads from the activity bar to a line of the ledger', async () => {
    await withWindow(failing, async window => {
      await isRead(window);
      await openMemoryView(window);
      await unfold(window, 'Run 1');
      await unfold(window, 'Rank TP0');
      assert.match(await memoryRow(window, 'weights').innerText(), /72\.30 GiB/);
      await leadsToLine(window, memoryRow(window, 'weights'), 29);
    });
  }).timeout(patienceMs);

  it('offers in the menu of a run what can be done with it, and does it', async () => {
    await withWindow(failing, async window => {
      await isRead(window);
      await openMemoryView(window);
      await memoryRow(window, 'Run 1').waitFor();
      await offers(window, 'Run 1', [
        'Open Report',
        'Open Report as Markdown',
        'Reveal Line',
        'Compare with…',
        'Bind Log to Workspace',
        'Copy Launch Flag',
      ]);

      const { page } = window;
      const status = page.locator('.statusbar');
      await chooseInMenu(window, memoryRow(window, 'Run 1'), 'Copy Launch Flag', () =>
        isCopied(window, '--mem-fraction-static 0.9'),
      );
      await window.goToLine(40);
      await chooseInMenu(window, memoryRow(window, 'Run 1'), 'Reveal Line', () =>
        status.getByText('Ln 1,').isVisible(),
      );
      await chooseInMenu(window, memoryRow(window, 'Run 1'), 'Bind Log to Workspace', async () =>
        (await window.statusItems()).some(text => text.includes('seed-failing.log')),
      );
      await chooseInMenu(window, memoryRow(window, 'Run 1'), 'Open Report as Markdown', () =>
        isOnPage(window, '-314,811'),
      );
      await chooseInMenu(window, memoryRow(window, 'Run 1'), 'Open Report', () =>
        isOnPage(window, 'Try other values'),
      );
      await chooseInMenu(window, memoryRow(window, 'Run 1'), 'Compare with…', () =>
        page.locator('.quick-input-list').getByText('seed-baseline.log').first().isVisible(),
      );
      await window.pick('seed-baseline.log');
      assert.match(await window.webviewText('With the other run'), /Only the fraction differs/);
    });
  }).timeout(patienceMs);

  it('offers for a log that is not open its report and a comparison', async () => {
    await withWindow({ openFile: 'README.md' }, async window => {
      await openMemoryView(window);
      await offers(window, 'seed-restart.log', [
        'Open Report',
        'Open Report as Markdown',
        'Compare with…',
        'Bind Log to Workspace',
      ]);
      await chooseInMenu(window, memoryRow(window, 'seed-restart.log'), 'Open Report', () =>
        isOnPage(window, 'Try other values'),
      );
      const report = await reportFrame(window);
      assert.match(await report.locator('.verdict').innerText(), /-20\.603 GiB/);
    });
  }).timeout(patienceMs);

  it('is used with the keyboard alone', async () => {
    await withWindow(failing, async window => {
      await isRead(window);
      await window.runCommand('View: Show KV Lens for SGLang');
      await memoryRow(window, 'Run 1').waitFor();
      const { keyboard } = window.page;
      const focused = async (): Promise<string> =>
        window.page
          .locator('.sidebar .monaco-list-row.focused')
          .first()
          .innerText({ timeout: 500 });
      const list = window.page.locator('.sidebar .monaco-list').first();
      // A view that is drawn anew takes the focus away, and what is sought may stand above it then.
      const reach = async (text: string): Promise<void> => {
        await memoryRow(window, text).waitFor();
        let presses = 0;
        await window.eventually(`the focus is on ${text}`, async () => {
          await isDone(() => list.focus({ timeout: 2_000 }));
          if ((await focused().catch(() => '')).includes(text)) return true;
          presses += 1;
          await keyboard.press(presses % 30 === 0 ? 'Home' : 'ArrowDown');
          await window.page.waitForTimeout(200);
          return undefined;
        });
      };
      // A key is lost where the view is drawn anew in that moment: it is pressed again.
      const open = async (text: string, below: string): Promise<void> => {
        await reach(text);
        await window.eventually(`${text} is unfolded`, async () => {
          if (!(await focused().catch(() => '')).includes(text)) await reach(text);
          await keyboard.press('ArrowRight');
          return isDone(() => memoryRow(window, below).waitFor({ timeout: 2_000 }));
        });
      };
      await open('Run 1', 'Rank TP0');
      await open('Rank TP0', 'weights');
      await window.eventually('Enter leads to line 29', async () => {
        await reach('weights');
        await keyboard.press('Enter');
        const cursor = window.page.locator('.statusbar').getByText('Ln 29,');
        return isDone(() => cursor.waitFor({ timeout: 3_000 }));
      });
    });
  }).timeout(patienceMs);

  it('says the first steps where there is no log, and opens the sample workspace', async () => {
    await withWindow({ files: noLogs }, async window => {
      await openMemoryView(window);
      const welcome = window.page.locator('.sidebar .welcome-view-content');
      const button = welcome.getByText('Open the Sample Workspace');
      await button.waitFor();
      assert.match(await welcome.innerText(), /Evaluate KV Budget/);
      // In a browser a workspace is another page: this window's, or a new one.
      const context = window.page.context();
      const isSample = (page: Page): boolean =>
        /globalStorage\/[^/]+\/sample/.test(decodeURIComponent(page.url()));
      // A welcome that is drawn anew in that moment takes no click: it is clicked again.
      const page = await window.eventually(
        'a window shows the sample',
        async () => {
          await button.click({ timeout: 2_000 }).catch(() => undefined);
          for (let wait = 0; wait < 40; wait += 1) {
            const found = context.pages().find(isSample);
            if (found !== undefined) return found;
            await window.page.waitForTimeout(250);
          }
          return undefined;
        },
        60_000,
      );
      const files = page.locator('.explorer-folders-view');
      await files.getByText('seed-failing.log').waitFor({ timeout: 90_000 });
      await files.getByText('kv_budget.py').waitFor({ timeout: 90_000 });
    });
  }).timeout(patienceMs);
});
