// Fetches the pinned SGLang releases that the corpus tests read, and unpacks their Python files
// into a cache outside version control. Wheels come from PyPI through `pip download`; nothing of
// them is ever imported or run. Usage: node scripts/releases.mjs [VERSION…] [--all]

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { cacheFolder } from './cacheFolder.mjs';

const run = promisify(execFile);

/** The releases that gate CI, oldest first. */
export const pinnedReleases = [
  '0.1.3',
  '0.1.17',
  '0.2.10',
  '0.3.1.post2',
  '0.4.1.post7',
  '0.4.6.post2',
  '0.4.6.post5',
  '0.5.2',
  '0.5.3.post2',
  '0.5.5.post3',
  '0.5.7',
  '0.5.8',
  '0.5.9',
  '0.5.11',
  '0.5.13',
  '0.5.16',
  '0.5.18',
];

const builtFor = [
  ...['--python-version', '3.11', '--implementation', 'cp', '--abi', 'cp311'],
  ...['--platform', 'manylinux_2_34_x86_64'],
];

/** Where releases are unpacked; SGLANG_RELEASES moves it. */
export function releasesFolder() {
  return process.env['SGLANG_RELEASES'] ?? path.join(cacheFolder, 'releases');
}

/** The unpacked package root of a release (the folder that holds `sglang/`), fetched when absent. */
export async function fetchRelease(version) {
  if (!/^\d+(\.\d+)*([a-z]+\d+)?(\.post\d+)?$/.test(version)) {
    throw new Error(`not a release number: ${version}`);
  }
  const folder = releasesFolder();
  const target = path.join(folder, version);
  if (existsSync(target)) {
    return target;
  }
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(path.join(folder, `.fetch-${version}-`));
  try {
    const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:'];
    const asked = ['-d', work, `sglang==${version}`];
    await run('python3', [...pip, ...asked]).catch(() =>
      // Newer wheels are built for one interpreter; their Python files are the same for all.
      run('python3', [...pip, ...builtFor, ...asked]),
    );
    const wheel = (await readdir(work)).find(name => name.endsWith('.whl'));
    if (wheel === undefined) {
      throw new Error(`pip brought no wheel of sglang ${version}`);
    }
    const unpacked = path.join(work, 'unpacked');
    await unpackPython(path.join(work, wheel), unpacked);
    // A rename is atomic: two test workers that fetch the same release end with one copy.
    await rename(unpacked, target).catch(error => {
      if (!existsSync(target)) {
        throw error;
      }
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return target;
}

/** Writes the `sglang/**.py` members of a wheel below `target`. */
async function unpackPython(wheel, target) {
  const bytes = await readFile(wheel);
  for (const { name, method, start, size } of zipMembers(bytes)) {
    if (/^sglang\/.*\.py$/.test(name) && !name.split('/').includes('..')) {
      const packed = bytes.subarray(start, start + size);
      const file = path.join(target, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, method === 8 ? inflateRawSync(packed) : packed);
    }
  }
}

const endOfCentralDirectory = 0x06054b50;

/** The central directory of a zip file without zip64 (wheels are far below 4 GB). */
function zipMembers(bytes) {
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== endOfCentralDirectory) {
    end--;
  }
  if (end < 0) {
    throw new Error('not a zip file');
  }
  const members = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    members.push({
      name,
      method: bytes.readUInt16LE(at + 10),
      size: bytes.readUInt32LE(at + 20),
      start,
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return members;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = process.argv.slice(2).filter(argument => !argument.startsWith('--'));
  for (const version of asked.length > 0 ? asked : pinnedReleases) {
    console.log(await fetchRelease(version));
  }
}
