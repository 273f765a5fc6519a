/** The extension is there and starts in every host. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('The extension', () => {
  it('is installed under its published name and activates', async () => {
    const extension = vscode.extensions.getExtension('kv-lens.sglang-kv-lens');
    assert.ok(extension);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
