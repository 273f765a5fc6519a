// Runs one suite of test/host or test/web inside one real editor, on a fresh copy of the sample
// workspace and the packaged extension, and reads back what each test did. Prints nothing; building
// the bundles and counting are the runner's part (scripts/test.mjs).

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { cacheFolder } from '../cacheFolder.mjs';
import { projectRoot } from '../projectRoot.mjs';
import { releasesFolder } from '../releases.mjs';
import { findOnPath, installVsCode } from './install.mjs';
import { quietSettings } from './server.mjs';
import { installExtension, stageExtension } from './stage.mjs';

const thisFile = fileURLToPath(import.meta.url);
const standIn = path.join(path.dirname(thisFile), 'code');
const timeLimitMs = 12 * 60_000;

/**
 * Runs the bundle `dist/test/<suite>.js` and resolves to the results of its tests, a sentence in
 * `trouble` when the editor did not come to an end, and everything it printed. `launch` is how:
 * through test-electron on our stand-in of a desktop (`stand-in`), the stand-in itself without the
 * switch that turns workspace trust off (`trust`), or a downloaded desktop (`desktop`).
 */
export async function runHostTier({ suite, launch, version }) {
  if (launch !== 'desktop') await installVsCode();
  // The suite inside the editor cannot tell where this project is.
  process.env['SGLANG_RELEASES'] = releasesFolder();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kvlens-host-'));
  try {
    const workspace = path.join(folder, 'workspace');
    await layWorkspace(workspace);
    const extensions = path.join(folder, 'extensions');
    await mkdir(extensions);
    const extension = path.join(folder, 'extension');
    if (launch === 'trust') {
      // An extension under development is trusted whatever its manifest says: install it instead.
      await installExtension(extensions);
      await layRunnerExtension(extension);
    } else {
      await stageExtension(extension, { web: suite === 'web' });
    }
    // VS Code runs the tests in the host of the extension whose folder holds them.
    const testsPath = path.join(extension, `${suite}.test.js`);
    await copyFile(path.join(projectRoot, 'dist', 'test', `${suite}.js`), testsPath);
    const userData = path.join(folder, 'user-data');
    await mkdir(path.join(userData, 'User'), { recursive: true });
    await writeFile(
      path.join(userData, 'User', 'settings.json'),
      JSON.stringify(quietSettings, null, 2),
    );
    const request = {
      launch,
      version,
      developmentPath: extension,
      testsPath,
      workspace,
      userData,
      extensions,
    };
    // The suite fills this file; beside the workspace, since only that is reached from every host.
    const resultsFile = path.join(folder, 'results.json');
    await writeFile(resultsFile, '');
    const { code, output } = await runInProcessOfItsOwn(request);
    const report = await readReport(resultsFile);
    return { results: report.results, trouble: troubleOf(code, report), output };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The sample workspace that people get, and what only the tests need over it. */
export async function layWorkspace(folder) {
  await mkdir(folder, { recursive: true });
  for (const source of ['sample', 'test/host/workspace']) {
    const from = path.join(projectRoot, source);
    if (existsSync(from)) await cp(from, folder, { recursive: true });
  }
}

// A stranger to the workspace that may run in Restricted Mode and does nothing but hold the tests.
async function layRunnerExtension(folder) {
  await mkdir(folder);
  const manifest = {
    name: 'test-runner',
    publisher: 'kv-lens',
    version: '0.0.1',
    engines: { vscode: '^1.100.0' },
    main: './restricted.test.js',
    capabilities: { untrustedWorkspaces: { supported: true } },
  };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
}

async function readReport(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return { finished: false, results: [] };
  }
}

function troubleOf(code, { finished, results }) {
  if (!finished) return `the editor ended (exit code ${code}) before the suite did`;
  const failed = results.some(result => result.state === 'failed');
  return code === 0 || failed ? undefined : `the editor ended with exit code ${code}`;
}

// test-electron hands everything the editor prints to its own standard output, so it gets a
// process whose output can be kept apart; that process is also what a time limit can end.
function runInProcessOfItsOwn(request) {
  const command = [process.execPath, thisFile, JSON.stringify(request)];
  const needsDisplay = request.launch === 'desktop' && !hasDisplay();
  if (needsDisplay) command.unshift('xvfb-run', '-a');
  return new Promise((resolve, reject) => {
    const child = spawn(command[0], command.slice(1), {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = () => {
      try {
        process.kill(-child.pid, 'SIGTERM');
      } catch {
        // It has ended already.
      }
    };
    let output = '';
    const timer = setTimeout(() => {
      output += `\nNo end after ${timeLimitMs / 60_000} minutes: stopped.\n`;
      kill();
    }, timeLimitMs);
    process.once('exit', kill);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => (output += chunk));
    }
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      process.removeListener('exit', kill);
      resolve({ code: code ?? signal, output });
    });
  });
}

const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);

/**
 * Downloads the current desktop VS Code once. Resolves to the reason when that cannot be done here,
 * to undefined when it is ready.
 */
export async function whyNoDesktop() {
  if (!hasDisplay() && !findOnPath(['xvfb-run'])) return 'no display and no xvfb-run';
  try {
    await desktopExecutable();
    return undefined;
  } catch (error) {
    return `a desktop VS Code cannot be downloaded here (${error.code ?? error.message})`;
  }
}

const desktopExecutable = () =>
  downloadAndUnzipVSCode({
    version: 'stable',
    cachePath: path.join(cacheFolder, 'desktop'),
    timeout: 15_000,
    reporter: { report() {}, error() {} },
  });

async function launchRequest({ launch, version, ...paths }) {
  const switches = [
    paths.workspace,
    `--user-data-dir=${paths.userData}`,
    `--extensions-dir=${paths.extensions}`,
  ];
  if (launch === 'trust') {
    const child = spawn(
      standIn,
      [
        ...switches,
        `--extensionDevelopmentPath=${paths.developmentPath}`,
        `--extensionTestsPath=${paths.testsPath}`,
      ],
      { stdio: 'inherit', env: { ...process.env, KVLENS_VSCODE: version } },
    );
    return new Promise(resolve => child.once('close', code => resolve(code ?? 1)));
  }
  return runTests({
    vscodeExecutablePath: launch === 'desktop' ? await desktopExecutable() : standIn,
    extensionDevelopmentPath: paths.developmentPath,
    extensionTestsPath: paths.testsPath,
    launchArgs: switches,
    extensionTestsEnv: { KVLENS_VSCODE: version },
  });
}

if (process.argv[1] === thisFile) {
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1));
  process.exitCode = await launchRequest(JSON.parse(process.argv[2])).catch(
    error => error.code ?? 1,
  );
}
