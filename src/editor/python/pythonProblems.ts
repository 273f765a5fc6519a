/** Amounts in different scales that meet in a sum or a comparison, as diagnostics. */
import type { Disposable, TextDocument } from 'vscode';
import { Diagnostic, DiagnosticSeverity, languages, workspace } from 'vscode';
import type { PythonAnnotation } from '../../core/annotate/python/annotation';
import type { Messages } from '../messages';
import type { Settings } from '../settings';
import { editorRange } from './editorRange';
import type { PythonDocuments } from './pythonDocuments';

/** The problem code of the contract (design section 4). */
const mismatchCode = 'unit-mismatch';

/** Keeps the diagnostics of Python documents. */
export class PythonProblems implements Disposable {
  readonly #collection = languages.createDiagnosticCollection('sglang-kv-lens-python');
  readonly #documents: PythonDocuments;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #listeners: readonly Disposable[];

  constructor(documents: PythonDocuments, messages: Messages, settings: Settings) {
    this.#documents = documents;
    this.#messages = messages;
    this.#settings = settings;
    this.#listeners = [
      documents.onDidChange(document => this.#update(document)),
      settings.onDidChange(() => {
        for (const document of workspace.textDocuments) {
          this.#update(document);
        }
      }),
    ];
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
    this.#collection.dispose();
  }

  #update(document: TextDocument): void {
    const isOn = this.#settings.get('pythonProblems.enabled', document.uri);
    const found = isOn ? this.#documents.latest(document) : undefined;
    if (found !== undefined) {
      const problems = found.annotations.filter(({ kind }) => kind === 'problem');
      this.#collection.set(
        document.uri,
        problems.map(problem => this.#diagnostic(problem, document)),
      );
    } else if (!isOn || !this.#documents.isWaiting(document)) {
      this.#collection.delete(document.uri);
    }
  }

  #diagnostic(problem: PythonAnnotation, { uri }: TextDocument): Diagnostic {
    const diagnostic = new Diagnostic(
      editorRange(problem.range),
      this.#messages.note(problem, uri),
      DiagnosticSeverity.Warning,
    );
    diagnostic.source = this.#messages.ui('diagnostic.source');
    diagnostic.code = mismatchCode;
    return diagnostic;
  }
}
