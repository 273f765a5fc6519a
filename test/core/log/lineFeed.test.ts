import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RawLine } from '../../../src/core/log/lineFeed';
import { LineFeed, maximumLineBytes } from '../../../src/core/log/lineFeed';

interface Taken {
  readonly text: string;
  readonly line: number;
  readonly offset: number;
}

function feedAll(
  pieces: readonly Uint8Array[],
  native: boolean,
): { taken: Taken[]; count: number } {
  const taken: Taken[] = [];
  const keep = (raw: RawLine): void => {
    taken.push({ text: latin1(raw.bytes), line: raw.line, offset: raw.offset });
  };
  const feed = new LineFeed(
    { skipsUntil: () => 0, plainHead: () => 0, wants: () => true, take: keep },
    0,
    native ? (bytes, byte, from) => bytes.indexOf(byte, from) : undefined,
  );
  for (const piece of pieces) {
    feed.push(piece);
  }
  const open = feed.openLine;
  if (open !== undefined) {
    keep(open);
  }
  return { taken, count: feed.lineCount };
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, byte => String.fromCharCode(byte)).join('');
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, character => character.charCodeAt(0) & 0xff);
}

function cut(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const at = [...new Set(places.map(place => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => bytes.slice(start, at[index] ?? bytes.length));
}

/** Lines as the editor counts them. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

const lineText = fc
  .array(fc.constantFrom('a', 'bc', 'defg', '\n', '\r', '\r\n', '\n\n', '\r\r', '\u000b', '\u0001'))
  .map(parts => parts.join(''));

describe('the line feed', () => {
  test('counts and cuts lines as the editor does, however the bytes arrive', () => {
    fc.assert(
      fc.property(
        lineText,
        fc.array(fc.nat(), { maxLength: 8 }),
        fc.boolean(),
        (text, places, native) => {
          const { taken, count } = feedAll(cut(bytesOf(text), places), native);
          const expected = linesOf(text);
          expect(taken.map(each => each.text)).toEqual(expected);
          expect(taken.map(each => each.line)).toEqual(expected.map((_, index) => index + 1));
          expect(count).toBe(expected.length);
          for (const each of taken) {
            expect(text.slice(each.offset, each.offset + each.text.length)).toBe(each.text);
          }
        },
      ),
    );
  });

  test('a lone carriage return at the end of a piece waits for a line feed', () => {
    const { taken } = feedAll([bytesOf('one\r'), bytesOf('\ntwo\r'), bytesOf('three')], false);
    expect(taken.map(each => [each.line, each.text])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ]);
  });

  test('a line beyond the cap is cut to the cap and the next line is whole', () => {
    const long = new Uint8Array(maximumLineBytes * 3).fill(0x78);
    const tail = bytesOf('\r\nnext\n');
    const whole = new Uint8Array(long.length + tail.length);
    whole.set(long);
    whole.set(tail, long.length);
    for (const size of [whole.length, maximumLineBytes, maximumLineBytes + 1, 1_000_003]) {
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
        whole.slice(index * size, (index + 1) * size),
      );
      const { taken, count } = feedAll(pieces, false);
      expect(taken.map(each => [each.line, each.text.length, each.offset])).toEqual([
        [1, maximumLineBytes, 0],
        [2, 4, long.length + 2],
      ]);
      expect(count).toBe(2);
    }
  });
});
