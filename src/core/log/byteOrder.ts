/**
 * The encoding that a byte order mark at a file's start announces, and the transcoding of UTF-16 to
 * UTF-8 by pieces, so that the rest of the reader sees one encoding. Leaves out files without a mark:
 * those are read as UTF-8.
 */
import { writeUtf8 } from './utf8';

/** Encodings that a mark can announce. */
export type MarkedEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The encoding and the length of the mark; undefined while too few bytes are known to tell. */
export function detectByteOrder(
  bytes: Uint8Array,
  isEnd: boolean,
): { readonly encoding: MarkedEncoding; readonly markLength: number } | undefined {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) {
    return { encoding: 'utf-16le', markLength: 2 };
  }
  if (first === 0xfe && second === 0xff) {
    return { encoding: 'utf-16be', markLength: 2 };
  }
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return { encoding: 'utf-8', markLength: 3 };
  }
  const mayContinue =
    (bytes.length < 3 && (first === undefined || (first === 0xef && (second ?? 0xbb) === 0xbb))) ||
    (bytes.length === 1 && (first === 0xff || first === 0xfe));
  return mayContinue && !isEnd ? undefined : { encoding: 'utf-8', markLength: 0 };
}

/** Turns UTF-16 into UTF-8 piece by piece; halves of units and pairs wait for the next piece. */
export class Utf16Transcoder {
  readonly #isBigEndian: boolean;
  #halfUnit: number | undefined;
  #highSurrogate: number | undefined;

  constructor(encoding: 'utf-16le' | 'utf-16be') {
    this.#isBigEndian = encoding === 'utf-16be';
  }

  transcode(piece: Uint8Array): Uint8Array {
    const bytes = new Uint8Array((piece.length + 3) * 2);
    let length = 0;
    for (const byte of piece) {
      if (this.#halfUnit === undefined) {
        this.#halfUnit = byte;
        continue;
      }
      const unit = this.#isBigEndian ? (this.#halfUnit << 8) | byte : (byte << 8) | this.#halfUnit;
      this.#halfUnit = undefined;
      const high = this.#highSurrogate;
      this.#highSurrogate = undefined;
      if (high !== undefined) {
        if ((unit & 0xfc00) === 0xdc00) {
          length = writeUtf8(bytes, length, ((high - 0xd7c0) << 10) | (unit & 0x3ff));
          continue;
        }
        length = writeUtf8(bytes, length, 0xfffd);
      }
      if ((unit & 0xfc00) === 0xd800) {
        this.#highSurrogate = unit;
      } else {
        length = writeUtf8(bytes, length, (unit & 0xfc00) === 0xdc00 ? 0xfffd : unit);
      }
    }
    return bytes.subarray(0, length);
  }
}

/** How many UTF-16 units the UTF-8 bytes stand for. */
export function utf16Length(bytes: Uint8Array, start: number, end: number): number {
  let units = 0;
  for (let index = start; index < end; index += 1) {
    const byte = bytes[index] ?? 0;
    if ((byte & 0xc0) !== 0x80) {
      units += byte >= 0xf0 ? 2 : 1;
    }
  }
  return units;
}
