/** The report and the Memory view in the window, for the suites that use them. */
import type { Frame, Locator } from 'playwright-core';
import { isDone, type EditorWindow } from './window';

export const failing = { openFile: 'seed-failing.log', settings: { 'editor.wordWrap': 'on' } };

/**
 * The frame that shows the report; waits for one that has this part of it, drawn by the script, which
 * draws again what stood there before it ran.
 */
export async function reportFrame(window: EditorWindow, part = '#part-memory'): Promise<Frame> {
  return window.eventually('a report is drawn', async () => {
    for (const frame of window.page.frames()) {
      const isDrawn = await frame
        .locator(part)
        .isVisible()
        .catch(() => false);
      if (isDrawn && (await frame.title()) !== 'KV Lens') return frame;
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
  const lens = window.page.locator('.codelens-decoration a', { hasText: 'Open report' }).first();
  const tab = window.page.locator('.tab.active', { hasText: 'KV budget of' }).first();
  // A lens that is drawn anew in that moment takes no click.
  await window.eventually('the lens opens the report', async () => {
    if (await tab.isVisible()) return true;
    return isDone(async () => {
      await lens.click({ timeout: 5_000 });
      await tab.waitFor({ timeout: 5_000 });
    });
  });
  return reportFrame(window);
}

/** Clicks until something is seen: what is drawn anew in between loses a click. */
export async function clickUntil(
  window: EditorWindow,
  clicked: Locator,
  seen: Locator,
): Promise<void> {
  await window.eventually('a click does what it says', async () => {
    if (await seen.isVisible()) return true;
    await isDone(() => clicked.click({ timeout: 5_000 }));
    return isDone(() => seen.waitFor({ timeout: 5_000 }));
  });
}

/** Types into a field of the report until its answer is there. */
export async function typeUntil(
  window: EditorWindow,
  report: Frame,
  field: string,
  typed: string,
  place: string,
  answer: string,
): Promise<void> {
  await window.eventually(`${typed} in ${field} gives ${answer}`, () =>
    isDone(async () => {
      await report.locator(`${field} input`).fill(typed, { timeout: 5_000 });
      await report.locator(place).getByText(answer).waitFor({ timeout: 5_000 });
    }),
  );
}

/** Brings the tab whose name has this text to the front. */
export async function showTab(window: EditorWindow, text: string): Promise<void> {
  await clickUntil(
    window,
    window.page.locator('.tab', { hasText: text }).first(),
    window.page.locator('.tab.active', { hasText: text }).first(),
  );
}

/** Clicks until the cursor is at the line: a view that is drawn anew in between loses a click. */
export async function leadsToLine(
  window: EditorWindow,
  link: Locator,
  line: number,
): Promise<void> {
  const cursor = window.page.locator('.statusbar').getByText(`Ln ${line},`);
  await window.eventually(`a click leads to line ${line}`, async () => {
    return isDone(async () => {
      await link.click({ timeout: 5_000 });
      await cursor.waitFor({ timeout: 3_000 });
    });
  });
}

/** Shows the Memory view. */
export async function openMemoryView(window: EditorWindow): Promise<void> {
  const { page } = window;
  const icon = page.locator('.activitybar a[aria-label*="KV Lens"]').first();
  const view = page.locator('.sidebar .composite.title', { hasText: 'KV Lens' });
  // A second click on the icon of the view that is shown would hide it.
  await window.eventually('the Memory view is shown', async () => {
    if (await view.isVisible()) return true;
    await icon.click({ force: true, timeout: 5_000 }).catch(() => undefined);
    return isDone(() => view.waitFor({ timeout: 5_000 }));
  });
}

/** A row of the Memory view. */
export function memoryRow({ page }: EditorWindow, text: string): Locator {
  return page.locator('.sidebar .monaco-list-row').filter({ hasText: text }).first();
}

/**
 * Opens the menu of an element by the right button and takes an entry, until what it does is seen: a
 * menu that has just opened takes no click yet, and one from before the extension lacks the entry.
 */
export async function chooseInMenu(
  window: EditorWindow,
  element: Locator,
  entry: string,
  hasHappened: () => Promise<boolean>,
): Promise<void> {
  const { page } = window;
  const item = page.locator('.monaco-menu .action-item', { hasText: entry }).first();
  await window.eventually(
    `${entry} in a menu does something`,
    async () => {
      await page.keyboard.press('Escape');
      await isDone(async () => {
        await element.click({ button: 'right', timeout: 5_000 });
        await item.waitFor({ timeout: 5_000 });
        await page.waitForTimeout(500);
        await item.click({ timeout: 5_000 });
      });
      for (let wait = 0; wait < 20; wait += 1) {
        if (await hasHappened().catch(() => false)) return true;
        await page.waitForTimeout(250);
      }
      return undefined;
    },
    120_000,
  );
}
