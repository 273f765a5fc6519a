/** One MiB appended to a long log that is open: only what is new is read. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogReader } from '../../src/core/log/readLog';
import { findByte } from '../../src/node/fileSource';
import type { Ratio } from './logBench';
import { servingLine } from './servingLog';

/** Milliseconds that an append of 1 MiB may take (design section 7). */
const budget = 10;
const appendBytes = 1 << 20;

/** Measures on a log of 50 MiB in memory. */
export async function benchAppend(root: string): Promise<Ratio[]> {
  const startUp = readFileSync(join(root, 'sample/seed-baseline.log'), 'utf8');
  const lines: string[] = [startUp];
  let length = startUp.length;
  for (let step = 0; length < 62 * appendBytes; step += 1) {
    const line = servingLine(step);
    lines.push(line);
    length += line.length;
  }
  const all = Buffer.from(lines.join(''));
  let end = 50 * appendBytes;
  const source = {
    read: (offset: number, size: number) =>
      Promise.resolve(all.subarray(offset, Math.min(end, offset + size))),
  };
  const results: Ratio[] = [];
  for (const series of [false, true]) {
    end = 50 * appendBytes;
    const reader = new LogReader(source, undefined, { findByte, series });
    await reader.read();
    const times: number[] = [];
    while (end + appendBytes < all.length) {
      end += appendBytes;
      const start = performance.now();
      await reader.read();
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    results.push({
      what: `append of 1 MiB${series ? ' with series' : ''}, median / 10 ms`,
      ours: times[times.length >> 1] ?? NaN,
      theirs: budget,
      target: 1,
    });
  }
  return results;
}
