/** Reports and the Memory view in Restricted Mode: they read logs and run nothing of the folder. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, extensionApi, fileUri, showLog } from '../suite/log';

function run(name: string, ...values: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(`sglangKvLens.${name}`, ...values);
}

describe('In a folder that is not trusted', () => {
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('a log has its report, and two have their comparison', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const api = await extensionApi();
    await run('evaluateBudget', fileUri('seed-failing.log'));
    const page = await eventually('the report is shown', () => api.pages()[0]);
    assert.match(page.run?.headline.verdict ?? '', /-20\.603 GiB/);
    assert.equal(page.run?.action?.flag, '--mem-fraction-static 0.9');
    await run('compareRuns', fileUri('seed-baseline.log'), fileUri('seed-failing.log'));
    const compared = await eventually('the comparison is shown', () =>
      api.pages().find(({ comparison }) => comparison !== undefined),
    );
    assert.equal(compared.comparison?.moves.filter(({ hasMoved }) => hasMoved).length, 1);
  });

  it('the Memory view lists its logs, with their memory', async () => {
    await showLog('seed-baseline.log');
    await run('refreshMemory');
    const api = await extensionApi();
    const rows = await eventually('the logs of the folder are listed', async () => {
      const found = await api.memoryRows(4);
      return found.some(row => row.includes('seed-restart.log')) ? found : undefined;
    });
    assert.ok(rows.some(row => /weights.*72\.29 GiB/.test(row)));
  });
});
