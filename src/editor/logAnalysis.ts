/**
 * Reads one open document and keeps what was read: whole after an edit, only what is new after text
 * was added at the end. Leaves out when to do it (logDocuments).
 */
import type { TextDocument, TextDocumentContentChangeEvent } from 'vscode';
import { Range } from 'vscode';
import type { AccountOptions, RunAccount } from '../core/account/account';
import { accountOfRun, joinAccounts } from '../core/account/account';
import { RecordIndex } from '../core/annotate/log/recordIndex';
import { LogTextReader } from '../core/log/readLog';
import type { LogReading, Run } from '../core/log/run';
import type { Answering } from './answering';
import { Slices } from './slices';

/** Everything that the features show of one version of a document. */
export interface LogAnalysis {
  readonly version: number;
  readonly reading: LogReading;
  readonly accounts: readonly RunAccount[];
  readonly records: RecordIndex;
}

/** What serves the features of logs. */
export type LogAnswering = Answering<LogAnalysis>;

/** Lines that are taken from the document at once. */
const linesAtOnce = 2000;

/** Reads a document piece by piece. */
export class DocumentReader {
  readonly #document: TextDocument;
  #reader: LogTextReader | undefined;
  /** UTF-16 units that the reader holds, of this version of the document. */
  #length = 0;
  #version = -1;
  #accounts: readonly RunAccount[] = [];
  #options: AccountOptions = {};

  constructor(document: TextDocument) {
    this.#document = document;
  }

  /** Takes an edit: text after the end is read at once, any other edit needs a new reading. */
  edit(changes: readonly TextDocumentContentChangeEvent[]): void {
    const [change, ...others] = changes;
    const isAppended =
      change?.rangeLength === 0 && change.rangeOffset === this.#length && others.length === 0;
    if (this.#reader !== undefined && isAppended && this.#version === this.#document.version - 1) {
      this.#reader.push(change.text);
      this.#length += change.text.length;
      this.#version = this.#document.version;
    } else if (changes.length > 0) {
      this.#reader = undefined;
    } else if (this.#reader !== undefined) {
      this.#version = this.#document.version;
    }
  }

  /** The analysis of the document's present version; undefined when it changed meanwhile. */
  async analyse(options: AccountOptions): Promise<LogAnalysis | undefined> {
    const { version } = this.#document;
    const isStale = (): boolean => this.#document.isClosed || this.#document.version !== version;
    const slices = new Slices();
    const reader = this.#isRead(version) ? this.#reader : await this.#read(slices, isStale);
    if (reader === undefined) {
      return undefined;
    }
    const reading = reader.reading();
    await slices.pause();
    const accounts: RunAccount[] = [];
    for (const [index, run] of reading.runs.entries()) {
      if (isStale()) {
        return undefined;
      }
      accounts.push(this.#known(index, run, options) ?? accountOfRun(run, options));
      await slices.pause();
    }
    const joined = joinAccounts(accounts);
    this.#accounts = joined;
    this.#options = options;
    return isStale()
      ? undefined
      : { version, reading, accounts: joined, records: new RecordIndex(reading, joined) };
  }

  #isRead(version: number): boolean {
    return this.#reader !== undefined && this.#version === version;
  }

  async #read(slices: Slices, isStale: () => boolean): Promise<LogTextReader | undefined> {
    const document = this.#document;
    const reader = new LogTextReader({ name: document.fileName, series: true });
    const { lineCount, version } = document;
    let length = 0;
    for (let line = 0; line < lineCount; line += linesAtOnce) {
      const text = document.getText(new Range(line, 0, line + linesAtOnce, 0));
      reader.push(text);
      length += text.length;
      await slices.pause();
      if (isStale()) {
        return undefined;
      }
    }
    this.#reader = reader;
    this.#length = length;
    this.#version = version;
    return reader;
  }

  /** The account of before, where nothing was added to the run. */
  #known(index: number, run: Run, { needTokens, config }: AccountOptions): RunAccount | undefined {
    const known = this.#accounts[index];
    const isSame =
      known?.run.records.length === run.records.length &&
      known.run.records[0] === run.records[0] &&
      known.run.records.at(-1) === run.records.at(-1) &&
      known.run.outcome === run.outcome &&
      known.run.lines[1] === run.lines[1];
    const { needTokens: needed, config: used } = this.#options;
    return isSame && needed === needTokens && used === config ? known : undefined;
  }
}
