/** Two starts of one server that fail from opposite sides, in two logs. */
import { expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { compareRuns } from '../../../src/core/account/compare';
import { readLogText } from '../../../src/core/log/readLog';
import { comparisonReport } from '../../../src/core/report/comparisonReport';
import { defaultFormat } from '../../../src/core/units/format';
import { reportTerminal } from '../../../src/wording/reportText';

const start = (fraction: number, ...more: string[]): RunAccount => {
  const lines = [
    `[2026-02-25 10:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=1, mem_fraction_static=${fraction}, max_total_tokens=None, page_size=1)`,
    '[2026-02-25 10:00:06] Load weight begin. avail mem=78.50 GB',
    '[2026-02-25 10:00:16] Load weight end. elapsed=9.10 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=14.00 GB, mem usage=64.50 GB.',
    ...more,
    '',
  ];
  const [account] = accountOfLog(readLogText(lines.join('\n')));
  if (account === undefined) {
    throw new Error('no run');
  }
  return account;
};

const low = start(
  0.8,
  'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=0.8',
);

const high = (fraction: number, half: string, tokens: number, asked: string): RunAccount =>
  start(
    fraction,
    `[2026-02-25 10:00:16] KV Cache is allocated. #tokens: ${tokens}, K size: ${half} GB, V size: ${half} GB`,
    '[2026-02-25 10:00:17] Capture cuda graph begin. This can take up to several minutes. avail mem=0.60 GB',
    `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${asked} GiB. GPU 0 has a total capacity of 79.11 GiB of which 0.50 GiB is free. Including non-PyTorch memory, this process has 78.60 GiB memory in use.`,
  );

const textOf = (a: RunAccount, b: RunAccount): string =>
  reportTerminal(comparisonReport(compareRuns(a, b)), {
    format: defaultFormat,
    target: 'plain',
    length: 'full',
    translate: (text, values) =>
      text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  });

test('a floor above the ceiling is told as such, in either order', () => {
  // Floor 1 - 14.00 / 78.50 = 0.8217. 14.00 - 78.50 * 0.17 = 0.655 GiB; ceiling 0.83 - 1.5 / 78.5 = 0.8109.
  const failed = high(0.83, '0.33', 5366, '2.00');
  expect(compareRuns(low, failed).between?.isStuck).toBe(true);
  for (const text of [textOf(low, failed), textOf(failed, low)]) {
    expect(text).toMatch(
      /cannot fit: nothing fits below .*0\.821\d.*, and no graphs above .*0\.81[01]\d/,
    );
  }
});

test('a ceiling above the floor leaves a range, with its pool', () => {
  // 14.00 - 78.50 * 0.1 = 6.15 GiB; ceiling 0.9 - 1.5 / 78.5 = 0.8809.
  const { between } = compareRuns(low, high(0.9, '3.08', 50381, '2.00'));
  expect(between?.isStuck).toBe(false);
  const { lo, hi } = between?.ceiling.interval ?? { lo: NaN, hi: NaN };
  expect([lo <= 0.8809, hi >= 0.8809, hi - lo < 0.003]).toEqual([true, true, true]);
});

test('servers that do not fail from opposite sides have nothing between them', () => {
  expect(compareRuns(low, low).between).toBeUndefined();
});
