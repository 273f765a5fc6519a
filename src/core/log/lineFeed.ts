/**
 * Walks through bytes that arrive in pieces and hands over the lines that matter: those with an
 * anchor, and those that the consumer asks for next. Counts lines as the editor does (LF, CRLF or a
 * lone CR ends one), keeps at most one incomplete line, and caps lines that are too long. The result
 * does not depend on how the bytes were cut into pieces. Leaves out what lines mean.
 */
import type { AnchorScanner } from './anchorScanner';

/** One line as bytes. */
export interface RawLine {
  /** Without the line end; valid during the call only. */
  readonly bytes: Uint8Array;
  /** 1-based. */
  readonly line: number;
  /** Offset in the sequence of pushed bytes. */
  readonly offset: number;
  /** Offset in the source. */
  readonly sourceOffset: number;
  /** False while no line end has been read, and where the line is longer than what is read of it. */
  readonly isTerminated: boolean;
}

/** What the feed needs to know of its consumer. */
export interface LineConsumer {
  /** True while the next line is wanted whatever it holds. */
  readonly wantsNext: boolean;
  /** The anchors to look for in lines that start at this offset. */
  scannerAt(offset: number): ScannerSpan;
  take(line: RawLine): void;
}

/** Bytes of the source that stand for a range of bytes. */
export type ByteMeasure = (bytes: Uint8Array, from: number, to: number) => number;

/** A scanner and the offset up to which line starts belong to it. */
export interface ScannerSpan {
  readonly scanner: AnchorScanner;
  readonly until: number;
}

/** Longest part of a line that is read; the rest of it is skipped. */
export const maximumLineBytes = 1 << 20;

const lineFeed = 10;
const carriageReturn = 13;

/** Feeds lines of a growing sequence of bytes to a consumer. */
export class LineFeed {
  readonly #consumer: LineConsumer;
  #buffer = new Uint8Array(1 << 16);
  #length = 0;
  /** Offset in the whole sequence of the buffer's first byte. */
  #offset = 0;
  /** The same in the bytes of the source, which may be encoded otherwise. */
  #sourceOffset: number;
  readonly #measure: ByteMeasure | undefined;
  /** 1-based number of the line that starts the buffer. */
  #line = 1;
  /** The rest of a capped line is being skipped; its head has been taken. */
  #isSkipping = false;

  /**
   * @param sourceOffset offset in the source of the first byte that will be pushed.
   * @param measure bytes of the source that pushed bytes stand for; undefined where they are equal.
   */
  constructor(consumer: LineConsumer, sourceOffset = 0, measure?: ByteMeasure) {
    this.#consumer = consumer;
    this.#sourceOffset = sourceOffset;
    this.#measure = measure;
  }

  /** Complete lines so far, and one more where bytes follow the last line end. */
  get lineCount(): number {
    return this.#line - 1 + (this.#length > 0 || this.#isSkipping ? 1 : 0);
  }

  /** The incomplete last line, its number and offset; undefined where there is none. */
  get openLine(): RawLine | undefined {
    if (this.#length === 0 || this.#isSkipping) {
      return undefined;
    }
    // A trailing CR waits for a possible LF; as text of the line it does not count.
    const length =
      this.#buffer[this.#length - 1] === carriageReturn ? this.#length - 1 : this.#length;
    return {
      bytes: this.#buffer.subarray(0, length),
      line: this.#line,
      offset: this.#offset,
      sourceOffset: this.#sourceOffset,
      isTerminated: false,
    };
  }

  push(piece: Uint8Array): void {
    const known = this.#length;
    this.#append(piece);
    const end = this.#skipCapped() ? this.#lastLineEnd(0) : this.#lastLineEnd(known - 1);
    if (end > 0) {
      this.#walk(end);
      this.#drop(end);
    }
    if (this.#length > maximumLineBytes + 1 && !this.#isSkipping) {
      this.#take(0, maximumLineBytes, this.#line, this.#sourceOffset, false);
      this.#isSkipping = true;
      this.#drop(this.#length - 1);
    }
  }

