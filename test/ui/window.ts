/**
 * The editor's window as a person uses it: open a file, rest the mouse on a word and read the hover,
 * read what stands after a line, press a command. It reads what is drawn, never what the extension
 * holds. Opening the browser and the server is scripts/vscode/window.mjs.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import {
  openEditorPage,
  type EditorPage,
  type WindowOptions,
} from '../../scripts/vscode/window.mjs';

// Twice what the slowest machine was seen to need; with every feature off (scripts/allOff.mjs)
// nothing is worth a long wait.
const patienceMs = process.env['KVLENS_ALL_OFF'] === '1' ? 5_000 : 45_000;

/** Text drawn at a line: 1-based line as the editor numbers it, and what is read there. */
export interface LineText {
  readonly line: number;
  readonly text: string;
}

/** Where a piece of text is drawn, in pixels of the page. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

let pictures = 0;

/**
 * Opens a window for the time of `use`. When that throws, a picture of the window is kept and the
 * error says where.
 */
export async function withWindow<T>(
  options: WindowOptions,
  use: (window: EditorWindow) => Promise<T>,
): Promise<T> {
  const window = await EditorWindow.open(options);
  try {
    return await use(window);
  } catch (error) {
    const file = join(tmpdir(), `kvlens-failed-${process.pid}-${++pictures}.png`);
    await window.screenshot(file).catch(() => undefined);
    if (error instanceof Error) error.stack = `${error.stack}\nThe window at that moment: ${file}`;
    throw error;
  } finally {
    await window.close();
  }
}

/** One window. Tests use `withWindow`; who opens one otherwise closes it. */
export class EditorWindow {
  readonly #opened: EditorPage;

  private constructor(opened: EditorPage) {
    this.#opened = opened;
  }

  /** Opens a window on a fresh copy of the sample workspace and, if named, a file in it. */
  static async open(options: WindowOptions = {}): Promise<EditorWindow> {
    const window = new EditorWindow(await openEditorPage(options));
    try {
      if (options.openFile !== undefined) await window.#waitForFile(options.openFile);
      return window;
    } catch (error) {
      await window.close();
      throw error;
    }
  }

  /** For what this driver does not know. */
  get page(): Page {
    return this.#opened.page;
  }

  /** The window's own copy of the workspace on disk. */
  get workspaceFolder(): string {
    return this.#opened.workspace;
  }

  close(): Promise<void> {
    return this.#opened.close();
  }

  /** Opens a file of the workspace by its path through quick open, at a 1-based line if given. */
  async openFile(path: string, line?: number): Promise<void> {
    const name = path.split('/').at(-1) ?? path;
    // A list that is filled anew in that moment may lose the key: it is asked for again.
    await this.eventually(`${path} is opened`, async () => {
      await this.#quickInput('Control+P', path);
      return isDone(async () => {
        await this.#firstQuickPick(name).waitFor({ timeout: 5_000 });
        await this.page.keyboard.press('Enter');
        await this.#activeTab(name).waitFor({ timeout: 5_000 });
      });
    });
    await this.#waitForFile(path);
    if (line !== undefined) await this.goToLine(line);
  }

  /** Puts the cursor on a 1-based line and brings it into view. */
  async goToLine(line: number): Promise<void> {
    const cursor = this.page.locator('.statusbar').getByText(`Ln ${line},`);
    await this.eventually(`the cursor is on line ${line}`, async () => {
      await this.#quickInput('Control+G', `:${line}`);
      await this.page.keyboard.press('Enter');
      return isDone(() => cursor.waitFor({ timeout: 5_000 }));
    });
  }

