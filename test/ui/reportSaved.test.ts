/** The file that “Save as HTML” writes, opened in a plain Chromium, and the page while a log is read. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchBrowser } from '../../scripts/vscode/browser.mjs';
import { livePage } from '../../src/webview/livePage';
import { savedPage } from '../../src/webview/savedPage';
import { comparisonOf, modelOfText, sampleText, servingText } from './pageModels';
import { closeReports, openReport } from './reportPage';

after(() => closeReports());

describe('A saved report in a browser', () => {
  const models = {
    'a failure': modelOfText(sampleText('seed-failing.log')),
    'a server that serves': modelOfText(servingText()),
    'a comparison': comparisonOf('seed-baseline.log', 'seed-failing.log'),
  };

  it('is drawn in light and dark, asks for nothing and breaks no policy', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kvlens-saved-'));
    const browser = await launchBrowser();
    try {
      const css = await readFile('dist/webview.css', 'utf8');
      for (const [name, model] of Object.entries(models)) {
        const file = join(folder, 'report.html');
        await writeFile(file, savedPage(model, css));
        const grounds = new Set<string>();
        for (const colorScheme of ['light', 'dark'] as const) {
          const page = await browser.newPage({ colorScheme });
          const troubles: string[] = [];
          const asked: string[] = [];
          page.on('console', message => troubles.push(message.text()));
          page.on('pageerror', error => troubles.push(error.message));
          page.on('request', request => asked.push(request.url()));
          const address = pathToFileURL(file).href;
          await page.goto(address);
          assert.ok(await page.locator('.verdict').isVisible(), name);
          // What only a script could answer is not there.
          const controls = page.locator('button, input, vscode-button, vscode-textfield');
          assert.equal(await controls.count(), 0, name);
          grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
          assert.deepEqual(troubles, [], name);
          assert.deepEqual(asked, [address], name);
          await page.close();
        }
        assert.equal(grounds.size, 2);
      }
    } finally {
      await browser.close();
      await rm(folder, { recursive: true });
    }
  });
});

describe('The page before its script runs', () => {
  it('shows the report, under the policy of the page', async () => {
    const browser = await launchBrowser();
    try {
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const asked: string[] = [];
      const css = await readFile('dist/webview.css', 'utf8');
      await page.route('**/*', async route => {
        const { pathname } = new URL(route.request().url());
        asked.push(pathname);
        const body = pathname === '/page' ? document : css;
        const contentType = pathname === '/page' ? 'text/html' : 'text/css';
        await route.fulfill({ body, contentType });
      });
      const troubles: string[] = [];
      page.on('console', message => troubles.push(message.text()));
      const document = livePage(modelOfText(sampleText('seed-failing.log')), {
        script: 'http://page.test/webview.js',
        style: 'http://page.test/webview.css',
        styleSource: 'http://page.test',
        nonce: 'abc',
      });
      await page.goto('http://page.test/page');
      assert.match(await page.locator('.verdict').innerText(), /-20\.603 GiB/);
      assert.ok(await page.locator('.waterfall').first().isVisible());
      // Nobody can press what does not answer yet.
      assert.equal(await page.locator('vscode-button:visible').count(), 0);
      assert.equal(await page.locator('#root[inert]').count(), 1);
      assert.deepEqual(troubles, []);
      assert.deepEqual(asked, ['/page', '/webview.css']);
    } finally {
      await browser.close();
    }
  });

  it('says what is read where nothing else is known, as text', () => {
    const sources = { script: 's', style: 'c', styleSource: 'c', nonce: 'n' };
    assert.match(livePage('Reading <b>.log', sources), /Reading &#60;b&#62;\.log/);
  });
});

describe('The page while a long log is read', () => {
  it('says what is read and how far it is, and can be stopped', async () => {
    const report = await openReport(undefined);
    try {
      const { page, said } = report;
      const tell = (share: number): Promise<void> =>
        page.evaluate(
          value =>
            window.postMessage(
              { type: 'reading', text: 'Reading big.log', stop: 'Stop', share: value },
              '*',
            ),
          share,
        );
      await tell(0.1);
      const bar = page.getByRole('progressbar', { name: 'Reading big.log' });
      await bar.waitFor();
      await tell(0.6);
      await page.waitForFunction(() => document.querySelector('progress')?.value === 0.6);
      await page.getByRole('button', { name: 'Stop' }).click();
      assert.deepEqual((await said()).at(-1), { type: 'stop' });
      await page.evaluate(
        model => window.postMessage({ type: 'show', subject: { kind: 'kept' }, model }, '*'),
        JSON.parse(JSON.stringify(modelOfText(sampleText('seed-failing.log')))) as unknown,
      );
      await page.locator('.verdict').waitFor();
      assert.equal(await bar.count(), 0);
      assert.deepEqual(report.troubles, []);
    } finally {
      await report.close();
    }
  });

  it('shows what the beginning tells, and keeps what was tried when the rest is there', async () => {
    const report = await openReport(undefined);
    try {
      const { page, said } = report;
      const post = (message: unknown): Promise<void> =>
        page.evaluate(
          sent => window.postMessage(sent, '*'),
          JSON.parse(JSON.stringify(message)) as unknown,
        );
      const model = modelOfText(servingText());
      const subject = { kind: 'log', log: 'file:///big.log', run: null };
      const notice = 'This is what the beginning tells.';
      const reading = { type: 'reading', text: 'Reading big.log', stop: 'Stop' };
      await post({ ...reading, share: 0.1 });
      await post({ type: 'show', subject, model: { ...model, isPartial: true, notice } });
      await post({ ...reading, share: 0.2 });
      await page.getByText(notice).waitFor();
      await post({ ...reading, share: 0.7 });
      await page.waitForFunction(() => document.querySelector('progress')?.value === 0.7);
      assert.equal(await page.getByRole('button', { name: 'Copy as Markdown' }).count(), 0);
      await page.getByRole('button', { name: 'Stop' }).click();
      assert.deepEqual((await said()).at(-1), { type: 'stop' });
      await page.locator('#in-fraction input').fill('0.87');
      await post({ type: 'show', subject, model });
      await page.getByRole('button', { name: 'Copy as Markdown' }).waitFor();
      assert.equal(await page.getByRole('progressbar').count(), 0);
      assert.equal(await page.locator('#in-fraction input').inputValue(), '0.87');
      await page.waitForFunction(() => document.activeElement?.id === 'in-fraction');
      assert.deepEqual(report.troubles, []);
    } finally {
      await report.close();
    }
  });
});
