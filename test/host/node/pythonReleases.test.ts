/**
 * The sizing functions of real releases, opened from the cache of releases (scripts/releases.mjs):
 * one of the GiB era beside one of the bytes era, with the log of the failing run bound.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import * as vscode from 'vscode';
import { skipBecause } from '../skip';
import { eventually, fileUri, hoverAt } from '../suite/log';
import { bindLog, hintMatching, hintsOf, lensTitles } from '../suite/python';

/** The runner says where the releases are (scripts/vscode/hostTier.mjs). */
const releases = process.env['SGLANG_RELEASES'] ?? '';

const mixin = '0.5.9/sglang/srt/model_executor/model_runner_kv_cache_mixin.py';
const bytesRunner = '0.1.3/sglang/srt/managers/router/model_runner.py';

async function show(path: string, viewColumn: vscode.ViewColumn): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(releases, path)));
  return vscode.window.showTextDocument(document, { viewColumn, preview: false });
}

describe('The real sources with the failing log bound', function () {
  before(async function () {
    const isThere = [mixin, bytesRunner].every(path => existsSync(join(releases, path)));
    if (!isThere) {
      assert.notEqual(process.env['CI'], 'true', `no releases in “${releases}”`);
      skipBecause(this, 'the releases are not in the cache: run node scripts/releases.mjs');
    }
    await bindLog(fileUri('seed-failing.log'));
  });

  after(async () => {
    await bindLog(null);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('show -20.603 GiB of 0.5.9 beside bytes of 0.1.3', async () => {
    const gib = await show(mixin, vscode.ViewColumn.One);
    const bytes = await show(bytesRunner, vscode.ViewColumn.Two);
    await hintMatching(gib.document, 'rest_memory', /^: -20\.603 GiB$/);
    // python3: -20.6035 * 2**30 = -22122839638, -20.6025 * 2**30 = -22121765896
    await hintMatching(bytes.document, 'rest_memory', /^: (≈ )?-22,12[12],\d{3},\d{3} B$/);
    // 93.999 * 2**30 = 100930657714.2; the sample before loading is at most 0.1 GiB below.
    await hintMatching(bytes.document, 'total_gpu_memory', /^: (≈ )?100,9\d\d,\d{3},\d{3} B$/);
    for (const { label } of [
      ...(await hintsOf(gib.document)),
      ...(await hintsOf(bytes.document)),
    ]) {
      assert.equal(label.length <= 40, true, label);
    }
  });

  it('derive the value in the hover, and say why the call returns GiB', async () => {
    const { document } = await show(mixin, vscode.ViewColumn.One);
    await hintMatching(document, 'rest_memory', /-20\.603 GiB/);
    const hover = await hoverAt(document, 'rest_memory = available_gpu_memory');
    assert.match(hover, /available_gpu_memory - \(total_gpu_memory \* \(1 - /);
    assert.match(hover, /\*\*-20\.603 GiB\*\* = -22,12[12],\d{3},\d{3}/);
    assert.match(hover, /seed-failing\.log:\d+/);
    const call = await hoverAt(document, 'get_available_gpu_memory(\n');
    assert.match(call, /returns GiB/);
    assert.match(call, /common\.py:\d+/);
    assert.match(call, /1 << 30/);
  });

  it('have the budget of the run above the sizing function', async () => {
    const { document } = await show(mixin, vscode.ViewColumn.One);
    const titles = await eventually('lenses are there', async () => {
      const found = await lensTitles(document.uri);
      return found.length > 0 ? found : undefined;
    });
    assert.equal(
      titles.some(title => title.includes('seed-failing.log') && title.includes('-20.603 GiB')),
      true,
      titles.join(' | '),
    );
  });
});
