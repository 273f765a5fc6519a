/** Where the JSON says a line stands, which number it shows, and what `check` calls a death. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { file, kvlens, kvlensJson } from './kvlens';

interface Place {
  readonly line: number;
  readonly file?: number;
  readonly byteOffset?: number;
}

interface Explained {
  readonly files: readonly {
    readonly paths?: readonly string[];
    readonly runs: readonly {
      readonly byteOffset: number;
      readonly verdict: { readonly lines: readonly number[]; readonly places: readonly Place[] };
      readonly problems: readonly (Place & { readonly code: string })[];
    }[];
  }[];
}

/** Every object of the JSON for which the test holds. */
function found<T>(value: unknown, isOne: (one: object) => boolean): T[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const inner = Object.values(value).flatMap(one => found<T>(one, isOne));
  return isOne(value) ? [value as T, ...inner] : inner;
}

/** The offset of each 1-based line of a file whose lines end at LF. */
function offsetsIn(path: string): number[] {
  const bytes = readFileSync(path);
  const offsets = [0, 0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    offsets.push(at + 1);
  }
  return offsets;
}

const start = '2026-03-01 09:00';

const nodes = [
  [
    'ünrelated first line',
    `[${start}:00 TP0] Load weight begin. avail mem=78.40 GB`,
    `[${start}:30 TP0] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=62.10 GB, mem usage=16.30 GB.`,
    `[${start}:31 TP0] KV Cache is allocated. #tokens: 400000, K size: 24.41 GB, V size: 24.41 GB`,
    `[${start}:31 TP0] Memory pool end. avail mem=13.20 GB`,
  ],
  [
    `[${start}:00 TP1] Load weight begin. avail mem=78.40 GB`,
    `[${start}:30 TP1] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=59.10 GB, mem usage=19.30 GB.`,
    `[${start}:31 TP1] KV Cache is allocated. #tokens: 400000, K size: 24.41 GB, V size: 24.41 GB`,
    `[${start}:31 TP1] Memory pool end. avail mem=10.20 GB`,
    `[${start}:40 TP1] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 12.00 GiB. GPU 0 has a total capacity of 79.11 GiB of which 10.00 GiB is free.`,
  ],
] as const;

describe('places in the JSON', () => {
  test('the files of one server are named, and every line says its file and offset', async () => {
    const paths = nodes.map((lines, index) => file(`merge${index}.log`, `${lines.join('\n')}\n`));
    const json = (await kvlensJson('explain', '--merge', ...paths)) as Explained;
    expect(json.files[0]!.paths).toEqual(paths);
    const offsets = paths.map(offsetsIn);
    const run = json.files[0]!.runs[0]!;
    expect(run.verdict.places).toEqual([{ line: 5, file: 1, byteOffset: offsets[1]![5] }]);
    const problem = run.problems.find(({ code }) => code === 'not-enough-memory');
    expect(problem).toMatchObject({ line: 5, file: 1, byteOffset: offsets[1]![5] });
    const places = found<Place>(run, one => 'kind' in one && one.kind === 'printed');
    expect(new Set(places.map(place => place.file ?? 0))).toEqual(new Set([0, 1]));
    for (const { line, file: index = 0, byteOffset } of places) {
      expect(byteOffset).toBe(offsets[index]![line]);
    }
  });

  test('the report of one server of several files names the file of each line', async () => {
    const paths = nodes.map((lines, index) => file(`merge${index}.log`, `${lines.join('\n')}\n`));
    const { stdout } = await kvlens('explain', '--merge', ...paths);
    expect(stdout).toMatch(/ {2}merge1\.log:\d/);
    const { stdout: single } = await kvlens('explain', paths[1]!);
    expect(single).not.toContain('merge1.log:');
  });

  test('offsets count bytes, also after a line that is not ASCII', async () => {
    const path = file('bytes.log', `${nodes[0].join('\n')}\n`);
    const { files } = (await kvlensJson('explain', path)) as Explained;
    const places = found<Place>(files, one => 'kind' in one && one.kind === 'printed');
    const begin = places.find(({ line }) => line === 2);
    expect(begin).toEqual({ kind: 'printed', line: 2, byteOffset: offsetsIn(path)[2] });
    expect(begin?.byteOffset).toBe(22);
    expect(files[0]!.paths).toBeUndefined();
  });
});

describe('the value of a quantity', () => {
  test.each(['seed-failing.log', 'seed-baseline.log', 'seed-restart.log'])(
    'lies within its bounds in %s, and the printed number stays beside it',
    async name => {
      const json = await kvlensJson('explain', join(import.meta.dirname, '../../sample', name));
      const values = found<{
        readonly lo: number | null;
        readonly hi: number | null;
        readonly value: number;
        readonly printed?: number;
      }>(json, one => 'lo' in one && 'value' in one);
      expect(values.length).toBeGreaterThan(20);
      for (const { lo, hi, value } of values) {
        expect(value).toBeGreaterThanOrEqual(lo ?? -Infinity);
        expect(value).toBeLessThanOrEqual(hi ?? Infinity);
      }
      if (name === 'seed-failing.log') {
        expect(values.some(({ printed, hi }) => printed === 21.697 && (hi ?? 0) < 21.697)).toBe(
          true,
        );
      }
    },
  );
});

describe('check', () => {
  const deaths: readonly (readonly [string, string, string])[] = [
    [
      'a host that refuses the cache',
      `[${start}:00 TP0] Load weight begin. avail mem=78.40 GB
ValueError: Not enough host memory available. Requesting 126.79 GB but only have 101.20 GB free. Please reduce the size of the hierarchical cache.`,
      'not-enough-memory',
    ],
    [
      'a process that the kernel killed',
      `[${start}:00 TP0] Load weight begin. avail mem=78.40 GB
[${start}:30] Rank 1 scheduler died during initialization (exit code: -9). If exit code is -9 (SIGKILL), a common cause is the OS OOM killer.`,
      'not-enough-memory',
    ],
    [
      'a pool without tokens for the batch',
      `[${start}:00 TP0] Decode batch. #running-req: 200, #token: 158000, token usage: 0.99, cuda graph: True, gen throughput (token/s): 4000.00, #queue-req: 30
RuntimeError: Decode out of memory. Try to lower your batch size.
Try to allocate 200 tokens.
Available tokens: 120 (available_size=100 + evictable_size=20)`,
      'tiny-pool',
    ],
  ];

  test.each(deaths)('names %s and exits with 1', async (_, text, code) => {
    const { code: exit, stdout } = await kvlens('check', file('death.log', `${text}\n`));
    expect(stdout).toMatch(new RegExp(`:2: error: .*\\[${code}\\]`));
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(exit).toBe(1);
  });

  test('a server that gives requests back and goes on has nothing that fails a check', async () => {
    const path = file(
      'retracts.log',
      `[${start}:00 TP0] Decode batch. #running-req: 40, #token: 98000, token usage: 0.98, gen throughput (token/s): 900.00, #queue-req: 3
[${start}:01 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_tokens_gained: 2450, #aborted_retracted_reqs: 0
[${start}:02 TP0] Decode batch. #running-req: 39, #token: 96000, token usage: 0.96, gen throughput (token/s): 900.00, #queue-req: 4
`,
    );
    const { code, stdout } = await kvlens('check', path);
    expect(code).toBe(0);
    expect(stdout).toMatch(/retracts\.log:2: information: The KV pool is full .* \[tiny-pool\]\n$/);
  });
});
