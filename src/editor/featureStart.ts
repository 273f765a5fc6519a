/**
 * Loads the features when something asks for them, at the latest a moment after the extension was
 * started: the editor waits for the start, and most of the code is not needed for it.
 */
import type { Disposable, ExtensionContext } from 'vscode';
import type { Features } from './features';
import type { EditorHost } from './host';

/** Starts the features once. */
export class FeatureStart implements Disposable {
  readonly #context: ExtensionContext;
  readonly #host: EditorHost;
  readonly #timer: ReturnType<typeof setTimeout>;
  #features: Promise<Features> | undefined;
  #started: Features | undefined;
  #isDisposed = false;

  constructor(context: ExtensionContext, host: EditorHost) {
    this.#context = context;
    this.#host = host;
    this.#timer = setTimeout(() => void this.features(), 0);
  }

  /** The features as far as they are there. */
  get started(): Features | undefined {
    return this.#started;
  }

  /** The features, loaded now where they are not there yet. */
  features(): Promise<Features> {
    return (this.#features ??= this.#load());
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#started?.dispose();
  }

  async #load(): Promise<Features> {
    const { startFeatures } = await import('./features');
    const features = startFeatures(this.#context, this.#host);
    if (this.#isDisposed) {
      features.dispose();
    }
    this.#started = features;
    return features;
  }
}
