import { describe, expect, test } from 'vitest';
import { readLogText } from '../../../src/core/log/readLog';
import type { Run } from '../../../src/core/log/run';

function runsOf(...lines: readonly string[]): readonly Run[] {
  return readLogText(`${lines.join('\n')}\n`).runs;
}

const at = (time: string, rank: string, message: string): string =>
  `[2026-02-27 ${time}${rank === '' ? '' : ` ${rank}`}] ${message}`;

/** The start of one rank up to its pools, as releases to 0.5.13 print it. */
function start(rank: string, begin: string, end: string, pool: string): readonly string[] {
  return [
    at('10:00:00', rank, 'Init torch distributed begin.'),
    at('10:00:09', rank, 'Init torch distributed ends. mem usage=0.95 GB'),
    at('10:00:10', rank, `Load weight begin. avail mem=${begin} GB`),
    at(
      '10:05:10',
      rank,
      `Load weight end. type=BigForCausalLM, dtype=torch.bfloat16, avail mem=${end} GB, mem usage=9.00 GB.`,
    ),
    at('10:05:11', rank, 'KV Cache is allocated. #tokens: 1000, KV size: 10.00 GB'),
    at('10:05:12', rank, `Memory pool end. avail mem=${pool} GB`),
  ];
}

const idsOf = (records: readonly { readonly form: { readonly id: string } }[]): readonly string[] =>
  records.map(record => record.form.id);

describe('runs in one file', () => {
  test('a start after the server was ready is another run', () => {
    const runs = runsOf(
      ...start('TP0', '94.00', '21.00', '9.00'),
      at('10:06:00', '', 'The server is fired up and ready to roll!'),
      ...start('TP0', '94.00', '21.00', '9.00'),
    );
    expect(runs.map(run => [run.lines, run.outcome])).toEqual([
      [[1, 7], 'ready'],
      [[8, 13], 'open'],
    ]);
  });

  test('launch arguments after a start begin another run', () => {
    const runs = runsOf(
      ...start('', '94.00', '21.00', '9.00'),
      at('11:00:00', '', 'server_args=ServerArgs(tp_size=1, mem_fraction_static=0.8)'),
      ...start('', '94.00', '21.00', '9.00'),
    );
    expect(runs.map(run => run.lines)).toEqual([
      [1, 6],
      [7, 13],
    ]);
    expect(runs[1]?.serverArguments?.values.get('mem_fraction_static')?.value).toBe(0.8);
  });

  test('a start after a failure is another run, also when other ranks follow', () => {
    const failure =
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.';
    const both = (time: string): readonly string[] => [
      at(time, 'TP1', 'Init torch distributed begin.'),
      at(time, 'TP0', 'Init torch distributed begin.'),
      at(time, 'TP0', 'Load weight begin. avail mem=94.00 GB'),
      at(time, 'TP1', 'Load weight begin. avail mem=94.00 GB'),
    ];
    const runs = runsOf(...both('10:00:00'), failure, ...both('11:00:00'));
    expect(runs.map(run => [run.lines, run.outcome, run.ranks.map(log => log.rank)])).toEqual([
      [[1, 5], 'failed', ['TP0', 'TP1']],
      [[6, 9], 'open', ['TP0', 'TP1']],
    ]);
  });

  test('a load after lines of serving is another run, whatever its rank', () => {
    const decode =
      'Decode batch. #running-req: 2, #token: 4000, token usage: 0.40, gen throughput (token/s): 80.00, #queue-req: 0';
    for (const rank of ['TP0', 'TP1']) {
      const runs = runsOf(
        at('09:59:00', 'TP0', decode),
        at('10:00:10', rank, 'Load weight begin. avail mem=94.00 GB'),
      );
      expect(runs.map(run => run.lines)).toEqual([
        [1, 1],
        [2, 2],
      ]);
    }
  });

  test('a start after a failed sizing is another run, whatever its rank', () => {
    const runs = runsOf(
      at('09:59:00', 'TP0', 'Scheduler hit an exception: Traceback (most recent call last):'),
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
      ...start('TP1', '94.00', '21.00', '9.00'),
    );
    expect(runs.map(run => run.lines)).toEqual([
      [1, 2],
      [3, 8],
    ]);
  });

  test('a start under ranks of other parts is another run', () => {
    const runs = runsOf(
      ...start('TP0', '94.00', '21.00', '9.00'),
      ...start('PP0 TP0', '94.00', '21.00', '9.00').slice(3),
      ...start('PP1 TP0', '94.00', '21.00', '9.00'),
    );
    expect(runs.map(run => run.lines)).toEqual([
      [1, 6],
      [7, 15],
    ]);
  });

  test('a silent restart shows in the memory that is free again', () => {
    const runs = runsOf(
      ...start('', '94.00', '21.00', '9.00'),
      ...start('', '94.00', '21.00', '9.00'),
    );
    expect(runs.map(run => run.lines)).toEqual([
      [1, 6],
      [7, 12],
    ]);
  });
});

