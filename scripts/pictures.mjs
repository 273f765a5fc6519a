// Takes the pictures of the README (media/pictures) from the real editor, in the size people read
// them. The list below says what each shows; tests do not depend on them.
// Usage: node scripts/pictures.mjs [NAME…]

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from './build.mjs';
import { projectRoot } from './projectRoot.mjs';
import { closeEditor } from './vscode/window.mjs';

/**
 * A picture: the file that is open and the line in view, what is done (`goTo` puts the cursor on
 * another line, `hover` rests the mouse on a text, `command` runs a command by its title, `pick`
 * takes a quick pick; `note`, `problem` and `report` wait until one with this text is shown;
 * `activity` opens a view of the activity bar, `unfold` unfolds a row of it, `text` waits for a text
 * in it; `set` types into a field of the report, `part` scrolls to a part of it), the theme, what
 * part of the window is kept, and `until` which element: what is below it is cut off.
 */
const pictures = [
  {
    name: 'hover-debug-line',
    file: 'seed-failing.log',
    line: 37,
    steps: [{ note: '-20.603' }, { hover: 'rest=-20.603' }],
    clip: 'editor',
  },
  {
    name: 'problem-not-enough-memory',
    file: 'seed-failing.log',
    line: 46,
    height: 640,
    steps: [
      { command: 'View: Toggle Primary Side Bar Visibility' },
      { problem: 'not-enough-memory' },
      { goTo: 50 },
    ],
    clip: 'window',
  },
  ...['report', 'report-light', 'report-high-contrast', 'report-high-contrast-light'].map(name => ({
    name,
    file: 'seed-baseline.log',
    theme: {
      report: 'Default Dark Modern',
      'report-light': 'Default Light Modern',
      'report-high-contrast': 'Default High Contrast',
      'report-high-contrast-light': 'Default High Contrast Light',
    }[name],
    height: 1500,
    steps: [
      { command: 'SGLang: Evaluate KV Budget' },
      { pick: 'This log' },
      { report: 'Where the memory went' },
    ],
    clip: 'editor',
    until: '#part-try',
  })),
  {
    name: 'what-if',
    file: 'seed-failing.log',
    theme: 'Default Light Modern',
    height: 1000,
    steps: [
      { command: 'SGLang: Evaluate KV Budget' },
      { pick: 'This log' },
      { report: 'Where the memory went' },
      { set: ['#in-tokens input', '200000'] },
      { part: '#part-try' },
    ],
    clip: 'editor',
    until: '#part-table',
  },
  {
    name: 'memory-view',
    file: 'seed-baseline.log',
    files: { 'seed-baseline-crlf.log': '', 'seed-baseline-k8s-ansi.log': '' },
    steps: [
      { activity: 'KV Lens' },
      { unfold: 'Run 1' },
      { unfold: 'Rank TP0' },
      { row: 'KV pool' },
    ],
    clip: 'window',
  },
  {
    name: 'welcome',
    files: {
      'seed-failing.log': '',
      'seed-baseline.log': '',
      'seed-restart.log': '',
      'seed-baseline-crlf.log': '',
      'seed-baseline-k8s-ansi.log': '',
    },
    theme: 'Default Light Modern',
    steps: [{ activity: 'KV Lens' }, { text: 'Open the Sample Workspace' }],
    clip: 'sidebar',
    until: '.sidebar .welcome-view-content > *:last-child',
  },
  {
    name: 'comparison',
    file: 'seed-failing.log',
    theme: 'Default Light Modern',
    height: 1100,
    steps: [
      { command: 'SGLang: Compare Two Runs' },
      { pick: 'seed-baseline.log' },
      { pick: 'seed-failing.log' },
      { report: 'With the other run' },
    ],
    clip: 'editor',
    until: 'main',
  },
  {
    name: 'python-hover',
    file: 'kv_budget.py',
    line: 26,
    height: 640,
    settings: { 'editor.hover.above': false },
    steps: [
      { command: 'SGLang: Bind Log to Workspace' },
      { pick: 'seed-failing.log' },
      { hint: '-20.603 GiB' },
      { hover: '//' },
    ],
    clip: 'editor',
  },
];

const quietPicture = {
  'editor.fontSize': 13,
  'editor.wordWrap': 'on',
  'editor.stickyScroll.enabled': false,
  'editor.renderLineHighlight': 'none',
  'editor.occurrencesHighlight': 'off',
  'editor.selectionHighlight': false,
  'window.commandCenter': false,
};

/** What only a browser's editor shows. */
const hidden = '.statusbar [id="status.workbench.keyboardLayout"] { display: none !important; }';

