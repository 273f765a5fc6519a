/** Keeps the diagnostics of documents that have one kind of analysis. Leaves out what they say. */
import type { Diagnostic, Disposable, TextDocument, Uri } from 'vscode';
import { languages } from 'vscode';
import type { Answering, FeatureSwitch } from './answering';

/** The diagnostics of one feature; while a document is read again, those of before stay. */
export class Diagnostics<Found> implements Disposable {
  readonly #collection;
  readonly #listener: Disposable;

  constructor(
    name: string,
    feature: FeatureSwitch,
    answering: Answering<Found>,
    make: (found: Found, document: TextDocument) => Diagnostic[],
  ) {
    this.#collection = languages.createDiagnosticCollection(name);
    this.#listener = answering.followDocuments(document => {
      const found = answering.drawn(feature, document);
      if (found !== 'keep') {
        this.#collection.set(document.uri, found && make(found, document));
      }
    });
  }

  of(uri: Uri): readonly Diagnostic[] {
    return this.#collection.get(uri) ?? [];
  }

  dispose(): void {
    this.#listener.dispose();
    this.#collection.dispose();
  }
}