describe('draft workers', () => {
  test('to 0.5.13 a second initialisation with what the target left is the draft', () => {
    const [run, ...others] = runsOf(
      at('10:00:00', '', 'server_args=ServerArgs(tp_size=1)'),
      ...start('TP0', '94.00', '21.00', '9.00'),
      at(
        '10:05:50',
        'TP0',
        'Capture cuda graph end. Time elapsed: 22.10 s. mem usage=1.37 GB. avail mem=7.84 GB.',
      ),
      at('10:06:00', 'TP0', 'Init torch distributed begin.'),
      at('10:06:00', 'TP0', 'Init torch distributed ends. mem usage=0.00 GB'),
      at('10:06:00', 'TP0', 'Load weight begin. avail mem=7.84 GB'),
      at(
        '10:06:09',
        'TP0',
        'Load weight end. type=SmallNextN, dtype=torch.bfloat16, avail mem=5.00 GB, mem usage=2.84 GB.',
      ),
      at(
        '10:06:10',
        'TP0',
        'max_total_tokens=20480 is larger than the profiled value -89624. Use the profiled value instead.',
      ),
      at('10:06:11', 'TP0', 'KV Cache is allocated. #tokens: 1000, KV size: 0.40 GB'),
      at('10:06:12', 'TP0', 'Memory pool end. avail mem=4.50 GB'),
      at(
        '10:06:13',
        'TP0',
        'Capture draft cuda graph begin. This can take up to several minutes. avail mem=4.50 GB',
      ),
      at(
        '10:06:20',
        'TP0',
        'max_total_num_tokens=1000, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=48, context_len=4096, available_gpu_mem=4.40 GB',
      ),
    );
    expect(others).toEqual([]);
    expect(run?.modelClass).toBe('BigForCausalLM');
    expect(run?.draftModelClass).toBe('SmallNextN');
    const [rank] = run?.ranks ?? [];
    expect(idsOf(rank?.draft ?? [])).toEqual([
      'init-begin',
      'init-end',
      'load-begin',
      'load-end',
      'token-clamp',
      'kv-allocated',
      'pool-end',
      'graph-begin',
    ]);
    expect(idsOf(rank?.target ?? []).at(-1)).toBe('summary');
  });

  test('from 0.5.14 both loads come first and the pools follow, the target first', () => {
    const load = (begin: string, end: string, type: string): readonly string[] => [
      at('10:00:00', 'TP0', `Load weight begin. avail mem=${begin} GB`),
      at(
        '10:00:00',
        'TP0',
        `Load weight end. elapsed=9.00 s, type=${type}, avail mem=${end} GB, mem usage=1.00 GB.`,
      ),
    ];
    const pool = (size: string, left: string): readonly string[] => [
      at(
        '10:01:00',
        'TP0',
        `KV Cache is allocated. dtype: torch.bfloat16, #tokens: 1000, KV size: ${size} GB`,
      ),
      at('10:01:00', 'TP0', `Memory pool end. avail mem=${left} GB`),
    ];
    const [run, ...others] = runsOf(
      ...load('111.47', '17.47', 'BigForCausalLM'),
      ...load('17.54', '14.74', 'BigNextN'),
      ...pool('4.00', '10.70'),
      ...pool('0.80', '9.90'),
      at(
        '10:02:00',
        'TP0',
        'Capture target verify CUDA graph end. elapsed=6.90 s, mem usage=1.13 GB, avail mem=8.72 GB.',
      ),
      at(
        '10:02:01',
        'TP0',
        'Capture draft decode CUDA graph end. elapsed=1.22 s, mem usage=0.36 GB, avail mem=8.36 GB.',
      ),
    );
    expect(others).toEqual([]);
    const [rank] = run?.ranks ?? [];
    expect(
      rank?.draft.map(record => [
        record.form.id,
        record.fields['avail']?.text ?? record.fields['kv']?.text,
      ]),
    ).toEqual([
      ['load-begin', '17.54'],
      ['load-end', '14.74'],
      ['kv-allocated', '0.80'],
      ['pool-end', '9.90'],
      ['graph-end', '8.36'],
    ]);
    expect(run?.release).toEqual({ kind: 'range', from: '0.5.14', to: undefined });
  });

  test('a rank whose draft dies in its initialisation stays in the run', () => {
    const [run, ...others] = runsOf(
      at('21:24:46', 'TP4', 'Capture cuda graph end. Time elapsed: 1334.38 s'),
      at('21:24:46', 'TP3', 'Capture cuda graph end. Time elapsed: 1334.35 s'),
      at('21:24:47', 'TP4', 'Init torch distributed begin.'),
      'ValueError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes.',
    );
    expect(others).toEqual([]);
    expect(run?.ranks.map(log => [log.rank, idsOf(log.draft)])).toEqual([
      ['TP3', []],
      ['TP4', ['init-begin']],
    ]);
    expect(run?.outcome).toBe('failed');
  });
});

