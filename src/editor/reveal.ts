/**
 * The command behind the links of our hovers: shows a line of a document that is open, or of a file
 * that an annotation was made of. It opens no other file, so that text in a log can never make it
 * open one.
 */
import type { TextEditor, Uri } from 'vscode';
import { Range, Selection, TextEditorRevealType, window, workspace } from 'vscode';
import { indexFrom, uriFrom } from './argument';
import { openDocument } from './logSource';

/** Shows a 1-based line; nothing happens for an address that is neither open nor known. */
export async function revealLine(
  address: unknown,
  line: unknown,
  isKnown: (uri: Uri) => boolean,
): Promise<TextEditor | undefined> {
  const uri = uriFrom(address);
  const known = uri && isKnown(uri) ? uri : undefined;
  const open = uri && openDocument(uri);
  const document = open ?? (known && (await workspace.openTextDocument(known)));
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