  #append(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = needed;
  }

  #drop(count: number): void {
    this.#sourceOffset += this.#measured(0, count);
    this.#buffer.copyWithin(0, count, this.#length);
    this.#length -= count;
    this.#offset += count;
  }

  #measured(from: number, to: number): number {
    return this.#measure === undefined ? to - from : this.#measure(this.#buffer, from, to);
  }

  /** Drops the rest of a capped line, keeping a last CR that may belong to a CRLF; true if it did. */
  #skipCapped(): boolean {
    if (!this.#isSkipping) {
      return false;
    }
    const end = nextLineEnd(this.#buffer, 0, this.#length);
    if (
      end === undefined ||
      (end.next === this.#length && this.#buffer[end.text] === carriageReturn)
    ) {
      this.#drop(Math.max(0, this.#length - 1));
      return true;
    }
    this.#drop(end.next);
    this.#line += 1;
    this.#isSkipping = false;
    return true;
  }

  /** Index after the last complete line; a CR at the very end is not yet one. */
  #lastLineEnd(from: number): number {
    if (this.#isSkipping) {
      return 0;
    }
    for (let index = this.#length - 1; index >= Math.max(0, from); index -= 1) {
      const byte = this.#buffer[index];
      if (byte === lineFeed || (byte === carriageReturn && index < this.#length - 1)) {
        return index + 1;
      }
    }
    return 0;
  }

  /** Takes the lines that matter before `end`, which is a line start. */
  #walk(end: number): void {
    const buffer = this.#buffer;
    let at = 0;
    let line = this.#line;
    let measuredTo = 0;
    let sourceOffset = this.#sourceOffset;
    const take = (start: number, textEnd: number): void => {
      sourceOffset += this.#measured(measuredTo, start);
      measuredTo = start;
      this.#take(start, textEnd, line, sourceOffset, true);
    };
    while (at < end) {
      if (this.#consumer.wantsNext) {
        const lineEnd = nextLineEnd(buffer, at, end) ?? { text: end, next: end };
        take(at, lineEnd.text);
        at = lineEnd.next;
        line += 1;
        continue;
      }
      const span = this.#consumer.scannerAt(this.#offset + at);
      const until = span.until - this.#offset;
      // Lines that start before `until` belong to the span wholly.
      const spanEnd = until >= end ? end : (nextLineEnd(buffer, until - 1, end)?.next ?? end);
      const hit = span.scanner.find(buffer, at, spanEnd);
      if (hit === -1) {
        line += countLines(buffer, at, spanEnd);
        at = spanEnd;
        continue;
      }
      const start = lineStart(buffer, at, hit);
      line += countLines(buffer, at, start);
      const lineEnd = nextLineEnd(buffer, hit, end) ?? { text: end, next: end };
      if (hit - start < maximumLineBytes) {
        take(start, lineEnd.text);
      }
      at = lineEnd.next;
      line += 1;
    }
    this.#line = line;
  }

  #take(
    start: number,
    end: number,
    line: number,
    sourceOffset: number,
    isTerminated: boolean,
  ): void {
    const cappedEnd = Math.min(end, start + maximumLineBytes);
    this.#consumer.take({
      bytes: this.#buffer.subarray(start, cappedEnd),
      line,
      offset: this.#offset + start,
      sourceOffset,
      isTerminated: isTerminated && cappedEnd === end,
    });
  }
}

/** The line end at or after `from`: where the text ends and where the next line starts. */
function nextLineEnd(
  bytes: Uint8Array,
  from: number,
  to: number,
): { readonly text: number; readonly next: number } | undefined {
  for (let index = Math.max(0, from); index < to; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === lineFeed) {
      return { text: index, next: index + 1 };
    }
    if (byte === carriageReturn) {
      return {
        text: index,
        next: bytes[index + 1] === lineFeed && index + 1 < to ? index + 2 : index + 1,
      };
    }
  }
  return undefined;
}

/** Start of the line that holds `at`, not before `from`, which is a line start. */
function lineStart(bytes: Uint8Array, from: number, at: number): number {
  let index = at;
  while (index > from) {
    const byte = bytes[index - 1];
    if (byte === lineFeed || byte === carriageReturn) {
      break;
    }
    index -= 1;
  }
  return index;
}

/** Line ends in a range that starts and ends at line starts. */
function countLines(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  let index = from;
  const words =
    bytes.byteOffset === 0 ? new Int32Array(bytes.buffer, 0, bytes.length >> 2) : undefined;
  while (index < to) {
    if (words !== undefined && (index & 3) === 0 && index + 4 <= to) {
      // Skips words in which no byte is below 14: neither CR nor LF.
      let word = words[index >> 2] ?? 0;
      while (((word - 0x0e0e0e0e) & ~word & 0x80808080) === 0) {
        index += 4;
        if (index + 4 > to) {
          break;
        }
        word = words[index >> 2] ?? 0;
      }
    }
    const stop = Math.min(to, index + 4 - (index & 3));
    for (; index < stop; index += 1) {
      const byte = bytes[index];
      if (byte === lineFeed || (byte === carriageReturn && bytes[index + 1] !== lineFeed)) {
        count += 1;
      }
    }
  }
  return count;
}
