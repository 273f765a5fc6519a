/**
 * The code action that inserts the print of a sizing function's inputs. The line that it prints is one
 * that logs are read by.
 */
import type { CodeActionProvider, Range, TextDocument } from 'vscode';
import { CodeAction, CodeActionKind, EndOfLine, Position, WorkspaceEdit } from 'vscode';
import type { Messages } from '../messages';
import type { PythonDocuments } from './pythonDocuments';

/** Offers the line anywhere in a sizing function that has a place for it. */
export class DebugLineAction implements CodeActionProvider {
  static readonly metadata = { providedCodeActionKinds: [CodeActionKind.RefactorRewrite] };

  readonly #documents: PythonDocuments;
  readonly #messages: Messages;

  constructor(documents: PythonDocuments, messages: Messages) {
    this.#documents = documents;
    this.#messages = messages;
  }

  provideCodeActions(document: TextDocument, { start }: Range): CodeAction[] {
    const line = this.#documents.latest(document)?.debugLineAt(start.line);
    if (line === undefined || document.getText().includes(line.text.trim())) {
      return [];
    }
    const action = new CodeAction(
      this.#messages.ui('python.insert-debug-line'),
      CodeActionKind.RefactorRewrite,
    );
    action.edit = new WorkspaceEdit();
    const end = document.eol === EndOfLine.CRLF ? '\r\n' : '\n';
    action.edit.insert(document.uri, new Position(line.row, 0), line.text + end);
    return [action];
  }
}
