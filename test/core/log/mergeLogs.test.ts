import { expect, test } from 'vitest';
import { mergeLogs } from '../../../src/core/log/mergeLogs';
import { readLogText } from '../../../src/core/log/readLog';

const node = (index: number, hour: string): string =>
  [
    `[2026-02-27 ${hour}:00:00] server_args=ServerArgs(tp_size=4, nnodes=2, node_rank=${index})`,
    ...[0, 1].map(
      local =>
        `[2026-02-27 ${hour}:00:0${local + 1} TP${index * 2 + local}] Load weight begin. avail mem=94.0${local} GB`,
    ),
    `[2026-02-27 ${hour}:05:00] Received sigquit from a child process. It usually means the child failed.`,
    '',
  ].join('\n');

const read = (name: string, text: string): ReturnType<typeof readLogText> =>
  readLogText(text, { name });

test('the nodes of one server are one run, each restart another', () => {
  const merged = mergeLogs([
    read('a.log', node(0, '10') + node(0, '11')),
    read('b.log', node(1, '10') + node(1, '11')),
  ]);
  expect(merged.files).toEqual(['a.log', 'b.log']);
  expect(merged.runs.map(run => [run.lines, run.files, run.ranks.map(log => log.rank)])).toEqual([
    [
      [1, 4],
      [0, 1],
      ['TP0', 'TP1', 'TP2', 'TP3'],
    ],
    [
      [5, 8],
      [0, 1],
      ['TP0', 'TP1', 'TP2', 'TP3'],
    ],
  ]);
  expect(merged.runs[0]?.parallel).toMatchObject({ ranksSeen: 4, ranksExpected: 4, nnodes: 2 });
});

test('files that print the same rank are servers of their own', () => {
  const merged = mergeLogs([read('a.log', node(0, '10')), read('b.log', node(0, '10'))]);
  expect(merged.runs.map(run => run.files)).toEqual([[0], [1]]);
});

test('one reading stays as it is', () => {
  const reading = read('a.log', node(0, '10'));
  expect(mergeLogs([reading])).toBe(reading);
});
