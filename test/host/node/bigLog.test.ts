/** A log that the editor hands to no extension is read from the disk by ranges. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { appendFileSync, utimesSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { PageModel } from '../../../src/core/report/pageModel';
import { extensionApi, fileUri, readFile, reportText, withSettings, writeFile } from '../suite/log';

const asText = { 'report.openAs': 'text' };

const decodeLine =
  '[2026-02-27 10:20:00 TP0] Decode batch. #running-req: 3, #token: 4096, token usage: 0.03, gen throughput (token/s): 91.20, #queue-req: 0\n';

describe('A log above 50 MiB', () => {
  it('is evaluated although no document of it can be opened', async () => {
    const uri = fileUri('big.log');
    writeFileSync(uri.fsPath, await readFile('seed-baseline.log'));
    const block = decodeLine.repeat(8000);
    for (let bytes = 0; bytes < 56 * 2 ** 20; bytes += block.length) {
      appendFileSync(uri.fsPath, block);
    }
    await assert.rejects(async () => vscode.workspace.openTextDocument(uri));
    await withSettings(asText, async () => {
      const report: unknown = await vscode.commands.executeCommand(
        'sglangKvLens.evaluateBudget',
        uri,
      );
      const text = await reportText(report);
      assert.match(text, /159,287 tokens/);
      assert.match(text, /0\.879\d…0\.880\d/);
    });
  });

  it('has a page that shows what its beginning tells while the rest is read', async () => {
    const api = await extensionApi();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // Another time of change: what was read before does not count.
    utimesSync(fileUri('big.log').fsPath, new Date(), new Date());
    let isDone = false as boolean;
    const opened = vscode.commands
      .executeCommand('sglangKvLens.evaluateBudget', fileUri('big.log'))
      .then(() => (isDone = true));
    const seen = new Set<PageModel>();
    while (!isDone) {
      for (const model of api.pages()) seen.add(model);
      await new Promise(resolve => setTimeout(resolve, 1));
    }
    await opened;
    const [head] = seen;
    assert.equal(head?.isPartial, true);
    assert.match(head.notice ?? '', /beginning of big\.log/);
    assert.match(head.run?.headline.verdict ?? '', /159,287/);
    const [whole] = api.pages();
    assert.equal(whole?.isPartial, undefined);
    assert.ok((whole?.run?.courses.length ?? 0) > 0);
  });
});

describe('A packed log', () => {
  it('is evaluated', async () => {
    const uri = await writeFile('seed.log.gz', gzipSync(await readFile('seed-failing.log')));
    await withSettings(asText, async () => {
      const report: unknown = await vscode.commands.executeCommand(
        'sglangKvLens.evaluateBudget',
        uri,
      );
      assert.match(await reportText(report), /-20\.603/);
    });
  });

  it('that is damaged is answered calmly', async () => {
    const uri = await writeFile('damaged.log.gz', Uint8Array.from([0x1f, 0x8b, 1, 2, 3, 4]));
    const report: unknown = await vscode.commands.executeCommand(
      'sglangKvLens.evaluateBudget',
      uri,
    );
    assert.equal(report, undefined);
  });
});
