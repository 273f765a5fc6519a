/**
 * Shapes of logs that people post: wrapped errors, bare tracebacks, excerpts without a start, memory
 * shared with the host. The texts are written for the test; figures are calculated beside them.
 */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

function only(...lines: readonly string[]): RunAccount {
  const all = accountOfLog(readLogText(`${lines.join('\n')}\n`));
  expect(all).toHaveLength(1);
  return all[0]!;
}

const begin = '[2026-03-01 09:00:00] Load weight begin. avail mem=78.50 GB';
const loaded =
  '[2026-03-01 09:01:00] Load weight end. elapsed=58.1 s, type=LlamaForCausalLM, avail mem=60.20 GB, mem usage=18.30 GB.';
const pool =
  '[2026-03-01 09:01:01] KV Cache is allocated. #tokens: 393316, K size: 24.01 GB, V size: 24.01 GB';

describe('an error of the sizing that is broken over lines', () => {
  const wrapped = (fraction: string, advised: string, minimum: string): string[] => [
    'ValueError: Loaded weights leave no GPU memory for the KV cache under',
    `--mem-fraction-static=${fraction}. Raise --mem-fraction-static above ${advised}`,
    `(minimum viable = 1 - available/pre = ${minimum}).`,
  ];

  test('gives its fraction and its minimum', () => {
    const { outcome, fraction } = only(...wrapped('0.3', '0.320', '0.3198'));
    expect(outcome.kind).toBe('not-enough-memory');
    expect([fraction.effective?.nominal, fraction.minimum?.nominal]).toEqual([0.3, 0.3198]);
  });

  test('gives what stands before the break where the rest is missing', () => {
    const { outcome, fraction } = only(...wrapped('0.3', '0.320', '0.3198').slice(0, 2));
    expect(outcome.kind).toBe('not-enough-memory');
    expect([fraction.effective?.nominal, fraction.minimum]).toEqual([0.3, undefined]);
  });

  test('with a minimum below the fraction tells that something hidden is subtracted first', () => {
    const account = only(begin, loaded, ...wrapped('0.95', '0.234', '0.2331'));
    expect(account.quantities.get('restMemory')?.interval.hi ?? 0).toBeLessThanOrEqual(0);
    expect(account.fraction.minimum?.interval.lo).toBeGreaterThan(0.9);
    expect(account.advice).toMatchObject({ kind: 'none', reason: 'hidden-reserve' });
    const text = terminalWording(account);
    expect(text).toContain('a reservation or a state pool is subtracted first');
    expect(text).toContain('Do not set the 0.234 that the engine advises');
    expect(text).not.toContain('too large');
  });

  test('with a minimum of nearly all tells that no fraction helps', () => {
    const text = terminalWording(only(...wrapped('0.97', '0.999', '0.9987')));
    expect(text).toContain('No fraction helps: 0.9987 of the free memory goes to the weights.');
    expect(text).not.toContain('Raise');
  });
});

