import { describe, expect, test } from 'vitest';
import { readLogText } from '../../../src/core/log/readLog';
import type { LogRecord } from '../../../src/core/log/record';

function records(...lines: readonly string[]): readonly LogRecord[] {
  return readLogText(lines.join('\n')).records;
}

/** Form, rank and field texts of each record. */
function outline(list: readonly LogRecord[]): readonly unknown[] {
  return list.map(({ form, rank, fields }) => [
    form.id,
    rank,
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field?.text])),
  ]);
}

describe('several messages in one line', () => {
  test('a progress bar glued to the next rank is two records with their own ranks', () => {
    const line =
      '[2026-01-01 00:00:01 TP0] Memory pool end. avail mem=1.00 GB[2026-01-01 00:00:02 TP1] Memory pool end. avail mem=2.00 GB';
    expect(outline(records(line))).toEqual([
      ['pool-end', 'TP0', { avail: '1.00' }],
      ['pool-end', 'TP1', { avail: '2.00' }],
    ]);
  });

  test('redraws of a progress bar are one record each and belong to no rank', () => {
    const line =
      '  0%|   | 0/2 [00:00<?, ?it/s]Capturing batches (bs=4 avail_mem=1.85 GB):   0%|  | 0/2 [00:00<?]Capturing batches (bs=3 avail_mem=1.70 GB): 50%|#';
    expect(outline(records(line))).toEqual([
      ['graph-progress', '', { batch: '4', avail: '1.85' }],
      ['graph-progress', '', { batch: '3', avail: '1.70' }],
    ]);
  });

  test('a return glyph between messages separates them', () => {
    const line =
      'x ⏎ [2024-11-13 08:36:16 TP0] Load weight begin. avail mem=77.17 GB ⏎ Memory pool end. avail mem=1.00 GB ⏎ y';
    expect(outline(records(line))).toEqual([
      ['load-begin', 'TP0', { avail: '77.17' }],
      ['pool-end', '', { avail: '1.00' }],
    ]);
  });

  test('redraws that end in a lone carriage return are lines of their own', () => {
    const { records: list, lineCount } = readLogText(
      'Capturing batches (bs=4 avail_mem=1.85 GB): 0%\rCapturing batches (bs=2 avail_mem=1.75 GB): 50%\r[2026-01-01 00:00:01 TP0] Memory pool end. avail mem=1.00 GB\r\n',
    );
    expect(list.map(record => record.line)).toEqual([1, 2, 3]);
    expect(lineCount).toBe(3);
  });
});

describe('fragments of long lines', () => {
  const stamp = '2026-02-27T10:02:20.1Z';

  test('partial lines of a container runtime are joined within their channel', () => {
    const list = records(
      `${stamp} stderr P [2026-02-27 10:02:20 TP1] KV Cache is allocated. #tok`,
      `${stamp} stdout F [2026-02-27 10:02:20 TP0] Memory pool end. avail mem=9.22 GB`,
      `${stamp} stderr P ens: 1592`,
      `${stamp} stderr F 87, KV size: 10.42 GB`,
    );
    expect(outline(list)).toEqual([
      ['pool-end', 'TP0', { avail: '9.22' }],
      ['kv-allocated', 'TP1', { tokens: '159287', kv: '10.42' }],
    ]);
    const [, joined] = list;
    expect([joined?.line, joined?.endLine]).toEqual([1, 4]);
    expect(joined?.fields['kv']).toMatchObject({ line: 4, start: 45, end: 50 });
  });

  test('stamps that Docker puts into a long line are taken out', () => {
    const fields = Array.from({ length: 1200 }, (_, index) => `unknown_${index}=None`).join(', ');
    const message = `[2026-01-02 03:04:05] server_args=ServerArgs(tp_size=8, ${fields}, mem_fraction_static=0.875, page_size=64)`;
    const at = message.indexOf('0.875') + 3;
    const docker = '2026-09-26T19:55:58.468123456Z ';
    const line = docker + message.slice(0, at) + docker + message.slice(at);
    const [record] = records(line);
    const fraction = record?.serverArguments?.values.get('mem_fraction_static');
    expect(fraction?.value).toBe(0.875);
    expect(line.slice(fraction?.start, fraction?.end)).toBe(`0.8${docker}75`);
    expect(record?.serverArguments?.values.get('page_size')?.value).toBe(64n);
  });

  test('fragments of Docker JSON lines are joined', () => {
    const json = (log: string): string =>
      JSON.stringify({ log, stream: 'stderr', time: '2026-09-26T19:55:58.468Z' });
    const list = records(
      json('[2026-02-27 10:02:20 TP1] KV Cache is allocated. #tokens: 15'),
      json('9287, KV size: 10.42 GB\n'),
    );
    expect(outline(list)).toEqual([['kv-allocated', 'TP1', { tokens: '159287', kv: '10.42' }]]);
  });
});

