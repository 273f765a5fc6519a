/**
 * Walks through bytes that arrive in pieces and hands over the lines that matter: those with an
 * anchor, and those that the consumer asks for next. Counts lines as the editor does (LF, CRLF or a
 * lone CR ends one), keeps at most one incomplete line, and caps lines that are too long. The result
 * does not depend on how the bytes were cut into pieces. Leaves out what lines mean.
 */
import type { ByteFinder } from './byteSource';

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

/** Bytes of the source that stand for a range of bytes. */
export type ByteMeasure = (bytes: Uint8Array, from: number, to: number) => number;

/** What the feed needs to know of its consumer. */
export interface LineConsumer {
  /**
   * Up to which offset lines with a plain head are skipped, for lines that start at `offset`;
   * 0 where they are wanted. Asked again there, and after each line that was taken.
   */
  skipsUntil(offset: number): number;
  /**
   * How many bytes at `at`, the start of a line, show that it has a plain head; 0 where they do not.
   * Such a line is skipped unless it is longer than `longestPlainLine`.
   */
  plainHead(bytes: Uint8Array, at: number, end: number): number;
  /** Whether the line in [start, end), without a plain head, is wanted; `line` is its number. */
  wants(bytes: Uint8Array, start: number, end: number, offset: number, line: number): boolean;
  take(line: RawLine): void;
}

/** Longer lines can have other messages glued behind their first words. */
export const longestPlainLine = 600;

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
  readonly #findByte: ByteFinder | undefined;
  /** 1-based number of the line that starts the buffer. */
  #line = 1;
  /** The rest of a capped line is being skipped; its head has been taken. */
  #isSkipping = false;

  /**
   * @param sourceOffset offset in the source of the first byte that will be pushed.
   * @param findByte a native search, where the host has one.
   * @param measure bytes of the source that pushed bytes stand for; undefined where they are equal.
   */
  constructor(
    consumer: LineConsumer,
    sourceOffset = 0,
    findByte?: ByteFinder,
    measure?: ByteMeasure,
  ) {
    this.#consumer = consumer;
    this.#sourceOffset = sourceOffset;
    this.#findByte = findByte;
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
      // Whole words, so that the buffer can be looked at by four bytes.
      const larger = new Uint8Array((Math.max(needed, this.#buffer.length * 2) + 3) & ~3);
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
    const end = findLineEnd(this.#buffer, new Int32Array(this.#buffer.buffer), 0, this.#length);
    const isCarriageReturn = this.#buffer[end] === carriageReturn;
    if (end >= this.#length - (isCarriageReturn ? 1 : 0)) {
      this.#drop(Math.max(0, this.#length - 1));
      return true;
    }
    this.#drop(end + (isCarriageReturn && this.#buffer[end + 1] === lineFeed ? 2 : 1));
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
    const words = new Int32Array(buffer.buffer);
    const view = buffer.subarray(0, end);
    const findByte = this.#findByte;
    // Without a CR, line ends are LFs and can be left to the host's search.
    const findsNatively = findByte !== undefined && findByte(view, carriageReturn, 0) === -1;
    const consumer = this.#consumer;
    let at = 0;
    let line = this.#line;
    let measuredTo = 0;
    let sourceOffset = this.#sourceOffset;
    let skipsUntil = consumer.skipsUntil(this.#offset) - this.#offset;
    while (at < end) {
      if (at >= skipsUntil) {
        skipsUntil = consumer.skipsUntil(this.#offset + at) - this.#offset;
      }
      const head = at < skipsUntil ? consumer.plainHead(buffer, at, end) : 0;
      const textEnd = findsNatively
        ? findByte(view, lineFeed, at + head)
        : findLineEnd(buffer, words, at + head, end);
      if (
        (head === 0 || textEnd - at > longestPlainLine) &&
        consumer.wants(
          buffer,
          at,
          Math.min(textEnd, at + maximumLineBytes),
          this.#offset + at,
          line,
        )
      ) {
        sourceOffset += this.#measured(measuredTo, at);
        measuredTo = at;
        this.#take(at, textEnd, line, sourceOffset, true);
        skipsUntil = 0;
      }
      at =
        textEnd + (buffer[textEnd] === carriageReturn && buffer[textEnd + 1] === lineFeed ? 2 : 1);
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

/**
 * Index of the LF or CR that ends the line at `from`; `to` where there is none. Looks at four bytes
 * at a time: a word without a byte below 14 holds neither.
 * @param words the same memory as `bytes`.
 */
function findLineEnd(bytes: Uint8Array, words: Int32Array, from: number, to: number): number {
  let index = from;
  for (; (index & 3) !== 0 && index < to; index += 1) {
    const byte = bytes[index];
    if (byte === lineFeed || byte === carriageReturn) {
      return index;
    }
  }
  const wordEnd = to >> 2;
  for (let at = index >> 2; at < wordEnd; at += 1) {
    const word = words[at] ?? 0;
    if (((word - 0x0e0e0e0e) & ~word & 0x80808080) !== 0) {
      for (index = at << 2; index < (at + 1) << 2; index += 1) {
        const byte = bytes[index];
        if (byte === lineFeed || byte === carriageReturn) {
          return index;
        }
      }
    }
    index = (at + 1) << 2;
  }
  for (; index < to; index += 1) {
    const byte = bytes[index];
    if (byte === lineFeed || byte === carriageReturn) {
      return index;
    }
  }
  return to;
}
