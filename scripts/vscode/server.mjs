// Starts one VS Code server (the editor as a web page on 127.0.0.1) with fresh folders, and stops
// it with everything it started. Opens no browser and installs nothing.

import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { installVsCode, newestVersion } from './install.mjs';

/** Settings that keep an automatic window quiet: no chat, no welcome page, no questions. */
export const quietSettings = {
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'telemetry.telemetryLevel': 'off',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

const startTimeoutMs = 60_000;

/**
 * Starts the server and resolves once it answers: its address, its port, and `stop`, which is safe
 * to call twice and also runs when this process ends. `settings` become user settings,
 * `extensionsFolder` holds installed extensions, with `workspaceTrust` the editor asks for it, and
 * who does not know the `token` is turned away. With `driver` the window obeys the payload of
 * `windowAddress` and shows no toasts: people get a window without it.
 */
export async function startServer({
  version = newestVersion,
  port = 0,
  settings = quietSettings,
  extensionsFolder,
  workspaceTrust = false,
  driver = true,
  token,
  env = {},
  onOutput = () => {},
} = {}) {
  const { servers } = await installVsCode();
  const { root, node } = servers[version] ?? {};
  if (!root) {
    throw new Error(`No VS Code ${version} here; there is ${Object.keys(servers).join(', ')}.`);
  }
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'kvlens-server-'));
  const userFolder = path.join(dataFolder, 'data', 'User');
  await mkdir(userFolder, { recursive: true });
  await writeFile(path.join(userFolder, 'settings.json'), JSON.stringify(settings, null, 2));

  const child = spawn(
    node,
    [
      path.join(root, 'out', 'server-main.js'),
      ...['--host', '127.0.0.1', '--port', String(port)],
      ...(token ? ['--connection-token', token] : ['--without-connection-token']),
      '--accept-server-license-terms',
      ...['--server-data-dir', dataFolder, '--telemetry-level', 'off'],
      ...(driver ? ['--enable-smoke-test-driver'] : []),
      ...(extensionsFolder ? ['--extensions-dir', extensionsFolder] : []),
      ...(workspaceTrust ? [] : ['--disable-workspace-trust']),
    ],
    {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      // No extension gallery: nothing here asks the network for anything.
      env: withoutParentEditor({ ...process.env, EXTENSIONS_GALLERY: '{}', ...env }),
    },
  );

  const killGroup = signal => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // Nobody of the group is left.
    }
  };
  const killAtExit = () => killGroup('SIGKILL');
  process.once('exit', killAtExit);
  const ended = new Promise(resolve => child.once('close', resolve));

  let stopping;
  const stop = () =>
    (stopping ??= (async () => {
      killGroup('SIGTERM');
      const patience = setTimeout(killAtExit, 3_000);
      await ended;
      clearTimeout(patience);
      killGroup('SIGKILL');
      process.removeListener('exit', killAtExit);
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 });
    })());

  try {
    const actualPort = await portOf(child, ended, onOutput);
    return { url: `http://127.0.0.1:${actualPort}/`, port: actualPort, version, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Installs a .vsix into an extensions folder with the server's own command. */
export async function installVsix(vsix, extensionsFolder, version = newestVersion) {
  const { servers } = await installVsCode();
  const { root, node } = servers[version];
  await promisify(execFile)(
    node,
    [
      path.join(root, 'out', 'server-main.js'),
      '--accept-server-license-terms',
      ...['--extensions-dir', extensionsFolder],
      ...['--install-extension', vsix],
    ],
    { cwd: root, env: withoutParentEditor({ ...process.env, EXTENSIONS_GALLERY: '{}' }) },
  );
}

/** Resolves to the port once the server says that it listens. */
function portOf(child, ended, onOutput) {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = why => reject(new Error(`The VS Code server ${why}:\n${output.slice(-2_000)}`));
    const timeout = setTimeout(() => fail('did not start in a minute'), startTimeoutMs);
    const read = chunk => {
      const text = String(chunk);
      onOutput(text);
      output += output.length < 100_000 ? text : '';
      const listening = /Extension host agent listening on (\d+)/.exec(output);
      if (!listening) return;
      clearTimeout(timeout);
      resolve(Number(listening[1]));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', error => fail(`could not be started (${error.message})`));
    void ended.then(() => {
      clearTimeout(timeout);
      fail('ended at once');
    });
  });
}

// A terminal inside an editor hands its own variables on; they would redirect this server.
function withoutParentEditor(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(VSCODE_|ELECTRON_RUN_AS_NODE$)/.test(name)),
  );
}

/** How the window that this server serves addresses a file of this machine. */
export function remoteUri(server, file) {
  return `vscode-remote://127.0.0.1:${server.port}${pathToFileURL(path.resolve(file)).pathname}`;
}

/**
 * The address of a window on a folder or a `.code-workspace` file. `payload` is what the
 * smoke-test driver understands, for example `extensionDevelopmentPath` and `openFile`.
 */
export function windowAddress(server, workspace, payload = {}) {
  const address = new URL(server.url);
  if (workspace) {
    const kind = workspace.endsWith('.code-workspace') ? 'workspace' : 'folder';
    address.searchParams.set(kind, path.resolve(workspace));
  }
  const pairs = Object.entries({ skipWelcome: 'true', ...payload });
  address.searchParams.set('payload', JSON.stringify(pairs));
  return address.href;
}
