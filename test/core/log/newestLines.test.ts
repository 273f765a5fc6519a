/**
 * Starts as releases 0.5.20 to 0.5.23 print them: whole ledgers, and what their lines do not say. The
 * logs are written for the test; figures are calculated beside them.
 */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import type { Interval } from '../../../src/core/units/interval';
import { terminalWording } from '../account/wording';

const at = '[2026-11-02 08:00';
const argumentsWith = (more: string) =>
  `${at}:00] server_args={'model_path': '/m/a', 'tp_size': 1, 'page_size': 1, 'max_total_tokens': None, 'mem_fraction_static': 0.8${more}}`;
const begun = [
  `${at}:01] Init parallel begin.`,
  `${at}:02] Init parallel ends. elapsed=0.71 s`,
  `${at}:02] Memory baseline taken. mem usage=0.03 GB`,
  `${at}:03] Load weight begin. avail mem=90.00 GB`,
];
const loaded = (model: string) =>
  `${at}:20] Load weight end. elapsed=17.10 s, type=${model}, avail mem=50.00 GB, mem usage=40.00 GB.`;
const captured = (kind: string, usage: string, free: string) =>
  `${at}:40] Capture ${kind} CUDA graph end. bs=[1, 2, 4, 8, 12, 16], elapsed=9.01 s, mem usage=${usage} GB, avail mem=${free} GB.`;
const summary = (tokens: number, requests: number, free: string) =>
  `${at}:50] max_total_num_tokens=${tokens}, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=${requests}, context_len=65536, available_gpu_mem=${free} GB`;
const ready = `${at}:51] The server is fired up and ready to roll!`;

function accountsOf(lines: readonly string[]): readonly RunAccount[] {
  return accountOfLog(readLogText(`${lines.join('\n')}\n`));
}

function ledgerOf(lines: readonly string[]): readonly (readonly [string, Interval])[] {
  const [account] = accountsOf(lines);
  return account?.ranks[0]?.ledger.map(({ id, name, size }) => [name ?? id, size.interval]) ?? [];
}

/** Expects the rest of a ledger to be nothing, within the rounding of what was printed. */
function expectNoRest(ledger: ReturnType<typeof ledgerOf>, widest: number): void {
  const [, rest] = ledger.find(([id]) => id.startsWith('unaccounted')) ?? ['', { lo: 9, hi: -9 }];
  expect([rest.lo <= 0.001, rest.hi >= -0.001, rest.hi - rest.lo <= widest]).toEqual([
    true,
    true,
    true,
  ]);
}

const near = (value: number, off = 0.005) => ({
  lo: expect.closeTo(value - off, 4) as number,
  hi: expect.closeTo(value + off, 4) as number,
});

// Rest 50.00 - 90.00 * 0.2 = 32.00 GiB at 131,072 B/token: 262,144 tokens. The table of 257 rows of
// 65,540 numbers of 4 B takes 0.0627 GiB.
const plain = [
  argumentsWith(''),
  ...begun,
  loaded('LlamaForCausalLM'),
  `${at}:21] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 262144, K size: 16.00 GB, V size: 16.00 GB`,
  `${at}:22] Memory pool end. avail mem=17.94 GB`,
  `${at}:30] Capture target decode CUDA graph begin. backend=full, num_tokens_per_req=1, avail mem=17.94 GB`,
  'Capturing batches (bs=16 avail_mem=17.90 GB):   0%|          | 0/6 [00:00<?, ?it/s]',
  captured('target decode', '1.50', '16.44'),
  'Capturing prefill shape (num_tokens=512 avail_mem=16.40 GB):   0%|          | 0/2 [00:00<?, ?it/s]',
  `${at}:45] Capture target prefill CUDA graph end. elapsed=1.00 s, mem usage=0.20 GB, avail mem=16.24 GB.`,
  summary(262144, 256, '16.24'),
  ready,
];

