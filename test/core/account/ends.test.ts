/**
 * How runs end: kind, phase, the error's own figures, one direction and by how much. The logs are
 * written for the test; figures are calculated beside them.
 */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { summaryMessage } from '../../../src/core/account/accountSummary';
import { readLogText } from '../../../src/core/log/readLog';
import type { Quantity } from '../../../src/core/units/quantity';
import { terminalWording } from './wording';

function accounts(text: string): RunAccount[] {
  return accountOfLog(readLogText(text));
}

function only(text: string): RunAccount {
  const all = accounts(text);
  expect(all).toHaveLength(1);
  return all[0]!;
}

function expectAround(quantity: Quantity | undefined, value: number, widest: number): void {
  expect(quantity).toBeDefined();
  const { lo, hi } = quantity!.interval;
  expect([lo <= value, hi >= value, hi - lo <= widest]).toEqual([true, true, true]);
}

const args = (more = '') =>
  `[2025-10-01 09:59:30] server_args=ServerArgs(model_path='/models/llama 3', tp_size=1, mem_fraction_static=0.95, page_size=1, max_total_tokens=None, api_key='hidden'${more})`;

const begin = '[2025-10-01 10:00:00] Load weight begin. avail mem=78.50 GB';
const loaded =
  '[2025-10-01 10:01:00] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.50 GB, mem usage=15.00 GB.';
// 63.50 - 78.50 x 0.05 = 59.575 GiB of 131,072 B.
const pool =
  '[2025-10-01 10:01:01] KV Cache is allocated. #tokens: 488038, K size: 29.79 GB, V size: 29.79 GB';
const poolEnd = '[2025-10-01 10:01:01] Memory pool end. avail mem=3.60 GB';
const capture =
  '[2025-10-01 10:01:02] Capture cuda graph begin. This can take up to several minutes. avail mem=3.50 GB';
const captured =
  '[2025-10-01 10:01:20] Capture cuda graph end. Time elapsed: 18.00 s. mem usage=2.00 GB. avail mem=1.50 GB.';
const summary =
  '[2025-10-01 10:01:21] max_total_num_tokens=488038, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=1.40 GB';
const ready = '[2025-10-01 10:01:30] The server is fired up and ready to roll!';
const traceback =
  '[2025-10-01 10:01:35] Scheduler hit an exception: Traceback (most recent call last):';

/** 2.00 GiB asked for with 1.20 GiB free. */
const outOfMemory =
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.20 GiB is free. Including non-PyTorch memory, this process has 77.80 GiB memory in use.';

const failing = (...lines: string[]): RunAccount =>
  only([args(), ...lines, traceback, '  File "a.py", line 1', outOfMemory, ''].join('\n'));

