// `npm test`: builds, runs every tier of tests (in plain Node, inside real editors, in the window)
// and counts truly what passed, failed and was skipped. A tier that ran no test is a failure.
// Usage: node scripts/test.mjs [TIER…] [--only PART-OF-A-FILE-NAME] [--verbose]

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { projectRoot } from './projectRoot.mjs';
import { runHostTier, whyNoDesktop } from './vscode/hostTier.mjs';
import { newestVersion, oldestVersion } from './vscode/install.mjs';
import { runWindowTier } from './vscode/windowTier.mjs';

const plainTiers = ['core', 'corpus', 'cli', 'grammar', 'manifest'];

/** Tiers that run a real editor, in the order of a run. */
const editorTiers = {
  [`host-${oldestVersion}`]: () =>
    runHostTier({ suite: 'host', launch: 'stand-in', version: oldestVersion }),
  [`host-${newestVersion}`]: () =>
    runHostTier({ suite: 'host', launch: 'stand-in', version: newestVersion }),
  [`web-${newestVersion}`]: () =>
    runHostTier({ suite: 'web', launch: 'stand-in', version: newestVersion }),
  restricted: () => runHostTier({ suite: 'restricted', launch: 'trust', version: newestVersion }),
  desktop: runDesktop,
  ui: only => runWindowTier({ only }),
};

async function runDesktop() {
  const reason = await whyNoDesktop();
  if (reason === undefined) return runHostTier({ suite: 'host', launch: 'desktop' });
  const skipped = { name: 'the suite runs in a desktop VS Code', state: 'skipped', detail: reason };
  return { results: [skipped], output: '' };
}

/** Runs the plain tiers in one vitest; resolves to the results by tier. */
async function runPlainTiers(tiers, only) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kvlens-vitest-'));
  const file = path.join(folder, 'results.json');
  try {
    const { code, output } = await run(
      process.execPath,
      [
        path.join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs'),
        'run',
        ...tiers.map(tier => (only ? `test/${tier}/**/*${only}*` : `test/${tier}/`)),
        '--passWithNoTests',
        '--reporter=./scripts/vitestReporter.mjs',
      ],
      { KVLENS_RESULTS: file },
    );
    const report = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
    const trouble = report ? undefined : `vitest ended (exit code ${code}) without results`;
    return Object.fromEntries(
      tiers.map((tier, index) => [
        tier,
        {
          results: (report?.results ?? []).filter(
            ({ file: from }) =>
              from.startsWith(path.join('test', tier) + path.sep) || (index === 0 && from === ''),
          ),
          trouble,
          output,
        },
      ]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(command, parameters, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, {
      cwd: projectRoot,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => (output += chunk));
    }
    const kill = () => child.kill('SIGTERM');
    process.once('exit', kill);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.removeListener('exit', kill);
      resolve({ code: code ?? signal, output });
    });
  });
}

/** What one tier did, for the table; says at once what failed. */
function account(name, { results, trouble, output }, seconds, verbose) {
  const count = state => results.filter(result => result.state === state).length;
  const row = {
    name,
    passed: count('passed'),
    failed: count('failed'),
    skipped: results.filter(result => result.state === 'skipped'),
    seconds,
  };
  if (trouble !== undefined) {
    row.failed += 1;
    console.log(`\n✘ ${name}: ${trouble}\n${indent(output.slice(-8_000))}`);
  } else if (row.passed + row.failed === 0 && row.skipped.length === 0) {
    row.failed += 1;
    console.log(`\n✘ ${name}: ran no test`);
  }
  for (const result of results) {
    if (result.state !== 'failed') continue;
    console.log(`\n✘ ${name}: ${result.name}\n${indent(result.detail ?? 'no detail')}`);
  }
  if (verbose) console.log(indent(output));
  console.log(
    `${row.failed > 0 ? '✘' : '✔'} ${name}: ${row.passed} passed, ${row.failed} failed, ` +
      `${row.skipped.length} skipped in ${seconds.toFixed(1)} s`,
  );
  return row;
}

const indent = text => text.replaceAll(/^/gm, '    ');

function printTable(rows) {
  const width = Math.max(...rows.map(row => row.name.length));
  const line = cells => cells.map((cell, at) => (at === 0 ? cell.padEnd(width) : cell.padStart(8)));
  console.log(`\n${line(['tier', 'passed', 'failed', 'skipped', 'seconds']).join(' ')}`);
  for (const row of rows) {
    const numbers = [row.passed, row.failed, row.skipped.length].map(String);
    console.log(line([row.name, ...numbers, row.seconds.toFixed(1)]).join(' '));
  }
  for (const row of rows) {
    const counts = new Map();
    for (const { detail } of row.skipped) counts.set(detail, (counts.get(detail) ?? 0) + 1);
    for (const [reason, count] of counts) {
      console.log(`skipped in ${row.name}, ${count}: ${reason}`);
    }
  }
}

// One vitest runs all plain tiers side by side, so what is told is the time inside their tests.
const secondsIn = results => results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000;

async function timed(work) {
  const started = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - started) / 1_000 };
}

const { values: flags, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, verbose: { type: 'boolean', default: false } },
});
const names = [...plainTiers, ...Object.keys(editorTiers)];
const isWanted = name =>
  wanted.length === 0 || wanted.some(want => name === want || name.startsWith(`${want}-`));
const unknown = wanted.filter(want => !names.some(n => n === want || n.startsWith(`${want}-`)));
if (unknown.length > 0) {
  console.error(`No tier named ${unknown.join(', ')}. There is: ${names.join(', ')}.`);
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const rows = [];
try {
  await build({ production: true, tests: true });
} catch (error) {
  // esbuild has printed where.
  console.log(`\n✘ the build failed: ${error.message.split('\n')[0]}\n0 passed, 1 failed`);
  process.exit(1);
}
const plain = plainTiers.filter(isWanted);
if (plain.length > 0) {
  const value = await runPlainTiers(plain, flags.only);
  for (const name of plain) {
    rows.push(account(name, value[name], secondsIn(value[name].results), flags.verbose));
  }
}
for (const [name, start] of Object.entries(editorTiers)) {
  if (!isWanted(name)) continue;
  const { value, seconds } = await timed(() =>
    start(flags.only).catch(error => ({ results: [], trouble: error.message, output: '' })),
  );
  rows.push(account(name, value, seconds, flags.verbose));
}
printTable(rows);
const total = key => rows.reduce((sum, row) => sum + row[key], 0);
const skipped = rows.reduce((sum, row) => sum + row.skipped.length, 0);
console.log(
  `${total('passed')} passed, ${total('failed')} failed` + (skipped ? `, ${skipped} skipped` : ''),
);
process.exitCode = total('failed') > 0 ? 1 : 0;
