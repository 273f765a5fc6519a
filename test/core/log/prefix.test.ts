import { describe, expect, test } from 'vitest';
import { readLogText } from '../../../src/core/log/readLog';

const message = 'Memory pool end. avail mem=9.22 GB';

/** Rank, stream and printed time of the only record of a line. */
function read(line: string): readonly [rank: string, stream: string, time: string | undefined] {
  const { records } = readLogText(line);
  expect(records.map(record => record.form.id)).toEqual(['pool-end']);
  const [record] = records;
  expect(record?.fields['avail']?.text).toBe('9.22');
  const { start = 0, end = 0 } = record ?? {};
  expect(line.slice(start, end)).toBe(message);
  return [record?.rank ?? '?', record?.stream ?? '?', record?.time?.text];
}

describe('the own prefix of a line', () => {
  test.each([
    ['[2026-02-27 10:12:30 TP5] ', 'TP5', '2026-02-27 10:12:30'],
    ['[2026-02-27 10:12:30] ', '', '2026-02-27 10:12:30'],
    ['[2026-02-27 10:12:30.125 TP5] ', 'TP5', '2026-02-27 10:12:30.125'],
    ['[2026-02-27 10:12:30 DP1 TP5] ', 'DP1 TP5', '2026-02-27 10:12:30'],
    ['[2026-02-27 10:12:30 DP0 TP0 EP0] ', 'DP0 TP0 EP0', '2026-02-27 10:12:30'],
    ['[2025-05-02 10:12:30 TP3 PP1] ', 'PP1 TP3', '2025-05-02 10:12:30'],
    ['[2025-08-02 10:12:30 DP0 TP3 EP2 PP1] ', 'DP0 PP1 TP3 EP2', '2025-08-02 10:12:30'],
    [
      '[2026-02-27 10:12:30 DP0 PP1 ATTN_CP1 MOE_DP0 TP3 EP2] ',
      'DP0 PP1 ATTN_CP1 MOE_DP0 TP3 EP2',
      '2026-02-27 10:12:30',
    ],
    ['[10:12:30 TP0] ', 'TP0', '10:12:30'],
    ['[10:12:30] ', '', '10:12:30'],
    ['[2025-11-07 09:06:51 DisaggregationMode.X TP1] ', 'TP1', '2025-11-07 09:06:51'],
    ['[2026-01-01 00:00:00 encode_dp_worker[0]] ', '', '2026-01-01 00:00:00'],
    ['2026-04-03 10:02:44 TP0] ', 'TP0', '2026-04-03 10:02:44'],
    ['[gpu_id=3] ', 'TP3', undefined],
    ['[gpu=3] ', 'TP3', undefined],
    ['Rank 3: ', 'TP3', undefined],
    ['', '', undefined],
  ])('%s gives rank "%s"', (prefix, rank, time) => {
    expect(read(prefix + message)).toEqual([rank, '', time]);
  });

  test('a folded rank range is one record for each rank', () => {
    const { records } = readLogText(`[TP0..3] ${message}`);
    expect(records.map(record => record.rank)).toEqual(['TP0', 'TP1', 'TP2', 'TP3']);
  });
});

