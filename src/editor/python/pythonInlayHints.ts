/**
 * Units, and values where they are known, beside the names of memory arithmetic. What is cut stands
 * in the hover.
 */
import type { CancellationToken, Event, InlayHintsProvider, Range, TextDocument } from 'vscode';
import { InlayHint, Position } from 'vscode';
import type { PythonAnnotation } from '../../core/annotate/python/annotation';
import type { PythonAnswering } from './pythonDocuments';

/** The editor cuts longer hints itself, in the middle of a number. */
const longestHint = 40;

/** Answers inlay hints of Python sources. */
export class PythonInlayHints implements InlayHintsProvider {
  readonly onDidChangeInlayHints: Event<void>;
  readonly #python: PythonAnswering;

  constructor(python: PythonAnswering) {
    this.#python = python;
    this.onDidChangeInlayHints = python.onDidChange;
  }

  provideInlayHints(
    document: TextDocument,
    range: Range,
    token: CancellationToken,
  ): Promise<InlayHint[] | undefined> {
    return this.#python.answer('inlayHints.enabled', document, token, ({ annotations }) =>
      annotations
        .filter(({ range: { endRow } }) => endRow >= range.start.line && endRow <= range.end.line)
        .flatMap(annotation => this.#hint(annotation, document) ?? []),
    );
  }

  #hint(annotation: PythonAnnotation, document: TextDocument): InlayHint | undefined {
    const label = this.#labelOf(annotation, document);
    if (label === undefined) {
      return undefined;
    }
    const { endRow, endColumn } = annotation.range;
    const short = label.length > longestHint ? `${label.slice(0, longestHint - 1)}…` : label;
    const hint = new InlayHint(new Position(endRow, endColumn), short);
    const whole = this.#python.messages.note(annotation, document.uri);
    if (!label.endsWith(whole) || short !== label) {
      hint.tooltip = whole.replace(/^: /, '');
    }
    hint.paddingLeft = !label.startsWith(':');
    return hint;
  }

  #labelOf(annotation: PythonAnnotation, document: TextDocument): string | undefined {
    const { kind, name, note, range, unit, quantity } = annotation;
    if (note.id === 'raises') {
      // An assertion without a message tells nothing of memory.
      const isTold = note.isCertain && note.text.includes(': ');
      return isTold ? this.#python.messages.note(annotation, document.uri) : undefined;
    }
    if (kind !== 'value' && kind !== 'unit') {
      return undefined;
    }
    const amount =
      quantity === undefined ? unit?.name : this.#python.messages.note(annotation, document.uri);
    if (amount === undefined || amount === '') {
      return undefined;
    }
    if (name === 'return') {
      return `→ ${amount}`;
    }
    // A name with a type of its own already has a colon behind it.
    const next = document.lineAt(range.endRow).text.charAt(range.endColumn);
    return next === ':' ? `(${amount})` : `: ${amount}`;
  }
}
