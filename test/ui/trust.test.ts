/** A window on a folder that nobody trusts yet: what it shows, and what only trust allows. */
import assert from 'node:assert/strict';
import { clickUntil, failing } from './reportWindow';
import type { EditorWindow } from './window';
import { isDone, withWindow } from './window';

/** What the picker of a config offers for the log that is shown; closes it again. */
async function offeredConfigs(window: EditorWindow): Promise<string> {
  await window.runCommand('SGLang: Choose Model Config');
  await window.page.getByPlaceholder('The config.json of the model').waitFor();
  const rows = await window.quickPicks();
  await window.page.keyboard.press('Escape');
  return rows.join('\n');
}

describe('A window in Restricted Mode', () => {
  it('explains the log, and follows a path in it only once the folder is trusted', async () => {
    await withWindow({ ...failing, isTrusted: false }, async window => {
      const { page } = window;
      const restricted = page.locator('.statusbar').getByText('Restricted Mode');
      await restricted.waitFor();
      await window.goToLine(37);
      assert.match(await window.hoverText('rest=-20.603'), /0\.7692/);
      await window.lineNoteContaining('-20.603');
      assert.doesNotMatch(await offeredConfigs(window), /At the path in the log/);

      await window.runCommand('Workspaces: Manage Workspace Trust');
      const trust = page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust' });
      await clickUntil(window, trust.first(), page.getByText('You trust this folder').first());
      await window.openFile('seed-failing.log', 37);
      assert.match(await window.hoverText('rest=-20.603'), /0\.7692/);
      await window.eventually('the path in the log is offered', async () =>
        (await offeredConfigs(window)).includes('At the path in the log') ? true : undefined,
      );
      assert.equal(await isDone(() => restricted.waitFor({ state: 'hidden' })), true);
    });
  });
});
