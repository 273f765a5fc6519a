/**
 * Units, and values where they are known, beside the names of memory arithmetic. What is cut stands
 * in the hover.
 */
import type {
  CancellationToken,
  Disposable,
  Event,
  InlayHintsProvider,
  Range,
  TextDocument,
} from 'vscode';
import { EventEmitter, InlayHint, Position } from 'vscode';
import type { PythonAnnotation } from '../../core/annotate/python/annotation';
import type { Messages } from '../messages';
import type { Output } from '../output';
import type { Settings } from '../settings';
import type { PythonDocuments } from './pythonDocuments';

/** The editor cuts longer hints itself, in the middle of a number. */
const longestHint = 40;

/** Answers inlay hints of Python sources. */
export class PythonInlayHints implements InlayHintsProvider, Disposable {
  readonly #documents: PythonDocuments;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #output: Output;
  readonly #changed = new EventEmitter<void>();
  readonly #listeners: readonly Disposable[];

  constructor(documents: PythonDocuments, messages: Messages, settings: Settings, output: Output) {
    this.#documents = documents;
    this.#messages = messages;
    this.#settings = settings;
    this.#output = output;
    this.#listeners = [
      documents.onDidChange(() => this.#changed.fire()),
      settings.onDidChange(() => this.#changed.fire()),
    ];
  }

  get onDidChangeInlayHints(): Event<void> {
    return this.#changed.event;
  }

  provideInlayHints(
    document: TextDocument,
    range: Range,
    token: CancellationToken,
  ): Promise<InlayHint[] | undefined> {
    return this.#output.guard('inlay hints', async () => {
      if (!this.#settings.get('inlayHints.enabled', document.uri)) {
        return undefined;
      }
      const found = await this.#documents.current(document, token);
      return found?.annotations
        .filter(({ range: { endRow } }) => endRow >= range.start.line && endRow <= range.end.line)
        .flatMap(annotation => this.#hint(annotation, document) ?? []);
    });
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
    this.#changed.dispose();
  }

  #hint(annotation: PythonAnnotation, document: TextDocument): InlayHint | undefined {
    const label = this.#labelOf(annotation, document);
    if (label === undefined) {
      return undefined;
    }
    const { endRow, endColumn } = annotation.range;
    const short = label.length > longestHint ? `${label.slice(0, longestHint - 1)}…` : label;
    const hint = new InlayHint(new Position(endRow, endColumn), short);
    const whole = this.#messages.note(annotation, document.uri);
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
      return isTold ? this.#messages.note(annotation, document.uri) : undefined;
    }
    if (kind !== 'value' && kind !== 'unit') {
      return undefined;
    }
    const amount =
      quantity === undefined ? unit?.name : this.#messages.note(annotation, document.uri);
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
