/**
 * The command "Open the Sample Workspace": a copy of the sample in the extension's own storage, opened
 * as a folder. Where folders of that storage cannot be opened, its log opens alone.
 */
import type { ExtensionContext } from 'vscode';
import { commands, Uri, window, workspace } from 'vscode';

const files = [
  'README.md',
  'kv_budget.py',
  'seed-baseline.log',
  'seed-failing.log',
  'seed-restart.log',
];

const firstFile = 'seed-failing.log';

/** Opens the sample; answers where it was laid, or undefined where only the log was opened. */
export async function openSample(context: ExtensionContext): Promise<Uri | undefined> {
  const source = Uri.joinPath(context.extensionUri, 'sample');
  if (context.globalStorageUri.scheme !== 'file') {
    await openAlone(Uri.joinPath(source, firstFile));
    return undefined;
  }
  const target = Uri.joinPath(context.globalStorageUri, 'sample');
  for (const file of files) {
    const text = await workspace.fs.readFile(Uri.joinPath(source, file));
    await workspace.fs.writeFile(Uri.joinPath(target, file), text);
  }
  await commands.executeCommand('vscode.openFolder', target, { forceReuseWindow: false });
  return target;
}

async function openAlone(file: Uri): Promise<void> {
  const content = new TextDecoder().decode(await workspace.fs.readFile(file));
  const document = await workspace.openTextDocument({ language: 'sglang-log', content });
  await window.showTextDocument(document);
}