  /** Runs the command of this full title (`SGLang: Compare Two Runs`) from the command palette. */
  async runCommand(title: string): Promise<void> {
    const row = this.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: title })
      .first();
    // A palette that opens while the window still starts may lose what was typed, or close again
    // before it is clicked: it is asked again.
    await this.eventually(`the palette runs “${title}”`, async () => {
      await this.#quickInput('F1', `>${title}`);
      return isDone(() => row.click({ timeout: 5_000 }));
    });
  }

  /** Takes the quick pick that contains this text; another list may follow. */
  async pick(text: string): Promise<void> {
    const row = this.#firstQuickPick(text);
    await row.waitFor({ timeout: patienceMs });
    // A list that still grows lends the element of a row to another: it has to rest.
    await this.#waitUntilStill(this.page.locator('.quick-input-widget .quick-input-list'));
    const list = await this.#shownList();
    let isClicked = false;
    // One that has just opened takes no click: it is clicked until it is gone, or is another list.
    await this.eventually(`“${text}” is taken`, async () => {
      if (isClicked && (await this.#shownList()) !== list) return true;
      isClicked = (await isDone(() => row.click({ timeout: 5_000 }))) ?? isClicked;
      for (let wait = 0; isClicked && wait < 20; wait += 1) {
        if ((await this.#shownList()) !== list) return true;
        await sleep(100);
      }
      return undefined;
    });
  }

  /** What the quick input that is shown asks for; empty for none. */
  async #shownList(): Promise<string> {
    const widget = this.page.locator('.quick-input-widget');
    if (!(await widget.isVisible())) return '';
    const input = widget.locator('.quick-input-box input');
    const asked = await input.getAttribute('placeholder', { timeout: 500 }).catch(() => undefined);
    return `asks for ${asked ?? 'nothing'}`;
  }

  /** The rows of the open quick pick, as they read. */
  async quickPicks(): Promise<readonly string[]> {
    const rows = this.page.locator('.quick-input-widget .quick-input-list .monaco-list-row');
    await this.#waitUntilStill(rows.first());
    return readable(await rows.allInnerTexts());
  }

  /**
   * Rests the mouse on the first place where the text is drawn in the active editor and reads the
   * hover. Fails when none appears; `hoverTextOrNone` answers undefined then.
   */
  async hoverText(text: string): Promise<string> {
    const hover = await this.hoverTextOrNone(text, patienceMs);
    if (hover === undefined) throw new Error(`No hover appeared on “${text}”.`);
    return hover;
  }

  /** As `hoverText`, but undefined when no hover appears within `waitMs`. */
  async hoverTextOrNone(text: string, waitMs = 8_000): Promise<string | undefined> {
    const end = Date.now() + waitMs;
    // A window that still draws itself hides a hover that has begun: the mouse is moved once more.
    while (Date.now() < end) {
      await this.#restMouseOn(await this.boxOf(text));
      const answer = await this.#readHover(Math.min(4_000, end - Date.now()));
      if (answer !== undefined) return answer;
    }
    return undefined;
  }

  /** The hover that is shown over the editor. */
  hover(): Locator {
    return this.page.locator('.monaco-resizable-hover .monaco-hover:not(.hidden)').first();
  }

  /**
   * Where the text rests in the active editor; waits until it does. The line must be in view; a text
   * beyond the right edge is scrolled into view as one does with a wheel.
   */
  async boxOf(text: string): Promise<Box> {
    let before = '';
    return this.eventually(`“${text}” is drawn in the editor`, async () => {
      await sleep(100);
      const found = await this.page.evaluate(findDrawnText, text);
      const isStill = found !== null && before === JSON.stringify(found);
      before = JSON.stringify(found);
      if (!isStill) return undefined;
      if (found.beyondRight <= 0) return found.box;
      await this.page.mouse.move(found.edge - 100, found.box.y + found.box.height / 2);
      await this.page.mouse.wheel(found.beyondRight + 100, 0);
      return undefined;
    });
  }

  /** The lines that are drawn in the active editor, without what decorations add. */
  async visibleLines(): Promise<readonly LineText[]> {
    return this.page.evaluate(readLines, 'text' as const);
  }

  /** What decorations draw after (or before) the text of lines, as far as it can be seen. */
  async lineNotes(): Promise<readonly LineText[]> {
    return this.page.evaluate(readLines, 'notes' as const);
  }

  /** The note at a line; waits for one whose text contains `part`. */
  async lineNoteContaining(part: string): Promise<LineText> {
    return this.eventually(`a note after a line contains “${part}”`, async () =>
      (await this.lineNotes()).find(note => note.text.includes(part)),
    );
  }

  /** The inlay hints in view. */
  async inlayHints(): Promise<readonly LineText[]> {
    return this.page.evaluate(readLines, 'hints' as const);
  }

  /** The code lenses in view, top to bottom. */
  async codeLenses(): Promise<readonly string[]> {
    const rows = this.page.locator('.editor-instance .codelens-decoration');
    return readable(await rows.allInnerTexts()).flatMap(row =>
      row.split('\n').filter(text => text !== '|' && text !== ''),
    );
  }

  /** Clicks a code lens of the active editor, and answers with the list that opens in place. */
  async peekFromLens(title: string): Promise<readonly string[]> {
    const lens = this.page
      .locator('.editor-group-container.active .codelens-decoration a')
      .filter({ hasText: title, visible: true });
    const rows = this.page.locator('.zone-widget .ref-tree .monaco-list-row');
    await this.eventually(`“${title}” opens a list`, async () => {
      await lens
        .first()
        .click({ timeout: 5_000 })
        .catch(() => undefined);
      return rows
        .first()
        .waitFor({ timeout: 5_000 })
        .then(
          () => true,
          () => undefined,
        );
    });
    await this.#waitUntilStill(rows.first());
    return readable(await rows.allInnerTexts());
  }

  /** The rows of the Problems panel, which it opens. */
  async problems(): Promise<readonly string[]> {
    const panel = this.page.locator('.markers-panel');
    if (!(await panel.isVisible())) await this.runCommand('Problems: Focus on Problems View');
    await panel.waitFor({ timeout: patienceMs });
    const rows = panel.locator('.monaco-list-row');
    return readable(await rows.allInnerTexts());
  }

  /** The entries of the status bar. */
  async statusItems(): Promise<readonly string[]> {
    return readable(await this.page.locator('.statusbar .statusbar-item').allInnerTexts());
  }

  /**
   * The notifications, newest first, with their buttons. It opens the notification centre: a window
   * under a driver shows no toasts.
   */
  async notifications(): Promise<readonly string[]> {
    const centre = this.page.locator('.notifications-center.visible');
    if (!(await centre.isVisible())) await this.runCommand('Notifications: Show Notifications');
    await centre.waitFor({ timeout: patienceMs });
    return readable(await centre.locator('.notification-list-item').allInnerTexts());
  }

  /** The text of the webview (a report, a Markdown preview) that contains `part`; waits for one. */
  async webviewText(part: string): Promise<string> {
    return this.eventually(`a webview contains “${part}”`, async () => {
      for (const frame of this.page.frames()) {
        const text = await frame
          .locator('body')
          .innerText({ timeout: 1_000 })
          .catch(() => '');
        // The main frame is the workbench: a report opened as text stands there too.
        if (frame !== this.page.mainFrame() && text.includes(part)) return text;
      }
      return undefined;
    });
  }

  /** The title of the active editor. */
  async activeTitle(): Promise<string> {
    const tab = this.page.locator('.editor-group-container.active .tab.active').first();
    return (await tab.getAttribute('data-resource-name')) ?? (await tab.innerText());
  }

  /** Takes a picture of the window, or of a part of it. */
  async screenshot(file: string, clip?: Box): Promise<void> {
    await this.page.screenshot({ path: file, animations: 'disabled', ...(clip ? { clip } : {}) });
  }

  /** Asks again until there is an answer; the sentence is what the failure says. */
  async eventually<T>(
    what: string,
    ask: () => Promise<T | undefined>,
    waitMs = patienceMs,
  ): Promise<T> {
    const end = Date.now() + waitMs;
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      if (Date.now() > end) throw new Error(`Waited ${waitMs / 1000} s in vain until ${what}.`);
      await sleep(100);
    }
  }

  async #quickInput(keys: string, text: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget');
    const input = widget.locator('.quick-input-box input');
    await this.eventually(`${keys} opens the quick input`, async () => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press(keys);
      return input.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => undefined,
      );
    });
    await input.fill(text);
  }

  async #restMouseOn({ x, y, width, height }: Box): Promise<void> {
    // Away first: a hover that is still shown for the same place would not be asked for again.
    await this.page.mouse.move(x + 1, 1);
    await this.page.keyboard.press('Escape');
    await this.hover().waitFor({ state: 'hidden' });
    await this.page.mouse.move(x + width / 2 - 2, y + height / 2, { steps: 4 });
    await this.page.mouse.move(x + width / 2, y + height / 2, { steps: 2 });
  }

  /** The hover once it rests: it first says “Loading…” and grows as providers answer. */
  async #readHover(waitMs: number): Promise<string | undefined> {
    const end = Date.now() + waitMs;
    let before = '';
    while (Date.now() < end) {
      await sleep(250);
      const hover = this.hover();
      const shown = (await hover.isVisible())
        ? await hover.innerText({ timeout: 1_000 }).catch(() => '')
        : '';
      const now = shown.trim().startsWith('Loading') ? '' : shown;
      if (now !== '' && now === before) return readable([now])[0];
      before = now;
    }
    return undefined;
  }

  #firstQuickPick(text: string): Locator {
    return this.page
      .locator('.quick-input-widget .quick-input-list .monaco-list-row')
      .filter({ hasText: text })
      .first();
  }

  async #waitForFile(path: string): Promise<void> {
    const name = path.split('/').at(-1) ?? path;
    await this.#activeTab(name).waitFor({ timeout: patienceMs });
    await this.page
      .locator('.editor-group-container.active .editor-instance .view-lines .view-line')
      .first()
      .waitFor({ timeout: patienceMs });
  }

  #activeTab(name: string): Locator {
    return this.page
      .locator('.editor-group-container.active .tab.active')
      .filter({ hasText: name })
      .first();
  }

  async #waitUntilStill(locator: Locator): Promise<void> {
    let before = '';
    await this.eventually('what is shown rests', async () => {
      await sleep(250);
      const now = await locator.innerText();
      const isStill = now === before && now.trim() !== '';
      before = now;
      return isStill || undefined;
    });
  }
}

