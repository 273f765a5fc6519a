/** A log that the editor hands to no extension is read from the disk by ranges. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { appendFileSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { fileUri, readFile, reportText, withSettings, writeFile } from '../suite/log';

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
