/**
 * The report page alone in Chromium: the built script and style sheet under the policy that the
 * editor gives them, with a stand-in for the editor that keeps what the page says. Much faster than a
 * window; what needs a window is tested in one.
 */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/vscode/browser.mjs';
import type { PageModel } from '../../src/core/report/pageModel';
import type { PageMessage } from '../../src/webview/protocol';
import { pageThemes, type PageTheme, type PageThemeName } from './pageThemes';

let shared: Promise<{ browser: Browser; server: Server; address: string }> | undefined;

export interface ReportOptions {
  readonly theme?: PageThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly scale?: number;
}

/** A page that shows a model. */
export interface ReportPage {
  readonly page: Page;
  /** What the page said to the editor, in order. */
  readonly said: () => Promise<readonly PageMessage[]>;
  /** Errors of the page and violations of its policy. */
  readonly troubles: readonly string[];
  readonly close: () => Promise<void>;
}

/** Shows a model; without one the page waits for the first message. */
export async function openReport(
  model: PageModel | undefined,
  { theme = 'dark', width = 1100, height = 900, scale = 1 }: ReportOptions = {},
): Promise<ReportPage> {
  const { browser, address } = await start();
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', error => troubles.push(String(error.stack ?? error)));
  page.on('console', message => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  await page.goto(`${address}/${theme}`);
  if (model !== undefined) await show(page, model, troubles);
  return {
    page,
    troubles,
    said: () => page.evaluate(() => (window as unknown as { said: PageMessage[] }).said),
    close: () => context.close(),
  };
}

/** Shows a model for the time of `use`; a page with troubles fails. */
export async function withReport(
  model: PageModel | undefined,
  options: ReportOptions,
  use: (report: ReportPage) => Promise<void>,
): Promise<void> {
  const report = await openReport(model, options);
  try {
    await use(report);
    assert.deepEqual(report.troubles, []);
  } finally {
    await report.close();
  }
}

async function show(page: Page, model: PageModel, troubles: readonly string[]): Promise<void> {
  await page.evaluate(
    shown => window.postMessage({ type: 'show', subject: { kind: 'kept' }, model: shown }, '*'),
    JSON.parse(JSON.stringify(model)) as PageModel,
  );
  await page
    .locator('.page')
    .waitFor({ timeout: 20_000 })
    .catch(() => {
      throw new Error(`The page draws nothing.\n${troubles.join('\n')}`);
    });
}

/** Ends the browser; the last thing that a suite does. */
export async function closeReports(): Promise<void> {
  const running = await shared?.catch(() => undefined);
  shared = undefined;
  await running?.browser.close();
  running?.server.close();
}

const projectRoot = process.cwd();

function start() {
  return (shared ??= (async () => {
    const server = createServer((request, response) => {
      void answer(request.url ?? '/').then(
        ({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { browser: await launchBrowser(), server, address: `http://127.0.0.1:${port}` };
  })());
}

async function answer(url: string): Promise<{ type: string; body: string | Buffer }> {
  const name = url.slice(1);
  if (name === 'webview.js' || name === 'webview.css') {
    const body = await readFile(join(projectRoot, 'dist', name));
    return { type: name.endsWith('js') ? 'text/javascript' : 'text/css', body };
  }
  return { type: 'text/html', body: documentOf(pageThemes[name as PageThemeName]) };
}

function documentOf({ className, colors }: PageTheme): string {
  const style = Object.entries(colors)
    .map(([name, color]) => `--vscode-${name}: ${color};`)
    .join(' ');
  const policy = `default-src 'none'; style-src 'self' 'nonce-theme'; script-src 'nonce-page'`;
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<style nonce="theme">html { ${style} --vscode-font-family: 'Noto Sans', sans-serif; --vscode-font-size: 13px; --vscode-editor-font-family: 'DejaVu Sans Mono', monospace; }</style>
<link rel="stylesheet" href="/webview.css"><title>report</title></head>
<body class="${className}"><div id="root"></div>
<script nonce="page">
window.said = []; let state;
window.acquireVsCodeApi = () => ({ postMessage: m => window.said.push(m), getState: () => state, setState: s => { state = s; } });
</script>
<script nonce="page" src="/webview.js"></script></body></html>`;
}