async function take({
  name,
  file,
  files = {},
  line,
  theme = 'Default Dark Modern',
  height = 800,
  settings: own = {},
  steps = [],
  clip,
  until,
}) {
  const { withWindow } = await import('../dist/test/ui/window.mjs');
  const settings = { ...quietPicture, ...own, 'workbench.colorTheme': theme };
  const options = {
    settings,
    files,
    width: 1400,
    height,
    scale: 2,
    ...(file && { openFile: file }),
  };
  await withWindow(options, async window => {
    await window.page.addStyleTag({ content: hidden });
    if (line !== undefined) await window.goToLine(line);
    for (const step of steps) await act(window, step);
    // Panels slide and tokens are coloured a moment after the text is there, and what still runs
    // shows a bar above it.
    await sleep(1_000);
    await window.eventually('nothing runs any more', async () =>
      (await window.page.locator('.monaco-progress-container.active:visible').count()) === 0
        ? true
        : undefined,
    );
    const target = path.join(projectRoot, 'media', 'pictures', `${name}.png`);
    await window.screenshot(target, await boxOf(window, clip, until));
    console.log(path.relative(projectRoot, target));
  });
}

async function act(window, step) {
  const { goTo, note, hint, hover, problem, command, pick, report } = step;
  const { activity, unfold, row, text, set, part } = step;
  if (goTo !== undefined) await window.goToLine(goTo);
  if (hint !== undefined) {
    await window.eventually(`a hint says ${hint}`, async () =>
      (await window.inlayHints()).find(({ text }) => text.includes(hint)),
    );
  }
  if (note !== undefined) await window.lineNoteContaining(note);
  if (hover !== undefined) {
    // A window that still draws itself hides a hover: it must stay.
    await window.eventually(`the hover on ${hover} stays`, async () => {
      await window.hoverText(hover);
      await sleep(2_000);
      return (await window.hover().isVisible()) ? true : undefined;
    });
  }
  if (problem !== undefined) {
    await window.eventually(`the problem ${problem} is listed`, async () =>
      (await window.problems()).find(row => row.includes(problem)),
    );
    await window.page.locator('[id="status.problems"]').filter({ hasText: '1' }).waitFor();
  }
  if (command !== undefined) await window.runCommand(command);
  if (pick !== undefined) await window.pick(pick);
  if (report !== undefined) await window.webviewText(report);
  if (activity !== undefined) {
    const icon = window.page.locator(`.activitybar a[aria-label*="${activity}"]`).first();
    await icon.click({ force: true });
    // What the mouse rests on has a tip of its own.
    await window.page.mouse.move(700, 500);
  }
  if (unfold !== undefined) {
    // The list lends its elements to other rows while it is drawn: one click may miss.
    const folded = rowOf(window, unfold);
    await folded.waitFor();
    await sleep(1_500);
    await window.eventually(`${unfold} is unfolded`, async () => {
      if ((await folded.getAttribute('aria-expanded').catch(() => null)) === 'true') return true;
      await folded
        .locator('.monaco-tl-twistie')
        .click({ timeout: 3_000 })
        .catch(() => undefined);
      await sleep(500);
      return undefined;
    });
  }
  if (text !== undefined) await window.page.locator('.sidebar').getByText(text).waitFor();
  if (row !== undefined) await rowOf(window, row).click();
  if (set !== undefined) {
    const [field, typed] = set;
    await (await reportFrame(window)).locator(field).fill(typed);
  }
  if (part !== undefined) {
    const place = (await reportFrame(window)).locator(part);
    await place.evaluate(element => element.scrollIntoView({ block: 'start' }));
  }
}

function rowOf(window, text) {
  return window.page.locator('.sidebar .monaco-list-row').filter({ hasText: text }).first();
}

/** The frame whose script has drawn the report: what stood there before it ran takes no input. */
async function reportFrame(window) {
  return window.eventually('the report is drawn', async () => {
    for (const frame of window.page.frames()) {
      const isDrawn = await frame
        .locator('.page')
        .isVisible()
        .catch(() => false);
      if (isDrawn && (await frame.title()) !== 'KV Lens') return frame;
    }
    return undefined;
  });
}

const parts = { editor: '.part.editor', panel: '.part.panel', sidebar: '.part.sidebar' };

/** Room below what is shown last. */
const margin = 28;

async function boxOf(window, clip, until) {
  if (clip === undefined || clip === 'window') return undefined;
  const box = await window.page.locator(parts[clip]).boundingBox();
  if (box === null || until === undefined) return box ?? undefined;
  const place = clip === 'editor' ? await reportFrame(window) : window.page;
  const last = await place.locator(until).last().boundingBox();
  const bottom = last === null ? Infinity : last.y + last.height + margin;
  return { ...box, height: Math.min(box.height, bottom - box.y) };
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter(name => !pictures.some(picture => picture.name === name));
if (unknown.length > 0) {
  console.error(`No picture ${unknown.join(', ')}: ${pictures.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
await build({ production: true, tests: true });
await mkdir(path.join(projectRoot, 'media', 'pictures'), { recursive: true });
try {
  for (const picture of pictures) {
    if (wanted.length === 0 || wanted.includes(picture.name)) await take(picture);
  }
} finally {
  await closeEditor();
}
