/** Opens logs for the suites, asks the editor's own commands what it would show, changes settings. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/editor/extensionApi';

// With every feature off (scripts/allOff.mjs) nothing is worth a long wait.
const patienceMs = process.env['KVLENS_ALL_OFF'] === '1' ? 1_500 : 30_000;

/** The extension's own answers. */
export async function extensionApi(): Promise<ExtensionApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>('kv-lens.sglang-kv-lens');
  assert.ok(extension);
  return extension.activate();
}

/** The address of a file of the workspace, which is a fresh copy of the sample. */
export function fileUri(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  return vscode.Uri.joinPath(folder.uri, path);
}

/** Writes a file into the workspace. */
export async function writeFile(path: string, content: string | Uint8Array): Promise<vscode.Uri> {
  const uri = fileUri(path);
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  await vscode.workspace.fs.writeFile(uri, bytes);
  return uri;
}

/** Text of a file of the workspace. */
export async function readFile(path: string): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(fileUri(path)));
}

/** Shows a document and resolves when it was analysed. */
export async function show(uri: vscode.Uri): Promise<vscode.TextEditor> {
  const api = await extensionApi();
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document);
  await api.isServerLog(uri);
  return editor;
}

/** Shows a log of the sample. */
export function showLog(name: string): Promise<vscode.TextEditor> {
  return show(fileUri(name));
}

/** Asks again until there is an answer. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    assert.ok(Date.now() < end, `waited in vain until ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** The place of a text in a document: the first character of its first occurrence. */
export function placeOf(document: vscode.TextDocument, text: string): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, `“${text}” is in the document`);
  return document.positionAt(offset);
}

/** The Markdown of all hovers at the first occurrence of a text. */
export async function hoverAt(document: vscode.TextDocument, text: string): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    placeOf(document, text),
  );
  return hovers
    .flatMap(({ contents }) => contents)
    .map(content => (content as vscode.MarkdownString).value)
    .join('\n');
}

/** Our diagnostics of a document. */
export function problemsOf(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'KV Lens');
}

/** The code of a diagnostic, without its link. */
export function codeOf({ code }: vscode.Diagnostic): unknown {
  return typeof code === 'object' ? code.value : code;
}

/** Sets settings below `sglangKvLens.` for the time of `use`. */
export async function withSettings(
  values: Readonly<Record<string, unknown>>,
  use: () => Promise<void>,
): Promise<void> {
  const target = vscode.ConfigurationTarget.Workspace;
  const set = async (key: string, value: unknown): Promise<void> => {
    await vscode.workspace.getConfiguration('sglangKvLens').update(key, value, target);
  };
  for (const [key, value] of Object.entries(values)) await set(key, value);
  try {
    await use();
  } finally {
    for (const key of Object.keys(values)) await set(key, undefined);
  }
}

/** The text of a report that a command answered with. */
export async function reportText(uri: unknown): Promise<string> {
  assert.ok(uri instanceof vscode.Uri, 'the command answers with an address');
  assert.equal(uri.scheme, 'sglang-kv-lens');
  return (await vscode.workspace.openTextDocument(uri)).getText();
}
