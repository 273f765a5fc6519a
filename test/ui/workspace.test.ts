/** The window opens and the extension is in it: the least that everything else stands on. */
import assert from 'node:assert/strict';
import { withWindow } from './window';

describe('The window', () => {
  it('opens the sample workspace with the extension active for a log', async () => {
    const files = { 'logs/sglang-server.log': 'first line\nsecond line\n' };
    await withWindow({ files }, async window => {
      await window.openFile('logs/sglang-server.log', 2);
      assert.deepEqual(
        (await window.visibleLines()).map(({ text }) => text),
        ['first line', 'second line', ''],
      );
      await window.runCommand('Developer: Show Running Extensions');
      const rows = window.page.locator('.runtime-extensions-editor .monaco-list-row');
      await rows.first().hover();
      // The slowest to start stand first, and only rows in view exist.
      const row = await window.eventually('ours is among the running extensions', async () => {
        const ours = rows.filter({ hasText: 'KV Lens for SGLang' });
        if (await ours.isVisible()) return ours.innerText();
        await window.page.mouse.wheel(0, 200);
        return undefined;
      });
      assert.match(row, /Activation: \d+ms/);
    });
  });
});
