/** Reading a log runs nothing of it, so all of it works without trust. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { codeOf, eventually, hoverAt, problemsOf, showLog } from '../suite/log';

describe('In Restricted Mode a log', () => {
  it('has its hover, its problem and its lens', async () => {
    const { document } = await showLog('seed-failing.log');
    assert.match(await hoverAt(document, 'rest=-20.603'), /0\.7692/);
    const problem = await eventually('a problem is reported', () => problemsOf(document.uri)[0]);
    assert.equal(codeOf(problem), 'not-enough-memory');
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    assert.ok(lenses.length > 0);
  });
});