describe('an allocation of the device that failed', () => {
  test.each([
    ['load-oom', 'weights', 'load', [begin]],
    ['pool-oom', 'sizing', 'pools', [begin, loaded]],
    ['pool-oom', 'pools', 'after-pools', [begin, loaded, pool, poolEnd]],
    ['graph-oom', 'capture', 'capture', [begin, loaded, pool, poolEnd, capture]],
    ['graph-oom', 'capture', 'capture', [begin, loaded, pool, poolEnd, capture, captured]],
    [
      'runtime-oom',
      'serving',
      'serving',
      [begin, loaded, pool, poolEnd, capture, captured, summary, ready],
    ],
  ] as const)('%s in %s: %s', (kind, phase, place, lines) => {
    const account = failing(...lines);
    expect(account.outcome).toMatchObject({ kind, phase });
    expect(account.shortage?.place).toBe(place);
    // 2.00 - 1.20 GiB, shown in MiB.
    expectAround(account.shortage?.missing, 0.8 * 1024, 0.0201 * 1024);
    expect(account.problems.map(({ code }) => code)).toContain('not-enough-memory');
  });

  test('while loading the fraction has no effect, and none is offered', () => {
    const account = failing(begin);
    expect(account.relief).toMatchObject({ lowerBy: undefined, row: undefined, flag: undefined });
    expect(account.fraction.maximum).toBeUndefined();
    expect(terminalWording(account)).toContain('fraction has no effect');
  });

  test('while capturing the fraction falls by what was missing, and the ceiling says so', () => {
    const account = failing(begin, loaded, pool, poolEnd, capture);
    expectAround(account.relief?.lowerBy, 0.8 / 78.5, 0.0003);
    expectAround(account.fraction.maximum, 0.95 - 0.8 / 78.5, 0.0015);
    // The largest hundredth that frees 1 GiB more: 0.9398 - 1 / 78.5 = 0.927.
    expect(account.relief?.flag).toBe('--mem-fraction-static 0.92');
    expect(account.problems[0]?.fix).toBe('--mem-fraction-static 0.92');
    // 63.50 - 78.50 x 0.08 = 57.22 GiB.
    expectAround(account.relief?.row?.tokens, (57.22 * 2 ** 30) / 131072, 1500);
  });

  test('what happened comes first with its numbers, then the cure', () => {
    const text = terminalWording(failing(begin, loaded, pool, poolEnd, capture));
    const [first = '', second = ''] = text.split(/(?<=[.:]) (?=[A-Z])/);
    expect(first).toMatch(/^Out of memory while capturing graphs.*missing\.$/);
    expect(second).toContain('--mem-fraction-static 0.92');
  });

  test('under sizing after capture a lower fraction is no cure', () => {
    const virtual =
      '[2026-08-10 10:01:01] KV Cache VA upper bound. dtype: torch.bfloat16, #tokens: 488038, K size: 29.79 GB, V size: 29.79 GB';
    const account = failing(begin, loaded, virtual, capture);
    expect(account.shortage?.isSizedLater).toBe(true);
    expect(account.relief?.flag).toBeUndefined();
    expect(terminalWording(account)).toContain('a lower fraction frees nothing');
  });

  test('with the draft loaded after the pools a lower fraction helps', () => {
    const account = failing(
      begin,
      loaded,
      pool,
      poolEnd,
      '[2025-10-01 10:01:10] Init torch distributed begin.',
      '[2025-10-01 10:01:12] Load weight begin. avail mem=3.50 GB',
    );
    expect(account.outcome).toMatchObject({ kind: 'load-oom', phase: 'weights' });
    expect(account.shortage?.place).toBe('load-draft');
    expect(account.relief?.lowerBy).toBeDefined();
  });

  test('more free than asked for means pieces, and nothing is said to be missing', () => {
    const text = outOfMemory.replace('1.20 GiB is free', '3.20 GiB is free');
    const account = only([begin, loaded, pool, poolEnd, capture, traceback, text].join('\n'));
    expect(account.shortage?.missing).toBeUndefined();
    expect(terminalWording(account)).toContain('in pieces');
  });

  test('alone it tells its figures, and neither phase nor flag', () => {
    const account = only(outOfMemory);
    expect(account.shortage?.place).toBe('unknown');
    expect(account.problems).toEqual([]);
    expect(terminalWording(account)).toBe(
      'Out of memory on the device: 2.00 GiB asked for, 1.20 GiB free, ≈ 819.20 MiB (±10.24) missing.',
    );
  });

  test('of another engine it names none of our flags', () => {
    const account = only(
      ['INFO 10-01 10:00:00 api_server.py:600] vLLM API server version 0.10.0', outOfMemory].join(
        '\n',
      ),
    );
    expect(account.run.engine.value).toBe('vllm');
    expect(account.problems).toEqual([]);
  });

  test('of another engine it does not say that it ended early: its lines are not read', () => {
    const account = only(
      [
        'INFO 10-01 10:00:00 api_server.py:600] vLLM API server version 0.10.0',
        'INFO 10-01 10:00:40 kv_cache_utils.py:715] GPU KV cache size: 245,904 tokens',
        'INFO 10-01 10:01:00 launcher.py:29] Available routes are:',
      ].join('\n'),
    );
    expect(summaryMessage(account).id).toBe('verdict.other-engine');
  });

  test('the launch to paste keeps the model, quotes it, changes the flag and holds no secret', () => {
    const account = failing(begin, loaded, pool, poolEnd, capture);
    expect(account.launch).toBe(
      "python3 -m sglang.launch_server --model-path '/models/llama 3' --mem-fraction-static 0.92",
    );
  });

  test('the attempt cost the seconds up to the failure', () => {
    // 09:59:30 to 10:01:35.
    expectAround(failing(begin, loaded, pool, poolEnd, capture).retry, 125, 2);
  });
});

