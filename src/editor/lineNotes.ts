/**
 * The one number that matters after a log line, for the lines in view. Redrawn when the view, the
 * analysis or a setting changes; while an edit is being read the notes move with their lines.
 */
import type { Disposable, TextEditor } from 'vscode';
import { window } from 'vscode';
import { logNote } from '../core/annotate/log/logNote';
import type { Decorations, LineNote } from './decorations';
import type { LogAnalysis, LogAnswering } from './logAnalysis';

/** Notes whose text tells of a failure. */
const warnings: ReadonlySet<string> = new Set(['note.rest-negative', 'note.minimum']);

/** Keeps the notes of all visible editors. */
export class LineNotes implements Disposable {
  readonly #logs: LogAnswering;
  readonly #decorations: Decorations;
  readonly #listeners: readonly Disposable[];

  constructor(logs: LogAnswering, decorations: Decorations) {
    this.#logs = logs;
    this.#decorations = decorations;
    this.#listeners = [
      window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#draw(textEditor)),
      logs.followEditors(editor => this.#draw(editor)),
    ];
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
  }

  #draw(editor: TextEditor): void {
    const analysis = this.#logs.drawn('notes.enabled', editor.document);
    if (analysis !== 'keep') {
      this.#decorations.show(editor, analysis ? this.#notesOf(editor, analysis) : []);
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
                text: this.#logs.messages.short(note, document.uri),
                tone: warnings.has(note.id) ? ('warning' as const) : ('plain' as const),
              },
            ];
      });
  }
}
