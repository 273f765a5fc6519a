/**
 * Shows lines of a document. The command behind the links of our hovers shows a line of a document
 * that is open, or of a file that an annotation was made of; it opens no other file, so that text in
 * a log can never make it open one.
 */
import type { TextEditor, Uri } from 'vscode';
import {
  commands,
  Location,
  Position,
  Range,
  Selection,
  TextEditorRevealType,
  ViewColumn,
  window,
  workspace,
} from 'vscode';
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
  const number = indexFrom(line);
  if (number === undefined || number === 0 || (open === undefined && known === undefined)) {
    return undefined;
  }
  const document = open ?? (known && (await workspace.openTextDocument(known)));
  return document && showLines(document.uri, [number], undefined);
}

/** Shows a 1-based line in place, below where the link stood in the active editor. */
export async function peekLine(
  address: unknown,
  line: unknown,
  [row, column]: readonly unknown[],
  isKnown: (uri: Uri) => boolean,
): Promise<void> {
  const uri = uriFrom(address);
  const numbers = [line, row, column].map(indexFrom);
  const [number, atRow, atColumn] = numbers;
  const from = window.activeTextEditor?.document;
  if (!uri || !isKnown(uri) || !from || !number || atRow === undefined || atColumn === undefined) {
    return;
  }
  const target = new Location(uri, new Position(number - 1, 0));
  const at = from.validatePosition(new Position(atRow, atColumn));
  await commands.executeCommand('editor.action.peekLocations', from.uri, at, [target], 'peek');
}

/** Shows 1-based lines of a log beside the page that asks for it, with the cursor on each. */
export function revealLines(log: Uri, lines: readonly number[]): Promise<TextEditor> {
  return showLines(log, lines, ViewColumn.Beside);
}

/** Shows 1-based lines of a log where its editor is, else in the active group. */
export async function revealEntry(log: Uri, lines: readonly number[]): Promise<void> {
  if (lines.length > 0) {
    await showLines(log, lines, undefined);
  }
}

async function showLines(
  uri: Uri,
  lines: readonly number[],
  otherwise: ViewColumn | undefined,
): Promise<TextEditor> {
  const document = await workspace.openTextDocument(uri);
  const visible = window.visibleTextEditors.find(editor => editor.document === document);
  const viewColumn = visible?.viewColumn ?? otherwise;
  const editor = await window.showTextDocument(document, {
    ...(viewColumn !== undefined && { viewColumn }),
    preserveFocus: false,
  });
  const ranges = lines
    .filter(line => line > 0)
    .map(line => document.lineAt(Math.min(line, document.lineCount) - 1).range);
  const [first] = ranges;
  if (first !== undefined) {
    editor.selections = ranges.map(({ start }) => new Selection(start, start));
    editor.revealRange(
      new Range(first.start, first.end),
      TextEditorRevealType.InCenterIfOutsideViewport,
    );
  }
  return editor;
}
