// Where what the scripts fetch is kept between runs: editors, Chromium, SGLang releases.

import path from 'node:path';
import process from 'node:process';
import { projectRoot } from './projectRoot.mjs';

/**
 * KVLENS_CACHE moves it. Inside node_modules because every tool that walks the project (vsce takes
 * 20 s for the editors, minutes for the releases) leaves that out; `npm ci` empties it.
 */
export const cacheFolder = path.resolve(
  process.env.KVLENS_CACHE ?? path.join(projectRoot, 'node_modules', '.cache', 'kvlens'),
);
