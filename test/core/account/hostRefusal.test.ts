/** A refused host pool: a size is offered only where the release starts with it. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { startsWithHostPool } from '../../../src/core/account/hostMemory';
import { readLogText } from '../../../src/core/log/readLog';
import { givenQuantity } from '../../../src/core/units/givenQuantity';
import { units } from '../../../src/core/units/unit';
import { terminalWording } from './wording';

/** A pool of 2 x 17.79 GiB = 38.20 GB (10^9) on each of two ranks. */
function refused(free: string): string {
  const log = [
    `[2026-05-05 10:00:01] server_args=ServerArgs(model_path='x/M', mem_fraction_static=0.85, tp_size=2, dp_size=1, hicache_size=100)`,
    ...['TP0', 'TP1'].flatMap(rank => [
      `[2026-05-05 10:00:10 ${rank}] Load weight begin. avail mem=78.10 GB`,
      `[2026-05-05 10:01:10 ${rank}] Load weight end. elapsed=60.10 s, type=Qwen3ForCausalLM, avail mem=47.30 GB, mem usage=30.80 GB.`,
      `[2026-05-05 10:01:11 ${rank}] KV Cache is allocated. #tokens: 291456, K size: 17.79 GB, V size: 17.79 GB`,
      `[2026-05-05 10:01:12 ${rank}] Memory pool end. avail mem=11.40 GB`,
    ]),
    '[2026-05-05 10:01:50 TP1] Scheduler hit an exception: Traceback (most recent call last):',
    `ValueError: Not enough host memory available. Requesting 100.00 GB but only have ${free} GB free. Please reduce the size of the hierarchical cache.`,
    '',
  ].join('\n');
  return terminalWording(accountOfLog(readLogText(log))[0]!);
}

test('none is offered that is below the device pool, which a start up to 0.5.14 refuses', () => {
  // 60.31 / 2 = 30 GB, less than 38.20.
  const text = refused('60.31');
  expect(text).not.toMatch(/--hicache-size \d+ fits/);
  expect(text).toContain('has to be larger than the KV pool');
});

test('one above it is', () => {
  // 84.10 / 2 = 42 GB, more than 38.20.
  expect(refused('84.10')).toContain('--hicache-size 42 fits');
});

test.each([
  ['0.5.14', 38, false],
  ['0.5.14', 39, true],
  ['0.5.15', 30, true],
  // --hicache-size came with 0.4.5.post3.
  ['0.4.5.post2', 90, false],
])('%s starts with %i GB beside a device pool of 35.58 GiB: %s', (release, eachGB, starts) => {
  const pool = givenQuantity(35.58, units.GiB, 'pool');
  const run = { release: { kind: 'range', from: release, to: release } } as const;
  expect(startsWithHostPool(run, eachGB, pool)).toBe(starts);
});
