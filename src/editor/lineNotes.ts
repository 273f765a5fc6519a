/**
 * The one number that matters after a log line, for the lines in view. Redrawn when the view, the
 * analysis or a setting changes; while an edit is being read the notes move with their lines.
 */
import type { Disposable, TextEditor } from 'vscode';
import { window } from 'vscode';
import { logNote } from '../core/annotate/log/logNote';
import type { Decorations, LineNote } from './decorations';
import type { LogAnalysis } from './logAnalysis';
import type { LogDocuments } from './logDocuments';
import type { Messages } from './messages';
import type { Settings } from './settings';

/** Notes whose text tells of a failure. */
const warnings: ReadonlySet<string> = new Set(['note.rest-negative', 'note.minimum']);

/** Keeps the notes of all visible editors. */
export class LineNotes implements Disposable {
  readonly #documents: LogDocuments;
  readonly #decorations: Decorations;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #listeners: readonly Disposable[];

  constructor(
    documents: LogDocuments,
    decorations: Decorations,
    messages: Messages,
    settings: Settings,
  ) {
    this.#documents = documents;
    this.#decorations = decorations;
    this.#messages = messages;
    this.#settings = settings;
    this.#listeners = [
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#draw(textEditor)),
      window.onDidChangeVisibleTextEditors(editors => {
        for (const editor of editors) {
          this.#draw(editor);
        }
      }),
      settings.onDidChange(() => {
        for (const editor of window.visibleTextEditors) {
          this.#draw(editor);
        }
      }),
      documents.onDidChange(document => {
        for (const editor of window.visibleTextEditors) {
          if (editor.document === document) {
            this.#draw(editor);
          }
        }
      }),
    ];
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
  }

  #draw(editor: TextEditor): void {
    const { document } = editor;
    if (!this.#settings.get('notes.enabled', document.uri)) {
      this.#decorations.show(editor, []);
      return;
    }
    const analysis = this.#documents.latest(document);
    if (analysis !== undefined) {
      this.#decorations.show(editor, this.#notesOf(editor, analysis));
    } else if (!this.#documents.isWaiting(document)) {
      this.#decorations.show(editor, []);
    }
  }

  #notesOf({ document, visibleRanges }: TextEditor, { records }: LogAnalysis): LineNote[] {
    return visibleRanges
      .flatMap(({ start, end }) => records.between(start.line + 1, end.line + 1))
      .flatMap(record => {
        const account = records.accountOf(record);
        const note = account && logNote(account, record);
        return note === undefined
          ? []
          : [
              {
                // A wrapped message is one; its note stands at its end.
                line: record.endLine - 1,
                text: this.#messages.short(note, document.uri),
                tone: warnings.has(note.id) ? ('warning' as const) : ('plain' as const),
              },
            ];
      });
  }
}
