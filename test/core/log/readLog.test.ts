import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LogReader, readLog, readLogText } from '../../../src/core/log/readLog';
import type { LogRecord } from '../../../src/core/log/record';
import type { LogReading } from '../../../src/core/log/run';
import { GrowingSource, sourceOf } from './memorySource';

/** Everything that a reading says, without the form objects. */
function summarise({ records, runs, lineCount }: LogReading): unknown {
  const plain = (record: LogRecord): unknown => ({
    ...record,
    form: record.form.id,
    spelling: record.spelling?.releases,
  });
  return {
    lineCount,
    records: records.map(plain),
    runs: runs.map(run => ({
      ...run,
      records: run.records.length,
      ranks: run.ranks.map(log => [log.rank, log.target.map(plain), log.draft.map(plain)]),
    })),
  };
}

const messages = [
  "server_args=ServerArgs(model_path='/m', tp_size=2, mem_fraction_static=0.875)",
  'Init torch distributed begin.',
  'Init torch distributed ends. elapsed=1.00 s, mem usage=0.95 GB',
  'Load weight begin. avail mem=94.00 GB',
  'Load weight end. elapsed=588.40 s, type=A, dtype=torch.bfloat16, avail mem=21.71 GB, mem usage=72.29 GB.',
  'KV Cache is allocated. #tokens: 159287, ',
  'K size: 5.21 GB, V size: 5.21 GB',
  'Memory pool end. avail mem=9.22 GB',
  'Capturing batches (bs=1 avail_mem=7.91 GB): 100%',
  'max_total_num_tokens=159287',
  'Scheduler hit an exception: Traceback (most recent call last):',
  'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
  'Current value: self.server_args.mem_fraction_static=0.55',
  'The server is fired up and ready to roll!',
  'Decode batch, #running-req: 4, #token: 12, token usage: 0.01, cuda graph: True, gen throughput (token/s): 1.00, #queue-req: 3',
  'INFO:     127.0.0.1:1 - "GET / HTTP/1.1" 200 OK',
  'text with ümlauts 模型 😀',
  '',
] as const;
const prefixes = [
  '',
  '[2026-02-27 10:12:30] ',
  '[2026-02-27 10:12:30 TP0] ',
  '[2026-02-27 10:12:30 TP1] ',
  '2026-02-27T10:02:20.1Z stderr F [2026-02-27 10:02:20 TP1] ',
  '2026-02-27T10:02:20.1Z stderr P ',
  '\u001b[32m[2026-02-27 10:12:30 TP0] ',
] as const;
const logLine = fc
  .tuple(
    fc.constantFrom(...prefixes),
    fc.constantFrom(...messages),
    fc.constantFrom('\n', '\r\n', '\r', ''),
  )
  .map(parts => parts.join(''));
const logText = fc.array(logLine, { maxLength: 25 }).map(lines => lines.join(''));