/** True once it is done, undefined where it fails: for what is tried again. */
export async function isDone(attempt: () => Promise<unknown>): Promise<true | undefined> {
  return attempt().then(
    () => true as const,
    () => undefined,
  );
}

/** One line each, without the spaces and invisible marks that only serve drawing. */
function readable(texts: readonly string[]): readonly string[] {
  return texts.map(text =>
    text
      .replaceAll('\u00a0', ' ')
      .replaceAll(/[\u200b\u200c\u200d\ue000-\uf8ff]/g, '')
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '')
      .join('\n'),
  );
}

// The two functions below run in the page: they may use nothing from this file.

/**
 * The box of the first drawn occurrence of a text in the active editor, and by how much it stands
 * beyond the editor's right edge; null where it is not drawn.
 */
function findDrawnText(wanted: string): { box: Box; beyondRight: number; edge: number } | null {
  const editor =
    document.querySelector('.editor-group-container.active .editor-instance') ?? document.body;
  const lines = [...editor.querySelectorAll<HTMLElement>('.view-lines > .view-line')].sort(
    (a, b) => Number.parseFloat(a.style.top) - Number.parseFloat(b.style.top),
  );
  // What sticks to the top covers the lines beneath it.
  const sticky = editor.querySelector('.sticky-widget')?.getBoundingClientRect().bottom ?? 0;
  for (const line of lines) {
    if (line.getBoundingClientRect().top < sticky) continue;
    const pieces: Text[] = [];
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) pieces.push(walker.currentNode as Text);
    const at = pieces
      .map(piece => piece.data)
      .join('')
      .replaceAll('\u00a0', ' ')
      .indexOf(wanted);
    if (at < 0) continue;
    const range = document.createRange();
    let passed = 0;
    let hasStart = false;
    for (const piece of pieces) {
      const end = passed + piece.data.length;
      if (!hasStart && at < end) {
        range.setStart(piece, at - passed);
        hasStart = true;
      }
      if (hasStart && at + wanted.length <= end) {
        range.setEnd(piece, at + wanted.length - passed);
        break;
      }
      passed = end;
    }
    const { x, y, width, height } = range.getBoundingClientRect();
    const edge = editor.querySelector('.overflow-guard')?.getBoundingClientRect().right ?? 0;
    return { box: { x, y, width, height }, beyondRight: x + width + 20 - edge, edge };
  }
  return null;
}

