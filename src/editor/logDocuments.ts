/**
 * The logs among the open documents and their analyses. Recognises them by language or by content,
 * reads them again 300 ms after the last edit, drops what is stale. Leaves out how a document is
 * read (logAnalysis) and everything that is shown.
 */
import type {
  CancellationToken,
  Disposable,
  DocumentSelector,
  Event,
  TextDocument,
  Uri,
} from 'vscode';
import { EventEmitter, Range, workspace } from 'vscode';
import type { AccountOptions } from '../core/account/account';
import { isServerLog, recognisedLength } from '../core/annotate/log/recogniseLog';
import type { LogAnalysis } from './logAnalysis';
import { DocumentReader } from './logAnalysis';
import type { ModelConfigs } from './modelConfigs';
import type { Output } from './output';
import type { Settings } from './settings';
import type { Settling } from './settling';
import { settling } from './settling';

/** The id of our own language; its documents need no recognition. */
export const logLanguage = 'sglang-log';

/** Languages of the editor whose documents may be logs of a server. */
const foreignLanguages: readonly string[] = ['log', 'plaintext'];

/** Documents that nobody wrote as a log: our own reports, output channels, old versions. */
const ignoredSchemes: ReadonlySet<string> = new Set(['sglang-kv-lens', 'output', 'git', 'comment']);

/** What providers are registered for; whether a document is a log is asked of LogDocuments. */
export const logSelector: DocumentSelector = [logLanguage, ...foreignLanguages].map(language => ({
  language,
}));

const pauseAfterEditMs = 300;
/** A log that grows all the time is read at least this often. */
const longestPauseMs = 1500;

interface Entry extends Settling {
  readonly document: TextDocument;
  readonly reader: DocumentReader;
  analysis: LogAnalysis | undefined;
  isRecognised: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first edit came that no reading knows of; milliseconds. */
  waitingSince: number | undefined;
}

/** Analyses of open documents. */
export class LogDocuments implements Disposable {
  readonly #settings: Settings;
  readonly #output: Output;
  readonly #configs: ModelConfigs;
  readonly #entries = new Map<TextDocument, Entry>();
  readonly #changed = new EventEmitter<TextDocument>();
  readonly #listeners: readonly Disposable[];

  constructor(settings: Settings, output: Output, configs: ModelConfigs) {
    this.#settings = settings;
    this.#output = output;
    this.#configs = configs;
    this.#listeners = [
      workspace.onDidOpenTextDocument(document => this.#open(document)),
      workspace.onDidCloseTextDocument(document => this.#close(document)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const entry = this.#entries.get(document);
        if (entry !== undefined && contentChanges.length > 0) {
          entry.reader.edit(contentChanges);
          this.#schedule(entry, pauseAfterEditMs);
        }
      }),
      configs.onDidChange(log => {
        for (const entry of this.#entries.values()) {
          if (entry.document.uri.toString() === log.toString()) {
            this.#schedule(entry, 0);
          }
        }
      }),
      settings.onDidChange(() => {
        for (const entry of this.#entries.values()) {
          entry.isRecognised = false;
          this.#schedule(entry, 0);
        }
      }),
    ];
    for (const document of workspace.textDocuments) {
      this.#open(document);
    }
  }

  /** The analysis of a document changed, or the document is no log any more. */
  get onDidChange(): Event<TextDocument> {
    return this.#changed.event;
  }

  /** Every log that is open and analysed. */
  get all(): readonly { readonly document: TextDocument; readonly analysis: LogAnalysis }[] {
    return [...this.#entries.values()].flatMap(({ document, analysis }) =>
      analysis === undefined ? [] : [{ document, analysis }],
    );
  }

  /** The analysis of the document as it is now; undefined while there is none, or no log. */
  latest(document: TextDocument): LogAnalysis | undefined {
    const analysis = this.#entries.get(document)?.analysis;
    return analysis?.version === document.version ? analysis : undefined;
  }

  /** True while a reading of the document is due. */
  isWaiting(document: TextDocument): boolean {
    return this.#entries.get(document)?.waitingSince !== undefined;
  }

  /** As `latest`, but waits for the reading that is due. */
  async current(
    document: TextDocument,
    token?: CancellationToken,
  ): Promise<LogAnalysis | undefined> {
    this.#open(document);
    while (token?.isCancellationRequested !== true) {
      const entry = this.#entries.get(document);
      const analysis = this.latest(document);
      if (entry?.waitingSince === undefined || analysis !== undefined) {
        return analysis;
      }
      await entry.settled;
    }
    return undefined;
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
    if (this.#entries.has(document) || !isCandidate(document)) {
      return;
    }
    const entry: Entry = {
      document,
      reader: new DocumentReader(document),
      analysis: undefined,
      isRecognised: false,
      timer: undefined,
      waitingSince: undefined,
      ...settling(),
    };
    this.#entries.set(document, entry);
    this.#schedule(entry, 0);
  }

  #close(document: TextDocument): void {
    const entry = this.#entries.get(document);
    if (entry !== undefined) {
      this.#entries.delete(document);
      clearTimeout(entry.timer);
      entry.waitingSince = undefined;
      entry.settle();
      if (entry.analysis !== undefined) {
        this.#changed.fire(document);
      }
    }
  }

  #schedule(entry: Entry, delayMs: number): void {
    const now = Date.now();
    if (entry.waitingSince === undefined) {
      entry.waitingSince = now;
      Object.assign(entry, settling());
    }
    const waited = now - entry.waitingSince;
    clearTimeout(entry.timer);
    entry.timer = setTimeout(
      () => void this.#output.guard('reading a log', () => this.#analyse(entry)),
      Math.max(0, Math.min(delayMs, longestPauseMs - waited)),
    );
  }

  async #analyse(entry: Entry): Promise<void> {
    const { document } = entry;
    const { version } = document;
    let analysis: LogAnalysis | undefined;
    try {
      if (this.#isLog(entry)) {
        analysis = await entry.reader.analyse(
          optionsFor(document.uri, this.#settings, this.#configs),
        );
      }
    } finally {
      // An edit meanwhile has scheduled another reading: this one says nothing.
      if (document.version === version && !document.isClosed) {
        const isOther = entry.analysis !== analysis;
        entry.analysis = analysis;
        entry.waitingSince = undefined;
        entry.settle();
        if (isOther) {
          this.#changed.fire(document);
        }
      }
    }
  }

  #isLog(entry: Entry): boolean {
    const { document } = entry;
    if (document.languageId === logLanguage || entry.isRecognised) {
      return true;
    }
    if (!this.#settings.get('contentRecognition.enabled', document.uri)) {
      return false;
    }
    const end = document.positionAt(recognisedLength);
    entry.isRecognised = isServerLog(document.getText(new Range(0, 0, end.line, end.character)));
    return entry.isRecognised;
  }
}

/** What the user adds to a log: the tokens that the pool is to hold, the model's config. */
export function optionsFor(
  log: Uri | undefined,
  settings: Settings,
  configs: ModelConfigs,
): AccountOptions {
  const needTokens = settings.neededTokens(log);
  const config = configs.configOf(log);
  return { ...(needTokens !== undefined && { needTokens }), ...(config && { config }) };
}

function isCandidate({ languageId, uri, isClosed }: TextDocument): boolean {
  const isKnown = languageId === logLanguage || foreignLanguages.includes(languageId);
  return isKnown && !isClosed && !ignoredSchemes.has(uri.scheme);
}
