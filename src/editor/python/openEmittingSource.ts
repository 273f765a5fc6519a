/**
 * The command "Open Emitting Source": from the log line under the cursor to the line of the workspace's
 * SGLang that prints it. The table of line forms names the function; a path in the log is never used.
 */
import type { Uri } from 'vscode';
import { Position, Range, Selection, TextEditorRevealType, window, workspace } from 'vscode';
import { emittingLine } from '../../core/annotate/python/emittingLine';
import { HumanError } from '../humanError';
import type { LogDocuments } from '../logDocuments';
import type { Messages } from '../messages';

/** Copies of a file in a workspace that are looked into. */
const mostCopies = 10;

/** The command. */
export class OpenEmittingSource {
  readonly #documents: LogDocuments;
  readonly #messages: Messages;

  constructor(documents: LogDocuments, messages: Messages) {
    this.#documents = documents;
    this.#messages = messages;
  }

  async run(): Promise<void> {
    const editor = window.activeTextEditor;
    const analysis = editor && (await this.#documents.current(editor.document));
    const { line, character } = editor?.selection.active ?? new Position(0, 0);
    const record = analysis?.records.covering(line + 1, character);
    const emitters = record?.spelling?.emitters ?? [];
    const [first] = emitters;
    if (record === undefined || first === undefined) {
      throw new HumanError(this.#messages.ui('error.no-emitter'));
    }
    for (const emitter of emitters) {
      const [file = '', name = ''] = emitter.split('::');
      const found = await placeOf(file, name, record.form.anchors);
      if (found !== undefined) {
        await show(found.uri, found.line);
        return;
      }
    }
    const [file = '', name = ''] = first.split('::');
    throw new HumanError(this.#messages.ui('error.emitter-not-here', { function: name, file }));
  }
}

async function placeOf(
  file: string,
  name: string,
  words: readonly string[],
): Promise<{ readonly uri: Uri; readonly line: number } | undefined> {
  const copies = await workspace.findFiles(`**/srt/${file}`, '**/node_modules/**', mostCopies);
  for (const uri of copies) {
    const text = new TextDecoder().decode(await workspace.fs.readFile(uri));
    const line = emittingLine(text, name, words);
    if (line !== undefined) {
      return { uri, line };
    }
  }
  return undefined;
}

async function show(uri: Uri, line: number): Promise<void> {
  const editor = await window.showTextDocument(await workspace.openTextDocument(uri));
  const start = new Position(line - 1, 0);
  editor.selection = new Selection(start, start);
  editor.revealRange(new Range(start, start), TextEditorRevealType.InCenter);
}
