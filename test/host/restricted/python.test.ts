/** Python sources in Restricted Mode: they are read, never run, so nothing is missing. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fileUri, hoverAt } from '../suite/log';
import { bindLog, gibEra, hintMatching, lensTitles, showSource } from '../suite/python';

describe('A Python source in a folder that is not trusted', () => {
  after(() => bindLog(null));

  it('has its units, its values and their derivation', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await bindLog(null);
    const { document } = await showSource('restricted.py', gibEra);
    await hintMatching(document, 'budget', /^: GiB$/);
    await bindLog(fileUri('seed-failing.log'));
    await hintMatching(document, 'budget', /^: -20\.603 GiB$/);
    assert.match(await hoverAt(document, 'budget = free'), /\*\*-20\.603 GiB\*\*/);
    const titles = await lensTitles(document.uri);
    assert.ok(titles.some(title => title.includes('-20.603 GiB')));
  });
});
