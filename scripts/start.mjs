// `npm start`: builds and packages the extension, prints the account of the sample logs in the
// terminal, and opens the sample workspace with the extension: in desktop VS Code where `code` is on
// the PATH (with folders of its own, so nobody's setup is touched), else in the browser.
// Usage: node scripts/start.mjs [--no-open] [--browser] [--port N]

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { build } from './build.mjs';
import { cacheFolder } from './cacheFolder.mjs';
import { projectRoot } from './projectRoot.mjs';
import { findOnPath } from './vscode/install.mjs';
import {
  installVsix,
  quietSettings,
  remoteUri,
  startServer,
  windowAddress,
} from './vscode/server.mjs';

const vsix = path.join(projectRoot, 'dist', 'sglang-kv-lens.vsix');
const sample = path.join(projectRoot, 'sample');

/** The story that the sample logs tell, as commands of the command line. */
const story = [
  ['explain', 'seed-failing.log'],
  ['explain', 'seed-baseline.log', '--claim', '0.55'],
  ['compare', 'seed-baseline.log', 'seed-failing.log'],
];

function tellStory() {
  const cli = path.join(projectRoot, 'dist', 'cli.js');
  for (const parameters of story) {
    console.log(`\n$ kvlens ${parameters.join(' ')}\n`);
    const { status } = spawnSync(process.execPath, [cli, ...parameters], {
      cwd: sample,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (status === 2) throw new Error(`kvlens ${parameters[0]} could not read the sample logs`);
  }
}

/** Opens the desktop editor; false when it would not take the extension. */
async function openDesktop(code) {
  const folder = path.join(cacheFolder, 'demo');
  await mkdir(folder, { recursive: true });
  const own = ['user-data', 'extensions'].map(name => path.join(folder, name));
  const switches = [`--user-data-dir=${own[0]}`, `--extensions-dir=${own[1]}`];
  const runCode = parameters =>
    spawnSync(code, [...switches, ...parameters], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    }).status === 0;
  return (
    runCode(['--install-extension', vsix, '--force']) &&
    runCode(['--new-window', sample, '--goto', path.join(sample, 'seed-failing.log')])
  );
}

/** Serves the editor until Ctrl+C. */
async function serveBrowser(port) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kvlens-demo-'));
  const token = randomBytes(16).toString('hex');
  let server;
  try {
    const extensionsFolder = path.join(folder, 'extensions');
    await installVsix(vsix, extensionsFolder);
    server = await startServer({
      port,
      token,
      extensionsFolder,
      settings: quietSettings,
      driver: false,
    });
    const openFile = remoteUri(server, path.join(sample, 'seed-failing.log'));
    const address = new URL(windowAddress(server, sample, { openFile }));
    address.searchParams.set('tkn', token);
    console.log(`\nVS Code with the extension and the sample workspace:\n\n    ${address.href}\n`);
    console.log('It listens on this machine only. Ctrl+C ends it.');
    await new Promise(resolve => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
    });
    console.log('\nStopping …');
  } finally {
    await server?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const { values: flags } = parseArgs({
  options: {
    'no-open': { type: 'boolean', default: false },
    browser: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
  },
});
console.log('Building and packaging …');
await build({ production: true });
await createVSIX({
  cwd: projectRoot,
  packagePath: vsix,
  dependencies: false,
  allowMissingRepository: true,
  // The pictures of the README are not in the package, and there is no address to point to.
  rewriteRelativeLinks: false,
});
tellStory();
if (!flags['no-open']) {
  const code = flags.browser ? undefined : findOnPath(['code']);
  if (!code || !(await openDesktop(code))) await serveBrowser(Number(flags.port));
}