describe('reading', () => {
  test('is the same for every way to cut the bytes into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(logText, fc.integer({ min: 1, max: 40 }), async (text, pieceBytes) => {
        const whole = await readLog(sourceOf(text));
        const pieces = await readLog(sourceOf(text), new TextDecoder(), {
          pieceBytes,
          findByte: (bytes, byte, from) => bytes.indexOf(byte, from),
        });
        expect(summarise(pieces)).toEqual(summarise(whole));
      }),
      { numRuns: 150 },
    );
  });

  test('is the same after appending as when read at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(logText, { minLength: 1, maxLength: 4 }), async parts => {
        const source = new GrowingSource();
        const reader = new LogReader(source);
        let reading = await reader.read();
        for (const part of parts) {
          source.append(part);
          reading = await reader.read();
        }
        expect(summarise(reading)).toEqual(summarise(await readLog(sourceOf(parts.join('')))));
      }),
      { numRuns: 60 },
    );
  });

  test('reads only new bytes after an append', async () => {
    const source = new GrowingSource();
    source.append('Memory pool end. avail mem=9.22 GB\n');
    const reader = new LogReader(source);
    await reader.read();
    source.reads.length = 0;
    source.append('Memory pool end. avail mem=9.2');
    const cut = await reader.read();
    expect(Math.min(...source.reads)).toBe(35);
    expect(cut.records.map(record => record.fields['avail']?.text)).toEqual(['9.22', undefined]);
    source.append('3 GB\n');
    const whole = await reader.read();
    expect(whole.records.map(record => record.fields['avail']?.text)).toEqual(['9.22', '9.23']);
    expect(whole.lineCount).toBe(2);
  });

  test('never throws on arbitrary bytes', async () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 30 }),
      logText.map(text => new TextEncoder().encode(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { maxLength: 8 }), async pieces => {
        const bytes = Uint8Array.from(pieces.flatMap(piece => [...piece]));
        const { runs, lineCount } = await readLog(sourceOf(bytes));
        for (const run of runs) {
          expect(run.lines[0]).toBeGreaterThanOrEqual(1);
          expect(run.lines[1]).toBeLessThanOrEqual(Math.max(lineCount, 1));
        }
      }),
      { numRuns: 150 },
    );
  });

  test('gives each rank the same records however the ranks interleave', () => {
    const ranks = ['TP0', 'TP1', 'TP2'] as const;
    const start = (rank: string): readonly string[] =>
      [1, 2, 3, 4, 7].map(index => `[2026-02-27 10:12:30 ${rank}] ${messages[index] ?? ''}`);
    const expected = start('TP0').length;
    const order = fc.shuffledSubarray(
      ranks.flatMap(rank => Array.from({ length: expected }, () => rank)),
      { minLength: expected * ranks.length },
    );
    fc.assert(
      fc.property(order, turns => {
        const queues = new Map(ranks.map(rank => [rank, [...start(rank)]]));
        const lines = turns.map(rank => queues.get(rank)?.shift() ?? '');
        const { runs } = readLogText(lines.join('\n'));
        expect(runs).toHaveLength(1);
        for (const log of runs[0]?.ranks ?? []) {
          expect(log.records.map(record => record.form.id)).toEqual([
            'init-begin',
            'init-end',
            'load-begin',
            'load-end',
            'pool-end',
          ]);
        }
      }),
    );
  });

  test('a number at the very end of a file that can grow is not a number yet', async () => {
    const text = 'max_total_num_tokens=159287';
    const growing = await readLog(sourceOf(text));
    expect(growing.records[0]?.fields['tokens']).toBeUndefined();
    expect(readLogText(text).records[0]?.fields['tokens']?.value).toBe(159287n);
  });

  test('stops when it is cancelled and goes on later', async () => {
    const source = new GrowingSource();
    source.append('Memory pool end. avail mem=9.22 GB\n');
    const reader = new LogReader(source);
    const cancelled = await reader.read({ isCancellationRequested: true });
    expect(cancelled.byteLength).toBe(0);
    expect((await reader.read()).records).toHaveLength(1);
  });
});

describe('long logs', () => {
  const batch = (index: number): string =>
    `[2026-02-27 10:13:03 TP0] Decode batch, #running-req: ${index}, #token: 12, token usage: 0.01, cuda graph: True, gen throughput (token/s): 1.00, #queue-req: 3\n`;

  test('keep the first batch lines and samples of the others, whatever the pieces', async () => {
    const lines = Array.from({ length: 80_000 }, (_, index) => batch(index));
    lines.splice(
      60_000,
      0,
      '[2026-02-27 10:13:03 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 3, #new_token_ratio: 0.3110 -> 0.5000\n',
    );
    const text = lines.join('');
    const first = await readLog(sourceOf(text));
    const second = await readLog(sourceOf(text), undefined, { pieceBytes: 77_777 });
    expect(second.records.map(record => record.line)).toEqual(
      first.records.map(record => record.line),
    );
    expect(
      first.records.filter(record => record.form.id === 'decode-batch').length,
    ).toBeGreaterThan(512);
    expect(first.records.length).toBeLessThan(600);
    expect(
      first.records.some(record => record.form.id === 'retraction' && record.line === 60_001),
    ).toBe(true);
    expect(first.lineCount).toBe(80_001);
  });

  test('count repeated messages that are not kept', () => {
    const line =
      '[2026-02-27 10:13:03 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 3, #new_token_ratio: 0.3110 -> 0.5000\n';
    const { records, repeats } = readLogText(line.repeat(1500));
    expect(records.length + [...repeats.values()].reduce((sum, count) => sum + count, 0)).toBe(
      1500,
    );
    expect(records.length).toBeLessThan(1100);
  });
});
