import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AnchorScanner } from '../../../src/core/log/anchorScanner';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 7 });
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 60 });
const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);

test('the scanner finds what a plain search finds', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 6 }), text, (anchors, value) => {
      const scanner = new AnchorScanner(anchors);
      const bytes = bytesOf(value);
      const window = Math.min(...anchors.map(anchor => anchor.length));
      const places = anchors.map(anchor => value.indexOf(anchor)).filter(place => place >= 0);
      const hit = scanner.find(bytes, 0, bytes.length);
      expect(hit).toBe(places.length === 0 ? -1 : Math.min(...places));
      expect(window).toBeGreaterThanOrEqual(3);
      if (hit >= 0) {
        expect(value.startsWith(anchors[scanner.foundAnchor] ?? '?', hit)).toBe(true);
      }
      expect([...scanner.findAll(bytes, 0, bytes.length)].sort()).toEqual(
        anchors.flatMap((anchor, index) => (value.includes(anchor) ? [index] : [])),
      );
    }),
  );
});

test('an anchor that crosses the end of the range is not found', () => {
  const scanner = new AnchorScanner(['needle']);
  const bytes = bytesOf('xxneedle');
  expect(scanner.find(bytes, 0, 7)).toBe(-1);
  expect(scanner.find(bytes, 3, 8)).toBe(-1);
  expect(scanner.find(bytes, 2, 8)).toBe(2);
});
