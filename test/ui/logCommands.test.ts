/** Commands and links as a person uses them: pickers, previews, what is said when there is nothing. */
import assert from 'node:assert/strict';
import { leadsToLine, reportFrame } from './reportWindow';
import type { EditorWindow } from './window';
import { isDone, withWindow } from './window';

const failing = { openFile: 'seed-failing.log', settings: { 'editor.wordWrap': 'on' } };

/** Clicks a link in a page of the window, wherever it is drawn, once it is. */
async function clickLink(window: EditorWindow, text: string): Promise<void> {
  await window.eventually(`the link “${text}” can be clicked`, async () => {
    for (const frame of window.page.frames()) {
      const link = frame.locator('button', { hasText: new RegExp(`^${text}$`) }).first();
      // A preview is drawn anew while it loads: a click that meets that moment is tried again.
      if (await isDone(() => link.click({ timeout: 1_000 }))) return true;
    }
    return undefined;
  });
}

/** Takes a run from the picker with this placeholder, once it lists the files of the folder too. */
async function pickRun(window: EditorWindow, placeholder: string, name: string): Promise<void> {
  await window.page.getByPlaceholder(placeholder).waitFor();
  await window.eventually('the files of the folder are listed', async () =>
    (await window.quickPicks()).some(row => row.includes('seed-restart.log')) ? true : undefined,
  );
  await window.pick(name);
}

async function isAtLine(window: EditorWindow, line: number): Promise<void> {
  await window.page.locator('.statusbar').getByText(`Ln ${line},`).waitFor({ timeout: 5_000 });
}

describe('The links of what is shown', () => {
  it('a hover leads to the line that a value comes from', async () => {
    await withWindow(failing, async window => {
      await window.goToLine(18);
      await window.eventually('the link of the hover leads to line 37', async () => {
        await window.hoverText('avail mem=94.00 GB');
        return isDone(async () => {
          await window.hover().getByText('line 37').click({ timeout: 5_000 });
          await isAtLine(window, 37);
        });
      });
    });
  });

  it('a report leads to the line of a figure', async () => {
    await withWindow(failing, async window => {
      await window.lineNoteContaining('GiB').catch(() => undefined);
      await window.runCommand('SGLang: Evaluate KV Budget');
      await window.pick('This log');
      await window.webviewText('0.7692');
      await window.eventually('the link leads to line 37', async () => {
        await clickLink(window, 'line 37');
        return isDone(() => isAtLine(window, 37));
      });
    });
  });
});

describe('“Compare Two Runs”', () => {
  it('offers the open log and the logs of the folder', async () => {
    await withWindow(failing, async window => {
      await window.goToLine(37);
      await window.lineNoteContaining('-20.603');
      await window.runCommand('SGLang: Compare Two Runs');
      await pickRun(window, 'The first run', 'seed-baseline.log');
      await pickRun(window, 'The run to compare it with', 'seed-failing.log');
      const text = await window.webviewText('159,171');
      assert.match(text, /Only the fraction differs/);
      const page = await reportFrame(window, '#part-moves');
      const row = page.locator('#part-moves tr.moved');
      await leadsToLine(window, row.getByRole('button', { name: 'line 37' }), 37);
      const tab = window.page.locator('.tab.active', { hasText: 'seed-baseline.log' });
      await window.eventually('the other log is opened', async () => {
        return isDone(async () => {
          await page
            .getByRole('button', { name: 'Open seed-baseline.log' })
            .click({ timeout: 5_000 });
          await tab.first().waitFor({ timeout: 3_000 });
        });
      });
    });
  });
});

describe('A file without a line of a server', () => {
  it('is answered with a sentence that says what is missing', async () => {
    const files = { 'other.log': 'nothing of interest\n' };
    await withWindow({ files, openFile: 'other.log' }, async window => {
      await window.eventually('the command is there', async () =>
        (await window.statusItems()).length > 0 ? true : undefined,
      );
      await window.runCommand('SGLang: Explain Selection or Clipboard');
      // The editor has notifications of its own while the window starts.
      await window.eventually('a sentence says what is missing', async () =>
        (await window.notifications()).find(text => text.includes('no line of an SGLang server')),
      );
    });
  });
});
