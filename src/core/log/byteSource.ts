/**
 * What the log reader needs from a host: bytes by offset, decoding of lines, and a way to stop.
 * Leaves out files, compression and editors, which hosts turn into this.
 */

/** A readable sequence of bytes that can grow at its end. */
export interface ByteSource {
  /**
   * Bytes from `offset`, at most `length`; fewer at the end, none beyond it. They are valid until the
   * next read.
   */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** Turns the bytes of one line into text; invalid sequences become U+FFFD, nothing is thrown. */
export interface LineDecoder {
  decode(bytes: Uint8Array): string;
}

/** Structurally the editor's cancellation token. */
export interface CancellationSignal {
  readonly isCancellationRequested: boolean;
}

/**
 * Index of the first `byte` at or after `from`; -1 where there is none. A host that can do this in
 * native code (Node's `Buffer.prototype.indexOf`) makes long logs cheaper; the result is the same.
 */
export type ByteFinder = (bytes: Uint8Array, byte: number, from: number) => number;
