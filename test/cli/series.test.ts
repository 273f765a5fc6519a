/** The course of serving and saved answers of a server, as a person asks for them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kvlens } from './kvlens';

const folder = mkdtempSync(join(tmpdir(), 'kvlens-series-'));
const log = join(folder, 'server.log');
const packed = join(folder, 'server.log.gz');
const answer = join(folder, 'server_info.json');

const batch = (second: number, usage: string, queue: number): string =>
  `[2026-03-01 08:00:${String(second).padStart(2, '0')} TP0] Decode batch. #running-req: 1, #token: 99, token usage: ${usage}, cuda graph: True, gen throughput (token/s): 31.40, #queue-req: ${queue}, `;
const text = [
  '[2026-03-01 08:00:00 TP0] Memory pool end. avail mem=21.60 GB',
  batch(1, '0.25', 0),
  batch(2, '0.97', 12),
  '[2026-03-01 08:00:03 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 4, #new_token_ratio: 0.3119 -> 0.5217',
  batch(4, '0.50', 3),
  '',
].join('\n');

beforeAll(() => {
  writeFileSync(log, text);
  writeFileSync(packed, gzipSync(text));
  writeFileSync(
    answer,
    JSON.stringify({
      mem_fraction_static: 0.88,
      tp_size: 1,
      internal_states: [
        { memory_usage: { weight: 14.2, kvcache: 20, token_capacity: 163840, graph: 1.37 } },
      ],
      version: '0.5.9',
    }),
  );
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Explained {
  readonly files: readonly {
    readonly runs: readonly {
      readonly quantities: Readonly<Record<string, { readonly lo: number; readonly hi: number }>>;
      readonly series?: readonly {
        readonly rank: string;
        readonly seconds: readonly number[];
        readonly metrics: Readonly<
          Record<string, { readonly max: readonly (number | null)[]; readonly unit: string }>
        >;
      }[];
    }[];
  }[];
}

async function explain(...args: readonly string[]): Promise<Explained['files'][number]['runs']> {
  const { stdout } = await kvlens('explain', '--json', ...args);
  return (JSON.parse(stdout) as Explained).files.flatMap(({ runs }) => runs);
}

describe('explain --series', () => {
  test.each([log, packed])('gives the course of each rank: %#', async path => {
    const [run] = await explain('--series', path);
    expect(run?.series?.map(({ rank, seconds }) => [rank, seconds])).toEqual([
      ['TP0', [0, 1, 2, 3]],
    ]);
    const { metrics } = run?.series?.[0] ?? {};
    expect(metrics?.['usage']).toMatchObject({ max: [0.25, 0.97, null, 0.5], unit: '1' });
    expect(metrics?.['retracted']).toMatchObject({ max: [null, null, 4, null], unit: 'request' });
  });

  test('says in the report how full the pool was and what was put back', async () => {
    const { stdout } = await kvlens('explain', '--series', log);
    expect(stdout).toMatch(/ 97(?:\.0)? % full/);
    expect(stdout).toContain('line 3');
    expect(stdout).toMatch(/Retractions: 1; requests put back into the queue: 4\./);
  });

  test('gives no course that was not asked for', async () => {
    const [run] = await explain(log);
    expect(run?.series).toBeUndefined();
    expect((await kvlens('explain', log)).stdout).not.toContain('Retractions');
  });
});

test('explain reads a saved answer of the server', async () => {
  const [run] = await explain(answer);
  expect(run?.quantities['kvPool']).toMatchObject({ lo: 19.995, hi: 20.005 });
  expect(run?.quantities['weights']).toMatchObject({ lo: 14.195, hi: 14.205 });
});
