/**
 * Entry points of the log reader: a growing source of bytes, a whole source, or the text of an
 * editor. Leaves out what is concluded from the lines (account).
 */
import type { ByteFinder, ByteSource, CancellationSignal, LineDecoder } from './byteSource';
import { buildRuns } from './buildRuns';
import { LogScan } from './logScan';
import type { LogReading } from './run';
import { withSeries } from './series/runSeries';
import { encodeUtf8, utf8Decoder } from './utf8';

/** How to read. */
export interface LogOptions {
  /** Name of the file for `LogReading.files`; empty by default. */
  readonly name?: string;
  /** Bytes asked of the source at once; the result does not depend on it. */
  readonly pieceBytes?: number;
  /** A native byte search, where the host has one. */
  readonly findByte?: ByteFinder;
  /** Also gather the course of serving (`Run.series`) from every batch line; slower on long logs. */
  readonly series?: boolean;
}

const defaultPieceBytes = 1 << 20;

/** Reads a log and, when it has grown, only what is new. */
export class LogReader {
  readonly #source: ByteSource;
  readonly #scan: LogScan;
  readonly #options: LogOptions;

  constructor(source: ByteSource, decoder: LineDecoder = utf8Decoder, options: LogOptions = {}) {
    this.#source = source;
    this.#scan = new LogScan(decoder, options);
    this.#options = options;
  }

  /** Reads to the present end of the source. A cancelled read can be continued by another. */
  async read(token?: CancellationSignal): Promise<LogReading> {
    const length = Math.max(1, this.#options.pieceBytes ?? defaultPieceBytes);
    while (token?.isCancellationRequested !== true) {
      const piece = await this.#source.read(this.#scan.byteLength, length);
      if (piece.length === 0) {
        break;
      }
      this.#scan.push(piece);
    }
    return reading(this.#scan, this.#options);
  }
}

/** Reads a whole log once. */
export async function readLog(
  source: ByteSource,
  decoder: LineDecoder = utf8Decoder,
  options: LogOptions = {},
  token?: CancellationSignal,
): Promise<LogReading> {
  return new LogReader(source, decoder, options).read(token);
}

/** Reads text that is already in memory: a document, a selection, the clipboard. */
export function readLogText(text: string, options: LogOptions = {}): LogReading {
  const reader = new LogTextReader(options);
  reader.push(text);
  return reader.reading();
}

/**
 * Reads text that arrives in pieces, such as a document line by line and what is appended to it. The
 * end of the text counts as the end of its last line.
 */
export class LogTextReader {
  readonly #scan: LogScan;
  readonly #options: LogOptions;

  constructor(options: LogOptions = {}) {
    this.#scan = new LogScan(utf8Decoder, { ...options, isEndComplete: true });
    this.#options = options;
  }

  /** Takes the next piece; a surrogate pair must stand in one piece. */
  push(text: string): void {
    for (let start = 0; start < text.length;) {
      let end = Math.min(text.length, start + defaultPieceBytes);
      // A surrogate pair stays in one piece.
      if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) {
        end -= 1;
      }
      this.#scan.push(encodeUtf8(text.slice(start, end)));
      start = end;
    }
  }

  /** What is known so far; more can be pushed afterwards. */
  reading(): LogReading {
    return reading(this.#scan, this.#options);
  }
}

function reading(scan: LogScan, options: LogOptions): LogReading {
  const { records, repeats, lineCount, byteLength, series } = scan.result();
  const runs = buildRuns(records, lineCount);
  return {
    files: [options.name ?? ''],
    runs:
      series === undefined
        ? runs
        : withSeries(runs, [{ file: 0, gathered: series, streamOf: course => course.stream }]),
    records,
    repeats,
    lineCount,
    byteLength,
    series,
  };
}
