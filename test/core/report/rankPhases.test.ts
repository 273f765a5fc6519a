/** What is free at the end of each rank: one column says one moment, or that it does not. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { runReport } from '../../../src/core/report/runReport';

const rank = (name: string, free: string): string[] => [
  `[2026-05-20 11:00:10 ${name}] Load weight begin. avail mem=78.10 GB`,
  `[2026-05-20 11:00:30 ${name}] Load weight end. elapsed=20.0 s, type=LlamaForCausalLM, avail mem=20.60 GB, mem usage=57.50 GB.`,
  `[2026-05-20 11:00:31 ${name}] KV Cache is allocated. #tokens: 71958, K size: 4.39 GB, V size: 4.39 GB`,
  `[2026-05-20 11:00:32 ${name}] Memory pool end. avail mem=${free} GB`,
];
const captured = (name: string): string[] => [
  `[2026-05-20 11:00:33 ${name}] Capture cuda graph begin. This can take up to several minutes. avail mem=10.60 GB`,
  `[2026-05-20 11:00:40 ${name}] Capture cuda graph end. Time elapsed: 7.00 s. mem usage=1.80 GB. avail mem=8.80 GB.`,
];

const lastColumn = (lines: readonly string[]): string | undefined =>
  runReport(accountOfLog(readLogText([...lines, ''].join('\n')))[0]!)
    .sections.find(({ id }) => id === 'ranks')
    ?.blocks.flatMap(block => (block.kind === 'table' ? [block.columns.at(-1)] : []))[0];

test('ranks of which one shows its graphs and another only its pools do not end together', () => {
  expect(lastColumn([...rank('TP0', '10.65'), ...rank('TP1', '10.65'), ...captured('TP0')])).toBe(
    'last',
  );
});

test('ranks that end together have their end in the column', () => {
  const pools = [...rank('TP0', '10.65'), ...rank('TP1', '10.65')];
  expect(lastColumn(pools)).toBe('final');
  expect(lastColumn([...pools, ...captured('TP0'), ...captured('TP1')])).toBe('final');
});
