/**
 * The Python documents with memory arithmetic and their annotations. Looks at a document when it is
 * visible or asked for, again 300 ms after the last edit and when a bound value changes; drops what
 * is stale. A document without a telling word is never parsed.
 */
import type {
  CancellationToken,
  Disposable,
  DocumentSelector,
  Event,
  TextDocument,
  TextDocumentContentChangeEvent,
} from 'vscode';
import { EventEmitter, window, workspace } from 'vscode';
import type { FileAnnotations } from '../../core/annotate/python/fileAnnotations';
import type { ParameterChain } from '../../core/annotate/python/pythonAnnotator';
import { PythonAnnotator } from '../../core/annotate/python/pythonAnnotator';
import type { TextChange } from '../../core/python/parser';
import type { Answering } from '../answering';
import type { Output } from '../output';
import type { Settling } from '../settling';
import { settling } from '../settling';
import { Slices } from '../slices';
import type { PythonSources } from './pythonSources';
import { pathOf } from './pythonSources';
import type { RunBinding } from './runBinding';
import type { SetValues } from './setValues';

/** What serves the features of Python sources. */
export type PythonAnswering = Answering<FileAnnotations>;

/** What providers are registered for. */
export const pythonSelector: DocumentSelector = { language: 'python' };

/** Old versions and output are no sources that somebody works on. */
const ignoredSchemes: ReadonlySet<string> = new Set(['git', 'output', 'comment']);

const pauseAfterEditMs = 300;

interface Entry extends Settling {
  readonly document: TextDocument;
  annotations: FileAnnotations | undefined;
  /** Version of the document that the annotations are of. */
  version: number;
  /** Edits that the annotator does not know of. */
  changes: TextChange[];
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts what made a new look necessary; an older look is stale. */
  round: number;
  isWaiting: boolean;
}

/** Annotations of open documents. */
export class PythonDocuments implements Disposable {
  readonly #sources: PythonSources;
  readonly #binding: RunBinding;
  readonly #values: SetValues;
  readonly #output: Output;
  readonly #entries = new Map<TextDocument, Entry>();
  readonly #changed = new EventEmitter<TextDocument>();
  readonly #listeners: readonly Disposable[];

  constructor(sources: PythonSources, binding: RunBinding, values: SetValues, output: Output) {
    this.#sources = sources;
    this.#binding = binding;
    this.#values = values;
    this.#output = output;
    const all = (): void => this.#scheduleAll();
    this.#listeners = [
      window.onDidChangeVisibleTextEditors(editors =>
        editors.forEach(({ document }) => this.#open(document)),
      ),
      workspace.onDidCloseTextDocument(document => this.#close(document)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
        this.#edit(document, contentChanges),
      ),
      workspace.onDidSaveTextDocument(document => {
        // Other files may import it.
        if (document.languageId === 'python' && this.#sources.isLoaded) {
          this.#scheduleAll(document);
        }
      }),
      binding.onDidChange(all),
      values.onDidChange(all),
      sources.onDidChange(all),
    ];
    for (const { document } of window.visibleTextEditors) {
      this.#open(document);
    }
  }

  /** The annotations of a document changed, or it has none any more. */
  get onDidChange(): Event<TextDocument> {
    return this.#changed.event;
  }

  /** The annotations of the document as it is now; undefined while there are none. */
  latest(document: TextDocument): FileAnnotations | undefined {
    const entry = this.#entries.get(document);
    return entry?.version === document.version ? entry.annotations : undefined;
  }

  /** True while a look at the document is due. */
  isWaiting(document: TextDocument): boolean {
    return this.#entries.get(document)?.isWaiting === true;
  }

  /** As `latest`, but waits for the look that is due. */
  async current(
    document: TextDocument,
    token?: CancellationToken,
  ): Promise<FileAnnotations | undefined> {
    this.#open(document);
    while (token?.isCancellationRequested !== true) {
      const entry = this.#entries.get(document);
      if (entry?.isWaiting !== true) {
        return this.latest(document);
      }
      await entry.settled;
    }
    return undefined;
  }

  /** Where a parameter of a function of the document comes from. */
  async chainOf(
    document: TextDocument,
    name: string,
    parameter: string,
  ): Promise<ParameterChain | undefined> {
    const annotator = await this.#sources.annotator();
    const slices = new Slices();
    return annotator?.chainOf(pathOf(document.uri), name, parameter, () => slices.pause());
  }

