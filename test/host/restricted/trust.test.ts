/** What is left in a workspace that the person does not trust. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('In Restricted Mode', () => {
  it('the workspace is not trusted and the extension still activates', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const extension = vscode.extensions.getExtension('kv-lens.sglang-kv-lens');
    assert.ok(extension, 'the extension is switched off in Restricted Mode');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
