/**
 * The encoding that a byte order mark at a file's start announces or its first characters show, and the
 * transcoding of UTF-16 to UTF-8 by pieces, so that the rest of the reader sees one encoding. Leaves out
 * other encodings: those are read as UTF-8.
 */
import { writeUtf8 } from './utf8';

/** Encodings that a mark can announce. */
export type MarkedEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/**
 * The encoding and the length of the mark; undefined while too few bytes are known to tell.
 * @param withoutMark whether UTF-16 is also known by its zero bytes.
 */
export function detectByteOrder(
  bytes: Uint8Array,
  isEnd: boolean,
  withoutMark = true,
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
  const unmarked = withoutMark ? unmarkedUtf16(bytes) : undefined;
  if (unmarked !== undefined) {
    return { encoding: unmarked, markLength: 0 };
  }
  const mayContinue =
    (withoutMark && bytes.length < 4 && mayBeUtf16(bytes)) ||
    (bytes.length < 3 && (first === undefined || (first === 0xef && (second ?? 0xbb) === 0xbb))) ||
    (bytes.length === 1 && (first === 0xff || first === 0xfe));
  return mayContinue && !isEnd ? undefined : { encoding: 'utf-8', markLength: 0 };
}

/** Two characters of ASCII, each with a zero byte: no text in UTF-8 starts so. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < 4 || !mayBeUtf16(bytes)) {
    return undefined;
  }
  return bytes[0] === 0 ? 'utf-16be' : 'utf-16le';
}

/** True while the first bytes are zero and text by turns; at once false where they are UTF-8. */
function mayBeUtf16(bytes: Uint8Array): boolean {
  const zero = bytes[0] === 0 ? 0 : 1;
  return bytes
    .subarray(0, 4)
    .every((byte, index) => (index % 2 === zero ? byte === 0 : byte >= 9 && byte < 0x7f));
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