describe('two runs of one server that fail from opposite sides', () => {
  const run = (fraction: string, ...lines: string[]): string =>
    [
      `[2025-10-01 09:59:30] server_args=ServerArgs(model_path='/m', tp_size=1, mem_fraction_static=${fraction}, page_size=1, max_total_tokens=None)`,
      ...lines,
    ].join('\n');
  const load = (free: string): string[] => [
    begin,
    `[2025-10-01 10:01:00] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=${free} GB, mem usage=74.00 GB.`,
  ];
  // Floor 1 - 4.50 / 78.50 = 0.9427.
  const low = run(
    '0.90',
    ...load('4.50'),
    'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=0.9',
  );
  // 4.50 - 78.50 x 0.05 = 0.575 GiB; ceiling 0.95 - 0.8 / 78.50 = 0.9398.
  const high = run(
    '0.95',
    ...load('4.50'),
    '[2025-10-01 10:01:01] KV Cache is allocated. #tokens: 4710, K size: 0.29 GB, V size: 0.29 GB',
    '[2025-10-01 10:01:01] Memory pool end. avail mem=3.60 GB',
    capture,
    traceback,
    outOfMemory,
  );

  test('the floor above the ceiling means that it cannot fit with these other flags', () => {
    const [first, second] = accounts(`${low}\n${high}`);
    expect(first?.outcome.kind).toBe('not-enough-memory');
    expect(second?.outcome.kind).toBe('graph-oom');
    for (const account of [first!, second!]) {
      expect(account.between?.isStuck).toBe(true);
      expectAround(account.between?.floor, 1 - 4.5 / 78.5, 0.0015);
      expect(account.problems[0]?.fix).toBeUndefined();
      expect(terminalWording(account)).toContain('With these other flags it cannot fit');
    }
  });

  test('one failing run with both samples is enough', () => {
    const [account] = accounts(high);
    expect(account?.between?.isStuck).toBe(true);
    expect(account?.relief?.flag).toBeUndefined();
  });

  test('a value between the two is not called stuck', () => {
    const roomy = run('0.95', begin, loaded, pool, poolEnd, capture, traceback, outOfMemory);
    const [account] = accounts(roomy);
    expect(account?.between?.isStuck).toBe(false);
    expect(account?.problems[0]?.fix).toBe('--mem-fraction-static 0.92');
  });
});

describe('the host', () => {
  const killed =
    '[2025-10-01 10:02:00] Rank 0 scheduler died during initialization (exit code: -9).';

  test('an exit by -9 is its memory', () => {
    const account = only([begin, killed].join('\n'));
    expect(account.outcome.kind).toBe('host-oom');
    expect(account.problems.map(({ code, line }) => ({ code, line }))).toEqual([
      { code: 'not-enough-memory', line: 2 },
    ]);
  });

  test('an exit by -9 after an exception of the server is not', () => {
    const account = only(
      [begin, traceback, '  File "a.py", line 1', 'AssertionError: no', killed].join('\n'),
    );
    expect(account.outcome.kind).toBe('not-memory');
    expect(account.problems).toEqual([]);
  });

  test('timeouts of collectives before it are its cascade', () => {
    const timeout =
      '[rank3]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1) ran for 600000 ms';
    expect(only([begin, timeout, traceback, killed].join('\n')).outcome.kind).toBe('host-oom');
  });

  test('a refused pool: 10 GiB are kept back, and a value that fits is named', () => {
    const refused = (free: string): RunAccount =>
      only(
        `ValueError: Not enough host memory available. Requesting 40.00 GB but only have ${free} GB free. Please reduce the size of the hierarchical cache.`,
      );
    // 44.87 - 10.74 = 34.13 GB.
    expect(terminalWording(refused('44.87'))).toContain('--hicache-size 34');
    // 30.00 may be before or after the reserve: 19.26 GB are sure.
    expect(terminalWording(refused('30.00'))).toContain('--hicache-size 19');
  });

  test('is asked for by every rank of the host, of what is printed after the reserve', () => {
    const ranks = [0, 1].flatMap(tp => [
      `[2026-03-01 09:00:01 TP${tp}] Load weight end. elapsed=2.0 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=70.80 GB, mem usage=7.60 GB.`,
      `[2026-03-01 09:00:04 TP${tp}] Allocating 126.79 GB host memory for hierarchical KV cache.`,
    ]);
    const error =
      'ValueError: Not enough host memory available. Requesting 126.79 GB but only have 101.20 GB free. Please reduce the size of the hierarchical cache.';
    const text = terminalWording(only([...ranks, error].join('\n')));
    // 101.195 / 2 = 50.6 GB; the reserve is out of the printed value since 0.4.9.post3.
    expect(text).toContain('101.20 GB free beside 10 GiB');
    expect(text).toContain('--hicache-size 50 fits; each of 2 ranks');
  });

  test('pools of a node add their ranks', () => {
    const line = (rank: number) =>
      `[2025-11-07 09:06:51 TP${rank}] Allocating 40.00 GB host memory for hierarchical KV cache.`;
    expectAround(only([line(1), line(3)].join('\n')).host?.node, 160, 0.05);
  });
});

