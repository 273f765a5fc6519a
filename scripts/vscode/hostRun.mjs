// Runs a test module inside a VS Code server's extension host through VS Code's own
// integration-test protocol: what `code --extensionDevelopmentPath=… --extensionTestsPath=…` does
// on a desktop. Says nothing about which tests there are.

import { launchBrowser } from './browser.mjs';
import { quietSettings, remoteUri, startServer, windowAddress } from './server.mjs';

/**
 * Resolves to the exit code of the run: 0 when the module's `run` resolved, 1 when it rejected.
 * Rejects when the window never reported an end within `timeoutMs`.
 */
export async function runInsideEditor({
  version,
  developmentPath,
  testsPath,
  workspace,
  extensionsFolder,
  workspaceTrust = false,
  settings = {},
  env = {},
  timeoutMs = 10 * 60_000,
  onConsole = () => {},
}) {
  const server = await startServer({
    version,
    extensionsFolder,
    workspaceTrust,
    env,
    settings: { ...quietSettings, ...settings },
  });
  let browser;
  try {
    browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.exposeFunction('codeAutomationLog', (type, parameters) =>
      onConsole(type, parameters),
    );
    const pageTrouble = [];
    page.on('pageerror', error => pageTrouble.push(String(error)));
    let timer;
    const finished = new Promise((resolve, reject) => {
      timer = setTimeout(
        () =>
          reject(
            new Error(
              `The editor did not report an end of the tests in ${timeoutMs / 1000} s. ` +
                pageTrouble.slice(-5).join(' | '),
            ),
          ),
        timeoutMs,
      );
      page.on('crash', () => reject(new Error('The page of the editor crashed.')));
      page.exposeFunction('codeAutomationExit', resolve).then(
        () =>
          page.goto(
            windowAddress(server, workspace, {
              extensionDevelopmentPath: remoteUri(server, developmentPath),
              extensionTestsPath: remoteUri(server, testsPath),
            }),
          ),
        reject,
      );
    });
    return await finished.finally(() => clearTimeout(timer));
  } finally {
    await browser?.close().catch(() => {});
    await server.stop();
  }
}
