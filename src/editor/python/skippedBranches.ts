/** Dims the branches of memory arithmetic that the present values rule out, in visible editors. */
import type { Disposable, TextDocument, TextEditor } from 'vscode';
import { window } from 'vscode';
import type { Decorations } from '../decorations';
import type { Settings } from '../settings';
import { editorRange } from './editorRange';
import type { PythonDocuments } from './pythonDocuments';

/** Keeps visible editors up to date; while a document is read again, what is drawn stays. */
export class SkippedBranches implements Disposable {
  readonly #documents: PythonDocuments;
  readonly #decorations: Decorations;
  readonly #settings: Settings;
  readonly #listeners: readonly Disposable[];

  constructor(documents: PythonDocuments, decorations: Decorations, settings: Settings) {
    this.#documents = documents;
    this.#decorations = decorations;
    this.#settings = settings;
    this.#listeners = [
      window.onDidChangeVisibleTextEditors(editors => editors.forEach(one => this.#draw(one))),
      settings.onDidChange(() => this.#drawAll()),
      documents.onDidChange(document => this.#drawAll(document)),
    ];
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
  }

  #drawAll(document?: TextDocument): void {
    for (const editor of window.visibleTextEditors) {
      if (document === undefined || editor.document === document) {
        this.#draw(editor);
      }
    }
  }

  #draw(editor: TextEditor): void {
    const { document } = editor;
    const isOn = this.#settings.get('skippedBranches.enabled', document.uri);
    const found = isOn ? this.#documents.latest(document) : undefined;
    if (found !== undefined) {
      const ranges = found.functions.flatMap(({ skipped }) => skipped.map(editorRange));
      this.#decorations.showSkipped(editor, ranges);
    } else if (!isOn || !this.#documents.isWaiting(document)) {
      this.#decorations.showSkipped(editor, []);
    }
  }
}
