/** What can be done from a Python source or a log: insert the print of the inputs, follow a line. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, fileUri, hoverAt, placeOf, showLog, withSettings, writeFile } from './log';
import { bindLog, gibEra, hintMatching, showPython, showSource } from './python';

/** The same class with the call that hands the measured amount over. */
const withCaller = `${gibEra}
    def begin(self):
        early = left_gib(self.device)
        self.tokens = self.token_capacity(early)
`;

/** Prints a line of the log in the function that the table of forms names. */
const loader = `class ModelRunner:
    def other(self):
        pass

    def load_model(self):
        left = 1
        log(f"Load weight begin. left={left}")
`;

async function actionsAt(document: vscode.TextDocument, text: string) {
  const at = placeOf(document, text);
  const found = await vscode.commands.executeCommand<vscode.CodeAction[] | undefined>(
    'vscode.executeCodeActionProvider',
    document.uri,
    new vscode.Range(at, at),
    vscode.CodeActionKind.RefactorRewrite.value,
  );
  return (found ?? []).filter(({ edit }) => edit !== undefined);
}

describe('A sizing function in the editor', () => {
  before(() => bindLog(null));

  it('takes the print of its inputs before the first line that uses them all, once', async () => {
    const { document } = await showSource('printed.py', gibEra);
    await hintMatching(document, 'budget', /^: GiB$/);
    const [action, ...others] = await actionsAt(document, 'budget = free');
    assert.ok(action?.edit);
    assert.equal(others.length, 0);
    assert.equal(await vscode.workspace.applyEdit(action.edit), true);
    const { line } = placeOf(document, 'print(f"DEBUG');
    const printed = document.lineAt(line).text;
    assert.match(printed, /^ {8}print\(f"DEBUG profile_max_num_token: avail=\{free:\.3f\} GiB, /);
    assert.match(printed, /, rest=\{budget:\.3f\} GiB, cell_size=\{per_token\}, max_tokens=\{/);
    assert.match(document.lineAt(line - 1).text, /budget = free/);
    assert.match(document.lineAt(line + 1).text, /return int/);
    await hintMatching(document, 'budget', /^: GiB$/);
    await eventually('it is not offered again', async () =>
      (await actionsAt(document, 'budget = free')).length === 0 ? true : undefined,
    );
  });

  it('offers no print outside its lines', async () => {
    const { document } = await showSource('plain.py', gibEra);
    await hintMatching(document, 'budget', /^: GiB$/);
    assert.deepEqual(await actionsAt(document, 'from lens.memory'), []);
  });

  it('says in the hover of its parameter how the measured amount gets there', async () => {
    const { document } = await showSource('called.py', withCaller);
    await hintMatching(document, 'whole', /^: GiB$/);
    const hover = await eventually('the way is in the hover', async () => {
      const text = await hoverAt(document, 'whole * (1');
      return text.includes('How it gets here') ? text : undefined;
    });
    assert.match(hover, /measured by .*left_gib/);
    assert.match(hover, /passed on by .*begin/);
    assert.match(hover, /called\.py:\d+/);
  });
});

describe('A source that prints lines of the bound log', () => {
  const path = 'lens/srt/model_executor/model_runner.py';
  const failing = () => fileUri('seed-failing.log');

  after(async () => {
    await bindLog(null);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(fileUri('lens/srt'), { recursive: true });
  });

  /** The 1-based lines that the lens above the function leads to. */
  const hitsAbove = async ({ uri }: vscode.TextDocument, line: number) => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[] | undefined>(
      'vscode.executeCodeLensProvider',
      uri,
    );
    const [hit] = (lenses ?? []).filter(
      ({ range, command }) => range.start.line === line && command?.title.includes(' hits in '),
    );
    return hit?.command;
  };

  it('says above the function how many, and leads to each of them', async () => {
    const { document } = await showPython(await writeFile(path, loader));
    await bindLog(failing());
    const command = await eventually('the lens is there', () =>
      hitsAbove(document, placeOf(document, 'def load_model').line),
    );
    assert.equal(command.title, '8 hits in seed-failing.log');
    const places = command.arguments?.[2] as vscode.Location[];
    const log = await vscode.workspace.openTextDocument(failing());
    // What grep -n finds in the log.
    const expected = Array.from({ length: log.lineCount }, (_, line) => line).filter(line =>
      log.lineAt(line).text.includes('Load weight begin'),
    );
    assert.equal(expected.length, 8);
    assert.deepEqual(
      places.map(({ range }) => range.start.line),
      expected,
    );
    assert.equal(places[0]?.uri.toString(), failing().toString());
    assert.equal(await hitsAbove(document, placeOf(document, 'def other').line), undefined);
  });

  it('says so of the print of the inputs, wherever it stands', async () => {
    const text = gibEra.replace(
      '        return',
      '        print(f"DEBUG profile_max_num_token:")\n        return',
    );
    const { document } = await showSource('patched.py', text);
    await bindLog(failing());
    const command = await eventually('the lens is there', () =>
      hitsAbove(document, placeOf(document, 'def token_capacity').line),
    );
    assert.equal(command.title, '8 hits in seed-failing.log');
  });

  it('says nothing without its switch, or without a bound log', async () => {
    const { document } = await showPython(await writeFile(path, loader));
    const { line } = placeOf(document, 'def load_model');
    await bindLog(failing());
    await eventually('the lens is there', () => hitsAbove(document, line));
    await withSettings({ 'logHits.enabled': false }, async () => {
      await eventually('the lens is gone', async () =>
        (await hitsAbove(document, line)) === undefined ? true : undefined,
      );
    });
    await eventually('the lens is there again', () => hitsAbove(document, line));
    await bindLog(null);
    assert.equal(await hitsAbove(document, line), undefined);
  });
});

describe('Open Emitting Source', () => {
  it('goes from a line of the log to the line of the workspace that prints it', async () => {
    const source = await writeFile('lens/srt/model_executor/model_runner.py', loader);
    try {
      const editor = await showLog('seed-failing.log');
      const at = placeOf(editor.document, 'Load weight begin');
      editor.selection = new vscode.Selection(at, at);
      await vscode.commands.executeCommand('sglangKvLens.openEmittingSource');
      const shown = vscode.window.activeTextEditor;
      assert.equal(shown?.document.uri.toString(), source.toString());
      assert.match(shown.document.lineAt(shown.selection.active.line).text, /Load weight begin/);
    } finally {
      await vscode.workspace.fs.delete(fileUri('lens/srt'), { recursive: true });
    }
  });
});
