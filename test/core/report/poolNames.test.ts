/** One word for one amount: pools beside a window's, graphs of several kinds. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { accountOfText, comparisonOfTexts, modelOfText } from '../../ui/pageModels';
import { runReport } from '../../../src/core/report/runReport';

// python3: 1 - (60.90 - (26.50 + 21.20)) / 78.30 = 0.8314
const windowed = [
  "[2026-09-01 10:00:00] server_args=ServerArgs(model_path='/m/oss', tp_size=1, mem_fraction_static=0.8314, page_size=1, swa_full_tokens_ratio=0.8)",
  '[2026-09-01 10:00:01 TP0] Load weight begin. avail mem=78.30 GB',
  '[2026-09-01 10:00:06 TP0] Load weight end. elapsed=19.00 s, type=GptOssForCausalLM, avail mem=60.90 GB, mem usage=17.40 GB.',
  '[2026-09-01 10:00:29 TP0] Full KV Cache is allocated. dtype: torch.bfloat16, #tokens: 3086392, K size: 13.25 GB, V size: 13.25 GB',
  '[2026-09-01 10:00:29 TP0] SWA KV Cache is allocated. dtype: torch.bfloat16, #tokens: 2469113, K size: 10.60 GB, V size: 10.60 GB',
  '[2026-09-01 10:00:29 TP0] Memory pool end. avail mem=13.19 GB',
  '[2026-09-01 10:00:30 TP0] max_total_num_tokens=3086392, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=48, context_len=131072, available_gpu_mem=13.18 GB',
  '[2026-09-01 10:00:40] The server is fired up and ready to roll!',
  '',
].join('\n');

const graphs = [
  '[2026-09-01 10:00:00 TP0] Load weight begin. avail mem=78.30 GB',
  '[2026-09-01 10:00:30 TP0] Load weight end. elapsed=20.00 s, type=Qwen3ForCausalLM, avail mem=61.50 GB, mem usage=16.80 GB.',
  '[2026-09-01 10:00:50 TP0] KV Cache is allocated. #tokens: 100000, K size: 13.00 GB, V size: 13.00 GB',
  '[2026-09-01 10:00:51 TP0] Memory pool end. avail mem=35.00 GB',
  '[2026-09-01 10:00:58 TP0] Capture target verify CUDA graph begin. backend=full, num_tokens_per_req=4, bs=[1, 2], avail mem=34.90 GB',
  '[2026-09-01 10:01:00 TP0] Capture target verify CUDA graph end. elapsed=9.20 s, mem usage=0.90 GB, avail mem=34.00 GB.',
  '[2026-09-01 10:01:02 TP0] Capture draft decode CUDA graph begin. backend=full, num_tokens_per_req=1, bs=[1, 2], avail mem=34.00 GB',
  '[2026-09-01 10:01:04 TP0] Capture draft decode CUDA graph end. elapsed=4.20 s, mem usage=0.30 GB, avail mem=33.70 GB.',
  '',
].join('\n');

describe('Names of parts', () => {
  test('a pool beside that of the window, and both together, are not called the same', () => {
    const { run } = modelOfText(windowed);
    expect(run?.headline.verdict).toMatch(
      /a full KV pool of ≈ 26\.50 GiB.* and a window pool of ≈ 21\.20 GiB/,
    );
    expect(run?.figures.map(({ label }) => label)).toContain('full KV pool');
    expect(run?.ranks[0]?.blocks.map(({ label }) => label)).toContain('full KV pool');
    expect(run?.hasWindow).toBe(true);
    expect(run?.rows.length).toBeGreaterThan(2);
    const columns = runReport(accountOfText(windowed)).sections.flatMap(({ blocks }) =>
      blocks.flatMap(block => (block.kind === 'table' ? block.columns : [])),
    );
    expect(columns).toContain('pools');
    expect(columns).not.toContain('pool');
  });

  test('a prediction of a run with a window names both pools together', () => {
    const other = windowed.replaceAll('60.90', '58.90');
    const { comparison } = comparisonOfTexts('a.log', windowed, 'b.log', other);
    const [prediction] = comparison?.predictions ?? [];
    expect(prediction?.hasWindow).toBe(true);
  });

  test('the only pool, and graphs of one kind, have their plain names', () => {
    const { run } = modelOfText(readFileSync('sample/seed-baseline.log', 'utf8'));
    const names = run?.ranks[0]?.blocks.map(({ label }) => label);
    expect(names).toEqual(expect.arrayContaining(['KV pool', 'graphs']));
    expect(run?.hasWindow).toBeUndefined();
  });

  test('graphs of several kinds say of what they are', () => {
    const [rank] = modelOfText(graphs).run?.ranks ?? [];
    const names = rank?.blocks.filter(({ id }) => id === 'graphMemory').map(({ label }) => label);
    expect(names).toEqual(['graphs of the target’s verify step', 'graphs of the draft']);
  });
});
