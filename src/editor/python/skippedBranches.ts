/** Dims the branches of memory arithmetic that the present values rule out, in visible editors. */
import type { Disposable, TextEditor } from 'vscode';
import type { Decorations } from '../decorations';
import { editorRange } from './editorRange';
import type { PythonAnswering } from './pythonDocuments';

/** Keeps visible editors up to date; while a document is read again, what is drawn stays. */
export class SkippedBranches implements Disposable {
  readonly #python: PythonAnswering;
  readonly #decorations: Decorations;
  readonly #listener: Disposable;

  constructor(python: PythonAnswering, decorations: Decorations) {
    this.#python = python;
    this.#decorations = decorations;
    this.#listener = python.followEditors(editor => this.#draw(editor));
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #draw(editor: TextEditor): void {
    const found = this.#python.drawn('skippedBranches.enabled', editor.document);
    if (found !== 'keep') {
      const functions = found?.functions ?? [];
      this.#decorations.showSkipped(
        editor,
        functions.flatMap(({ skipped }) => skipped.map(editorRange)),
      );
    }
  }
}