describe('an error of the allocator', () => {
  const frames = (...names: string[]): string[] =>
    names.map(
      name => `  File "/opt/sglang/python/sglang/srt/model_executor/runner.py", line 7, in ${name}`,
    );
  const error =
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 9.50 GiB. GPU 2 has a total capacity of 94.99 GiB of which 7.25 GiB is free.';

  test.each([
    ['load-oom', 'weights', ['__init__', 'load_model', 'create_weights']],
    ['pool-oom', 'pools', ['initialize', 'init_memory_pool', '_create_buffers']],
    ['graph-oom', 'capture', ['initialize', 'init_cuda_graphs', 'capture', 'forward']],
    ['runtime-oom', 'serving', ['event_loop_overlap', 'run_batch', 'forward_batch_generation']],
  ] as const)('%s is told by the frames of a bare traceback', (kind, phase, names) => {
    const { outcome, shortage } = only(...frames(...names), error);
    expect([outcome.kind, outcome.phase]).toEqual([kind, phase]);
    expect(shortage?.missing?.nominal).toBe(2.25);
  });

  test('names what the outermost frame was doing where the log stops before it', () => {
    const { outcome } = only(begin, loaded, ...frames('init_cuda_graphs', 'capture'), error);
    expect([outcome.kind, outcome.phase]).toEqual(['graph-oom', 'capture']);
  });

  test('in a request of the warm-up is still of the warm-up', () => {
    const summary =
      '[2026-03-01 09:01:09] max_total_num_tokens=393316, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=9.10 GB';
    const { outcome } = only(begin, loaded, pool, summary, ...frames('run_batch'), error);
    expect([outcome.kind, outcome.phase]).toEqual(['runtime-oom', 'warm-up']);
  });

  test('frames without an error behind them make no run', () => {
    const text = [...frames('load_model', 'run_batch'), 'KeyError: weight'].join('\n');
    expect(readLogText(text).runs).toEqual([]);
  });

  test('of a failed capture is one of the capture even where the log shows nothing else', () => {
    const account = only(
      'Exception: Capture cuda graph failed: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 6 has a total capacity of 139.80 GiB of which 512.00 MiB is free.',
    );
    expect([account.outcome.kind, account.outcome.phase]).toEqual(['graph-oom', 'capture']);
    expect(terminalWording(account)).toContain('Lower --mem-fraction-static.');
  });

  test('of another device gives what is free, beside what is active', () => {
    const { shortage } = only(
      'RuntimeError: NPU out of memory. Tried to allocate 512.00 MiB (NPU 3; 60.97 GiB total capacity; 55.40 GiB already allocated; 55.40 GiB current active; 310.25 MiB free; 56.10 GiB reserved in total by PyTorch)',
    );
    // 512.00 - 310.25 MiB.
    expect([shortage?.missing?.nominal, shortage?.device?.nominal]).toEqual([201.75, 3]);
  });

  test('with more free than asked for names the setting of the allocator', () => {
    const text = terminalWording(
      only(
        begin,
        ...frames('event_loop_overlap'),
        error.replace('7.25 GiB is free', '19.25 GiB is free'),
      ),
    );
    expect(text).toContain('Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True');
  });

  test('goes on behind a blank line that has no prefix of its own', () => {
    const prefix = '(SGLangEngine pid=123, ip=10.0.0.1) ';
    const { shortage } = only(
      `${prefix}Exception: Capture cuda graph failed: CUDA out of memory.`,
      `${prefix}Tried to allocate 640.00 MiB.`,
      '',
      `${prefix}GPU 0 has a total capacity of 140.06 GiB of which 200.50 MiB is free.`,
    );
    expect(shortage?.missing?.nominal).toBe(439.5);
  });

  test('gives its figures where it is broken over lines, with one blank line between', () => {
    const { shortage } = only(
      'Exception: Capture cuda graph failed: CUDA out of memory.',
      'Tried to allocate 640.00 MiB.',
      '',
      'GPU 0 has a total capacity of 140.06 GiB of which 200.50 MiB is free.',
      'Process 19 has 139.86 GiB memory in use.',
      'Of the allocated memory 128.50 GiB is allocated by PyTorch,',
      'with 3.25 GiB allocated in private pools (e.g., CUDA Graphs),',
      'and 1.01 GiB is reserved by PyTorch but unallocated.',
    );
    // 640.00 - 200.50 MiB.
    expect(shortage?.missing?.nominal).toBe(439.5);
    expect([shortage?.graphs?.nominal, shortage?.device?.nominal]).toEqual([3.25, 0]);
  });
});

