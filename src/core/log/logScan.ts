/**
 * Reads a log that arrives in pieces: bytes to lines to records, with bounds on what is kept. Batch
 * lines make up most of a long log, so beyond the first of each run only samples of them are looked
 * at. Leaves out runs and files.
 */
import { lineForms } from '../sglang/form/lineForms';
import type { MarkedEncoding } from './byteOrder';
import { detectByteOrder, Utf16Transcoder, utf16Length } from './byteOrder';
import type { ByteFinder, LineDecoder } from './byteSource';
import { withoutCutNumbers } from './cutNumbers';
import { withPlainSpaces } from './hardSpace';
import type { DraftRecord } from './lineAssembler';
import { LineAssembler } from './lineAssembler';
import type { LineConsumer, RawLine } from './lineFeed';
import { LineFeed } from './lineFeed';
import type { CompiledKinds } from './lineSieve';
import { compileKinds, LineSieve } from './lineSieve';
import type { LogRecord } from './record';
import { collectRecord } from './series/collectRecord';
import type { GatheredSeries } from './series/seriesCollector';
import { SeriesCollector } from './series/seriesCollector';
import { ShapeReader } from './series/shapeReader';
import { readServerInfo } from './serverInfo';
import { decodeUtf8, encodeUtf8 } from './utf8';
import { WholeText } from './wholeText';

/** Batch lines of a run that are all kept; later ones are sampled. */
const keptBatchLines = 512;
/** Records of one form and rank in a run that are all kept. */
const keptPerFormAndRank = 1024;
/** Of each block of this many bytes, lines that start in the first `sampleBytes` are looked at. */
const sampleBlock = 1 << 22;
const sampleBytes = 1 << 10;

const batchForms: ReadonlySet<string> = new Set([
  'decode-batch',
  'decode-batch-old',
  'prefill-batch',
]);
/** Lines at the start that tell whether the log has no-break spaces instead of plain ones. */
const spaceLines = 1000;
/** Heads of fragments that container runtimes make of long lines. */
const fragmentAnchors = ['stdout P ', 'stderr P ', '","stream":"std'];

let compiledKinds: CompiledKinds | undefined;

function makeSieve(keepsBatches: boolean): LineSieve {
  compiledKinds ??= compileKinds({
    forms: lineForms.filter(form => !batchForms.has(form.id)),
    batchForms: lineForms.filter(form => batchForms.has(form.id)),
    otherAnchors: fragmentAnchors,
  });
  return new LineSieve(compiledKinds, keepsBatches);
}

/** What has been read so far. */
export interface ScannedLog {
  readonly records: readonly LogRecord[];
  /**
   * How many further messages of the same form and rank followed a kept one and were not kept; not
   * counted for batch lines.
   */
  readonly repeats: ReadonlyMap<LogRecord, number>;
  readonly lineCount: number;
  readonly byteLength: number;
  /** Samples of all serving lines; undefined where they were not asked for. */
  readonly series: GatheredSeries | undefined;
}

/** How to scan. */
export interface ScanOptions {
  /**
   * The text ends where its last line ends (a document), rather than in a file that may still grow: a
   * number at the very end is whole.
   */
  readonly isEndComplete?: boolean;
  readonly findByte?: ByteFinder | undefined;
  /** Gather samples of all serving lines. */
  readonly series?: boolean | undefined;
}

/** Push pieces in order; ask for the result at any time. */
export class LogScan implements LineConsumer {
  readonly #decoder: LineDecoder;
  readonly #isEndComplete: boolean;
  readonly #findByte: ByteFinder | undefined;
  readonly #assembler: LineAssembler;
  readonly #sieve: LineSieve;
  readonly #series: SeriesCollector | undefined;
  readonly #shapes: ShapeReader | undefined;
  readonly #drafts: DraftRecord[] = [];
  readonly #repeats = new Map<DraftRecord, number>();
  readonly #lastKept = new Map<string, DraftRecord>();
  readonly #kept = new Map<string, number>();
  #emitted = 0;
  #lastEmitted: DraftRecord | undefined;
  #batchLines = 0;
  #lineOffset = 0;
  #head: Uint8Array | undefined = new Uint8Array(0);
  #feed: LineFeed | undefined;
  #transcoder: Utf16Transcoder | undefined;
  #byteLength = 0;
  readonly #wholeText = new WholeText();
  #markLength = 0;
  #hasHardSpaces = false;

