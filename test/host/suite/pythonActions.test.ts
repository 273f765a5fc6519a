/** What can be done from a Python source or a log: insert the print of the inputs, follow a line. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, fileUri, hoverAt, placeOf, showLog, writeFile } from './log';
import { bindLog, gibEra, hintMatching, showSource } from './python';

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
