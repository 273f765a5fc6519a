/** The report page and the Memory view in the window: opened, clicked, dragged, restored. */
import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import type { EditorWindow } from './window';
import { withWindow } from './window';

const failing = { openFile: 'seed-failing.log', settings: { 'editor.wordWrap': 'on' } };

/** The frame that shows the report; waits for one that has drawn it. */
async function reportFrame(window: EditorWindow): Promise<Frame> {
  return window.eventually('a report is drawn', async () => {
    for (const frame of window.page.frames()) {
      const isDrawn = await frame
        .locator('#part-memory')
        .isVisible()
        .catch(() => false);
      if (isDrawn) return frame;
    }
    return undefined;
  });
}

/** Waits until the log is read. */
async function isRead(window: EditorWindow): Promise<void> {
  await window.eventually('the log has its lens', async () =>
    (await window.codeLenses()).includes('Open report') ? true : undefined,
  );
}

async function openReport(window: EditorWindow): Promise<Frame> {
  await isRead(window);
  await window.page.locator('.codelens-decoration a', { hasText: 'Open report' }).first().click();
  return reportFrame(window);
}

/** Clicks until the cursor is at the line: a view that is drawn anew in between loses a click. */
async function leadsToLine(window: EditorWindow, link: Locator, line: number): Promise<void> {
  const cursor = window.page.locator('.statusbar').getByText(`Ln ${line},`);
  await window.eventually(`a click leads to line ${line}`, async () => {
    await link.click();
    return cursor.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => undefined,
    );
  });
}

/** A window with a report is opened, reloaded and read: slow machines need their time. */
const patienceMs = 240_000;

describe('The report in the window', () => {
  it('answers the slider and typed tokens, and copies the launch line', async () => {
    await withWindow(failing, async window => {
      const report = await openReport(window);
      assert.match(await report.locator('.verdict').innerText(), /-20\.603 GiB/);

      const slider = report.getByRole('slider', { name: 'Memory fraction f' });
      await slider.scrollIntoViewIfNeeded();
      const box = await slider.boundingBox();
      assert.ok(box);
      const { page } = window;
      await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
      await page.mouse.up();
      assert.notEqual(await report.locator('#out-fraction').innerText(), '0.9');

      // `kvlens solve --for memFractionEffective --set maxTotalTokens=200000` answers 0.9084…
      await report.locator('#in-tokens input').fill('200000');
      await report.locator('#out-note').getByText('0.9084').waitFor();
      assert.equal(await report.locator('#out-fraction').innerText(), '0.909');

      await report.locator('.verdict vscode-button').click();
      await window.eventually('the launch line is in the clipboard', async () => {
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        return copied.includes('--mem-fraction-static 0.9') ? copied : undefined;
      });
    });
  }).timeout(patienceMs);

  it('is there again after a reload, with what was tried, and leads to lines', async () => {
    // A window that is asked for a file by its address restores nothing else without the setting.
    const settings = { ...failing.settings, 'window.restoreWindows': 'preserve' };
    await withWindow({ ...failing, settings }, async window => {
      const report = await openReport(window);
      await report.locator('#in-fraction input').fill('0.87');
      await report.locator('#out-fraction').getByText('0.87').waitFor();
      // The command lets the editor keep its state first, as closing a window does.
      const loaded = window.page.waitForEvent('load');
      await window.runCommand('Developer: Reload Window');
      await loaded;
      await window.page.locator('.tab', { hasText: 'KV budget of seed-failing.log' }).click();
      const restored = await reportFrame(window);
      await restored.locator('#out-fraction').getByText('0.87').waitFor();
      assert.match(await restored.locator('.verdict').innerText(), /-20\.603 GiB/);
      await leadsToLine(window, restored.getByRole('button', { name: /^Weights/ }), 29);
    });
  }).timeout(patienceMs);
});

describe('The Memory view in the window', () => {
  it('leads from the activity bar to a line of the ledger', async () => {
    await withWindow(failing, async window => {
      await isRead(window);
      await window.page
        .locator('.activitybar a[aria-label*="KV Lens"]')
        .first()
        .click({ force: true });
      const rows = window.page.locator('.sidebar .monaco-list-row');
      const row = (text: string) => rows.filter({ hasText: text }).first();
      await row('Run 1').locator('.monaco-tl-twistie').click();
      await row('Rank TP0').locator('.monaco-tl-twistie').click();
      assert.match(await row('weights').innerText(), /72\.30 GiB/);
      await leadsToLine(window, row('weights'), 29);
    });
  }).timeout(patienceMs);

  it('says the first steps where there is no log', async () => {
    const files = { 'seed-failing.log': '', 'seed-baseline.log': '', 'seed-restart.log': '' };
    const others = { 'seed-baseline-crlf.log': '', 'seed-baseline-k8s-ansi.log': '' };
    await withWindow({ files: { ...files, ...others } }, async window => {
      await window.page
        .locator('.activitybar a[aria-label*="KV Lens"]')
        .first()
        .click({ force: true });
      const welcome = window.page.locator('.sidebar .welcome-view-content');
      await welcome.getByText('Open the Sample Workspace').waitFor();
      assert.match(await welcome.innerText(), /Evaluate KV Budget/);
    });
  }).timeout(patienceMs);
});
