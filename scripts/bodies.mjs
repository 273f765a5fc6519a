// Lists the distinct bodies of the functions that size memory over every SGLang release on PyPI, and
// tries them all: each should evaluate to what CPython gives for the same inputs. Releases newer than
// the pinned list only report. Usage: node scripts/bodies.mjs [--write] [--list]
//   --write  makes test/corpus/body/pinned.json anew, with few releases to fetch
//   --list   only lists, tries nothing

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs, promisify } from 'node:util';
import { projectRoot } from './projectRoot.mjs';
import { fetchRelease, pinnedReleases } from './releases.mjs';

const run = promisify(execFile);
const folder = path.join(projectRoot, 'test', 'corpus', 'body');
const pinnedFile = path.join(folder, 'pinned.json');

/** Every release on PyPI, oldest first. */
async function allReleases() {
  const { stdout } = await run('python3', ['-m', 'pip', 'index', 'versions', 'sglang']);
  const versions = /^Available versions: (.*)$/m.exec(stdout)?.[1];
  if (versions === undefined) throw new Error('pip names no versions of sglang');
  return versions.split(', ').reverse();
}

/** Folders by release; a release that cannot be fetched is told and left out. */
async function fetchAll(versions) {
  const folders = new Map();
  for (const version of versions) {
    try {
      folders.set(version, await fetchRelease(version));
    } catch (error) {
      console.error(`${version} cannot be fetched: ${error.message.split('\n')[0]}`);
    }
  }
  return folders;
}

async function listBodies(folders) {
  const releases = [...folders].map(([version, root]) => `${root}=${version}`);
  const script = path.join(folder, 'releaseBodies.py');
  const { stdout } = await run('python3', [script, 'list', ...releases], { maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

const keyOf = body => `${body.function} ${body.hash}`;

/** For each body one release, from as few releases as a greedy choice finds; pinned ones are free. */
function covered(bodies) {
  const chosen = new Set(pinnedReleases);
  const left = () => bodies.filter(({ releases }) => !releases.some(one => chosen.has(one)));
  for (let open = left(); open.length > 0; open = left()) {
    const counts = new Map();
    for (const release of open.flatMap(({ releases }) => releases)) {
      counts.set(release, (counts.get(release) ?? 0) + 1);
    }
    const [[best]] = [...counts].sort((a, b) => b[1] - a[1]);
    chosen.add(best);
  }
  return bodies.map(body => ({
    ...body,
    releases: body.releases.filter(one => chosen.has(one)).slice(0, 1),
  }));
}

const { values: flags } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const versions = await allReleases();
const folders = await fetchAll(versions);
const bodies = await listBodies(folders);
const known = new Set(JSON.parse(await readFile(pinnedFile, 'utf8').catch(() => '[]')).map(keyOf));
console.log(`${bodies.length} distinct bodies in ${folders.size} of ${versions.length} releases`);
for (const body of bodies) {
  const { family, releases } = body;
  const mark = known.has(keyOf(body)) ? ' ' : '+';
  console.log(`${mark} ${family.padEnd(12)} ${keyOf(body)} ${releases[0]} … ${releases.at(-1)}`);
}
if (flags.write) {
  await writeFile(pinnedFile, `${JSON.stringify(covered(bodies), undefined, 2)}\n`);
  await run(process.execPath, [
    path.join(projectRoot, 'node_modules', 'prettier', 'bin', 'prettier.cjs'),
    '--write',
    pinnedFile,
  ]);
}
if (!flags.list) {
  const work = await mkdtemp(path.join(os.tmpdir(), 'kvlens-bodies-'));
  const file = path.join(work, 'bodies.json');
  await writeFile(file, JSON.stringify(bodies));
  const vitest = path.join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', 'test/corpus/releaseBodies.test.ts'], {
    cwd: projectRoot,
    env: { ...process.env, KVLENS_BODIES: file },
    stdio: 'inherit',
  });
  process.exitCode = await new Promise(resolve => child.once('close', code => resolve(code ?? 1)));
  await rm(work, { recursive: true, force: true });
}
