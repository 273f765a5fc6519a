/**
 * The account of damaged, shuffled and invented logs: never an exception, never an empty interval,
 * never a number that the printed lines do not allow.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { LogTextReader, readLogText } from '../../../src/core/log/readLog';
import { explainJson } from '../../../src/core/report/explainJson';
import { runReport } from '../../../src/core/report/runReport';
import type { QuantityId } from '../../../src/core/sglang/quantityId';
import type { Quantity } from '../../../src/core/units/quantity';

/** A start of four ranks with speculation, as releases around 0.5.5 print it. */
const start = [
  "[2025-11-10 08:00:00] server_args=ServerArgs(model_path='/models/m', tp_size=4, mem_fraction_static=0.85, max_total_tokens=None, page_size=1, context_length=None)",
  ...ranks(rank => `Init torch distributed ends. mem usage=${rank === 3 ? '1.10' : '0.95'} GB`),
  ...ranks(rank => `Load weight begin. avail mem=${rank === 2 ? '77.90' : '78.20'} GB`),
  ...ranks(
    rank =>
      `Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=${rank === 2 ? '43.40' : '43.70'} GB, mem usage=34.50 GB.`,
  ),
  ...ranks(() => 'KV Cache is allocated. #tokens: 403456, K size: 15.86 GB, V size: 15.86 GB'),
  ...ranks(rank => `Memory pool end. avail mem=${rank === 2 ? '11.10' : '11.40'} GB`),
  ...ranks(
    () => 'Capture cuda graph begin. This can take up to several minutes. avail mem=10.90 GB',
  ),
  ...ranks(
    () => 'Capture cuda graph end. Time elapsed: 9.50 s. mem usage=1.20 GB. avail mem=9.70 GB.',
  ),
  '[2025-11-10 08:03:00 TP0] max_total_num_tokens=403456, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=32768, available_gpu_mem=9.60 GB',
  '[2025-11-10 08:03:30] The server is fired up and ready to roll!',
  '[2025-11-10 08:04:00 TP0] Decode batch. #running-req: 12, #token: 201728, token usage: 0.50, cuda graph: True, gen throughput (token/s): 800.00, #queue-req: 0, ',
];

/** Lines that end, disturb or contradict a start. */
const disturbances = [
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.20 GiB is free.',
  '[2025-11-10 08:02:00 TP1] Scheduler hit an exception: Traceback (most recent call last):',
  'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=0.85',
  '[2025-11-10 08:02:10 TP2] Load weight begin. avail mem=-0.01 GB',
  '[2025-11-10 08:02:10 TP2] Load weight end. type=X, dtype=torch.bfloat16, avail mem=99999.99 GB, mem usage=-5.00 GB.',
  '[2025-11-10 08:02:20 TP0] Mamba Cache is allocated. max_mamba_cache_size: 0, conv_state size: 0.00GB, ssm_state size: 0.00GB ',
  '[2025-11-10 08:02:20 TP0] KV Cache is allocated. #tokens: 0, K size: 0.00 GB, V size: 0.00 GB',
  '[2025-11-10 08:02:20 TP0] Decode batch. #running-req: 0, #token: 0, token usage: 0.00, gen throughput (token/s): 0.00, #queue-req: 9, ',
  '[2025-11-10 08:02:20 TP0] Decode batch. #running-req: 3, #token: 99, token usage: 7.50, gen throughput (token/s): 0.00, #queue-req: 9, ',
  'ValueError: Not enough host memory available. Requesting 40.00 GB but only have 4.87 GB free. Please reduce the size of the hierarchical cache.',
  '[2025-11-10 08:02:30 TP0] Allocating 40.00 GB host memory for hierarchical KV cache.',
  '[2025-11-10 08:02:30] max_total_tokens=20480 is larger than the profiled value -89624. Use the profiled value instead.',
  'DEBUG profile_max_num_token: avail=21.697 GiB, total=93.999 GiB, fraction=0.55, reserved=42.300 GiB, rest=-10.603 GiB, cell_size=0, max_tokens=-314811',
  'ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=0.95. Raise --mem-fraction-static above 0.912 (minimum viable = 1 - available/pre = 0.9113).',
  '[2025-11-10 08:02:40 TP0] Memory profiling: available_gpu_memory=57.01 GB, total_gpu_memory=0.00 GB, mem_fraction_static=0.60, rest_memory=19.58 GB',
  '[2025-11-10 08:02:50 TP3] Post-capture KV sizing: max_total_num_tokens=5, free memory=3.00 GB',
  'RuntimeError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes. min_per_gpu_memory=10.5, local_gpu_memory=70.25, local_gpu_memory * 0.9=63.225',
];

function ranks(line: (rank: number) => string): string[] {
  return [0, 1, 2, 3].map(rank => `[2025-11-10 08:01:00 TP${rank}] ${line(rank)}`);
}

function fractionsOf(fraction: RunAccount['fraction']): (Quantity | undefined)[] {
  return Object.values(fraction) as (Quantity | undefined)[];
}

function accountsOf(lines: readonly string[]): RunAccount[] {
  return accountOfLog(readLogText(lines.join('\n')));
}

