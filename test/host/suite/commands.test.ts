/** The commands on the seed logs and on input that they cannot use. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fileUri, readFile, reportText, show, showLog, withSettings, writeFile } from './log';

const asText = { 'report.openAs': 'text' };

function run(name: string, ...values: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(`sglangKvLens.${name}`, ...values);
}

describe('“Evaluate KV Budget”', () => {
  it('reports the failing run with its figures', async () => {
    await withSettings(asText, async () => {
      const text = await reportText(await run('evaluateBudget', fileUri('seed-failing.log')));
      assert.match(text, /^# KV budget of seed-failing\.log/);
      assert.match(text, /-20\.603/);
      assert.match(text, /0\.7692/);
      assert.match(text, /-314,811/);
      assert.match(text, /70,272 B\/token/);
      assert.match(text, /--mem-fraction-static 0\.\d+/);
    });
  });

  it('links the figures to the lines of the log', async () => {
    await withSettings(asText, async () => {
      const text = await reportText(await run('evaluateBudget', fileUri('seed-failing.log')));
      assert.match(text, /\[37\]\(<[^>]*seed-failing\.log#L37>\)/);
    });
  });

  it('reports every run of a log', async () => {
    await withSettings(asText, async () => {
      const text = await reportText(await run('evaluateBudget', fileUri('seed-restart.log')));
      assert.match(text, /# Run 1, lines 1 to/);
      assert.match(text, /# Run 2, lines/);
    });
  });

  it('follows the edits of an open log', async () => {
    const content = await readFile('seed-failing.log');
    const uri = await writeFile('edited.log', content);
    const { document } = await show(uri);
    await withSettings(asText, async () => {
      const report = await run('evaluateBudget', uri);
      assert.match(await reportText(report), /-20\.603/);
      const edit = new vscode.WorkspaceEdit();
      edit.delete(uri, new vscode.Range(27, 0, document.lineCount, 0));
      await vscode.workspace.applyEdit(edit);
      for (let tries = 0; (await reportText(report)).includes('-20.603'); tries += 1) {
        assert.ok(tries < 100, 'the report still shows the deleted lines');
        await new Promise(resolve => setTimeout(resolve, 50));
      }
    });
    await document.save();
  });

  it('answers calmly to what is no log', async () => {
    const inputs = [
      await writeFile('nothing.log', 'INFO ready\n'),
      await writeFile('empty.log', ''),
      await writeFile(
        'binary.log',
        Uint8Array.from({ length: 70_000 }, (_, at) => (at * 37) % 256),
      ),
      fileUri('missing.log'),
      fileUri('.vscode'),
      vscode.Uri.parse('nosuchscheme:/a.log'),
    ];
    for (const input of inputs) {
      assert.equal(await run('evaluateBudget', input), undefined, input.toString());
    }
    assert.equal(await run('openReport', 42, 'x'), undefined);
  });
});

describe('“Open Report”', () => {
  it('reports one run of several', async () => {
    await withSettings(asText, async () => {
      const uri = fileUri('seed-restart.log');
      const text = await reportText(await run('openReport', uri.toString(), 1));
      assert.match(text, /-20\.603/);
      assert.doesNotMatch(text, /# Run 1,/);
    });
  });

  it('says so when the report is gone', async () => {
    const uri = vscode.Uri.from({
      scheme: 'sglang-kv-lens',
      path: '/old.md',
      query: JSON.stringify({ kind: 'log', log: 'file:///etc/passwd' }),
    });
    assert.match(await reportText(uri), /no longer open/);
    assert.match(await reportText(uri.with({ query: 'not JSON' })), /no longer open/);
  });
});

describe('“Compare Two Runs”', () => {
  it('says that only the fraction differs and predicts the tokens', async () => {
    await withSettings(asText, async () => {
      const text = await reportText(
        await run('compareRuns', fileUri('seed-baseline.log'), fileUri('seed-failing.log')),
      );
      assert.match(text, /Only the fraction differs/);
      assert.match(text, /159,171/);
      assert.match(text, /^# seed-baseline\.log against seed-failing\.log/);
    });
  });

  it('takes what the explorer passes for two selected files', async () => {
    await withSettings(asText, async () => {
      const files = [fileUri('seed-failing.log'), fileUri('seed-baseline.log')];
      const text = await reportText(await run('compareRuns', files[0], files));
      assert.match(text, /Only the fraction differs/);
    });
  });

  it('needs two runs', async () => {
    assert.equal(await run('compareRuns', fileUri('seed-baseline.log')), undefined);
  });
});

describe('“Explain Selection or Clipboard”', () => {
  it('explains the selected lines', async () => {
    const editor = await showLog('seed-failing.log');
    editor.selection = new vscode.Selection(36, 0, 37, 0);
    await withSettings(asText, async () => {
      const text = await reportText(await run('explainSelection'));
      assert.match(text, /-20\.603 GiB/);
      assert.match(text, /✓ as printed/);
      assert.match(text, /0\.7692/);
    });
  });

  it('explains the clipboard when nothing is selected', async () => {
    const editor = await showLog('seed-baseline.log');
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await vscode.env.clipboard.writeText(
      '[2026-02-27 10:12:30 TP5] Memory pool end. avail mem=9.22 GB',
    );
    await withSettings(asText, async () => {
      assert.match(await reportText(await run('explainSelection')), /9\.22 GiB/);
    });
  });

  it('answers calmly to a text without a known line', async () => {
    const { document } = await show(await writeFile('prose.txt', 'Once upon a time.\n'));
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 1, 0);
    assert.equal(await run('explainSelection'), undefined);
  });
});

describe('“Copy Launch Flag”', () => {
  it('copies the flag of the active log', async () => {
    await showLog('seed-failing.log');
    const flag = await run('copyLaunchFlag');
    assert.match(String(flag), /^--mem-fraction-static 0\.\d+$/);
    assert.equal(await vscode.env.clipboard.readText(), flag);
  });

  it('copies no text that is more than a flag', async () => {
    await showLog('seed-failing.log');
    const flag = await run('copyLaunchFlag', '--mem-fraction-static 0.9; rm -rf x');
    assert.match(String(flag), /^--mem-fraction-static 0\.\d+$/);
  });
});

describe('The command behind the links of hovers', () => {
  it('shows the line of an open log', async () => {
    const { document } = await showLog('seed-failing.log');
    await run('reveal', document.uri.toString(), 37);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 36);
  });

  it('opens nothing that is not open', async () => {
    await showLog('seed-failing.log');
    const other = fileUri('README.md');
    await run('reveal', other.toString(), 1);
    assert.notEqual(vscode.window.activeTextEditor?.document.uri.toString(), other.toString());
    await run('reveal', '\\\\server\\share\\x.log', 1);
    await run('reveal', null, 'x');
  });
});
