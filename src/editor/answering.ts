/**
 * What all features of one kind of document do around their own part: ask for the switch, wait for the
 * analysis, keep errors from the editor, and hear when to show something else. Leaves out what is shown.
 */
import type { CancellationToken, Event, TextDocument, TextEditor } from 'vscode';
import { Disposable, EventEmitter, window, workspace } from 'vscode';
import type { Messages } from './messages';
import type { Output } from './output';
import type { Settings, settingDefaults } from './settings';

/** A setting that switches a feature. */
export type FeatureSwitch = Extract<keyof typeof settingDefaults, `${string}.enabled`>;

/** Where analyses of open documents come from. */
export interface Analyses<Found> {
  /** The analysis of the document changed, or it has none any more. */
  readonly onDidChange: Event<TextDocument>;
  /** That of the document as it is now; undefined while there is none. */
  latest(document: TextDocument): Found | undefined;
  /** True while a look at the document is due. */
  isWaiting(document: TextDocument): boolean;
  /** As `latest`, but waits for the look that is due. */
  current(document: TextDocument, token?: CancellationToken): Promise<Found | undefined>;
}

/** What features share. */
export interface FeatureParts {
  readonly messages: Messages;
  readonly settings: Settings;
  readonly output: Output;
}

/** Serves the features of the documents that have one kind of analysis. */
export class Answering<Found> implements Disposable {
  readonly messages: Messages;
  readonly #documents: Analyses<Found>;
  readonly #settings: Settings;
  readonly #output: Output;
  readonly #changed = new EventEmitter<void>();
  readonly #listeners: readonly Disposable[];

  constructor(documents: Analyses<Found>, { messages, settings, output }: FeatureParts) {
    this.messages = messages;
    this.#documents = documents;
    this.#settings = settings;
    this.#output = output;
    this.#listeners = [
      documents.onDidChange(() => this.#changed.fire()),
      settings.onDidChange(() => this.#changed.fire()),
    ];
  }

  /** Some answer may be another one now. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /**
   * The answer of a provider; undefined where its switch is off, where the document has no analysis,
   * and after an error, which is one entry of the output.
   */
  answer<T>(
    feature: FeatureSwitch,
    document: TextDocument,
    token: CancellationToken,
    make: (found: Found) => T | Promise<T>,
  ): Promise<T | undefined> {
    return this.#output.guard(feature, async () => {
      if (!this.#settings.get(feature, document.uri)) {
        return undefined;
      }
      const found = await this.#documents.current(document, token);
      return found === undefined ? undefined : make(found);
    });
  }

  /**
   * What is to be drawn of a document now: undefined for nothing, `keep` for what is drawn already,
   * because a look is due.
   */
  drawn(feature: FeatureSwitch, document: TextDocument): Found | 'keep' | undefined {
    if (!this.#settings.get(feature, document.uri)) {
      return undefined;
    }
    const found = this.#documents.latest(document);
    return found ?? (this.#documents.isWaiting(document) ? 'keep' : undefined);
  }

  /** Calls for every document of which something else may be to be shown. */
  followDocuments(update: (document: TextDocument) => void): Disposable {
    return Disposable.from(
      this.#documents.onDidChange(update),
      this.#settings.onDidChange(() => workspace.textDocuments.forEach(update)),
    );
  }

  /** Calls for every visible editor in which something else may be to be drawn. */
  followEditors(draw: (editor: TextEditor) => void): Disposable {
    const drawAll = (document?: TextDocument): void => {
      for (const editor of window.visibleTextEditors) {
        if (document === undefined || editor.document === document) {
          draw(editor);
        }
      }
    };
    return Disposable.from(
      window.onDidChangeVisibleTextEditors(editors => editors.forEach(draw)),
      this.#documents.onDidChange(drawAll),
      this.#settings.onDidChange(() => drawAll()),
    );
  }

  dispose(): void {
    Disposable.from(...this.#listeners).dispose();
    this.#changed.dispose();
  }
}
