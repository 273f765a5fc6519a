import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LogReader, readLog } from '../../../src/core/log/readLog';
import { decodeUtf8, encodeUtf8 } from '../../../src/core/log/utf8';
import { sourceOf } from './memorySource';

describe('UTF-8 without a host', () => {
  test('decodes any bytes as the platform does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), bytes => {
        expect(decodeUtf8(bytes)).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  test('encodes any text as the platform does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect([...encodeUtf8(text)]).toEqual([...new TextEncoder().encode(text)]);
      }),
    );
    expect([...encodeUtf8('\ud800x')]).toEqual([...new TextEncoder().encode('\ud800x')]);
  });
});

describe('marked encodings', () => {
  const text =
    '模型 ready\n[2026-02-27 10:12:30 TP5] Memory pool end. avail mem=9.22 GB\r\n😀 [x] KV Cache is allocated. #tokens: 7, KV size: 0.10 GB\n';
  const utf16 = (bigEndian: boolean): Uint8Array => {
    const bytes = new Uint8Array(2 + text.length * 2);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, 0xfeff, !bigEndian);
    for (let index = 0; index < text.length; index += 1) {
      view.setUint16(2 + index * 2, text.charCodeAt(index), !bigEndian);
    }
    return bytes;
  };

  test.each([
    ['little', utf16(false)],
    ['big', utf16(true)],
  ])('UTF-16 %s endian gives lines, columns and byte offsets of the file', async (_name, bytes) => {
    for (const piece of [1, 7, 4096]) {
      const { records, lineCount } = await readLog(sourceOf(bytes), undefined, {
        pieceBytes: piece,
      });
      expect(records.map(record => [record.form.id, record.line, record.byteOffset])).toEqual([
        ['pool-end', 2, 2 + 2 * text.indexOf('[2026')],
        ['kv-allocated', 3, 2 + 2 * text.indexOf('😀')],
      ]);
      expect(lineCount).toBe(3);
      const field = records[1]?.fields['kv'];
      expect(text.split('\n')[2]?.slice(field?.start, field?.end)).toBe('0.10');
    }
  });

  test('a UTF-8 mark is no column and moves the offset of the first line', async () => {
    const bytes = encodeUtf8('\ufeffMemory pool end. avail mem=9.22 GB\n');
    const { records } = await readLog(sourceOf(bytes), undefined, { pieceBytes: 2 });
    expect(records[0]?.start).toBe(0);
    expect(records[0]?.byteOffset).toBe(3);
  });

  test('a file of one byte that could start a mark is read', async () => {
    for (const bytes of [[0xef], [0xff], [0xef, 0xbb], [0x41], []]) {
      const reading = await new LogReader(sourceOf(Uint8Array.from(bytes))).read();
      expect(reading.records).toEqual([]);
      expect(reading.byteLength).toBe(bytes.length);
    }
  });
});
