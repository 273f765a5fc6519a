import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LogReader, readLog, readLogText } from '../../../src/core/log/readLog';
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

  test.each([
    ['little', utf16(false)],
    ['big', utf16(true)],
  ])(
    'UTF-16 %s endian is known without a mark where it starts with ASCII',
    async (_name, bytes) => {
      const start = text.indexOf('[2026');
      for (const piece of [1, 2, 3, 4096]) {
        const { records, lineCount } = await readLog(
          sourceOf(bytes.subarray(2 + 2 * start)),
          undefined,
          { pieceBytes: piece },
        );
        expect(records.map(record => [record.form.id, record.line, record.byteOffset])).toEqual([
          ['pool-end', 1, 0],
          ['kv-allocated', 2, 2 * (text.indexOf('😀') - start)],
        ]);
        expect(lineCount).toBe(2);
      }
    },
  );

  test('text of a document with zero characters stays as it is', () => {
    const { records, lineCount } = readLogText('a\0\n\0Memory pool end. avail mem=9.22 GB\n');
    expect([records[0]?.line, records[0]?.start, lineCount]).toEqual([2, 1, 2]);
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

describe('no-break spaces', () => {
  const lines = [
    '[2026-02-27 10:12:30 TP5] Memory pool end. avail mem=9.22 GB',
    'and · a line of prose, é 😀',
    '[2026-02-27 10:12:31 TP5] KV Cache is allocated. #tokens: 7, KV size: 0.10 GB',
  ];
  const plain = `${lines.join('\n')}\n`;
  const hard = plain.replaceAll(' ', '\u00a0');

  test('are read as spaces, with places of the file', async () => {
    const expected = readLogText(plain).records;
    for (const piece of [1, 5, 4096]) {
      const { records } = await readLog(sourceOf(encodeUtf8(hard)), undefined, {
        pieceBytes: piece,
      });
      const ofHard = (line: string | undefined) => encodeUtf8(line ?? '').length;
      const hardLines = hard.split('\n');
      expect(records).toEqual(
        expected.map(record => ({
          ...record,
          byteOffset: record.line === 1 ? 0 : ofHard(hardLines[0]) + ofHard(hardLines[1]) + 2,
        })),
      );
      expect(records.map(({ rank }) => rank)).toEqual(['TP5', 'TP5']);
    }
  });

  test('are read in the last line of a text that is still written', () => {
    expect(readLogText(hard.slice(0, hard.indexOf('\n'))).records).toHaveLength(1);
  });
});
