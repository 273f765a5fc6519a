/** The report and the Memory view in the window, for the suites that use them. */
import type { Frame, Locator } from 'playwright-core';
import type { EditorWindow } from './window';

export const failing = { openFile: 'seed-failing.log', settings: { 'editor.wordWrap': 'on' } };

/** The frame that shows the report; waits for one that has drawn this part of it. */
export async function reportFrame(window: EditorWindow, part = '#part-memory'): Promise<Frame> {
  return window.eventually('a report is drawn', async () => {
    for (const frame of window.page.frames()) {
      const isDrawn = await frame
        .locator(part)
        .isVisible()
        .catch(() => false);
      if (isDrawn) return frame;
    }
    return undefined;
  });
}

/** Waits until the log is read. */
export async function isRead(window: EditorWindow): Promise<void> {
  await window.eventually('the log has its lens', async () =>
    (await window.codeLenses()).includes('Open report') ? true : undefined,
  );
}

export async function openReport(window: EditorWindow): Promise<Frame> {
  await isRead(window);
  await window.page.locator('.codelens-decoration a', { hasText: 'Open report' }).first().click();
  return reportFrame(window);
}

/** Clicks until the cursor is at the line: a view that is drawn anew in between loses a click. */
export async function leadsToLine(
  window: EditorWindow,
  link: Locator,
  line: number,
): Promise<void> {
  const cursor = window.page.locator('.statusbar').getByText(`Ln ${line},`);
  await window.eventually(`a click leads to line ${line}`, async () => {
    await link.click();
    return cursor.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => undefined,
    );
  });
}

/** Shows the Memory view. */
export async function openMemoryView({ page }: EditorWindow): Promise<void> {
  await page.locator('.activitybar a[aria-label*="KV Lens"]').first().click({ force: true });
}

/** A row of the Memory view. */
export function memoryRow({ page }: EditorWindow, text: string): Locator {
  return page.locator('.sidebar .monaco-list-row').filter({ hasText: text }).first();
}