describe('several servers and nodes', () => {
  test('containers that print the same rank are servers of their own', () => {
    const runs = runsOf(
      'prefill-1  | [2026-02-27 10:00:00 TP0] Memory pool end. avail mem=9.00 GB',
      'decode-1   | [2026-02-27 10:00:00 TP0] Memory pool end. avail mem=8.00 GB',
      'prefill-1  | [2026-02-27 10:00:01] The server is fired up and ready to roll!',
    );
    expect(runs.map(run => [run.stream, run.outcome, run.lines])).toEqual([
      ['prefill-1', 'ready', [1, 3]],
      ['decode-1', 'open', [2, 2]],
    ]);
  });

  test('nodes that print different ranks are one server', () => {
    const runs = runsOf(
      '0: [2026-02-27 10:00:00] server_args=ServerArgs(tp_size=16, nnodes=2, node_rank=0)',
      '0: [2026-02-27 10:00:00 TP0] Load weight begin. avail mem=94.00 GB',
      '1: [2026-02-27 10:00:00] server_args=ServerArgs(tp_size=16, nnodes=2, node_rank=1)',
      '1: [2026-02-27 10:00:00 TP8] Load weight begin. avail mem=94.00 GB',
    );
    expect(runs.map(run => run.ranks.map(log => log.rank))).toEqual([['TP0', 'TP8']]);
    expect(runs[0]?.parallel).toMatchObject({ tp: 16, nnodes: 2, ranksSeen: 2, ranksExpected: 16 });
  });
});

