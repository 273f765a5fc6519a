/**
 * Gets a log by its address: the open document as it is edited, else the file through the host, with
 * progress and a way to stop. Explains calmly why there is nothing to evaluate.
 */
import type { CancellationToken, Progress, TextDocument, Uri } from 'vscode';
import { ProgressLocation, window, workspace } from 'vscode';
import type { AccountOptions, RunAccount } from '../core/account/account';
import { accountOfLog } from '../core/account/account';
import type { ByteSource } from '../core/log/byteSource';
import { LogReader, readLog, readLogText } from '../core/log/readLog';
import type { LogReading } from '../core/log/run';
import { utf8Decoder } from '../core/log/utf8';
import type { EditorHost, HostFile } from './host';
import { UnreadableFile } from './host';
import { HumanError } from './humanError';
import type { LogDocuments } from './logDocuments';
import { optionsFor } from './logDocuments';
import type { Messages } from './messages';
import type { ModelConfigs } from './modelConfigs';
import { nameOf } from './reportUri';
import type { Settings } from './settings';

/** A log that was read. `uri` is undefined for a selection and the clipboard. */
export interface NamedLog {
  readonly uri: Uri | undefined;
  readonly name: string;
  readonly reading: LogReading;
  readonly accounts: readonly RunAccount[];
}

/** Files from this size on are read with progress shown. */
const longFileBytes = 8 * 2 ** 20;

/** Of a long file that somebody waits for, so much is read and shown before the rest. */
const headBytes = 2 ** 20;

/** A place that shows how far a reading is, such as the page that waits for it. */
export interface ReadingPlace {
  /** Shows what the beginning of the log tells, while the rest is read. */
  readonly showHead: (log: NamedLog & { readonly uri: Uri }) => void;
  /** Shows what was read until the user stopped it. */
  readonly showStopped: (log: NamedLog & { readonly uri: Uri }) => void;
  readonly progress: Progress<{ increment: number }>;
  /** The user stopped it there. */
  readonly token: CancellationToken;
  /** Called once: with false where nothing was read. */
  readonly end: (isRead: boolean) => void;
}

/** What was read of a long file, and the state of the file that it holds for. */
interface KnownReading {
  readonly stamp: string;
  readonly reading: LogReading;
}

/** Long files whose readings are kept; the oldest goes first. */
const mostKnown = 4;

/** Reads logs for commands. */
export class LogSource {
  readonly #documents: LogDocuments;
  readonly #host: EditorHost;
  readonly #messages: Messages;
  readonly #settings: Settings;
  readonly #configs: ModelConfigs;
  readonly #known = new Map<string, KnownReading>();

  constructor(
    documents: LogDocuments,
    host: EditorHost,
    messages: Messages,
    settings: Settings,
    configs: ModelConfigs,
  ) {
    this.#configs = configs;
    this.#documents = documents;
    this.#host = host;
    this.#messages = messages;
    this.#settings = settings;
  }