describe('a start of 0.5.22 and 0.5.23', () => {
  test('has its graphs, whose line lists the batches first, and no rest', () => {
    const ledger = ledgerOf(plain);
    expect(ledger).toContainEqual(['graphs-target', near(1.5)]);
    expect(ledger).toContainEqual(['graphs-prefill', near(0.2)]);
    expectNoRest(ledger, 0.09);
    expect(accountsOf(plain)[0]?.run.release).toMatchObject({ kind: 'range', from: '0.5.22' });
  });

  test('says nothing of contexts and communication, which no line of it prints', () => {
    const [account] = accountsOf(plain);
    expect(account?.quantities.has('contextAndComm')).toBe(false);
    expect(account?.ranks[0]?.ledger.map(({ id }) => id)).not.toContain('context');
  });

  test('is another run than the one before it, even where the log ends with its first line', () => {
    const [, ...start] = plain;
    // Killed while it captured, without a word.
    const before = start.slice(0, 8);
    expect(accountsOf([...before, ...start]).map(({ run }) => run.lines[0])).toEqual([1, 9]);
    const cut = accountsOf([...before, begun[0] ?? '']);
    expect(cut.map(({ run }) => run.lines[0])).toEqual([1, 9]);
    expect(cut[0]?.run.ranks[0]?.draft).toEqual([]);
  });

  test('tells the draft, which prints no start of its own, from a restart', () => {
    // Rest 49.00 - 18.00 = 31.00 GiB, of which the draft has 1/32.
    const accounts = accountsOf([
      argumentsWith(", 'speculative_algorithm': 'EAGLE'"),
      ...begun,
      loaded('DeepseekV3ForCausalLM'),
      `${at}:20] Memory baseline taken. mem usage=0.00 GB`,
      `${at}:20] Load weight begin. avail mem=50.00 GB`,
      `${at}:21] Load weight end. elapsed=1.10 s, type=DeepseekV3ForCausalLMNextN, avail mem=49.00 GB, mem usage=1.00 GB.`,
      `${at}:21] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 524288, KV size: 30.03 GB`,
      `${at}:22] Memory pool end. avail mem=18.91 GB`,
      `${at}:22] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 524288, KV size: 0.97 GB`,
      `${at}:22] Memory pool end. avail mem=17.94 GB`,
      captured('target verify', '1.50', '16.44'),
      `${at}:44] Capture draft decode CUDA graph begin. backend=full, num_tokens_per_req=1, bs=[1, 2], avail mem=16.44 GB`,
      `${at}:45] Capture draft decode CUDA graph end. elapsed=1.00 s, mem usage=0.25 GB, avail mem=16.19 GB.`,
      summary(524288, 256, '16.19'),
      ready,
    ]);
    expect(accounts).toHaveLength(1);
    const [rank] = accounts[0]?.ranks ?? [];
    const ledger = rank?.ledger.map(({ id, size }) => [id, size.interval] as const) ?? [];
    expect(ledger).toContainEqual(['weights', near(40)]);
    expect(ledger).toContainEqual(['draftWeights', near(1)]);
    expect(ledger).toContainEqual(['draftPool', near(0.97)]);
    expect(rank?.ledger.flatMap(({ graph }) => graph ?? [])).toEqual(['verify', 'draft']);
    expectNoRest(ledger, 0.1);
  });

  test('has the memory of a draft whose pool grew with the pool of the target', () => {
    const ledger = ledgerOf([
      argumentsWith(", 'speculative_algorithm': 'DFLASH'"),
      ...begun,
      loaded('LlamaForCausalLM'),
      `${at}:20] Memory baseline taken. mem usage=0.00 GB`,
      `${at}:20] Load weight begin. avail mem=50.00 GB`,
      `${at}:21] Load weight end. elapsed=1.10 s, type=DFlashDraftModel, avail mem=49.00 GB, mem usage=1.00 GB.`,
      `${at}:21] KV Cache VA upper bound. dtype: torch.bfloat16, #tokens: 250000, K size: 15.26 GB, V size: 15.26 GB`,
      `${at}:22] Memory pool end. avail mem=48.94 GB`,
      `${at}:22] KV Cache VA upper bound. dtype: torch.bfloat16, #tokens: 250000, K size: 0.50 GB, V size: 0.50 GB`,
      `${at}:22] Memory pool end. avail mem=48.94 GB`,
      captured('target verify', '1.00', '47.94'),
      `${at}:46] Post-capture KV sizing: full_layer_tokens=237568, swa_layer_tokens=0`,
      `${at}:46] Post-capture KV sizing: KV cache allocated. dtype: torch.bfloat16, #tokens: 237568, KV size: 29.00 GB, avail mem=18.00 GB`,
      `${at}:46] Post-capture KV sizing: draft KV cache allocated. dtype: torch.bfloat16, #tokens: 237568, KV size: 0.94 GB`,
      summary(237568, 256, '18.00'),
      ready,
    ]);
    expect(ledger).toContainEqual(['kvPool', near(29)]);
    expect(ledger).toContainEqual(['draftPool', near(0.94)]);
    expectNoRest(ledger, 0.09);
  });
});