/** What is drawn at each line of the active editor: its text, its notes or its inlay hints. */
function readLines(what: 'text' | 'notes' | 'hints'): { line: number; text: string }[] {
  const editor =
    document.querySelector('.editor-group-container.active .editor-instance') ?? document.body;
  const right = editor.querySelector('.overflow-guard')?.getBoundingClientRect().right ?? 0;
  const numberAt = new Map<number, number>();
  for (const row of editor.querySelectorAll<HTMLElement>('.margin-view-overlays > div')) {
    const number = Number(row.querySelector('.line-numbers')?.textContent ?? '');
    if (number > 0) numberAt.set(Number.parseFloat(row.style.top), number);
  }
  const partsOf = (row: HTMLElement): string[] => {
    const parts: string[] = [];
    for (const span of row.querySelectorAll('span > span')) {
      const isHint = /\bdyn-rule/.test(span.className);
      if (what === 'text' && !isHint) parts.push(span.textContent);
      if (what === 'hints' && isHint) parts.push(span.textContent);
      if (what !== 'notes' || span.getBoundingClientRect().right > right) continue;
      for (const side of ['::before', '::after']) {
        const { content } = getComputedStyle(span, side);
        if (/^".+"$/s.test(content)) parts.push(JSON.parse(content) as string);
      }
    }
    return parts;
  };
  const rows = [...editor.querySelectorAll<HTMLElement>('.view-lines > .view-line')]
    .map(row => ({ row, top: Number.parseFloat(row.style.top) }))
    .sort((a, b) => a.top - b.top);
  const found: { line: number; text: string }[] = [];
  for (const { row, top } of rows) {
    const line = numberAt.get(top);
    const text = partsOf(row)
      .join('')
      .replaceAll('\u00a0', ' ')
      .replaceAll(/[\u200b\u200c]/g, '');
    // A wrapped line goes on in rows without a number.
    const last = found.at(-1);
    if (line !== undefined) found.push({ line, text });
    else if (last !== undefined) last.text += text;
  }
  return what === 'text' ? found : found.filter(({ text }) => text.trim() !== '');
}