describe('wrapped lines', () => {
  test('a line that stops at a comma goes on in the next', () => {
    const list = records(
      '[2025-09-27 21:51:37 TP3] KV Cache is allocated. #tokens: 2405039, ',
      'K size: 36.70 GB, V size: 36.70 GB',
      'Memory pool end. avail mem=1.00 GB',
    );
    expect(outline(list)).toEqual([
      ['kv-allocated', 'TP3', { tokens: '2405039', k: '36.70', v: '36.70' }],
      ['pool-end', '', { avail: '1.00' }],
    ]);
    expect(list[0]?.fields['v']).toMatchObject({ line: 2, start: 26, end: 31 });
  });

  test('several continuations are joined', () => {
    const list = records(
      '[TP0]    max_total_num_tokens=1557504, chunked_prefill_size=1024,',
      '         max_prefill_tokens=16384, max_running_requests=8,',
      '         context_len=8192, available_gpu_mem=3.39 GB',
    );
    expect(outline(list)).toEqual([
      [
        'summary',
        'TP0',
        {
          tokens: '1557504',
          chunk: '1024',
          prefill: '16384',
          running: '8',
          context: '8192',
          available: '3.39',
        },
      ],
    ]);
    expect(list[0]?.spelling).toBeDefined();
  });

  test('a next line with a prefix of its own is no continuation', () => {
    const list = records(
      '[2025-09-27 21:51:37 TP3] KV Cache is allocated. #tokens: 7, ',
      '[2025-09-27 21:51:37 TP2] K size: 36.70 GB, V size: 36.70 GB',
    );
    expect(outline(list)).toEqual([['kv-allocated', 'TP3', { tokens: '7' }]]);
  });

  test('the fraction of an error can stand in the next line', () => {
    const list = records(
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
      'Current value: self.server_args.mem_fraction_static=0.805',
      '',
    );
    expect(outline(list)).toEqual([['not-enough-memory', '', { fraction: '0.805' }]]);
    expect(list[0]?.exception).toBe('RuntimeError');
  });
});

describe('numbers at a cut', () => {
  test('a number that cannot end its line is dropped there', () => {
    expect(outline(records('max_total_num_tokens=5, chunked_prefill_size=81', ''))).toEqual([
      ['summary', '', { tokens: '5' }],
    ]);
  });

  test('a number at the width where another line is cut in a word is dropped', () => {
    const prefix = '[2026-07-04 20:47:28 DP0 TP0 EP0] ';
    const cut = (message: string): string => (prefix + message).slice(0, 155);
    const budget =
      'DSV4 memory calculation: bytes_per_full_token=7705.45, available_bytes=6.16 GB, c128_state_fixed=0.04 GB, full_token=';
    const cache =
      'Tree cache initialized: source=default impl=SWAChunkCache hybrid_swa=True hybrid_ssm=False hierarchical=False streaming_wrapped=False';
    const both = records(cut(`${budget}852992`), cut(cache), '');
    expect(both[0]?.fields['tokens']).toBeUndefined();
    expect(both[0]?.fields['perToken']?.text).toBe('7705.45');
    expect(both[0]?.spelling).toBeUndefined();
    const alone = records(`${prefix}${budget}852992`, '');
    expect(alone[0]?.fields['tokens']?.text).toBe('852992');
  });
});

describe('error lines without a prefix', () => {
  test('take the rank of the traceback that they end', () => {
    const list = records(
      '[2026-02-27 12:40:00 TP5] Scheduler hit an exception: Traceback (most recent call last):',
      '  File "x.py", line 3, in f',
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 5 has a total capacity of 94.50 GiB of which 676.81 MiB is free.',
      '[2026-02-27 12:40:00] something else',
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
      '',
    );
    expect(list.map(record => [record.form.id, record.rank, record.rankBasis])).toEqual([
      ['process-exception', 'TP5', 'printed'],
      ['torch-out-of-memory', 'TP5', 'inherited'],
      ['not-enough-memory', '', 'none'],
    ]);
    expect(list[1]?.fields['free']).toMatchObject({ text: '676.81', unit: 'MiB', decimals: 2 });
    expect(list[1]?.fields['total']).toMatchObject({ text: '94.50', unit: 'GiB' });
    expect(list[1]?.exception).toBe('OutOfMemoryError');
  });
});