describe('the end of a run', () => {
  test('is not the kernel where a runtime prints that it was not', () => {
    const ready = '[2026-03-01 09:01:20] The server is fired up and ready to roll!';
    for (const state of ['"OOMKilled": false, "ExitCode": 0', 'State: OOMKilled=false']) {
      expect(only(begin, loaded, pool, ready, state).outcome.kind).toBe('ok');
    }
    expect(only(begin, loaded, 'Reason: OOMKilled').outcome.kind).toBe('host-oom');
  });

  test('is told by the exception below an abridged head', () => {
    const abridged = only(
      begin,
      loaded,
      pool,
      '[2026-03-01 09:01:09] Scheduler hit an exception: ...',
      'RuntimeError: a kernel was called that this build does not have',
    );
    expect(abridged.outcome.kind).toBe('not-memory');
    const fork = only(
      pool,
      '[2026-03-01 09:01:09] Scheduler hit an exception:',
      'RuntimeError: Out of memory (AxisKV). Try to lower your batch size.',
    );
    expect(fork.outcome.kind).toBe('pool-exhausted');
  });

  test('without any error in the log is of no known reason', () => {
    for (const death of [
      '[2026-03-01 09:01:09] Received sigquit from a child process. It usually means the child failed.',
      '[2026-03-01 09:01:09] SIGQUIT received. signum=None, frame=None. It usually means one child failed.',
    ]) {
      const account = only(begin, loaded, death);
      expect(account.outcome.kind).toBe('not-memory');
      expect(terminalWording(account)).toContain('Nothing in this log says that memory was');
    }
  });

  test('of a benchmark without a server is its passes', () => {
    const summary = 'max_total_num_tokens=393316';
    const account = only(
      begin,
      loaded,
      pool,
      summary,
      'Prefill. latency: 0.30 s, throughput:  9.9',
    );
    expect(account.outcome.kind).toBe('ok');
  });

  test('has no cost in time where the log does not show the start', () => {
    const error =
      '[2026-03-01 09:01:09] RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.';
    expect(only(begin, loaded, error).retry).toBeUndefined();
    const init = '[2026-03-01 08:59:50] Init torch distributed begin.';
    expect(only(init, begin, loaded, error).retry?.nominal).toBe(79);
  });
});

describe('memory that stays free', () => {
  const finish = (free: string): string[] => [
    `[2026-03-01 09:01:05] Memory pool end. avail mem=${free} GB`,
    `[2026-03-01 09:01:09] max_total_num_tokens=393316, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=${free} GB`,
  ];

  test('is offered with what the log does not show about a limit', () => {
    const [before, after] = [begin.replace('78.50', '178.50'), loaded.replace('60.20', '160.20')];
    const text = terminalWording(only(before, after, pool, ...finish('110.20')));
    expect(text).toContain('unless --max-total-tokens is set, which this log does not show');
    const clamp =
      '[2026-03-01 09:01:00] max_total_tokens=900000 is larger than the profiled value 393316. Use the profiled value instead.';
    const told = terminalWording(only(before, after, clamp, pool, ...finish('110.20')));
    expect(told).toContain('stay free at ready');
    expect(told).not.toContain('unless --max-total-tokens');
  });

  test('is no matter where the log does not show of how much it is a share', () => {
    expect(only(finish('17.20')[1]!).problems).toEqual([]);
  });

  test('is not offered where so much can only be shared with the host', () => {
    const [before, after] = [begin.replace('78.50', '114.02'), loaded.replace('60.20', '90.20')];
    const account = only(before, after, pool, ...finish('40.20'));
    expect(account.advice).toMatchObject({ kind: 'none', reason: 'maybe-host-memory' });
    expect(account.problems).toEqual([]);
    const capacity = 'GPU 0 has a total capacity of 139.80 GiB of which 1.00 GiB is free.';
    const known = only(
      before,
      after,
      `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. ${capacity}`,
    );
    expect(known.advice).not.toMatchObject({ reason: 'maybe-host-memory' });
  });
});

describe('a budget of compressed attention', () => {
  const line = (items: string, tokens: number): string =>
    `[2026-09-11 23:46:11 TP0 EP0] DSV4 memory calculation: bytes_per_full_token=1670.75, available_bytes=8.84 GB, ${items}full_token=${tokens}`;

  test('is less by every fixed amount that the line names', () => {
    // (8.84 - 0.20 - 0.30) x 2^30 / 1670.75 = 5,359,872.4.
    const account = only(line('c128_state_fixed=0.20 GB, swa_fixed=0.30 GB, ', 5359872));
    expect(account.solution.contradiction).toBeUndefined();
    const { lo, hi } = account.quantities.get('profiledTokens')!.interval;
    expect([lo <= 5359872, hi >= 5359872, hi - lo < 20_000]).toEqual([true, true, true]);
  });

  test('with a fixed amount of another name is not contradicted by its tokens', () => {
    const account = only(line('ring2_fixed=4.00 GB, swa_fixed=0.30 GB, ', 2918000));
    expect(account.solution.contradiction).toBeUndefined();
    expect(account.quantities.get('restMemory')?.nominal).toBe(8.84);
  });
});