  /**
   * The log at an address, with at least one run; undefined when the user stopped the reading.
   * A long reading is shown at the place that `placeOf` gives, else in a notification.
   * Throws HumanError where there is nothing to evaluate.
   */
  async read(uri: Uri, placeOf?: () => ReadingPlace | undefined): Promise<NamedLog | undefined> {
    const open = openDocument(uri);
    const log = open ? await this.#ofDocument(open) : await this.#ofFile(uri, placeOf);
    if (log?.accounts.length === 0) {
      throw new HumanError(this.#messages.ui('error.no-server-line', { name: log.name }));
    }
    return log;
  }

  /** A piece of a log: a selection or the clipboard. Throws HumanError without a known line. */
  ofText(text: string, name: string, uri?: Uri): NamedLog {
    const reading = readLogText(text, { name });
    if (reading.records.length === 0) {
      throw new HumanError(this.#messages.ui('error.no-known-line', { name }));
    }
    return { uri: undefined, name, reading, accounts: accountOfLog(reading, this.#options(uri)) };
  }

  async #ofDocument(document: TextDocument): Promise<NamedLog> {
    const name = nameOf(document.uri);
    const analysis = await this.#documents.current(document);
    if (analysis !== undefined) {
      const { reading, accounts } = analysis;
      return { uri: document.uri, name, reading, accounts };
    }
    const reading = readLogText(document.getText(), { name });
    const accounts = accountOfLog(reading, this.#options(document.uri));
    return { uri: document.uri, name, reading, accounts };
  }

  async #ofFile(
    uri: Uri,
    placeOf: (() => ReadingPlace | undefined) | undefined,
  ): Promise<NamedLog | undefined> {
    const name = nameOf(uri);
    const file = await this.#host.openFile(uri).catch((error: unknown) => {
      throw error instanceof UnreadableFile ? this.#explained(error, name) : error;
    });
    try {
      const { findByte } = this.#host;
      const options = { name, series: true, ...(findByte && { findByte }) };
      if (file.sizeBytes < longFileBytes) {
        return await this.#named(uri, name, await readLog(file, utf8Decoder, options));
      }
      const stamp = await stampOf(uri);
      const known = this.#known.get(uri.toString());
      if (known !== undefined && known.stamp === stamp) {
        return await this.#named(uri, name, known.reading);
      }
      const place = placeOf?.();
      if (place !== undefined) await sent();
      const partOf = (part: LogReading): NamedLog & { readonly uri: Uri } => {
        const accounts = accountOfLog(part, this.#options(uri));
        return { uri, name, reading: part, accounts };
      };
      const read: LongReading = async (progress, token) => {
        const source = new GrowingSource(reporting(file, progress), headBytes);
        const reader = new LogReader(source, utf8Decoder, options);
        if (place !== undefined) {
          const head = await reader.read(token);
          await sent();
          if (!token.isCancellationRequested) place.showHead(partOf(head));
        }
        source.limitBytes = Infinity;
        const reading = await reader.read(token);
        if (token.isCancellationRequested) place?.showStopped(partOf(reading));
        return reading;
      };
      const reading = await this.#long(name, read, place);
      this.#keep(uri, stamp, reading);
      return reading && (await this.#named(uri, name, reading));
    } finally {
      await file.close();
    }
  }

  /** Reads at the place; undefined when the user stopped it. */
  async #long(
    name: string,
    read: LongReading,
    place: ReadingPlace | undefined,
  ): Promise<LogReading | undefined> {
    const unlessStopped: LongReading<LogReading | undefined> = async (progress, token) => {
      const reading = await read(progress, token);
      return token.isCancellationRequested ? undefined : reading;
    };
    if (place === undefined) {
      const title = this.#messages.ui('progress.reading', { name });
      const location = ProgressLocation.Notification;
      return window.withProgress({ location, title, cancellable: true }, unlessStopped);
    }
    let isRead = false;
    try {
      const reading = await unlessStopped(place.progress, place.token);
      isRead = (reading?.runs.length ?? 0) > 0;
      return reading;
    } finally {
      place.end(isRead);
    }
  }

  #keep(uri: Uri, stamp: string | undefined, reading: LogReading | undefined): void {
    const address = uri.toString();
    this.#known.delete(address);
    if (stamp !== undefined && reading !== undefined) {
      this.#known.set(address, { stamp, reading });
    }
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKnown && oldest !== undefined) {
      this.#known.delete(oldest);
    }
  }

  async #named(uri: Uri, name: string, reading: LogReading): Promise<NamedLog> {
    await this.#configs.discover(uri, reading.runs);
    return { uri, name, reading, accounts: accountOfLog(reading, this.#options(uri)) };
  }

  #options(resource: Uri | undefined): AccountOptions {
    return optionsFor(resource, this.#settings, this.#configs);
  }

  #explained({ reason, sizeBytes, limitBytes = 0 }: UnreadableFile, name: string): HumanError {
    const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
    return new HumanError(
      this.#messages.ui(`error.${reason}`, {
        name,
        size: mebibytes(sizeBytes),
        limit: mebibytes(limitBytes),
      }),
    );
  }
}

type LongReading<Result = LogReading> = (
  progress: Progress<{ increment: number }>,
  token: CancellationToken,
) => Promise<Result>;

/**
 * Lets what was asked of the window leave before long work begins: messages are written when this
 * thread comes to its timers, and the window makes its page while the beginning is read.
 */
async function sent(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 5));
}

/** What changes whenever the file does; undefined where the file system does not tell. */
async function stampOf(uri: Uri): Promise<string | undefined> {
  try {
    const { size, mtime } = await workspace.fs.stat(uri);
    return `${size} ${mtime}`;
  } catch {
    return undefined;
  }
}

/** The open document of an address. */
export function openDocument(uri: Uri): TextDocument | undefined {
  const wanted = uri.toString();
  return workspace.textDocuments.find(({ uri: own }) => own.toString() === wanted);
}

/** The same bytes up to a limit, as if the rest were not written yet. */
class GrowingSource implements ByteSource {
  readonly #source: ByteSource;
  limitBytes: number;

  constructor(source: ByteSource, limitBytes: number) {
    this.#source = source;
    this.limitBytes = limitBytes;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    return this.#source.read(offset, Math.min(length, Math.max(0, this.limitBytes - offset)));
  }
}

/** The same bytes, telling how far the reading is. */
function reporting(file: HostFile, progress: Progress<{ increment: number }>): ByteSource {
  return {
    read: async (offset, length) => {
      const bytes = await file.read(offset, length);
      progress.report({ increment: (100 * bytes.length) / Math.max(1, file.sizeBytes) });
      return bytes;
    },
  };
}
