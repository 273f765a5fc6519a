/** Hovers over every line of a start-up: the 95th percentile against a budget of 20 ms. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountOfLog } from '../../src/core/account/account';
import { logHover } from '../../src/core/annotate/log/logHover';
import { readLogText } from '../../src/core/log/readLog';
import type { Ratio } from './logBench';

/** Milliseconds that a hover may take (design section 7). */
const budget = 20;

/** Measures on the failing sample, whose sizing lines have the longest hovers. */
export function benchHover(root: string): Ratio[] {
  const reading = readLogText(readFileSync(join(root, 'sample/seed-failing.log'), 'utf8'));
  const [account] = accountOfLog(reading);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    for (const record of reading.records) {
      const start = performance.now();
      logHover(account, record, record.line, record.start);
      times.push(performance.now() - start);
    }
  }
  times.sort((a, b) => a - b);
  const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
  return [{ what: 'hover on a log line, p95 / 20 ms', ours: p95, theirs: budget, target: 1 }];
}