/** Everything that surfaces show can be made, and every interval holds something. */
function expectSound(accounts: readonly RunAccount[]): void {
  for (const account of accounts) {
    runReport(account);
    const { fraction, quantities, ranks: members } = account;
    const all = [
      ...quantities.values(),
      ...fractionsOf(fraction),
      ...members.flatMap(rank => [
        ...rank.quantities.values(),
        ...rank.ledger.map(({ size }) => size),
      ]),
    ];
    for (const quantity of all) {
      if (quantity !== undefined) {
        const { lo, hi } = quantity.interval;
        expect(lo <= hi, `${lo} ${hi}`).toBe(true);
      }
    }
  }
  JSON.stringify(explainJson([{ path: 'x', accounts }], text => text.id));
}

/** Of these a log that only lost lines may say less, but nothing else. */
const stable: readonly QuantityId[] = [
  'maxTotalTokens',
  'allocatedBytesPerToken',
  'contextLength',
  'maxRunningRequests',
  'requestToTokenPool',
  'memFractionStatic',
  'kvPool',
];

const options = { numRuns: 60 } as const;

describe('the account of any log', () => {
  const whole = accountsOf(start);

  test('of the whole start is what its lines say', () => {
    const [account] = whole;
    expect(account?.outcome.kind).toBe('ok');
    expect(account?.ranks.find(({ isBinding }) => isBinding)?.rank).toBe('TP2');
    // 1 - (43.40 - 31.72) / 77.90.
    const { lo, hi } = account!.fraction.implied!.interval;
    expect([lo <= 0.85006, hi >= 0.85006, hi - lo < 0.002]).toEqual([true, true, true]);
  });

  test('survives lines that are lost, and says nothing else', () => {
    fc.assert(
      fc.property(fc.subarray(start), kept => {
        const accounts = accountsOf(kept);
        expectSound(accounts);
        expect(accounts.length).toBeLessThanOrEqual(1);
        for (const id of stable) {
          const [before, after] = [whole, accounts].map(all => all[0]?.quantities.get(id));
          if (before && after) {
            const overlaps =
              after.interval.lo <= before.interval.hi && before.interval.lo <= after.interval.hi;
            expect(overlaps, id).toBe(true);
          }
        }
      }),
      options,
    );
  });

  test('is the same for every interleaving of the ranks', () => {
    const values = (accounts: readonly RunAccount[]): unknown =>
      accounts.map(({ outcome, quantities, fraction, problems }) => [
        outcome.kind,
        [...quantities].map(([id, { interval }]) => [id, interval]),
        fractionsOf(fraction).map(value => value?.interval),
        problems.map(({ code }) => code),
      ]);
    const expected = values(whole);
    const ofRanks = [0, 1, 2, 3].map(rank => start.filter(line => line.includes(` TP${rank}] `)));
    const head = start.slice(0, 1);
    const ready = start.filter(line => line.includes('fired up'));
    const decode = start.filter(line => line.includes('Decode batch'));
    const order = fc.shuffledSubarray(
      ofRanks.flatMap((lines, rank) =>
        lines.filter(line => !decode.includes(line)).map(() => rank),
      ),
      { minLength: start.length - 3 },
    );
    fc.assert(
      fc.property(order, turns => {
        const queues = ofRanks.map(lines => [...lines].filter(line => !decode.includes(line)));
        const mixed = turns.flatMap(rank => queues[rank]?.shift() ?? []);
        expect(values(accountsOf([...head, ...mixed, ...ready, ...decode]))).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  test('survives lines of other ends and of nonsense between its own', () => {
    const line = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...start) },
      { weight: 2, arbitrary: fc.constantFrom(...disturbances) },
      { weight: 1, arbitrary: fc.string({ maxLength: 60, unit: 'binary' }) },
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), lines => {
        expectSound(accountsOf(lines));
      }),
      { numRuns: 120 },
    );
  });

  test('survives numbers that were changed', () => {
    const number = fc.constantFrom('0', '-1', '0.00', '999999999999', '1e308', '-0.00', '00.1');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(start.length - 1), fc.nat(3), number), { maxLength: 6 }),
        changes => {
          const lines = [...start];
          for (const [at, which, text] of changes) {
            let seen = 0;
            lines[at] = (lines[at] ?? '').replace(/(?<==| )\d+(?:\.\d+)?(?= GB|,)/g, old =>
              seen++ === which ? text : old,
            );
          }
          expectSound(accountsOf(lines));
        },
      ),
      options,
    );
  });

  test('is the same for every way to cut the text into pieces', () => {
    const text = [...start, ...disturbances.slice(0, 2)].join('\n');
    const json = (accounts: readonly RunAccount[]): string =>
      JSON.stringify(explainJson([{ path: 'x', accounts }], ({ id }) => id));
    const expected = json(accountOfLog(readLogText(text)));
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), cuts => {
        const reader = new LogTextReader();
        let at = 0;
        for (const cut of [...cuts.sort((a, b) => a - b), text.length]) {
          reader.push(text.slice(at, cut));
          at = cut;
        }
        expect(json(accountOfLog(reader.reading()))).toBe(expected);
      }),
      { numRuns: 20 },
    );
  });
});
