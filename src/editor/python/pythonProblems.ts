/** Amounts in different scales that meet in a sum or a comparison, as diagnostics. */
import type { Disposable, TextDocument } from 'vscode';
import { Diagnostic, DiagnosticSeverity } from 'vscode';
import type { PythonAnnotation } from '../../core/annotate/python/annotation';
import type { FileAnnotations } from '../../core/annotate/python/fileAnnotations';
import { Diagnostics } from '../diagnostics';
import { editorRange } from './editorRange';
import type { PythonAnswering } from './pythonDocuments';

/** The problem code of the contract (design section 4). */
const mismatchCode = 'unit-mismatch';

/** Keeps the diagnostics of Python documents. */
export class PythonProblems implements Disposable {
  readonly #python: PythonAnswering;
  readonly #diagnostics: Diagnostics<FileAnnotations>;

  constructor(python: PythonAnswering) {
    this.#python = python;
    this.#diagnostics = new Diagnostics(
      'sglang-kv-lens-python',
      'pythonProblems.enabled',
      python,
      ({ annotations }, document) =>
        annotations
          .filter(({ kind }) => kind === 'problem')
          .map(problem => this.#diagnostic(problem, document)),
    );
  }

  dispose(): void {
    this.#diagnostics.dispose();
  }

  #diagnostic(problem: PythonAnnotation, { uri }: TextDocument): Diagnostic {
    const diagnostic = new Diagnostic(
      editorRange(problem.range),
      this.#python.messages.note(problem, uri),
      DiagnosticSeverity.Warning,
    );
    diagnostic.source = this.#python.messages.ui('diagnostic.source');
    diagnostic.code = mismatchCode;
    return diagnostic;
  }
}
