/**
 * Loads everything that is shown of Python sources when the first of them is open or a command needs
 * it, a moment after the extension itself is there: its code is a third of the whole. Leaves out what
 * is shown (pythonFeatures).
 */
import type { Disposable, TextDocument } from 'vscode';
import { workspace } from 'vscode';
import type { PythonFeatures, SharedParts } from './pythonFeatures';

/** Starts the features once. */
export class PythonStart implements Disposable {
  readonly #parts: SharedParts;
  readonly #listener: Disposable;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #features: Promise<PythonFeatures> | undefined;
  #started: PythonFeatures | undefined;
  #isDisposed = false;

  constructor(parts: SharedParts) {
    this.#parts = parts;
    this.#listener = workspace.onDidOpenTextDocument(document => this.#startFor([document]));
    this.#startFor(workspace.textDocuments);
  }

  /** The features as far as they are there; undefined before a Python source was open. */
  get started(): PythonFeatures | undefined {
    return this.#started;
  }

  /** The features, loaded now where they are not there yet. */
  features(): Promise<PythonFeatures> {
    return (this.#features ??= this.#load());
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#listener.dispose();
    this.#started?.dispose();
  }

  #startFor(documents: readonly TextDocument[]): void {
    const isWanted = documents.some(({ languageId }) => languageId === 'python');
    if (isWanted && this.#features === undefined) {
      // Behind what the editor does next: it waits for the extension to be there.
      this.#timer ??= setTimeout(
        () => void this.#parts.output.guard('reading Python', () => this.features()),
        0,
      );
    }
  }

  async #load(): Promise<PythonFeatures> {
    const { startPython } = await import('./pythonFeatures');
    const features = startPython(this.#parts);
    if (this.#isDisposed) {
      features.dispose();
    }
    this.#started = features;
    return features;
  }
}
