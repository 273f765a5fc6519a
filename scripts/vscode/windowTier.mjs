// Runs the suites that use the editor's window (dist/test/ui/*.test.mjs) with mocha in a process of
// their own, and answers with the same results as a host tier.

import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';
import { projectRoot } from '../projectRoot.mjs';
import { installVsCode } from './install.mjs';

import { closeEditor } from './window.mjs';

const thisFile = fileURLToPath(import.meta.url);
const timeLimitMs = 40 * 60_000;

/** Runs every window test, or those of the files whose name contains `only`. */
export async function runWindowTier({ only = '' } = {}) {
  await installVsCode();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kvlens-ui-'));
  const resultsFile = path.join(folder, 'results.json');
  try {
    const { code, output } = await runInProcessOfItsOwn([resultsFile, only]);
    const report = await readFile(resultsFile, 'utf8').then(JSON.parse, () => ({ results: [] }));
    const trouble = report.finished
      ? undefined
      : `the tests ended (exit code ${code}) before they were through`;
    return { results: report.results, trouble, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runInProcessOfItsOwn(parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--enable-source-maps', thisFile, ...parameters], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const timer = setTimeout(() => {
      output += `\nNo end after ${timeLimitMs / 60_000} minutes: stopped.\n`;
      child.kill('SIGTERM');
    }, timeLimitMs);
    const kill = () => child.kill('SIGTERM');
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

async function runMocha(resultsFile, only) {
  const folder = path.join(projectRoot, 'dist', 'test', 'ui');
  const mocha = new Mocha({ timeout: 240_000, reporter: 'base' });
  for (const name of (await readdir(folder)).sort()) {
    if (name.endsWith('.test.mjs') && name.includes(only)) mocha.addFile(path.join(folder, name));
  }
  await mocha.loadFilesAsync();
  const results = [];
  let writing = Promise.resolve();
  const write = finished => {
    const snapshot = JSON.stringify({ finished, results });
    writing = writing.then(() => writeFile(resultsFile, snapshot));
  };
  const record = (test, state, detail) => {
    const name = test.titlePath().join(' › ');
    results.push({ name, state, durationMs: test.duration ?? 0, detail });
    console.log(`${state}: ${name}${detail ? `\n${detail}` : ''}`);
    write(false);
  };
  await new Promise(resolve => {
    mocha
      .run(() => resolve())
      .on('pass', test => record(test, 'passed'))
      .on('fail', (test, error) => record(test, 'failed', error.stack ?? String(error)))
      .on('pending', test => record(test, 'skipped', 'no reason given'));
  });
  write(true);
  await writing;
}

if (process.argv[1] === thisFile) {
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1));
  try {
    await runMocha(process.argv[2], process.argv[3] ?? '');
  } finally {
    await closeEditor();
  }
}
