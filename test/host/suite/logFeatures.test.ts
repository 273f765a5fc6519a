/** What is shown of the seed logs: hover, problems, fix, lenses, outline, folding, notes, status. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  codeOf,
  eventually,
  extensionApi,
  fileUri,
  hoverAt,
  placeOf,
  problemsOf,
  readFile,
  show,
  showLog,
  withSettings,
  writeFile,
} from './log';

async function notesOf(name: string): Promise<readonly { line: number; text: string }[]> {
  const api = await extensionApi();
  return eventually('notes are drawn', () => {
    const notes = api.notes(fileUri(name));
    return notes.length > 0 ? notes : undefined;
  });
}

function lenses(uri: vscode.Uri): Thenable<vscode.CodeLens[]> {
  return vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri);
}

function symbols(uri: vscode.Uri): Thenable<vscode.DocumentSymbol[] | undefined> {
  return vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri);
}

function folds(uri: vscode.Uri): Thenable<vscode.FoldingRange[] | undefined> {
  return vscode.commands.executeCommand('vscode.executeFoldingRangeProvider', uri);
}

describe('In the log of the failing run', () => {
  it('the hover on the debug line checks every figure and names the floor', async () => {
    const { document } = await showLog('seed-failing.log');
    const hover = await hoverAt(document, 'rest=-20.603');
    assert.match(hover, /-20\.603 GiB/);
    assert.match(hover, /\/\/ 70,272 B\/token = -314,811 tokens  ✓ as printed/);
    assert.match(hover, /70,272 B\/token/);
    assert.match(hover, /0\.7692/);
    assert.equal(hover.match(/✓ as printed/g)?.length, 3);
    // 93.999 GiB in bytes: 93.999 * 2^30 = 100930657714.2 (python3).
    assert.match(hover, /100,930,657,71\d ± 536,87\d B/);
  });

  it('the hover says that GB means GiB and what a local sample is', async () => {
    const { document } = await showLog('seed-failing.log');
    const hover = await hoverAt(document, 'avail mem=94.00 GB');
    assert.match(hover, /94\.00 GiB/);
    assert.match(hover, /means GiB/);
    assert.match(hover, /local sample of this rank/);
    assert.match(hover, /0\.7692/);
  });

  it('a launch argument tells what was claimed and what was in effect', async () => {
    const { document } = await showLog('seed-failing.log');
    const hover = await hoverAt(document, '0.55, max_running_requests');
    assert.match(hover, /mem_fraction_static/);
    assert.match(hover, /in effect: \*\*0\.55\*\*/);
  });

  it('links of a hover use only our command, and only that is trusted', async () => {
    const { document } = await showLog('seed-failing.log');
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      placeOf(document, 'avail mem=94.00 GB'),
    );
    const own = hovers.flatMap(({ contents }) => contents as vscode.MarkdownString[]);
    const links = own.flatMap(({ value }) => value.match(/command:[\w.]+/g) ?? []);
    assert.deepEqual([...new Set(links)], ['command:sglangKvLens.reveal']);
  });

  it('a line without numbers has no hover', async () => {
    const { document } = await showLog('seed-failing.log');
    assert.match(await hoverAt(document, 'Load weight begin'), /GiB/);
    assert.equal(await hoverAt(document, 'Init torch distributed begin'), '');
    assert.equal(await hoverAt(document, '2026-02-27 12:39:59 TP0'), '');
  });

  it('there is one problem, with its cure, at the error', async () => {
    const { document } = await showLog('seed-failing.log');
    const problems = await eventually('a problem is reported', () => {
      const found = problemsOf(document.uri);
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(problems.map(codeOf), ['not-enough-memory']);
    const [problem] = problems;
    assert.equal(problem?.severity, vscode.DiagnosticSeverity.Error);
    assert.match(problem.message, /-20\.603 GiB/);
    assert.match(problem.message, /0\.7692/);
    assert.match(document.getText(problem.range), /^Not enough memory\./);
  });

  it('the quick fix copies the flag', async () => {
    const { document } = await showLog('seed-failing.log');
    const [problem] = await eventually('a problem is reported', () => {
      const found = problemsOf(document.uri);
      return found.length > 0 ? found : undefined;
    });
    assert.ok(problem);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      problem.range,
    );
    const action = actions.find(({ title }) => title.includes('--mem-fraction-static'));
    assert.ok(action?.command, 'there is a fix');
    const copied: unknown = await vscode.commands.executeCommand(
      action.command.command,
      ...((action.command.arguments ?? []) as unknown[]),
    );
    assert.match(String(copied), /^--mem-fraction-static 0\.\d+$/);
    assert.equal(await vscode.env.clipboard.readText(), copied);
  });

  it('the lens on the first line tells the verdict and opens the report', async () => {
    const { document } = await showLog('seed-failing.log');
    const found = await lenses(document.uri);
    assert.deepEqual([...new Set(found.map(({ range }) => range.start.line))], [0]);
    const titles = found.map(({ command }) => command?.title ?? '');
    assert.match(titles[0] ?? '', /not enough memory, -20\.603 GiB at f 0\.55/);
    assert.ok(titles.includes('Open report'));
  });

  it('the outline lists the run, its eight ranks and their phases', async () => {
    const { document } = await showLog('seed-failing.log');
    const [run, ...others] = (await symbols(document.uri)) ?? [];
    assert.ok(run);
    assert.deepEqual(others, []);
    assert.match(run.name, /^Run 1: not enough memory/);
    assert.deepEqual(
      run.children.map(({ name }) => name),
      ['TP0', 'TP1', 'TP2', 'TP3', 'TP4', 'TP5', 'TP6', 'TP7'].map(rank => `Rank ${rank}`),
    );
    const phases = run.children[0]?.children.map(({ name }) => name) ?? [];
    assert.deepEqual(phases.slice(0, 3), ['initialisation', 'weights', 'sizing']);
  });

  it('the notes after lines say what is left and what it takes', async () => {
    const editor = await showLog('seed-failing.log');
    editor.revealRange(new vscode.Range(36, 0, 50, 0), vscode.TextEditorRevealType.AtTop);
    const notes = await eventually('the debug line is in view', async () => {
      const found = (await notesOf('seed-failing.log')).filter(({ line }) => line === 36);
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(
      notes.map(({ text }) => text),
      ['= -20.603 GiB: f > 0.7692'],
    );
    for (const { text } of await notesOf('seed-failing.log')) {
      assert.ok(text.length <= 40, text);
    }
  });

  it('the status bar says what was recognised', async () => {
    const api = await extensionApi();
    await showLog('seed-failing.log');
    const text = await eventually('the status item is there', () => api.statusText());
    assert.match(text, /1 run: not enough memory, -20\.603 GiB at f 0\.55/);
  });
});

describe('In the log of the run that started', () => {
  it('no problem is an error', async () => {
    const { document } = await showLog('seed-baseline.log');
    const problems = await eventually('the log was judged', async () => {
      const api = await extensionApi();
      return (await api.isServerLog(document.uri)) ? problemsOf(document.uri) : undefined;
    });
    const errors = problems.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
    assert.deepEqual(errors, []);
  });

  it('the hover on the pool tells the implied fraction', async () => {
    const { document } = await showLog('seed-baseline.log');
    const hover = await hoverAt(document, '#tokens: 159287');
    assert.match(hover, /159,287 tokens/);
    assert.match(hover, /implied by what was sized: \*\*[^*]*0\.8[78]\d*/);
  });

  it('the copies with other line ends and prefixes show the same', async () => {
    for (const name of ['seed-baseline-crlf.log', 'seed-baseline-k8s-ansi.log']) {
      const { document } = await showLog(name);
      const hover = await hoverAt(document, 'KV size: 10.42');
      assert.match(hover, /159,287 tokens/, name);
      assert.match(hover, /10\.42 GiB/, name);
    }
  });
});

describe('In a log with two runs', () => {
  it('each run has its lens, its node in the outline and its fold', async () => {
    const { document } = await showLog('seed-restart.log');
    const runs = (await symbols(document.uri)) ?? [];
    assert.equal(runs.length, 2);
    const second = runs[1]!.range;
    const lines = (await lenses(document.uri)).map(({ range }) => range.start.line);
    assert.deepEqual([...new Set(lines)], [0, second.start.line]);
    const ranges = (await folds(document.uri)) ?? [];
    for (const run of runs) {
      assert.ok(
        ranges.some(
          ({ start, end }) => start === run.range.start.line && end === run.range.end.line,
        ),
        run.name,
      );
    }
  });

  it('folds never cross', async () => {
    const { document } = await showLog('seed-restart.log');
    const ranges = (await folds(document.uri)) ?? [];
    assert.ok(ranges.length > 6);
    // The editor's own folds, by indentation, know no runs.
    const restart = document.getText().lastIndexOf('server_args=');
    const { line } = document.positionAt(restart);
    assert.ok(ranges.some(({ start }) => start === line));
    for (const a of ranges) {
      for (const b of ranges) {
        const isApart = a.end < b.start || b.end < a.start;
        const isInside =
          (a.start <= b.start && b.end <= a.end) || (b.start <= a.start && a.end <= b.end);
        assert.ok(isApart || isInside, `${a.start}-${a.end} and ${b.start}-${b.end}`);
      }
    }
  });
});

describe('While a log is edited', () => {
  it('what is appended is analysed, and what is deleted is gone', async () => {
    const content = await readFile('seed-failing.log');
    const start = content.slice(0, content.indexOf('[2026-02-27 12:40:00 TP5] DEBUG'));
    const uri = await writeFile('growing.log', start);
    const { document } = await show(uri);
    assert.deepEqual(problemsOf(uri), []);
    const append = new vscode.WorkspaceEdit();
    append.insert(uri, document.positionAt(start.length), content.slice(start.length));
    await vscode.workspace.applyEdit(append);
    await eventually('the problem is reported', () => problemsOf(uri)[0]);
    assert.match(await hoverAt(document, 'rest=-20.603'), /0\.7692/);
    const remove = new vscode.WorkspaceEdit();
    remove.delete(uri, new vscode.Range(0, 0, document.lineCount, 0));
    await vscode.workspace.applyEdit(remove);
    await eventually('the problem is gone', () => problemsOf(uri).length === 0 || undefined);
    await document.save();
  });

  it('an edit in the middle moves what is shown', async () => {
    const content = await readFile('seed-failing.log');
    const { document } = await show(await writeFile('moving.log', content));
    const before = await eventually('a problem', () => problemsOf(document.uri)[0]);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'one\ntwo\n');
    await vscode.workspace.applyEdit(edit);
    await eventually('the problem has moved', () => {
      const line = problemsOf(document.uri)[0]?.range.start.line;
      return line === before.range.start.line + 2 || undefined;
    });
    await document.save();
  });
});

