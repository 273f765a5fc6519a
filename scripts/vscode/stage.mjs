// Copies what the .vsix would contain into a folder, so that the tests run the packaged extension
// and a file missing from the package fails them. Builds nothing.

import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { listFiles, PackageManager } from '@vscode/vsce';
import { projectRoot } from '../projectRoot.mjs';

let packaged;

/** The files of the .vsix; asked for once, since vsce walks the whole project for it. */
const packagedFiles = () =>
  (packaged ??= listFiles({ cwd: projectRoot, packageManager: PackageManager.None }));

/**
 * Stages the extension in `folder`. `web` leaves out `main`, so that every editor runs it in its
 * worker host; without it `browser` is left out, so that every editor runs it in its Node host.
 */
export async function stageExtension(folder, { web }) {
  await rm(folder, { recursive: true, force: true });
  for (const file of await packagedFiles()) {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await cp(path.join(projectRoot, file), target);
  }
  const manifest = JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8'));
  delete manifest[web ? 'main' : 'browser'];
  if (process.env['KVLENS_ALL_OFF'] === '1') switchOff(manifest);
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
}

// scripts/allOff.mjs: what a feature shows must be gone, and its tests must notice.
function switchOff({ contributes }) {
  for (const [key, setting] of Object.entries(contributes.configuration.properties)) {
    if (key.endsWith('.enabled')) setting.default = false;
  }
}

/** Installs the packaged extension into a fresh extensions folder; a server picks it up as it starts. */
export async function installExtension(extensionsFolder) {
  const { publisher, name, version } = JSON.parse(
    await readFile(path.join(projectRoot, 'package.json'), 'utf8'),
  );
  await stageExtension(path.join(extensionsFolder, `${publisher}.${name}-${version}`), {
    web: false,
  });
}