describe('DeepSeek V4 from 0.5.20 on', () => {
  // python3: int((32 - 0.25 - 0.5 - 0.125) * 2**30 / 12000.5) // 256 * 256 = 2,784,768
  const fixed =
    'c128_state_fixed=0.25 GB, c2_state_fixed=0.00 GB, swa_fixed=0.50 GB, swa_ring_fixed=0.00 GB, c4_state_fixed=0.13 GB';
  const start = (flags: string, amounts = fixed, tokens = 2784768) => [
    argumentsWith(", 'max_running_requests': 256"),
    ...begun,
    loaded('DeepseekV4ForCausalLM'),
    `${at}:21] DSV4 memory calculation: ${flags}, bytes_per_full_token=12000.50, available_bytes=32.00 GB, ${amounts}, full_token=${tokens}`,
    `${at}:21] DSV4 pool sizes: full=${tokens}, swa=8192, c4=696192, c128=21756, c4_state=4096, c128_state=2048`,
    `${at}:22] Memory pool end. avail mem=17.94 GB`,
    summary(tokens, 256, '17.94'),
    ready,
  ];

  test.each([
    [
      'unified=False, unified_fp8=False',
      'c128_state_fixed=0.25 GB, swa_ring_fixed=0.00 GB, c4_state_fixed=0.13 GB',
      2829568,
    ],
    ['unified=False, unified_fp8=False, dspark_draft_bf16=False', fixed, 2784768],
  ])('has its budget from the line that names its modes: %s', (flags, amounts, tokens) => {
    const [account] = accountsOf(start(flags, amounts, tokens));
    expect(account?.quantities.get('bytesPerToken')?.interval).toEqual(near(12000.5));
    expect(account?.quantities.get('restMemory')?.interval).toEqual(near(32));
  });

  test('leaves no rest beside pools and what is fixed', () => {
    const ledger = ledgerOf(start('unified=False, unified_fp8=False, dspark_draft_bf16=True'));
    expect(ledger).toContainEqual([
      'statePool',
      { lo: expect.closeTo(0.865, 4) as number, hi: expect.closeTo(0.905, 4) as number },
    ]);
    expectNoRest(ledger, 0.121);
  });

  test('has the window of the ring where there is one', () => {
    const lines = start('unified=True, unified_fp8=False, dspark_draft_bf16=False');
    const ring = `${at}:22] SWA ring: swa_max_total_num_tokens 8192 -> 32768 (fixed per-request SWA ring capacity).`;
    const [account] = accountsOf([...lines.slice(0, 8), ring, ...lines.slice(8)]);
    expect(account?.quantities.get('swaTokens')?.exact).toBe(32768n);
  });

  test('says of a window that leaves nothing what it takes of what', () => {
    const [account] = accountsOf([
      argumentsWith(''),
      ...begun,
      loaded('DeepseekV4ForCausalLM'),
      'RuntimeError: The DSV4 SWA pool cap (65536 tokens, 33.10 GB) leaves no room for the full KV pool within the available 32.00 GB. Reduce --max-running-requests.',
    ]);
    expect(account?.outcome.kind).toBe('not-enough-memory');
    expect(account && terminalWording(account)).toMatch(/33\.10 GiB.*32\.00 GiB/u);
  });
});

