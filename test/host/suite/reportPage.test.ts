/** The report page and the Memory view inside the editor: opened, switched off, kept up to date. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PageModel } from '../../../src/core/report/pageModel';
import {
  eventually,
  extensionApi,
  fileUri,
  hoverAt,
  readFile,
  show,
  reportText,
  showLog,
  withSettings,
  writeFile,
} from './log';

function run(name: string, ...values: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(`sglangKvLens.${name}`, ...values);
}

async function closeAll(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Longer than the view waits before it shows a change. */
async function settle(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 400));
}

/** A panel as the editor hands it over after a reload. */
function restored(): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(
    'sglangKvLens.report',
    'KV budget',
    vscode.ViewColumn.One,
  );
}

/** The page of this title, once it is there. */
async function pageOf(title: string): Promise<PageModel> {
  const api = await extensionApi();
  return eventually(`a page is called ${title}`, () =>
    api.pages().find(model => model.title === title),
  );
}

describe('The report page', () => {
  beforeEach(closeAll);
  after(closeAll);

  it('opens for a log, with the figures of the log', async () => {
    await run('evaluateBudget', fileUri('seed-failing.log'));
    const { run: page, hasLog } = await pageOf('KV budget of seed-failing.log');
    assert.ok(page);
    assert.match(page.headline.verdict, /-20\.603 GiB/);
    assert.equal(page.action?.flag, '--mem-fraction-static 0.9');
    assert.equal(page.ranks.length, 8);
    // All have the same left: none decides for the others.
    assert.equal(page.ranks.filter(({ isBinding }) => isBinding).length, 0);
    assert.ok(page.rows.some(({ marks }) => marks.includes('floor')));
    assert.equal(hasLog, true);
  });

  it('is one tab for a log, however often it is asked for', async () => {
    await run('evaluateBudget', fileUri('seed-failing.log'));
    await pageOf('KV budget of seed-failing.log');
    await run('openReport', fileUri('seed-failing.log').toString(), 0);
    const api = await extensionApi();
    assert.equal(api.pages().length, 1);
  });

  it('shows the last run of a log and offers the others', async () => {
    await run('evaluateBudget', fileUri('seed-restart.log'));
    const model = await pageOf('KV budget of seed-restart.log');
    assert.equal(model.choices.length, 2);
    assert.equal(model.chosen, 1);
    await run('openReport', fileUri('seed-restart.log').toString(), 0);
    const other = await eventually('the first run is shown', async () => {
      const page = await pageOf('KV budget of seed-restart.log');
      return page.chosen === 0 ? page : undefined;
    });
    assert.match(other.run?.headline.verdict ?? '', /159,287/);
  });

  it('opens for two runs, with shares', async () => {
    await run('compareRuns', fileUri('seed-baseline.log'), fileUri('seed-failing.log'));
    const { comparison } = await pageOf('seed-baseline.log against seed-failing.log');
    assert.equal(comparison?.moves.filter(({ hasMoved }) => hasMoved).length, 1);
    assert.ok(comparison.moves.some(({ size }) => size !== null && size < -400_000));
  });

  it('follows the edits of an open log', async () => {
    const uri = await writeFile('edited-page.log', await readFile('seed-failing.log'));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await run('evaluateBudget', uri);
    await pageOf('KV budget of edited-page.log');
    const edit = new vscode.WorkspaceEdit();
    edit.delete(uri, new vscode.Range(27, 0, document.lineCount, 0));
    await vscode.workspace.applyEdit(edit);
    await eventually('the page no longer shows the deleted lines', async () => {
      const { run: page } = await pageOf('KV budget of edited-page.log');
      return page?.headline.verdict.includes('-20.603') === false ? true : undefined;
    });
    await document.save();
  });

  it('has the Markdown twin for pasting, and its own command', async () => {
    await run('evaluateBudget', fileUri('seed-failing.log'));
    const { markdown } = await pageOf('KV budget of seed-failing.log');
    assert.match(markdown, /^# KV budget of seed-failing\.log/);
    assert.match(markdown, /-314,811/);
    await withSettings({ 'report.openAs': 'text' }, async () => {
      const text = await reportText(
        await run('openReportMarkdown', fileUri('seed-failing.log').toString()),
      );
      assert.match(text, /-20\.603/);
    });
  });

  it('is saved as one file that needs nothing else', async () => {
    await run('evaluateBudget', fileUri('seed-failing.log'));
    const api = await extensionApi();
    const text = await api.savedPage(await pageOf('KV budget of seed-failing.log'));
    assert.match(text, /^<!DOCTYPE html>/);
    assert.match(text, /-20\.603 GiB/);
    assert.match(text, /\.waterfall/);
    assert.doesNotMatch(text, /<script|https?:\/\//);
  });

  it('is made again from its log where another build kept it in another shape', async () => {
    const api = await extensionApi();
    const log = fileUri('seed-failing.log').toString();
    const kept = { subject: { kind: 'log', log, run: null }, model: { schema: 0, title: 'old' } };
    await api.restorePage(restored(), kept);
    const { run: page, hasLog } = await pageOf('KV budget of seed-failing.log');
    assert.match(page?.headline.verdict ?? '', /-20\.603 GiB/);
    assert.equal(hasLog, true);
  });

  it('says what to do where it cannot be made again', async () => {
    const api = await extensionApi();
    const log = fileUri('no-such.log').toString();
    for (const kept of [
      { subject: { kind: 'log', log, run: 0 }, model: {} },
      { a: 1 },
      undefined,
    ]) {
      const panel = restored();
      await api.restorePage(panel, kept);
      assert.match(panel.webview.html, /Open it once more from its log/);
      assert.equal(api.pages().length, 0);
    }
  });

  it('stands in its document before its script runs, and in a new one where it was hidden', async () => {
    const api = await extensionApi();
    const panel = restored();
    const log = fileUri('seed-failing.log').toString();
    await api.restorePage(panel, { subject: { kind: 'log', log, run: null } });
    await showLog('seed-baseline.log');
    await eventually('the hidden page has its report', () =>
      panel.webview.html.includes('-20.603') ? true : undefined,
    );
    assert.doesNotMatch(panel.webview.html, /\sstyle="|\son\w+="/);
  });

  it('gives way to Markdown where it is switched off', async () => {
    await withSettings({ 'reportPage.enabled': false, 'report.openAs': 'text' }, async () => {
      const text = await reportText(await run('evaluateBudget', fileUri('seed-failing.log')));
      assert.match(text, /-20\.603/);
      const api = await extensionApi();
      assert.equal(api.pages().length, 0);
    });
  });

  it('is what hovers lead to, by the one command that they may use', async () => {
    const { document } = await showLog('seed-failing.log');
    const hover = await hoverAt(document, 'rest=-20.603');
    const commands = [...hover.matchAll(/\(command:([\w.]+)\?([^)]*)\)/g)];
    assert.ok(commands.length > 0);
    assert.deepEqual([...new Set(commands.map(([, id]) => id))], ['sglangKvLens.reveal']);
    await run('reveal', document.uri.toString(), 37, 'report');
    assert.match((await pageOf('KV budget of seed-failing.log')).title, /seed-failing/);
  });
});

describe('The Memory view', () => {
  before(closeAll);
  after(closeAll);

  it('leads from logs over runs and ranks to the ledger, with sizes', async () => {
    await showLog('seed-baseline.log');
    const api = await extensionApi();
    const rows = await eventually('the log is listed', async () => {
      const all = await api.memoryRows(4);
      return all.some(row => row.startsWith('seed-baseline.log')) ? all : undefined;
    });
    const from = rows.findIndex(row => row.startsWith('seed-baseline.log'));
    assert.match(rows[from + 1] ?? '', /^Run 1: ready with 159,287 tokens/);
    assert.match(rows[from + 2] ?? '', /^Rank TP0: 7\.83 GiB left$/);
    assert.deepEqual(rows.slice(from + 3, from + 10), [
      'free before load: 94.00 GiB',
      'weights: 72.29 GiB',
      'KV pool: 10.42 GiB',
      'request-to-token table: 2.00 GiB',
      'graphs: 1.37 GiB',
      'unaccounted: ≈ 0.09 GiB',
      'free at the end: 7.83 GiB',
    ]);
  });

  it('lists logs of the workspace that are not open, and reads one when it is unfolded', async () => {
    const api = await extensionApi();
    await writeFile('never-opened.log', await readFile('seed-restart.log'));
    await writeFile('prose.log', 'nothing of a server\n');
    await run('refreshMemory');
    const rows = await api.memoryRows(1);
    assert.ok(rows.includes('never-opened.log: unfold to read'), rows.join('\n'));
    assert.ok(!rows.some(row => row.startsWith('prose') || row.startsWith('README')));
    await api.memoryRows(2);
    assert.ok((await api.memoryRows(1)).includes('never-opened.log: 2 runs'));
  });

  it('is not drawn anew for a log that grows by lines that change no row', async () => {
    const text = await readFile('seed-baseline.log');
    const uri = await writeFile('growing.log', text);
    const { document } = await show(uri);
    await run('memory.focus');
    const api = await extensionApi();
    await eventually('the log is listed', async () =>
      (await api.memoryRows(1)).some(row => row.startsWith('growing.log')) ? true : undefined,
    );
    await settle();
    const before = api.memoryDrawings();
    const append = async (added: string): Promise<void> => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, document.lineAt(document.lineCount - 1).range.end, added);
      await vscode.workspace.applyEdit(edit);
      await api.isServerLog(uri);
      await settle();
    };
    const batch = (second: number): string =>
      `[2026-02-27 10:30:0${second} TP0] Decode batch, #running-req: 1, #token: 2048, token usage: 0.01, cuda graph: True, gen throughput (token/s): 40.00, #queue-req: 0, \n`;
    for (let second = 0; second < 4; second += 1) await append(batch(second));
    assert.equal(api.memoryDrawings(), before);
    await append(await readFile('seed-failing.log'));
    assert.ok((await api.memoryRows(2)).some(row => row.startsWith('Run 2')));
    assert.ok(api.memoryDrawings() > before);
    await document.save();
  });

  it('forgets a log that is deleted, and finds one that is new', async () => {
    const api = await extensionApi();
    const uri = await writeFile('comes-and-goes.log', await readFile('seed-restart.log'));
    await run('refreshMemory');
    const isListed = async (): Promise<boolean> =>
      (await api.memoryRows(2)).some(row => row.startsWith('comes-and-goes.log'));
    assert.ok(await isListed());
    await vscode.workspace.fs.delete(uri);
    await run('refreshMemory');
    assert.equal(await isListed(), false);
  });

  it('lists every log of a folder of many', async () => {
    const text = await readFile('seed-failing.log');
    const names = Array.from({ length: 300 }, (_, at) => `many/server-${at}.log`);
    for (const name of names) await writeFile(name, text);
    try {
      await run('refreshMemory');
      const api = await extensionApi();
      const rows = new Set(await api.memoryRows(1));
      const missing = names.filter(name => !rows.has(`${name.slice(5)}: unfold to read`));
      assert.deepEqual(missing, []);
    } finally {
      await vscode.workspace.fs.delete(fileUri('many'), { recursive: true });
      await run('refreshMemory');
    }
  });

  it('counts problems in its badge', async () => {
    await showLog('seed-failing.log');
    const api = await extensionApi();
    assert.ok((await eventually('a badge', () => api.memoryBadge())) > 0);
  });

  it('has nothing where it is switched off', async () => {
    await withSettings({ 'memoryView.enabled': false }, async () => {
      const api = await extensionApi();
      await eventually('the view is empty', async () =>
        (await api.memoryRows(2)).length === 0 && api.memoryBadge() === undefined
          ? true
          : undefined,
      );
    });
  });
});
