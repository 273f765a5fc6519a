/** Causes that a log shows are named with their line; a bound is said as one. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

const time = '2026-08-25 09:00';
const begin = `[${time}:01] Load weight begin. avail mem=78.50 GB`;
const end = (avail: string, usage: string): string =>
  `[${time}:05] Load weight end. elapsed=4.00 s, type=Qwen2_5_VLForConditionalGeneration, avail mem=${avail} GB, mem usage=${usage} GB.`;
const ready = `[${time}:18] The server is fired up and ready to roll!`;
const head = `[${time}:30] Scheduler hit an exception: Traceback (most recent call last):`;

function accountOf(...lines: readonly string[]) {
  return accountOfLog(readLogText([...lines, ''].join('\n')))[0]!;
}

describe('a reservation that is printed', () => {
  const reserving = `[${time}:06] Reserving 1.10 GB of the KV budget for post-sizing multimodal allocations (feature-transport pools + embedding cache).`;
  const refusal = (fraction: string): string =>
    `ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=${fraction}. Raise --mem-fraction-static above 0.873 (minimum viable = 1 - available/pre = 0.8726).`;

  test('is named with its line, and the floor counts it', () => {
    const account = accountOf(begin, end('10.00', '68.50'), reserving, head, refusal('0.875'));
    const text = terminalWording(account);
    // 1 - (10.00 - 1.10) / 78.50 = 0.88662
    expect(text).toContain('1.10 GiB are reserved first (line 3). Nothing fits below ≈ 0.8866');
    expect(text).not.toContain('this log does not show');
  });

  test('leaves another one hidden where it is too small for the difference', () => {
    const account = accountOf(begin, end('10.00', '68.50'), reserving, head, refusal('0.9'));
    expect(terminalWording(account)).toContain('that this log does not show');
  });
});

describe('memory that was taken before the start', () => {
  const failure =
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 9.00 GiB. GPU 0 has a total capacity of 79.10 GiB of which 6.50 GiB is free.';
  const occupied = (...lines: readonly string[]): string | undefined =>
    accountOf(...lines)
      .problems.filter(({ code }) => code === 'occupied-before-start')
      .map(({ message: { id } }) => id)[0];

  test('is a lower bound where our own context is not shown', () => {
    const lines = [begin.replace('78.50', '38.50'), end('23.50', '15.00'), ready, head, failure];
    const text = terminalWording(accountOf(...lines));
    expect(occupied(...lines)).toBe('problem.occupied-least');
    // 79.10 - 38.50 - 4 = 36.60, each printed figure to 0.005.
    expect(text).toMatch(/At least 36\.(59|60) GiB of 79\.10 GiB .* at most 4\.00 GiB/);
    expect(text).not.toMatch(/36\.\d+ GiB \(±/);
  });

  test('is a figure where it is', () => {
    const lines = [
      `[${time}:00] Init torch distributed begin.`,
      `[${time}:00] Init torch distributed ends. elapsed=1.00 s, mem usage=0.50 GB`,
      begin.replace('78.50', '38.50'),
      end('23.50', '15.00'),
      ready,
      head,
      failure,
    ];
    expect(occupied(...lines)).toBe('problem.occupied');
  });
});

test('a failure after the server was ready is named by the line of its error', () => {
  const lines = [begin, end('63.50', '15.00'), ready, head];
  const error = 'RuntimeError: CUDA error: an illegal memory access was encountered';
  expect(terminalWording(accountOf(...lines, error))).toContain('its error starts on line 4');
  expect(terminalWording(accountOf(...lines))).toContain('the log ends on line 4');
});

test('releases without page sizes have pages of one token, which nothing supposes', () => {
  const account = accountOf(
    '[gpu_id=0] Load weight begin. avail mem=23.30 GB',
    '[gpu_id=0] Load weight end. type=LlamaForCausalLM, avail mem=9.70 GB',
    '[gpu_id=0] Memory pool end. avail mem=4.50 GB',
    '[gpu_id=0] max_total_num_tokens=36864, max_prefill_tokens=16384, context_len=4096, ',
  );
  const all = account.budget.facts.flatMap(({ assumptions = [] }) => assumptions);
  expect(all).not.toContain('page size is a power of two');
});

test('a refused host pool is told with both bounds where the release is open', () => {
  const [account] = accountOfLog(
    readLogText(
      [
        '[2025-12-01 08:00:18] Allocating 126.76 GB host memory for hierarchical KV cache.',
        'ValueError: Not enough host memory available. Requesting 126.76 GB but only have 80.20 GB free. Please reduce the size of the hierarchical cache.',
        '',
      ].join('\n'),
    ),
  );
  // 80.20 less 10 * 2**30 B, or 80.20 itself.
  expect(account && terminalWording(account)).toMatch(/69\.4\d+…80\.2\d* GB usable of 80\.20 GB/);
});
