/** Python sources of our own for the suites, and the editor's own commands to ask what it shows. */
import * as vscode from 'vscode';
import { eventually, fileUri, readFile, writeFile } from './log';

/** Measures in bytes and returns GiB, as every release does. */
const memory = `import torch

def left_gib(device):
    left, _ = torch.cuda.mem_get_info(device)
    return left / (1 << 30)
`;

const perToken = `        row = self.model_config.num_key_value_heads * self.model_config.head_dim
        per_token = row * self.model_config.num_hidden_layers * 2 * 2
`;

/** Sizes in GiB and changes the scale at the end. */
export const gibEra = `from lens.memory import left_gib

class Engine:
    def token_capacity(self, whole):
        free = left_gib(self.device)
        if self.is_draft_worker:
            layers = 1
        else:
            layers = self.model_config.num_hidden_layers
${perToken}        budget = free - whole * (1 - self.mem_fraction_static)
        return int(budget * (1 << 30) // per_token)
`;

/** Changes the scale first and sizes in bytes. */
export const bytesEra = `from lens.memory import left_gib

class Engine:
    def token_capacity(self, whole):
        free = left_gib(self.device) * (1 << 30)
${perToken}        budget = free - whole * (1 - self.mem_fraction_static)
        return int(budget // per_token)
`;

/** Writes a source of the package \`lens\` and shows it. */
export async function showSource(name: string, text: string): Promise<vscode.TextEditor> {
  await keep('lens/memory.py', memory);
  return showPython(await keep(`lens/${name}`, text));
}

/** Writes a file unless it has this text: the editor reads an open file again when it is written. */
async function keep(path: string, text: string): Promise<vscode.Uri> {
  const present = await readFile(path).catch(() => undefined);
  return present === text ? fileUri(path) : writeFile(path, text);
}

/** Shows a Python file. */
export async function showPython(uri: vscode.Uri): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(uri);
  return vscode.window.showTextDocument(document, { preview: false });
}

/** Replaces the text of an editor. */
export async function typeText(editor: vscode.TextEditor, text: string): Promise<void> {
  const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
  await editor.edit(edit => edit.replace(new vscode.Range(new vscode.Position(0, 0), end), text));
}

/** An inlay hint as it reads, with the text of its line in front of it. */
export interface ShownHint {
  readonly line: number;
  readonly before: string;
  readonly label: string;
}

/** The inlay hints of a document. */
export async function hintsOf(document: vscode.TextDocument): Promise<readonly ShownHint[]> {
  const hints = await vscode.commands.executeCommand<vscode.InlayHint[] | undefined>(
    'vscode.executeInlayHintProvider',
    document.uri,
    new vscode.Range(0, 0, document.lineCount, 0),
  );
  return (hints ?? []).map(({ position, label }) => ({
    line: position.line,
    before: document.lineAt(position.line).text.slice(0, position.character).trim(),
    label: typeof label === 'string' ? label : label.map(({ value }) => value).join(''),
  }));
}

/** The hint behind a name; waits until it matches. */
export async function hintMatching(
  document: vscode.TextDocument,
  name: string,
  expected: RegExp,
): Promise<string> {
  let last = '';
  try {
    return await eventually(`the hint of ${name} matches ${expected}`, async () => {
      const hints = await hintsOf(document);
      last = JSON.stringify(hints);
      return hints.find(({ before, label }) => before.endsWith(name) && expected.test(label))
        ?.label;
    });
  } catch (error) {
    throw new Error(`${String(error)}; there was ${last}`, { cause: error });
  }
}

/** The titles of the code lenses of a document. */
export async function lensTitles(uri: vscode.Uri): Promise<readonly string[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[] | undefined>(
    'vscode.executeCodeLensProvider',
    uri,
  );
  return (lenses ?? []).flatMap(({ command }) => command?.title ?? []);
}

/** Binds a log of the workspace; without one unbinds. */
export async function bindLog(uri: vscode.Uri | null): Promise<void> {
  await vscode.commands.executeCommand('sglangKvLens.bindLog', uri, 0);
}
