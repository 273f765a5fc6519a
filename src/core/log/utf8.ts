/**
 * UTF-8 without a host: decoding for lines and encoding for documents that are already text.
 * Follows the WHATWG rules (one U+FFFD for each maximal invalid part), so columns agree with the
 * editor's. Leaves out byte order marks.
 */
import type { LineDecoder } from './byteSource';

/** Decodes lines as UTF-8; the default where a host gives no decoder. */
export const utf8Decoder: LineDecoder = { decode: decodeUtf8 };

/** The text of UTF-8 bytes. */
export function decodeUtf8(bytes: Uint8Array): string {
  const units: number[] = [];
  let text = '';
  let index = 0;
  while (index < bytes.length) {
    const first = bytes[index] ?? 0;
    index += 1;
    if (first < 0x80) {
      units.push(first);
    } else {
      const need =
        first >= 0xc2 && first <= 0xdf
          ? 1
          : (first & 0xf0) === 0xe0
            ? 2
            : first >= 0xf0 && first <= 0xf4
              ? 3
              : 0;
      let point = need === 1 ? first & 0x1f : need === 2 ? first & 0x0f : first & 0x07;
      let low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
      let high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
      let taken = 0;
      while (taken < need) {
        const next = bytes[index];
        if (next === undefined || next < low || next > high) {
          break;
        }
        point = (point << 6) | (next & 0x3f);
        low = 0x80;
        high = 0xbf;
        index += 1;
        taken += 1;
      }
      if (need === 0 || taken < need) {
        units.push(0xfffd);
      } else if (point > 0xffff) {
        units.push(0xd7c0 + (point >> 10), 0xdc00 | (point & 0x3ff));
      } else {
        units.push(point);
      }
    }
    if (units.length >= 4096) {
      text += String.fromCharCode(...units);
      units.length = 0;
    }
  }
  return text + String.fromCharCode(...units);
}

/** UTF-8 bytes of text; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    let point = text.charCodeAt(index);
    if ((point & 0xf800) === 0xd800) {
      const low = text.charCodeAt(index + 1);
      if (point < 0xdc00 && (low & 0xfc00) === 0xdc00) {
        point = ((point - 0xd7c0) << 10) | (low & 0x3ff);
        index += 1;
      } else {
        point = 0xfffd;
      }
    }
    length = writeUtf8(bytes, length, point);
  }
  return bytes.subarray(0, length);
}

/** Writes one code point at `at`; returns where the next one goes. */
export function writeUtf8(bytes: Uint8Array, at: number, point: number): number {
  if (point < 0x80) {
    bytes[at] = point;
    return at + 1;
  }
  if (point < 0x800) {
    bytes[at] = 0xc0 | (point >> 6);
    bytes[at + 1] = 0x80 | (point & 0x3f);
    return at + 2;
  }
  if (point < 0x10000) {
    bytes[at] = 0xe0 | (point >> 12);
    bytes[at + 1] = 0x80 | ((point >> 6) & 0x3f);
    bytes[at + 2] = 0x80 | (point & 0x3f);
    return at + 3;
  }
  bytes[at] = 0xf0 | (point >> 18);
  bytes[at + 1] = 0x80 | ((point >> 12) & 0x3f);
  bytes[at + 2] = 0x80 | ((point >> 6) & 0x3f);
  bytes[at + 3] = 0x80 | (point & 0x3f);
  return at + 4;
}
