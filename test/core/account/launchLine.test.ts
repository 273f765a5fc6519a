/** The line that starts a server again keeps what bears on memory. */
import { expect, test } from 'vitest';
import { launchLine } from '../../../src/core/account/launchLine';
import { readLogText } from '../../../src/core/log/readLog';

function lineOf(args: string): string | undefined {
  const text = [
    `[2026-03-06 05:00:00] server_args=ServerArgs(model_path='/m/q', ${args})`,
    '[2026-03-06 05:00:01] Load weight begin. avail mem=78.00 GB',
    '[2026-03-06 05:00:02] Load weight end. elapsed=1.00 s, type=AForCausalLM, avail mem=60.00 GB, mem usage=18.00 GB.',
    '',
  ].join('\n');
  return launchLine(readLogText(text).runs[0]!, ['--mem-fraction-static 0.8']);
}

const start = 'python3 -m sglang.launch_server --model-path /m/q';
const end = '--mem-fraction-static 0.8';

test('roles, exchanges, chunks, pages, graphs and dtypes are repeated', () => {
  expect(
    lineOf(
      "tp_size=2, dtype='float16', load_format='dummy', moe_a2a_backend='deepep', disaggregation_mode='prefill', page_size=64, chunked_prefill_size=32768, cuda_graph_max_bs=64, attn_cp_size=2",
    ),
  ).toBe(
    `${start} --dtype float16 --load-format dummy --tp-size 2 --attn-cp-size 2 --moe-a2a-backend deepep --disaggregation-mode prefill --page-size 64 --chunked-prefill-size 32768 --cuda-graph-max-bs 64 ${end}`,
  );
});

test('so are states, windows and adapters', () => {
  expect(
    lineOf(
      'max_mamba_cache_size=400, mamba_full_memory_ratio=0.5, swa_full_tokens_ratio=0.25, enable_lora=True, max_loras_per_batch=4, max_lora_rank=64',
    ),
  ).toBe(
    `${start} --swa-full-tokens-ratio 0.25 --mamba-full-memory-ratio 0.5 --max-mamba-cache-size 400 --enable-lora --max-loras-per-batch 4 --max-lora-rank 64 ${end}`,
  );
});

test('what a server has anyway is not', () => {
  expect(
    lineOf(
      "dtype='auto', load_format='auto', device='cuda', page_size=1, disaggregation_mode='null', moe_a2a_backend='none', swa_full_tokens_ratio=0.8, max_prefill_tokens=16384, enable_lora=None",
    ),
  ).toBe(`${start} ${end}`);
});

test('a chunk that groups of attention have divided is no flag to type', () => {
  expect(lineOf('tp_size=8, dp_size=8, enable_dp_attention=True, chunked_prefill_size=1024')).toBe(
    `${start} --tp-size 8 --dp-size 8 --enable-dp-attention ${end}`,
  );
});