describe('Each feature has a switch that is obeyed', () => {
  const off = (feature: string) => ({ [`${feature}.enabled`]: false });

  it('hover', async () => {
    const { document } = await showLog('seed-failing.log');
    await withSettings(off('hover'), async () => {
      assert.equal(await hoverAt(document, 'rest=-20.603'), '');
    });
    assert.notEqual(await hoverAt(document, 'rest=-20.603'), '');
  });

  it('problems', async () => {
    const { document } = await showLog('seed-failing.log');
    await eventually('a problem', () => problemsOf(document.uri)[0]);
    await withSettings(off('problems'), async () => {
      await eventually('none', () => problemsOf(document.uri).length === 0 || undefined);
    });
    await eventually('a problem again', () => problemsOf(document.uri)[0]);
  });

  it('code lenses', async () => {
    const { document } = await showLog('seed-failing.log');
    await withSettings(off('codeLens'), async () => {
      assert.deepEqual(await lenses(document.uri), []);
    });
    assert.notDeepEqual(await lenses(document.uri), []);
  });

  it('outline', async () => {
    const { document } = await showLog('seed-failing.log');
    await withSettings(off('outline'), async () => {
      assert.deepEqual((await symbols(document.uri)) ?? [], []);
    });
    assert.equal((await symbols(document.uri))?.length, 1);
  });

  it('folding', async () => {
    const { document } = await showLog('seed-restart.log');
    const run = (await symbols(document.uri))?.[1]?.range.start.line;
    const starts = async () => ((await folds(document.uri)) ?? []).map(({ start }) => start);
    assert.ok((await starts()).includes(run ?? -1));
    await withSettings(off('folding'), async () => {
      assert.ok(!(await starts()).includes(run ?? -1));
    });
  });

  it('notes', async () => {
    const api = await extensionApi();
    await showLog('seed-baseline.log');
    const uri = fileUri('seed-baseline.log');
    vscode.window.activeTextEditor?.revealRange(
      new vscode.Range(37, 0, 60, 0),
      vscode.TextEditorRevealType.AtTop,
    );
    await notesOf('seed-baseline.log');
    await withSettings(off('notes'), async () => {
      await eventually('no notes', () => api.notes(uri).length === 0 || undefined);
    });
    await notesOf('seed-baseline.log');
  });

  it('status bar', async () => {
    const api = await extensionApi();
    await showLog('seed-failing.log');
    await eventually('the item', () => api.statusText());
    await withSettings(off('statusBar'), async () => {
      await eventually('no item', () => (api.statusText() === undefined ? true : undefined));
    });
    await eventually('the item again', () => api.statusText());
  });

  it('and amounts of memory are written as chosen', async () => {
    const { document } = await showLog('seed-failing.log');
    await withSettings({ 'format.alsoShow': 'decimal' }, async () => {
      // 72.30 GiB = 77.63 GB (72.30 * 2^30 / 10^9 = 77.6315).
      assert.match(await hoverAt(document, 'mem usage=72.30'), /77\.6[0-9] *(?:…77\.6[0-9])? ?GB/);
    });
  });
});
