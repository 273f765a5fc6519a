/** What people take away from a report in the window, and what a comparison is after a reload. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { failing, leadsToLine, openReport, reportFrame, showTab } from './reportWindow';
import { isDone, withWindow } from './window';

/** A window with a report is opened, reloaded and read: slow machines need their time. */
const patienceMs = 240_000;

describe('A report that is taken away', () => {
  it('is copied as Markdown, and saved as a file that a browser shows without a script', async () => {
    await withWindow(failing, async window => {
      const report = await openReport(window);
      const { page } = window;
      await window.eventually('the Markdown is in the clipboard', async () => {
        const copy = report.getByRole('button', { name: 'Copy as Markdown' });
        await isDone(() => copy.click({ timeout: 5_000 }));
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        return /^# KV budget of seed-failing\.log.*-314,811/s.test(copied) ? true : undefined;
      });

      const file = join(window.workspaceFolder, 'KV-budget-of-seed-failing.log.html');
      const dialog = page.locator('.quick-input-widget .quick-input-box input');
      await window.eventually('the report is a file', async () => {
        if (existsSync(file)) return true;
        return isDone(async () => {
          await report.getByRole('button', { name: 'Save as HTML' }).click({ timeout: 5_000 });
          await dialog.waitFor({ timeout: 5_000 });
          await window.eventually(
            'the dialog names the file',
            async () => ((await dialog.inputValue()).endsWith('.html') ? true : undefined),
            5_000,
          );
          await page.keyboard.press('Enter');
          await window.eventually(
            'the file is written',
            () => Promise.resolve(existsSync(file) || undefined),
            5_000,
          );
        });
      });
      const saved = await page.context().newPage();
      const troubles: string[] = [];
      saved.on('console', message => troubles.push(message.text()));
      saved.on('pageerror', error => troubles.push(error.message));
      await saved.goto(pathToFileURL(file).href);
      assert.match(await saved.locator('.verdict').innerText(), /-20\.603 GiB/);
      assert.equal(await saved.locator('script').count(), 0);
      assert.deepEqual(troubles, []);
    });
  }).timeout(patienceMs);

  it('is, as a comparison, there again after a reload and leads to the lines of both logs', async () => {
    // A window that is asked for a file by its address restores nothing else without the setting.
    const settings = { ...failing.settings, 'window.restoreWindows': 'preserve' };
    await withWindow({ ...failing, settings }, async window => {
      const { page } = window;
      await window.lineNoteContaining('GiB').catch(() => undefined);
      await window.runCommand('SGLang: Compare Two Runs');
      for (const [placeholder, log] of [
        ['The first run', 'seed-baseline.log'],
        ['The run to compare it with', 'seed-failing.log'],
      ] as const) {
        await page.getByPlaceholder(placeholder).waitFor();
        await window.eventually('the files of the folder are listed', async () =>
          (await window.quickPicks()).some(row => row.includes('seed-restart.log'))
            ? true
            : undefined,
        );
        await window.pick(log);
      }
      await reportFrame(window, '#part-moves');
      const loaded = page.waitForEvent('load', { timeout: 120_000 });
      await window.runCommand('Developer: Reload Window');
      await loaded;
      await showTab(window, 'seed-baseline.log against');
      const restored = await reportFrame(window, '#part-moves');
      const row = restored.locator('#part-moves tr.moved');
      await leadsToLine(window, row.getByRole('button', { name: 'line 37' }), 37);
      await showTab(window, 'seed-baseline.log against');
      const again = await reportFrame(window, '#part-moves');
      const tab = page.locator('.tab.active', { hasText: 'seed-baseline.log' });
      await window.eventually('the other log is opened', async () => {
        return isDone(async () => {
          await again
            .getByRole('button', { name: 'Open seed-baseline.log' })
            .click({ timeout: 5_000 });
          await tab.filter({ hasNotText: 'against' }).first().waitFor({ timeout: 3_000 });
        });
      });
    });
  }).timeout(patienceMs);
});
