// Launches the headless Chromium that shows the editor. Knows nothing of VS Code.

import process from 'node:process';
import { chromium } from 'playwright-core';
import { installVsCode } from './install.mjs';

/** Resolves to a Playwright browser that reaches this machine only. */
export async function launchBrowser() {
  const { chromium: installed } = await installVsCode();
  return chromium.launch({
    executablePath: installed.executable,
    env: { ...process.env, ...installed.env },
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
      // The product works without a network; so do its tests.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}