  dispose(): void {
    for (const listener of this.#listeners) {
      listener.dispose();
    }
    for (const document of [...this.#entries.keys()]) {
      this.#close(document);
    }
    this.#changed.dispose();
  }

  #open(document: TextDocument): void {
    const isPython = document.languageId === 'python' && !ignoredSchemes.has(document.uri.scheme);
    if (this.#entries.has(document) || !isPython || document.isClosed) {
      return;
    }
    const entry: Entry = {
      document,
      annotations: undefined,
      version: -1,
      changes: [],
      timer: undefined,
      round: 0,
      isWaiting: false,
      ...settling(),
    };
    this.#entries.set(document, entry);
    this.#schedule(entry, 0);
  }

  #close(document: TextDocument): void {
    const entry = this.#entries.get(document);
    if (entry === undefined) {
      return;
    }
    this.#entries.delete(document);
    clearTimeout(entry.timer);
    entry.round++;
    entry.isWaiting = false;
    entry.settle();
    if (this.#sources.isLoaded) {
      // What is on disk may be another text.
      void this.#sources.annotator().then(annotator => annotator?.forget(pathOf(document.uri)));
    }
    this.#changed.fire(document);
  }

  #edit(document: TextDocument, edits: readonly TextDocumentContentChangeEvent[]): void {
    const entry = this.#entries.get(document);
    if (entry === undefined || edits.length === 0) {
      return;
    }
    // Edits of one event are all in the offsets of the text before it: the last one goes first.
    const ordered = [...edits].sort((a, b) => b.rangeOffset - a.rangeOffset);
    entry.changes.push(
      ...ordered.map(({ rangeOffset, rangeLength, text }) => ({
        start: rangeOffset,
        oldEnd: rangeOffset + rangeLength,
        inserted: text,
      })),
    );
    this.#schedule(entry, pauseAfterEditMs);
  }

  #scheduleAll(except?: TextDocument): void {
    for (const entry of this.#entries.values()) {
      if (entry.document !== except) {
        this.#schedule(entry, 0);
      }
    }
  }

  #schedule(entry: Entry, delayMs: number): void {
    if (!entry.isWaiting) {
      entry.isWaiting = true;
      Object.assign(entry, settling());
    }
    entry.round++;
    clearTimeout(entry.timer);
    entry.timer = setTimeout(
      () => void this.#output.guard('reading Python', () => this.#look(entry)),
      delayMs,
    );
  }

  async #look(entry: Entry): Promise<void> {
    const { document, round } = entry;
    const { version } = document;
    const isStale = (): boolean => entry.round !== round || document.isClosed;
    let annotations: FileAnnotations | undefined;
    try {
      annotations = await this.#annotate(entry, isStale);
    } finally {
      if (!isStale()) {
        const had = entry.annotations !== undefined;
        entry.annotations = annotations;
        entry.version = version;
        entry.isWaiting = false;
        entry.settle();
        if (had || annotations !== undefined) {
          this.#changed.fire(document);
        }
      }
    }
  }

  async #annotate(entry: Entry, isStale: () => boolean): Promise<FileAnnotations | undefined> {
    const { document } = entry;
    const text = document.getText();
    // While a statement is rewritten, the words that told the file may be gone from it.
    const hadFunctions = (entry.annotations?.functions.length ?? 0) > 0;
    if (!hadFunctions && !PythonAnnotator.mayHaveMemoryArithmetic(text)) {
      return undefined;
    }
    const [annotator, bound] = await Promise.all([
      this.#sources.annotator(),
      this.#binding.current(),
    ]);
    if (annotator === undefined || isStale()) {
      return undefined;
    }
    const path = pathOf(document.uri);
    annotator.update(path, text, entry.changes);
    entry.changes = [];
    const slices = new Slices();
    return annotator.annotate(
      {
        path,
        text,
        inputs: bound?.inputs ?? new Map(),
        settings: this.#values.bindings(document.uri),
        ...(bound?.bytesPerToken !== undefined && { bytesPerToken: bound.bytesPerToken }),
        pause: () => slices.pause(),
      },
      {
        get isCancellationRequested() {
          return isStale();
        },
      },
    );
  }
}