  constructor(decoder: LineDecoder, options: ScanOptions = {}) {
    this.#decoder = decoder;
    this.#findByte = options.findByte;
    this.#isEndComplete = options.isEndComplete === true;
    this.#series = options.series === true ? new SeriesCollector() : undefined;
    this.#shapes = this.#series && new ShapeReader(this.#series);
    this.#sieve = makeSieve(this.#series !== undefined);
    this.#assembler = new LineAssembler(lineForms, draft => {
      this.#keep(draft);
    });
  }

  /** Bytes pushed so far. */
  get byteLength(): number {
    return this.#byteLength;
  }

  push(piece: Uint8Array): void {
    this.#byteLength += piece.length;
    const bytes = this.#afterMark(piece, false);
    if (bytes !== undefined) {
      const utf8 = this.#transcoder?.transcode(bytes) ?? bytes;
      this.#wholeText.push(utf8);
      this.#feed?.push(utf8);
    }
  }

  /** What is known so far; the last line counts as it stands and is read again when it grows. */
  result(): ScannedLog {
    const drafts = [...this.#drafts];
    const series = this.#series?.fork();
    const assembler = this.#assembler.fork(draft => {
      drafts.push(draft);
      if (series !== undefined) {
        collectRecord(series, draft);
      }
    });
    const open = (this.#feed ?? this.#provisionalFeed())?.openLine;
    if (open !== undefined) {
      const { text, bytes } = this.#plain(open.bytes, open.line <= spaceLines);
      assembler.feed(
        {
          text,
          line: open.line,
          byteOffset: open.sourceOffset,
          isTerminated: this.#isEndComplete,
        },
        this.#sieve.formsIn(bytes),
      );
    }
    assembler.flush();
    const records = this.#savedAnswer() ?? withoutCutNumbers(drafts);
    const repeats = new Map<LogRecord, number>();
    for (const [index, draft] of this.#drafts.entries()) {
      const count = this.#repeats.get(draft);
      const record = records[index];
      if (count !== undefined && record !== undefined) {
        repeats.set(record, count);
      }
    }
    return {
      records,
      repeats,
      lineCount: (this.#feed ?? this.#provisionalFeed())?.lineCount ?? 0,
      byteLength: this.#byteLength,
      series: series?.gathered(),
    };
  }

  /** The records of a saved answer of the server, where the whole text is one. */
  #savedAnswer(): readonly LogRecord[] | undefined {
    const bytes = this.#drafts.length === 0 ? this.#wholeText.bytes : undefined;
    if (bytes === undefined) {
      return undefined;
    }
    const start = this.#markLength;
    return readServerInfo(decodeUtf8(bytes), before =>
      this.#transcoder === undefined
        ? start + encodeUtf8(before).length
        : start + 2 * before.length,
    );
  }

  skipsUntil(offset: number): number {
    const isWanted =
      this.#assembler.wantsNext || (this.#series === undefined && this.#wantsBatches(offset));
    return isWanted ? 0 : offset - (offset % sampleBlock) + sampleBlock;
  }

  plainHead(bytes: Uint8Array, at: number, end: number): number {
    return this.#sieve.plainHead(bytes, at, end);
  }

  wants(bytes: Uint8Array, start: number, end: number, offset: number, line: number): boolean {
    if (this.#assembler.wantsNext) {
      return true;
    }
    const withBatches = this.#wantsBatches(offset);
    return (
      (withBatches || this.#shapes?.take(bytes, start, end, line) !== true) &&
      (this.#sieve.wants(bytes, start, end, withBatches) ||
        this.#wantsSpaced(bytes, start, end, withBatches, line))
    );
  }

  /** The same with plain spaces; where that finds something, the whole log is read so. */
  #wantsSpaced(
    bytes: Uint8Array,
    start: number,
    end: number,
    withBatches: boolean,
    line: number,
  ): boolean {
    const plain =
      this.#hasHardSpaces || line <= spaceLines ? withPlainSpaces(bytes, start, end) : undefined;
    const isWanted = plain !== undefined && this.#sieve.wants(plain, 0, plain.length, withBatches);
    this.#hasHardSpaces ||= isWanted;
    return isWanted;
  }

  /** A line as it is read: text of the same columns, and its bytes. */
  #plain(
    bytes: Uint8Array,
    isStart = false,
  ): { readonly text: string; readonly bytes: Uint8Array } {
    const text = this.#decoder.decode(bytes);
    const plain =
      this.#hasHardSpaces || isStart ? withPlainSpaces(bytes, 0, bytes.length) : undefined;
    return plain === undefined
      ? { text, bytes }
      : { text: text.replaceAll('\u00a0', ' '), bytes: plain };
  }

  #wantsBatches(offset: number): boolean {
    return this.#batchLines < keptBatchLines || offset % sampleBlock < sampleBytes;
  }

  take(line: RawLine): void {
    this.#lineOffset = line.offset;
    const { text, bytes } = this.#plain(line.bytes);
    const canLearn = !this.#assembler.wantsNext && line.isTerminated;
    this.#emitted = 0;
    this.#assembler.feed(
      {
        text,
        line: line.line,
        byteOffset: line.sourceOffset,
        isTerminated: line.isTerminated,
      },
      this.#sieve.formsIn(bytes),
    );
    const draft = this.#lastEmitted;
    const isAlone = canLearn && this.#emitted === 1 && !this.#assembler.wantsNext;
    if (isAlone && draft !== undefined && batchForms.has(draft.record.form.id)) {
      this.#shapes?.learn(line.bytes, text, draft);
    }
  }

  #keep(draft: DraftRecord): void {
    this.#emitted += 1;
    this.#lastEmitted = draft;
    if (this.#series !== undefined) {
      collectRecord(this.#series, draft);
    }
    const { form, rank } = draft.record;
    if (
      form.event === 'server-arguments' ||
      form.event === 'init-begin' ||
      form.event === 'load-begin'
    ) {
      this.#batchLines = 0;
      this.#kept.clear();
    }
    const isSample = this.#lineOffset % sampleBlock < sampleBytes;
    const key = `${form.id} ${rank}`;
    const kept = this.#kept.get(key) ?? 0;
    const isBatch = batchForms.has(form.id);
    const isRoom = isBatch ? this.#batchLines < keptBatchLines : kept < keptPerFormAndRank;
    if (isBatch) {
      this.#batchLines += 1;
    }
    if (!isRoom && !isSample) {
      const last = this.#lastKept.get(key);
      if (last !== undefined && !isBatch) {
        this.#repeats.set(last, (this.#repeats.get(last) ?? 0) + 1);
      }
      return;
    }
    this.#kept.set(key, kept + 1);
    this.#lastKept.set(key, draft);
    this.#drafts.push(draft);
  }

  /** The bytes after a byte order mark; undefined while it is not known whether there is one. */
  #afterMark(piece: Uint8Array, isEnd: boolean): Uint8Array | undefined {
    if (this.#head === undefined) {
      return piece;
    }
    const head = concatenate(this.#head, piece);
    // The text of a document is decoded already.
    const mark = detectByteOrder(head, isEnd, !this.#isEndComplete);
    if (mark === undefined) {
      this.#head = head;
      return undefined;
    }
    this.#head = undefined;
    this.#feed = this.#makeFeed(mark.encoding, mark.markLength);
    return head.subarray(mark.markLength);
  }

  #makeFeed(encoding: MarkedEncoding, markLength: number): LineFeed {
    this.#markLength = markLength;
    if (encoding === 'utf-8') {
      return new LineFeed(this, markLength, this.#findByte);
    }
    this.#transcoder = new Utf16Transcoder(encoding);
    return new LineFeed(
      this,
      markLength,
      this.#findByte,
      (bytes, from, to) => 2 * utf16Length(bytes, from, to),
    );
  }

  /** For a log of one or two bytes that could have become a byte order mark. */
  #provisionalFeed(): LineFeed | undefined {
    if (this.#head === undefined || this.#head.length === 0) {
      return undefined;
    }
    const feed = new LineFeed(this);
    feed.push(this.#head);
    return feed;
  }
}

function concatenate(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}