describe('a slack that the request table has spent', () => {
  test('is told with the flag that frees most of it', () => {
    const account = only(
      '[2026-03-01 09:00:00] Load weight begin. avail mem=7.60 GB',
      '[2026-03-01 09:00:09] Load weight end. elapsed=8.1 s, type=LlamaForCausalLM, avail mem=5.10 GB, mem usage=2.50 GB.',
      '[2026-03-01 09:00:10] KV Cache is allocated. #tokens: 68773, K size: 2.10 GB, V size: 2.10 GB',
      '[2026-03-01 09:00:10] Memory pool end. avail mem=0.02 GB',
      '[2026-03-01 09:00:11] max_total_num_tokens=68773, chunked_prefill_size=2048, max_prefill_tokens=16384, max_running_requests=2048, context_len=98304, available_gpu_mem=0.02 GB',
    );
    const problem = account.problems.find(({ code }) => code === 'over-allocated');
    expect(problem?.fix).toBe('--max-running-requests 256');
    // 2048 x 98308 x 4 B = 0.75 GiB, of which 7/8 are 0.66.
    expect(terminalWording(account)).toMatch(
      /stay free for graphs: .* --max-running-requests 256 frees (?:≈ )?0\.6[56]\d* GiB/,
    );
  });
});

describe('where the memory went', () => {
  test('counts the request table where the summary alone shows what was free after the pools', () => {
    const account = only(
      begin,
      loaded,
      pool,
      '[2026-03-01 09:01:09] max_total_num_tokens=393316, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=9.10 GB',
    );
    const table = account.ranks[0]?.ledger.find(({ id }) => id === 'requestToTokenPool')?.size;
    // 2048 x (131072 + 4) x 4 B.
    const gib = (2048 * (131072 + 4) * 4) / 2 ** 30;
    expect([table!.interval.lo <= gib, table!.interval.hi >= gib]).toEqual([true, true]);
  });

  test('has no end where graphs were captured since the last sample', () => {
    const account = only(begin, loaded, 'Capture cuda graph end. Time elapsed: 26.77 s');
    expect(account.ranks[0]?.ledger.map(({ id }) => id)).toEqual(['start', 'weights']);
  });

  test('takes the free memory after a draft that was loaded before the pools', () => {
    const account = only(
      begin,
      loaded,
      '[2026-03-01 09:01:01] Load weight begin. avail mem=60.20 GB',
      '[2026-03-01 09:01:05] Load weight end. elapsed=4.2 s, type=LlamaForCausalLMEagle3, avail mem=57.10 GB, mem usage=3.10 GB.',
      '[2026-03-01 09:01:06] Memory pool end. avail mem=12.00 GB',
      '[2026-03-01 09:01:07] Memory pool end. avail mem=11.00 GB',
    );
    // 1 - 57.10 / 78.50.
    const { lo, hi } = account.fraction.minimum!.interval;
    expect([lo <= 0.27261, hi >= 0.27261, hi - lo < 0.002]).toEqual([true, true, true]);
  });

  test('with ranks that are not shown is bounded on one side', () => {
    const rank = (name: string, line: string): string => line.replace(']', ` ${name}]`);
    const account = only(
      rank('TP0', begin),
      rank('TP3', begin),
      rank('TP0', loaded),
      rank('TP3', loaded),
      rank('TP0', pool),
    );
    expect(account.quantities.get('availableAfterLoad')!.interval.hi).toBeLessThan(60.22);
    expect(account.fraction.implied?.interval.hi).toBe(Infinity);
  });
});
