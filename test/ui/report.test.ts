/** The report page in the window: opened, dragged, restored. */
import assert from 'node:assert/strict';
import { copyFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import {
  chooseInMenu,
  clickUntil,
  failing,
  leadsToLine,
  openReport,
  reportFrame,
  showTab,
  typeUntil,
} from './reportWindow';
import { isDone, withWindow } from './window';

/** A window with a report is opened, reloaded and read: slow machines need their time. */
const patienceMs = 240_000;

describe('The report in the window', () => {
  it('answers the slider and typed tokens, and copies the launch line', async () => {
    await withWindow(failing, async window => {
      const report = await openReport(window);
      assert.match(await report.locator('.verdict').innerText(), /-20\.603 GiB/);

      const slider = report.getByRole('slider', { name: 'Memory fraction f' });
      const { page } = window;
      // A page that moves while it is drawn lets the mouse go beside the slider: it is dragged again.
      await window.eventually('the slider follows the mouse', async () => {
        await slider.scrollIntoViewIfNeeded();
        const box = await slider.boundingBox();
        if (box === null) return undefined;
        await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
        await page.mouse.up();
        return (await report.locator('#out-fraction').innerText()) === '0.9' ? undefined : true;
      });

      // `kvlens solve --for memFractionEffective --set maxTotalTokens=200000` answers 0.9084…
      await typeUntil(window, report, '#in-tokens', '200000', '#out-note', '0.9084');
      assert.equal(await report.locator('#out-fraction').innerText(), '0.909');

      await window.eventually('the launch line is in the clipboard', async () => {
        await isDone(() => report.locator('.verdict vscode-button').click({ timeout: 5_000 }));
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
      await typeUntil(window, report, '#in-fraction', '0.87', '#out-fraction', '0.87');
      // The command lets the editor keep its state first, as closing a window does.
      const loaded = window.page.waitForEvent('load', { timeout: 120_000 });
      await window.runCommand('Developer: Reload Window');
      await loaded;
      await showTab(window, 'KV budget of seed-failing.log');
      const restored = await reportFrame(window);
      await restored.locator('#out-fraction').getByText('0.87').waitFor();
      assert.match(await restored.locator('.verdict').innerText(), /-20\.603 GiB/);
      await leadsToLine(window, restored.getByRole('button', { name: /^Weights/ }), 29);
    });
  }).timeout(patienceMs);

  it('keeps what was read where the reading is stopped, and reads the whole log when asked', async () => {
    await withWindow({ files: { 'long.log': '' } }, async window => {
      const file = join(window.workspaceFolder, 'long.log');
      copyFileSync('sample/seed-baseline.log', file);
      // A hole: it takes no place on the disk and long to read.
      truncateSync(file, 6 * 2 ** 30);
      const row = window.page.locator('.explorer-folders-view .monaco-list-row', {
        hasText: 'long.log',
      });
      const tab = window.page.locator('.tab.active', { hasText: 'KV budget of long.log' }).first();
      await chooseInMenu(window, row.first(), 'Evaluate KV Budget', () => tab.isVisible());
      const report = await reportFrame(window);
      await clickUntil(
        window,
        report.getByRole('button', { name: 'Stop' }),
        report.getByText(/was stopped at \d+ %/),
      );
      assert.match(await report.locator('.verdict').innerText(), /159,287/);
      truncateSync(file, 6745);
      await clickUntil(
        window,
        report.getByRole('button', { name: 'Read the whole log' }),
        report.getByRole('button', { name: 'Copy as Markdown' }),
      );
      assert.match(await report.locator('.verdict').innerText(), /159,287/);
      assert.equal(await report.locator('.notice').count(), 0);
    });
  }).timeout(patienceMs);

  it('asks for the config of the model and then shows where bytes per token come from', async () => {
    // Two that fit: which of them is the model's is not for the tool to say.
    const config = JSON.stringify({
      architectures: ['KimiK25ForConditionalGeneration'],
      text_config: {
        num_hidden_layers: 61,
        num_attention_heads: 64,
        kv_lora_rank: 512,
        qk_rope_head_dim: 64,
        max_position_embeddings: 262144,
      },
      torch_dtype: 'bfloat16',
    });
    const files = { 'one/config.json': config, 'two/config.json': config };
    await withWindow({ ...failing, files }, async window => {
      const report = await openReport(window);
      const link = report.locator('#part-missing').getByRole('button', { name: 'Choose config' });
      await link.waitFor();
      assert.equal(await report.locator('#part-receipt').count(), 0);
      await window.eventually('the configs are offered', async () => {
        await link.click({ timeout: 5_000 }).catch(() => undefined);
        return isDone(() =>
          window.page.locator('.quick-input-list').getByText('two').first().waitFor({
            timeout: 5_000,
          }),
        );
      });
      await window.pick('two');
      const receipt = (await reportFrame(window, '#part-receipt')).locator('#part-receipt');
      assert.match(await receipt.innerText(), /70,272 B\/token/);
      assert.match(await receipt.innerText(), /61/);
    });
  }).timeout(patienceMs);
});
