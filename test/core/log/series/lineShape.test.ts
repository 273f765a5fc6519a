import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LineBytes } from '../../../../src/core/log/series/lineShape';
import {
  MessageShape,
  PrefixShape,
  mostSlots,
  shapeOfText,
} from '../../../../src/core/log/series/lineShape';
import { encodeUtf8 } from '../../../../src/core/log/utf8';

function lineOf(text: string): LineBytes {
  const bytes = encodeUtf8(text);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

/** Texts of few characters, so that pairs often agree; with the neighbours of digits in ASCII. */
const text = fc
  .array(fc.constantFrom('0', '1', '9', '42', '7.25', '.', ',', 'a', '/', ':', '?', '-', ' '), {
    maxLength: 8,
  })
  .map(parts => parts.join(''));

/** What two texts of one shape have in common: decimals count, other digits do not. */
function outline(line: string): string {
  return line.replace(/\d+(?:\.(\d+))?/g, (_number, decimals: string | undefined) =>
    decimals === undefined ? '#' : `#.${'d'.repeat(decimals.length)}`,
  );
}

describe('the shape of a message', () => {
  test('fits exactly the texts that differ in their numbers only, and reads those', () => {
    fc.assert(
      fc.property(text, text, (learned, other) => {
        const shaped = shapeOfText(learned);
        expect(shaped).toBeDefined();
        if (shaped === undefined) {
          return;
        }
        const values = new Float64Array(mostSlots);
        const line = lineOf(`[x] ${other}`);
        const fits = new MessageShape(shaped, 0).read(line, 4, line.bytes.length, values);
        expect(fits).toBe(outline(other) === outline(learned));
        if (fits) {
          const numbers = [...other.matchAll(/\d+(?:\.\d+)?/g)].map(match => Number(match[0]));
          expect([...values.slice(0, numbers.length)]).toEqual(numbers);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('is none where a text has more than plain characters and short numbers', () => {
    for (const odd of ['ü', '\t', '\u001b[0m', '1234567890123456789']) {
      expect(shapeOfText(`a ${odd} b`)).toBeUndefined();
    }
  });
});

describe('the shape of a prefix', () => {
  test('fits exactly where digits stand for digits and the rest is equal', () => {
    fc.assert(
      fc.property(text, text, (learned, other) => {
        const bytes = encodeUtf8(learned);
        const mask = bytes.map(byte => (byte >= 48 && byte <= 57 ? 1 : 0));
        const shape = new PrefixShape(bytes, mask, undefined, 0);
        const line = lineOf(`${other}Decode`);
        const zeros = (each: string): string => each.replace(/\d/g, '0');
        const isEqual = zeros(`${other}Decode`.slice(0, learned.length)) === zeros(learned);
        // A message of at least three bytes follows each prefix.
        const isRoom = line.bytes.length >= learned.length + 3;
        expect(shape.isAt(line, 0, line.bytes.length)).toBe(isEqual && isRoom);
      }),
      { numRuns: 2000 },
    );
  });
});