describe('the prefixes of collectors', () => {
  const own = '[2026-02-27 10:12:30 TP5] ';
  test.each([
    ['sglang-1  | ', 'sglang-1'],
    ['2026-09-26T19:55:58.468Z ', ''],
    ['2026-09-26T19:55:58.468123456Z stderr F ', ''],
    ['2026-09-26T19:55:58+02:00 ', ''],
    ['2026-09-26 19:55:58 ', ''],
    ['Sep 26 19:55:58 host sglang[4711]: ', 'host sglang'],
    ['2026-09-26T19:55:58+0200 host sglang[4711]: ', 'host sglang'],
    ['2026-09-26T19:55:58.468123+02:00 node-1 docker/a1b2[1]: ', 'node-1 docker/a1b2'],
    ['[1,3]<stderr>: ', '1,3'],
    ['{"_HOSTNAME":"node-1","PRIORITY":"6","MESSAGE":"', 'node-1'],
    ['{"kubernetes": {"pod_name": "sgl-0"}, "message": "', 'sgl-0'],
    ['{"line": "', ''],
    ['{"labels": {"pod": "sgl-1"}, "line": "', 'sgl-1'],
    ['server-a\tRun\t2026-09-26T19:55:58.5Z ', 'server-a'],
    ['0|prefill    | ', '0|prefill'],
    ['19:55:58 decode.1 | ', 'decode.1'],
    ['serving-7d9f-aaaa server ', 'serving-7d9f-aaaa server'],
    ['gpu-node: ', 'gpu-node'],
    ['3: ', '3'],
    ['(SGLangEngine pid=123, ip=10.0.0.1) ', 'SGLangEngine pid=123, ip=10.0.0.1'],
    ['[pod/serving-0/server] ', 'serving-0/server'],
    ['[rank0]: ', ''],
    ['    ', ''],
    ['`', ''],
    ['server.log:17:', ''],
    ['2025-11-12 18:21:03.939481+08:00 - worker.base - INFO - ', ''],
    ['sglang-1  | 2026-09-26T19:55:58.468Z ', 'sglang-1'],
    ['[pod/a/b] 2026-09-26T19:55:58Z stdout F (X pid=1) ', 'a/b X pid=1'],
  ])('%s is taken off', (prefix, stream) => {
    expect(read(prefix + own + message)).toEqual(['TP5', stream, '2026-02-27 10:12:30']);
  });

  test('a name before own prefixes is one before other lines of the same origin', () => {
    const lines = ['a', 'b'].flatMap(host => [
      `gpu-${host}: ${own}Init torch distributed begin.`,
      `gpu-${host}: ${message}`,
      `loading: ${message}`,
    ]);
    const { records } = readLogText(`${lines.join('\n')}\n`);
    expect(records.map(({ form, stream }) => [form.id, stream])).toEqual([
      ['init-begin', 'gpu-a'],
      ['pool-end', 'gpu-a'],
      ['pool-end', ''],
      ['init-begin', 'gpu-b'],
      ['pool-end', 'gpu-b'],
      ['pool-end', ''],
    ]);
  });

  test('the time of a collector stands in where the message has none', () => {
    const { records } = readLogText(`2026-09-26T19:55:58.5Z ${message}`);
    expect(records[0]?.time).toEqual({
      text: '2026-09-26T19:55:58.5Z',
      seconds: Date.parse('2026-09-26T19:55:58.5Z') / 1000,
      hasDate: true,
    });
  });

  test('terminal colours are not part of the text, but columns count them', () => {
    const line = `\u001b[36m(Engine pid=7)\u001b[0m \u001b[32m${own}Memory pool end. avail mem=\u001b[1m9.22\u001b[0m GB`;
    const { records } = readLogText(line);
    const field = records[0]?.fields['avail'];
    expect(records[0]?.rank).toBe('TP5');
    expect(line.slice(field?.start, field?.end)).toBe('9.22');
  });

  test('a line of Docker JSON is read inside its quotes', () => {
    const { records } = readLogText(
      `{"log":"${own}${message}\\n","stream":"stderr","time":"2026-09-26T19:55:58.468Z"}`,
    );
    expect(records[0]?.rank).toBe('TP5');
    expect(records[0]?.fields['avail']?.text).toBe('9.22');
    expect(records[0]?.spelling).toBeDefined();
  });
});

test('a message inside a JSON object ends at its closing quote', () => {
  const line =
    '{"__REALTIME_TIMESTAMP":"1","MESSAGE":"[2026-02-27 10:12:30 TP5] KV cache pool is full. Retract requests. #retracted_reqs: 17, #new_token_ratio: 0.3119 -> 0.5217","_HOSTNAME":"node-1","N":9}';
  const { records } = readLogText(`${line}\n`);
  expect(
    records.map(({ rank, stream, fields }) => [rank, stream, fields['ratioAfter']?.text]),
  ).toEqual([['TP5', 'node-1', '0.5217']]);
  const [record] = records;
  expect(line.slice(record?.start, record?.end)).toMatch(/^KV cache pool .* 0\.5217$/);
});

test('a message glued behind an access line or a batch line is read', () => {
  const access = '[2026-02-27 10:12:30] INFO:     127.0.0.1:5 - "GET /health HTTP/1.1" 200 OK';
  const { records } = readLogText(`${access}[2026-02-27 10:12:30 TP5] ${message}\n`);
  expect(records.map(({ rank, form }) => [rank, form.id])).toEqual([['TP5', 'pool-end']]);
});
