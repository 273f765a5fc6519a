// Installs what the tests, the pictures and the demo need to run a real VS Code without a display:
// two editor servers, the Node they run on, ripgrep, Chromium and fonts, all from the npm registry
// (versions in test/host/package.json). Downloads nothing itself, and starts nothing.

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { cacheFolder } from '../cacheFolder.mjs';
import { projectRoot } from '../projectRoot.mjs';

/** The editors that the suites run on: VS Code version -> package in test/host/package.json. */
export const serverPackages = { '1.100.3': 'code-server-oldest', '1.139.1': 'code-server-newest' };

/** The oldest editor that the manifest supports. */
export const oldestVersion = '1.100.3';

/** The editor of the window tests, the pictures and the demo. */
export const newestVersion = '1.139.1';

// Raise when the layout of the installed folder changes: everybody installs once more.
const layout = 2;
const manifestFolder = path.join(projectRoot, 'test', 'host');

/**
 * Installs once and returns where everything is: the root of each editor by version, the Node to
 * run it with, and how to launch Chromium. Re-running it is cheap; two at once do not disturb each
 * other, since each fills a folder of its own and the first one to finish gives it its name.
 */
export async function installVsCode({ log = console.error } = {}) {
  const folder = path.join(cacheFolder, `vscode-${await fingerprint()}`);
  if (!existsSync(folder)) {
    log(`Installing VS Code ${Object.keys(serverPackages).join(' and ')} and Chromium (once) …`);
    const started = Date.now();
    const partial = `${folder}.${process.pid}`;
    try {
      await fill(partial, log);
      await rename(partial, folder).catch(error => {
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
    log(`Installed in ${((Date.now() - started) / 1000).toFixed(0)} s: ${folder}`);
  }
  return {
    folder,
    servers: Object.fromEntries(
      Object.entries(serverPackages).map(([version, name]) => [
        version,
        { root: serverRoot(folder, name), node: nodeFor(folder, version) },
      ]),
    ),
    chromium: findChromium(folder),
  };
}

async function fingerprint() {
  const hash = createHash('sha256').update(`${layout} ${process.platform}-${process.arch}`);
  for (const name of ['package.json', 'package-lock.json']) {
    hash.update(await readFile(path.join(manifestFolder, name)));
  }
  return hash.digest('hex').slice(0, 12);
}

async function fill(folder, log) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) {
    await copyFile(path.join(manifestFolder, name), path.join(folder, name));
  }
  npm(folder, ['ci', '--ignore-scripts', '--omit=dev']);
  for (const [version, name] of Object.entries(serverPackages)) {
    log(`  VS Code ${version}: its own packages …`);
    const root = serverRoot(folder, name);
    npm(root, ['install', '--ignore-scripts', '--omit=dev', '--no-save']);
    await putRipgrep(folder, root);
  }
  await unpackChromium(folder);
}

function npm(folder, parameters) {
  const result = spawnSync(
    'npm',
    [...parameters, '--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'],
    {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  if (result.status !== 0) {
    const reason = result.error?.message ?? `${result.stdout}${result.stderr}`.trim();
    throw new Error(`npm ${parameters[0]} failed while installing the test editors:\n${reason}`);
  }
}

const serverRoot = (folder, name) => path.join(folder, 'node_modules', name, 'lib', 'vscode');

/** 1.139 needs Node 24. 1.100 was made for Node 20, so it runs on ours unless ours is newer. */
function nodeFor(folder, version) {
  const major = Number(process.versions.node.split('.')[0]);
  if (version === oldestVersion ? major < 24 : major === 24) return process.execPath;
  const pinned = path.join(
    folder,
    'node_modules',
    `node-${process.platform}-${process.arch}`,
    'bin',
    'node',
  );
  if (existsSync(pinned)) return pinned;
  throw new Error(
    `VS Code ${version} needs Node 24, and there is no packaged one for ` +
      `${process.platform}-${process.arch}: run this with Node 24.`,
  );
}

// `workspace.findFiles` of the older editor looks for ripgrep in a package whose install script,
// which we do not run, would have downloaded it.
async function putRipgrep(folder, root) {
  const target = path.join(root, 'node_modules', '@vscode', 'ripgrep', 'bin', 'rg');
  if (!existsSync(path.dirname(path.dirname(target))) || existsSync(target)) return;
  const packaged = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const source = [
    path.join(folder, 'node_modules', packaged, 'bin', 'rg'),
    findOnPath(['rg']),
  ].find(file => file && existsSync(file));
  if (!source) throw new Error(`No ripgrep for ${process.platform}-${process.arch}: install it.`);
  await mkdir(path.dirname(target), { recursive: true });
  await copyFile(source, target);
  await chmod(target, 0o755);
}

const packagedChromiumFits = process.platform === 'linux' && process.arch === 'x64';

async function unpackChromium(folder) {
  const target = path.join(folder, 'chromium');
  await mkdir(path.join(target, 'fonts'), { recursive: true });
  if (!packagedChromiumFits) return;
  const archives = path.join(folder, 'node_modules', '@sparticuz', 'chromium', 'bin');
  await unbrotli(path.join(archives, 'chromium.br'), path.join(target, 'chromium'));
  await chmod(path.join(target, 'chromium'), 0o755);
  for (const name of ['al2023', 'fonts', 'swiftshader']) {
    const tar = path.join(target, `${name}.tar`);
    await unbrotli(path.join(archives, `${name}.tar.br`), tar);
    execFileSync('tar', ['-xf', tar, '-C', target]);
    await rm(tar);
  }
  await cp(
    path.join(folder, 'node_modules', 'dejavu-fonts-ttf', 'ttf'),
    path.join(target, 'fonts', 'DejaVu'),
    { recursive: true },
  );
  await writeFile(path.join(target, 'fonts.conf'), fontConfiguration);
}

const unbrotli = (from, to) =>
  pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));

// The same letters on every machine: pictures stay comparable, and a machine without fonts works.
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family><family>DejaVu Sans</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Open Sans</family><family>DejaVu Sans</family></prefer></alias>
</fontconfig>
`;

/** KVLENS_CHROMIUM, else the packaged one, else one on the machine. */
function findChromium(folder) {
  const chosen = process.env.KVLENS_CHROMIUM;
  if (chosen) return { executable: chosen, env: {} };
  const packaged = path.join(folder, 'chromium', 'chromium');
  let missing = [];
  if (existsSync(packaged)) {
    const fonts = { FONTCONFIG_FILE: path.join(folder, 'chromium', 'fonts.conf') };
    missing = missingLibraries(packaged, process.env.LD_LIBRARY_PATH);
    if (missing.length === 0) return { executable: packaged, env: fonts };
    // The package ships the libraries that slim machines lack (NSS and expat).
    const shipped = path.join(folder, 'chromium', 'lib');
    const libraries = [shipped, process.env.LD_LIBRARY_PATH].filter(Boolean).join(path.delimiter);
    missing = missingLibraries(packaged, libraries);
    if (missing.length === 0) {
      return { executable: packaged, env: { ...fonts, LD_LIBRARY_PATH: libraries } };
    }
  }
  const installed =
    findOnPath(['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']) ??
    ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'].find(existsSync);
  if (installed) return { executable: installed, env: {} };
  const why = missing.length > 0 ? ` (the packaged one lacks ${missing.join(', ')})` : '';
  throw new Error(
    `No Chromium to run the editor in${why}: install the package "chromium", or set KVLENS_CHROMIUM.`,
  );
}

function missingLibraries(executable, libraries) {
  const result = spawnSync('ldd', [executable], {
    encoding: 'utf8',
    env: { ...process.env, ...(libraries ? { LD_LIBRARY_PATH: libraries } : {}) },
  });
  return [...(result.stdout ?? '').matchAll(/^\s*(\S+) => not found/gm)].map(match => match[1]);
}

/** The first of the names that stands on the PATH, as an absolute path. */
export function findOnPath(names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return names
    .flatMap(name => folders.map(folder => path.join(folder, name)))
    .find(file => existsSync(file));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const installed = await installVsCode();
  console.log(JSON.stringify(installed, null, 2));
}
