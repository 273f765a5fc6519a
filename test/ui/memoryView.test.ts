/** The Memory view in the window: rows, menus, keys, first steps. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { EditorWindow } from './window';
import { withWindow } from './window';
import {
  failing,
  isRead,
  leadsToLine,
  memoryRow,
  openMemoryView,
  reportFrame,
} from './reportWindow';

const patienceMs = 240_000;

/** The entries of the menu that is open. */
async function menuEntries({ page }: EditorWindow): Promise<string[]> {
  const entries = page.locator('.monaco-menu .action-item:not(.disabled) .action-label');
  await entries.first().waitFor();
  return (await entries.allInnerTexts()).filter(text => text !== '');
}

/** Opens the menu of a row by the right button and takes an entry. */
async function choose(window: EditorWindow, row: string, entry: string): Promise<void> {
  const menu = window.page.locator('.monaco-menu');
  await window.eventually(`the menu of ${row} takes ${entry}`, async () => {
    await window.page.keyboard.press('Escape');
    await memoryRow(window, row).click({ button: 'right' });
    const item = menu.locator('.action-item', { hasText: entry }).first();
    // A menu that has just opened takes no click yet: it stays, and is asked again.
    await item.click({ timeout: 3_000 }).catch(() => undefined);
    return menu.waitFor({ state: 'hidden', timeout: 2_000 }).then(
      () => true,
      () => undefined,
    );
  });
}

async function unfold(window: EditorWindow, row: string): Promise<void> {
  await memoryRow(window, row).locator('.monaco-tl-twistie').click();
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
      await memoryRow(window, 'Run 1').click({ button: 'right' });
      assert.deepEqual(await menuEntries(window), [
        'Open Report',
        'Open Report as Markdown',
        'Reveal Line',
        'Compare with…',
        'Bind Log to Workspace',
        'Copy Launch Flag',
      ]);
      await window.page.keyboard.press('Escape');

      await choose(window, 'Run 1', 'Copy Launch Flag');
      await window.eventually('the flag is in the clipboard', async () => {
        const copied = await window.page.evaluate(() => navigator.clipboard.readText());
        return copied === '--mem-fraction-static 0.9' ? true : undefined;
      });

      await window.goToLine(40);
      await choose(window, 'Run 1', 'Reveal Line');
      await window.page.locator('.statusbar').getByText('Ln 1,').waitFor();

      await choose(window, 'Run 1', 'Bind Log to Workspace');
      await window.eventually('the status bar names the bound log', async () =>
        (await window.statusItems()).some(text => text.includes('seed-failing.log'))
          ? true
          : undefined,
      );

      await choose(window, 'Run 1', 'Open Report as Markdown');
      assert.match(await window.webviewText('-314,811'), /Where the memory went/);

      await choose(window, 'Run 1', 'Open Report');
      const report = await reportFrame(window);
      assert.match(await report.locator('.verdict').innerText(), /-20\.603 GiB/);

      await choose(window, 'Run 1', 'Compare with…');
      await window.pick('seed-baseline.log');
      const text = await window.webviewText('With the other run');
      assert.match(text, /Only the fraction differs/);
    });
  }).timeout(patienceMs);

  it('offers for a log that is not open its report and a comparison', async () => {
    await withWindow({ openFile: 'README.md' }, async window => {
      await openMemoryView(window);
      await memoryRow(window, 'seed-restart.log').click({ button: 'right' });
      assert.deepEqual(await menuEntries(window), [
        'Open Report',
        'Open Report as Markdown',
        'Compare with…',
        'Bind Log to Workspace',
      ]);
      await window.page.keyboard.press('Escape');
      await choose(window, 'seed-restart.log', 'Open Report');
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
        window.page.locator('.sidebar .monaco-list-row.focused').first().innerText();
      await window.page.locator('.sidebar .monaco-list').focus();
      const reach = async (text: string): Promise<void> => {
        await memoryRow(window, text).waitFor();
        await window.eventually(`the focus is on ${text}`, async () => {
          await keyboard.press('ArrowDown');
          await window.page.waitForTimeout(200);
          return (await focused().catch(() => '')).includes(text) ? true : undefined;
        });
      };
      await reach('Run 1');
      await keyboard.press('ArrowRight');
      await reach('Rank TP0');
      await keyboard.press('ArrowRight');
      await reach('weights');
      await keyboard.press('Enter');
      await window.page.locator('.statusbar').getByText('Ln 29,').waitFor();
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
      await button.click();
      const isSample = (page: Page): boolean =>
        /globalStorage\/[^/]+\/sample/.test(decodeURIComponent(page.url()));
      const page = await window.eventually('a window shows the sample', () =>
        Promise.resolve(context.pages().find(isSample)),
      );
      const files = page.locator('.explorer-folders-view');
      await files.getByText('seed-failing.log').waitFor();
      await files.getByText('kv_budget.py').waitFor();
    });
  }).timeout(patienceMs);
});
