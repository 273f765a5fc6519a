// Opens the editor as a person sees it, in a headless Chromium: the packaged extension installed, a
// fresh copy of the sample workspace in the window. One server and one browser serve every window
// of a process; windows on folders that nobody trusts have a server of their own. What to do in the
// window is test/ui/window.ts.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { launchBrowser } from './browser.mjs';
import { layWorkspace } from './hostTier.mjs';
import { quietSettings, remoteUri, startServer, windowAddress } from './server.mjs';
import { installExtension } from './stage.mjs';

/** What the quiet settings still show, and a picture of a file should not. */
const plainSettings = {
  ...quietSettings,
  'breadcrumbs.enabled': false,
  'editor.minimap.enabled': false,
  'workbench.layoutControl.enabled': false,
};

// Every window of a server shares the user settings, so what a test changes belongs to the folder.
const folderSettings = { 'workbench.colorTheme': 'Default Dark Modern' };

/** By whether folders are trusted without a question. */
const shared = new Map();

/** The server and the browser of this process, started by the first window that asks. */
function sharedEditor(isTrusted) {
  const editor = shared.get(isTrusted) ?? startEditor(isTrusted);
  shared.set(isTrusted, editor);
  return editor;
}

async function startEditor(isTrusted) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kvlens-window-'));
  const extensionsFolder = path.join(folder, 'extensions');
  await mkdir(extensionsFolder);
  await installExtension(extensionsFolder);
  const workspaceTrust = !isTrusted;
  const server = await startServer({ extensionsFolder, settings: plainSettings, workspaceTrust });
  try {
    return { folder, server, browser: await launchBrowser() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Opens a window on a fresh workspace and resolves once the workbench is drawn. `files` are laid
 * over the sample workspace (path -> text), `settings` are its folder settings, `openFile` is shown
 * at once. Without `isTrusted` the folder is in Restricted Mode until somebody trusts it.
 */
export async function openEditorPage({
  settings = {},
  files = {},
  openFile,
  isTrusted = true,
  width = 1280,
  height = 800,
  scale = 1,
} = {}) {
  const { folder, server, browser } = await sharedEditor(isTrusted);
  const own = await mkdtemp(path.join(folder, 'w-'));
  const workspace = path.join(own, 'sample');
  await layWorkspace(workspace);
  await writeSettings(workspace, { ...folderSettings, ...settings });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(workspace, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(45_000);
  const page = await context.newPage();
  const payload = openFile ? { openFile: remoteUri(server, path.join(workspace, openFile)) } : {};
  await page.goto(windowAddress(server, workspace, payload));
  await page.waitForSelector('.monaco-workbench .part.statusbar', { timeout: 60_000 });
  return {
    page,
    workspace,
    close: async () => {
      await context.close();
      await rm(own, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function writeSettings(workspace, settings) {
  const file = path.join(workspace, '.vscode', 'settings.json');
  await mkdir(path.dirname(file), { recursive: true });
  const present = await readFile(file, 'utf8').then(JSON.parse, () => ({}));
  await writeFile(file, JSON.stringify({ ...present, ...settings }, null, 2));
}

/** Ends the servers and the browsers of this process; the last thing a suite does. */
export async function closeEditor() {
  const editors = [...shared.values()];
  shared.clear();
  for (const starting of editors) {
    const editor = await starting.catch(() => undefined);
    if (!editor) continue;
    await editor.browser.close();
    await editor.server.stop();
    await rm(editor.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
