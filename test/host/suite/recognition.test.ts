/** Which documents are taken for logs of a server: by name, by content, and no others. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  eventually,
  extensionApi,
  fileUri,
  readFile,
  show,
  showLog,
  withSettings,
  writeFile,
} from './log';

const foreignLog = [
  '2026-02-27 10:00:00 nginx[12]: "GET / HTTP/1.1" 200 size=12 MB took 3.50 s',
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
].join('\n');

describe('A log', () => {
  it('has our language when its name says that it is of a server', async () => {
    const uri = await writeFile('my-sglang-server.log', 'nothing yet\n');
    const { document } = await show(uri);
    assert.equal(document.languageId, 'sglang-log');
  });

  it('of any other name keeps its language and is recognised by its content', async () => {
    const api = await extensionApi();
    const { document } = await showLog('seed-baseline.log');
    assert.equal(document.languageId, 'log');
    assert.equal(await api.isServerLog(document.uri), true);
  });

  it('is recognised in a text file and in a document that has no file', async () => {
    const api = await extensionApi();
    const content = await readFile('seed-failing.log');
    const file = await show(await writeFile('notes.txt', content));
    assert.equal(file.document.languageId, 'plaintext');
    assert.equal(await api.isServerLog(file.document.uri), true);
    const untitled = await vscode.workspace.openTextDocument({ language: 'plaintext', content });
    assert.equal(await api.isServerLog(untitled.uri), true);
  });

  it('of another program is left alone', async () => {
    const api = await extensionApi();
    const known = await showLog('seed-failing.log');
    await eventually('a log of a server has notes', () =>
      api.notes(known.document.uri).length > 0 ? true : undefined,
    );
    const { document } = await show(await writeFile('nginx.log', foreignLog));
    assert.equal(await api.isServerLog(document.uri), false);
    assert.equal(api.statusText(), undefined);
    assert.deepEqual(api.notes(document.uri), []);
    assert.deepEqual(vscode.languages.getDiagnostics(document.uri), []);
  });

  it('is recognised when its first line of a server is typed', async () => {
    const api = await extensionApi();
    const document = await vscode.workspace.openTextDocument({
      language: 'plaintext',
      content: 'empty\n',
    });
    assert.equal(await api.isServerLog(document.uri), false);
    const edit = new vscode.WorkspaceEdit();
    const line = '[2026-02-27 10:12:30 TP5] Memory pool end. avail mem=9.22 GB\n';
    edit.insert(document.uri, new vscode.Position(1, 0), line);
    await vscode.workspace.applyEdit(edit);
    assert.equal(await api.isServerLog(document.uri), true);
  });

  it('is not recognised by content when that is switched off, but still by name', async () => {
    const api = await extensionApi();
    const named = await writeFile('sglang-named.log', await readFile('seed-baseline.log'));
    await withSettings({ 'contentRecognition.enabled': false }, async () => {
      await show(fileUri('seed-baseline-crlf.log'));
      assert.equal(await api.isServerLog(fileUri('seed-baseline-crlf.log')), false);
      await show(named);
      assert.equal(await api.isServerLog(named), true);
    });
  });
});
