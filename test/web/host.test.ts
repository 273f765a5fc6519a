/** The worker suite runs where it says it does, and what is different there. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('The worker host', () => {
  it('has no Node beneath the extension', () => {
    assert.equal(typeof (globalThis as { importScripts?: unknown }).importScripts, 'function');
  });

  it('opens the log of the sample alone where the storage of extensions is no folder', async () => {
    await vscode.commands.executeCommand('sglangKvLens.openSample');
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.languageId, 'sglang-log');
    assert.match(document.getText(), /rest=-20\.603/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