describe('a serving server', () => {
  const decode = (more: string) =>
    `[2025-10-01 10:05:00 TP0] Decode batch. #running-req: 8, ${more}, cuda graph: True, gen throughput (token/s): 10.00, #queue-req: 5, `;

  test('retractions are tokens, not memory', () => {
    const account = only(
      [
        decode('#token: 9900, token usage: 0.99'),
        '[2025-10-01 10:05:01 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 2, #new_token_ratio: 0.5000 -> 0.7000',
        decode('#token: 8000, token usage: 0.80'),
      ].join('\n'),
    );
    expect(account.outcome).toMatchObject({ kind: 'pool-exhausted', phase: 'serving' });
    expect(account.problems).toMatchObject([
      { code: 'tiny-pool', severity: 'information', line: 2 },
    ]);
    expect(terminalWording(account)).toContain('This is not GPU memory');
    // 9900 / 0.99 and 8000 / 0.80 go together at 10,000.
    expectAround(account.quantities.get('maxTotalTokens'), 10000, 110);
  });

  test('retractions that were asked for as a test are none', () => {
    const account = only(
      [
        decode('#token: 8000, token usage: 0.80'),
        '[2025-10-01 10:05:01 TP0] Testing retraction. #retracted_reqs: 2, #new_tokens_gained: 90, #new_token_ratio: 0.5000 -> 0.7000',
      ].join('\n'),
    );
    expect(account.outcome.kind).toBe('ok');
  });

  test('a usage near zero says nothing of the pool', () => {
    const account = only(decode('#token: 47, token usage: 0.00'));
    expect(account.quantities.get('maxTotalTokens')).toBeUndefined();
  });

  test('slots of requests are told from tokens', () => {
    const account = only(
      [
        decode('#token: 9071, token usage: 0.01'),
        'RuntimeError: alloc_req_slots runs out of memory. Please set a smaller number for `--max-running-requests`. self.req_to_token_pool.available_size()=1, num_reqs=2, ',
      ].join('\n'),
    );
    expect(account.outcome.kind).toBe('slots-exhausted');
    const text = terminalWording(account);
    expect(text).toContain('2 requests asked for a slot; slots left: 1');
    expect(text).toContain('raise --max-running-requests');
    expect(text).toContain('9,071 tokens');
  });

  test('a failure that is not of memory is not commented', () => {
    const account = only(
      [begin, loaded, pool, poolEnd, traceback, '  File "a.py", line 1', 'KeyError: 1', ''].join(
        '\n',
      ),
    );
    expect(account.outcome.kind).toBe('not-memory');
    expect(account.problems).toEqual([]);
    // An error that is not known may be about memory all the same.
    expect(terminalWording(account)).toContain('none that is known to be about memory');
  });
});

describe('ranks that start unequal', () => {
  const error =
    'ValueError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes. min_per_gpu_memory=60.5, local_gpu_memory=78.25, local_gpu_memory * 0.9=70.425';

  test('the error has its two values', () => {
    const account = only(
      ['[2025-10-01 10:00:00 TP0] Init torch distributed begin.', error].join('\n'),
    );
    expect(account.outcome).toMatchObject({ kind: 'rank-imbalance', phase: 'init' });
    expect(account.problems.map(({ code, severity }) => [code, severity])).toEqual([
      ['rank-imbalance', 'error'],
    ]);
    expect(terminalWording(account)).toMatch(/60\.5\d* GiB .*78\.25 GiB/);
  });

  test('of the draft worker it blames no other process', () => {
    const account = only(
      [
        begin,
        loaded,
        pool,
        poolEnd,
        captured,
        '[2025-10-01 10:02:00] Init torch distributed begin.',
        error,
      ].join('\n'),
    );
    expect(account.outcome.kind).toBe('rank-imbalance');
    expect(terminalWording(account)).toContain('draft worker');
    expect(terminalWording(account)).not.toContain('Free the fullest card');
  });
});