describe('what a run says of itself', () => {
  test('DP attention does not multiply the processes', () => {
    const [run] = runsOf(
      'server_args=ServerArgs(tp_size=8, dp_size=8, enable_dp_attention=True)',
      at('10:00:00', 'DP0 TP0', 'Memory pool end. avail mem=9.00 GB'),
    );
    expect(run?.parallel).toMatchObject({ tp: 8, dp: 8, ranksExpected: 8, basis: 'arguments' });
  });

  test('keys of the arguments tell of the release', () => {
    const releaseOf = (dump: string) => runsOf(`server_args=${dump}`)[0]?.release;
    expect(releaseOf("{'tp_size': 8, 'attn_dp_size': 1}")).toMatchObject({ from: '0.5.22' });
    expect(releaseOf('ServerArgs(tp_size=8, hybrid_kvcache_ratio=None)')).toMatchObject({
      from: '0.4.9',
      to: '0.5.7',
    });
  });

  test('replicas multiply the processes', () => {
    const [run] = runsOf('server_args=ServerArgs(tp_size=2, pp_size=2, dp_size=3)');
    expect(run?.parallel.ranksExpected).toBe(12);
  });

  test('without arguments the ranks give lower bounds', () => {
    const [run] = runsOf(
      at('10:00:00', 'PP1 TP10', 'Memory pool end. avail mem=9.00 GB'),
      at('10:00:00', 'PP0 TP2', 'Memory pool end. avail mem=9.00 GB'),
    );
    expect(run?.parallel).toMatchObject({
      tp: 11,
      pp: 2,
      ranksExpected: undefined,
      basis: 'ranks',
    });
    expect(run?.ranks.map(log => log.rank)).toEqual(['PP0 TP2', 'PP1 TP10']);
  });

  describe('of sizes where no arguments are shown', () => {
    const load = (rank: string): string =>
      at('10:00:00', rank, 'Load weight begin. avail mem=78.50 GB');
    const loaded = (rank: string, text: string): string =>
      at(
        '10:00:00',
        rank,
        `Load weight end. ${text}type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.50 GB, mem usage=15.00 GB.`,
      );
    const summary = (rank: string): string =>
      at(
        '10:00:00',
        rank,
        'max_total_num_tokens=443023, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=131072, available_gpu_mem=8.50 GB',
      );
    const told = (...lines: string[]) => {
      const parallel = runsOf(...lines)[0]?.parallel;
      return [[...(parallel?.atLeast ?? [])], parallel?.hidesRanks];
    };

    test('all ranks from the first on give them', () => {
      expect(told(load('TP0'), load('TP1'))).toEqual([[], false]);
      expect(told(load('DP0 TP0'), load('DP1 TP1'))).toEqual([[], false]);
    });

    test('one high rank gives none', () => {
      expect(told(load('DP6 TP6 EP6'))).toEqual([['tp', 'dp', 'ep'], true]);
      expect(told(load('TP1'), load('TP3'))).toEqual([['tp'], true]);
    });

    test('one missing rank of a power of two leaves the size, and is missing', () => {
      expect(told(load('TP0'), load('TP2'), load('TP3'))).toEqual([[], true]);
    });

    // From 0.4.6.post2 on the part is printed only where there are several; `elapsed=` is of 0.5.9.
    test('the first rank alone is not the only one of a server that names it only among several', () => {
      const recent = [load('TP0'), loaded('TP0', 'elapsed=1.25 s, ')];
      expect(told(...recent, summary('TP0'))).toEqual([['tp'], true]);
      expect(told(...recent)).toEqual([['tp'], false]);
    });

    test('the first rank alone is the only one where every release names it', () => {
      const early = [
        at('10:00:00', 'TP0', 'KV Cache is allocated. K size: 2.82 GB, V size: 2.82 GB.'),
        at(
          '10:00:01',
          'TP0',
          'Decode batch. #running-req: 1, #token: 60, token usage: 0.00, gen throughput (token/s): 1.00, #queue-req: 0',
        ),
      ];
      expect(told(load('TP0'), ...early)).toEqual([[], false]);
    });
  });

  test('markers name the engine and the owner of the formula with their line', () => {
    const [plugin] = runsOf(
      at('10:00:00', '', 'Init torch distributed begin.'),
      '[kvcached][INFO] started',
    );
    expect(plugin?.engine).toEqual({ value: 'sglang', line: 1, file: 0 });
    expect(plugin?.formulaOwner).toEqual({ value: 'kvcached', line: 2, file: 0 });
    const [foreign] = runsOf(
      'INFO 10-10 22:30:45 Initializing an LLM engine (v0.6.1) with config: x',
      'INFO 10-10 22:31:45 GPU KV cache size: 123,456 tokens',
    );
    expect(foreign?.engine.value).toBe('vllm');
    expect(runsOf('INFO GPU KV cache size: 123,456 tokens')).toEqual([]);
  });

  test('forms of two releases are a build between them', () => {
    const [run] = runsOf(
      'Using KV cache dtype: torch.bfloat16',
      'Tree cache initialized: source=default impl=RadixCache hybrid_swa=False hybrid_ssm=False hierarchical=False streaming_wrapped=False',
    );
    expect(run?.release).toEqual({ kind: 'between', after: '0.5.12.post1', before: '0.5.13' });
  });

  test('a harmless traceback is no failure', () => {
    const [run] = runsOf(
      'Traceback (most recent call last):',
      'OSError: libavutil.so.56: cannot open shared object file: No such file or directory',
      at('10:00:00', '', 'Load weight begin. avail mem=21.63 GB'),
    );
    expect(run?.outcome).toBe('open');
  });
});
