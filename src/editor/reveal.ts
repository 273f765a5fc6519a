/**
 * The command behind the links of our hovers: shows a line of a log that is open. It opens no other
 * file, so that text in a log can never make it open one.
 */
import type { TextEditor } from 'vscode';
import { Range, Selection, TextEditorRevealType, window } from 'vscode';
import { indexFrom, uriFrom } from './argument';
import { openDocument } from './logSource';

/** Shows a 1-based line; nothing happens for an address that no open document has. */
export async function revealLine(
  address?: unknown,
  line?: unknown,
): Promise<TextEditor | undefined> {
  const uri = uriFrom(address);
  const document = uri && openDocument(uri);
  const number = indexFrom(line);
  if (document === undefined || number === undefined || number === 0) {
    return undefined;
  }
  const { range } = document.lineAt(Math.min(number, document.lineCount) - 1);
  const visible = window.visibleTextEditors.find(editor => editor.document === document);
  const editor = await window.showTextDocument(document, {
    ...(visible?.viewColumn !== undefined && { viewColumn: visible.viewColumn }),
    preserveFocus: false,
  });
  editor.selection = new Selection(range.start, range.start);
  editor.revealRange(
    new Range(range.start, range.end),
    TextEditorRevealType.InCenterIfOutsideViewport,
  );
  return editor;
}