describe('one buffer for all pools', () => {
  test('is the KV pool of the ledger, whatever the lines of its parts say', () => {
    // 32.00 GiB of 2 ** 30 bytes: 34,359,738,368.
    const ledger = ledgerOf([
      argumentsWith(", 'enable_unified_memory': True"),
      ...begun,
      loaded('GptOssForCausalLM'),
      `${at}:21] [unified-memory-pool] UnifiedKVPool allocated: total_bytes=32.00 GB (=34359738368 B), 2 sub-pool(s)`,
      `${at}:21] Full KV Cache is allocated. dtype: torch.bfloat16, #tokens: 700000, K size: 0.00 GB, V size: 0.00 GB`,
      `${at}:21] SWA KV Cache is allocated. dtype: torch.bfloat16, #tokens: 700000, K size: 0.00 GB, V size: 0.00 GB`,
      `${at}:21] [unified-memory-pool]   total_bytes=34359738368 (=32.00 GB), full_capacity=600000, swa_capacity=400000, joint_available=500000 slots`,
      `${at}:22] Memory pool end. avail mem=17.94 GB`,
      summary(600000, 256, '17.94'),
      ready,
    ]);
    expect(ledger).toContainEqual(['kvPool', near(32, 0)]);
    expect(ledger.map(([id]) => id)).not.toContain('swaPool');
    expectNoRest(ledger, 0.04);
  });

  test('that holds no request says what one needs of what', () => {
    const [account] = accountsOf([
      argumentsWith(", 'enable_unified_memory': True"),
      ...begun,
      loaded('Qwen3NextForCausalLM'),
      'RuntimeError: [unified-memory-pool] init_unified_mamba_pools: byte budget 2147483648 cannot fit ONE worst-case request (bs=1 floor 4294967296 = full=4294967296).',
    ]);
    expect(account?.outcome.kind).toBe('not-enough-memory');
    const text = account && terminalWording(account);
    expect(text).toMatch(/needs 4\.00 GiB.*is 2\.00 GiB/u);
    expect(text).toContain('Raise --mem-fraction-static, or lower --context-length.');
  });
});

describe('speculation over states', () => {
  test('counts the rings that only some of it has', () => {
    const ring = (more: string) =>
      ledgerOf([
        ...begun,
        loaded('Qwen3NextForCausalLM'),
        `${at}:21] GDN ReplaySSM ring buffers allocated (record_len=4, fold=True): d=0.000GB, k=0.000GB, g=0.010GB ${more}`,
      ]).find(([id]) => id === 'statePool');
    // Half a digit of each; what is printed as nothing is not below it.
    const between = (lo: number, hi: number) => [
      'statePool',
      { lo: expect.closeTo(lo, 5) as number, hi: expect.closeTo(hi, 5) as number },
    ];
    expect(ring('')).toEqual(between(0.0095, 0.0115));
    expect(ring('rawv=0.050GB, rawk=0.040GB, ')).toEqual(between(0.0985, 0.1025));
    expect(ring('rawv=0.050GB, rawk=0.040GB, beta=0.020GB ')).toEqual(between(0.118, 0.123));
  });
});

describe('host memory that was refused', () => {
  test.each([
    ['No host memory is left for HiCache after the 10 GiB reserve.', /host ran out of memory/],
    ['hipHostMalloc of 120.00 GB for a HiCache host pool failed (rc=2).', /120\.00 GB asked for/],
    [
      'Pinned host memory allocation of 120.0 GiB (128849018880 bytes) returned a null pointer',
      /120\.0\d? GiB asked for/,
    ],
  ])('is no lack of device memory: %s', (text, said) => {
    const [account] = accountsOf([...plain.slice(0, 8), `RuntimeError: ${text}`]);
    expect(account?.outcome.kind).toBe('host-oom');
    expect(account && terminalWording(account)).toMatch(said);
  });
});

describe('sparse attention of 0.5.23, whose pool has two lines', () => {
  const pools = [
    `${at}:21] MiniMax MSA-v1 main NVFP4 KV Cache is allocated. dtype: torch.uint8, #tokens: 262144, K size: 14.50 GB, V size: 14.50 GB`,
    `${at}:21] MiniMax MSA-v1 index KV Cache is allocated. dtype: torch.uint8, #tokens: 262144, KV size: 3.00 GB`,
    `${at}:22] Memory pool end. avail mem=17.94 GB`,
  ];
  const start = [argumentsWith(''), ...begun, loaded('MiniMaxM3ForCausalLM')];

  test('has both in the pool', () => {
    const lines = [...start, ...pools, summary(262144, 256, '17.94'), ready];
    const [account] = accountsOf(lines);
    expect(account?.ranks[0]?.figures.kvPool?.size.quantity.interval).toEqual(near(32, 0.015));
    expectNoRest(ledgerOf(lines), 0.08);
    // python3: 1 - (50 - 32) / 90 = 0.8
    const { lo, hi } = account?.fraction.implied?.interval ?? { lo: 9, hi: -9 };
    expect([lo <= 0.8, hi >= 0.8, hi - lo < 0.004]).toEqual([true, true, true]);
  });

  test('has no size where one of them is not in the log', () => {
    for (const lost of [0, 1]) {
      const lines = [...start, ...pools.filter((_, index) => index !== lost)];
      expect(accountsOf(lines)[0]?.ranks[0]?.figures.kvPool).toBeUndefined();
    }
  });
});
