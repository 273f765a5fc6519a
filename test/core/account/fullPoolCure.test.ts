/** What to do about a pool that ran out of tokens while the server goes on. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

/** 131,072 bytes per token, so many tokens, so much free at the end; chunks for which little is kept. */
const server = (tokens: number, halfGiB: string, free: string, limit = 'None'): string =>
  [
    `[2026-02-25 10:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=1, pp_size=1, dp_size=1, mem_fraction_static=0.85, max_total_tokens=${limit}, page_size=1, chunked_prefill_size=2048, cuda_graph_max_bs=8)`,
    '[2026-02-25 10:00:06] Load weight begin. avail mem=78.48 GB',
    '[2026-02-25 10:00:16] Load weight end. elapsed=9.10 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.34 GB, mem usage=15.14 GB.',
    `[2026-02-25 10:00:16] KV Cache is allocated. #tokens: ${tokens}, K size: ${halfGiB} GB, V size: ${halfGiB} GB`,
    `[2026-02-25 10:00:30] max_total_num_tokens=${tokens}, chunked_prefill_size=2048, max_prefill_tokens=16384, max_running_requests=2048, context_len=8192, available_gpu_mem=${free} GB`,
    '[2026-02-25 10:00:35] The server is fired up and ready to roll!',
    '',
  ].join('\n');

const retraction = (running: number, tokens: number, retracted: number): string =>
  [
    `[2026-02-25 10:10:35] Decode batch. #running-req: ${running}, #token: ${tokens}, token usage: 0.99, cuda graph: True, gen throughput (token/s): 3120.11, #queue-req: 34`,
    `[2026-02-25 10:10:36] KV cache pool is full. Retract requests. #retracted_reqs: ${retracted}, #new_token_ratio: 0.6120 -> 0.8000`,
    '',
  ].join('\n');

function accountOf(text: string) {
  const [account] = accountOfLog(readLogText(text));
  if (account === undefined) {
    throw new Error('no run');
  }
  return account;
}

const about = (text: string): string => terminalWording(accountOf(text)).split('\n')[0] ?? '';

describe('a server that gives requests back', () => {
  const serving = retraction(210, 418221, 5) + retraction(205, 419001, 7);

  test('has a row among the problems that is no error, with the flag that gives more tokens', () => {
    const { problems } = accountOf(server(422444, '25.78', '12.50') + serving);
    expect(problems[0]).toMatchObject({ code: 'tiny-pool', severity: 'information', line: 8 });
    // python3: the release keeps 10 GiB at least, round((80363 - 10240) / 80363, 3) = 0.873.
    expect(problems[0]?.fix).toMatch(/^--mem-fraction-static 0\.87$/);
    expect(about(server(422444, '25.78', '12.50') + serving)).toMatch(
      /not GPU memory\. Set --mem-fraction-static 0\.87: .* tokens fit, room for 2\d\d requests/,
    );
  });

  test('with a host cache that a ratio sizes is told what that then takes', () => {
    const cached = server(422444, '25.78', '12.50')
      .replace('page_size=1,', 'page_size=1, hicache_ratio=2.0, hicache_size=0,')
      .replace(
        '[2026-02-25 10:00:30]',
        '[2026-02-25 10:00:20] Allocating 110.74 GB host memory for hierarchical KV cache.\n$&',
      );
    // python3: (63.34 - 78.48 * 0.13) * 2**30 / 131072 * 110.74 / 422444 = 114.1
    expect(about(cached + serving)).toMatch(/then takes 11[34]\.\d\d…114\.\d\d GB for each rank/);
  });

  test('with no memory to spare runs as many as were left after the last retraction', () => {
    // 205 ran and 7 went back.
    const text = about(server(422444, '25.78', '4.50') + serving);
    expect(text).toMatch(
      /Set --max-running-requests 198: so many were left after the last retraction \(2 in/,
    );
  });

  test('under a limit of tokens raises that and not the fraction', () => {
    // (63.34 - 78.48 * 0.15) * 2**30 / 131072 = 422,445; sampling costs at most 1,000.
    const text = about(server(200000, '12.21', '36.50', '200000') + retraction(100, 198221, 5));
    expect(text).toMatch(/Set --max-total-tokens 42[12]000: the limit of 200,000 tokens decides/);
  });
});

describe('an allocation that failed while serving', () => {
  const error = (unused: string): string =>
    `[2026-02-25 10:10:35] Scheduler hit an exception: Traceback (most recent call last):\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.20 GiB is free. Including non-PyTorch memory, this process has 77.90 GiB memory in use. Of the allocated memory 68.10 GiB is allocated by PyTorch, and ${unused} is reserved by PyTorch but unallocated.\n`;

  test('names the knob for memory in pieces where the allocator keeps more than was missing', () => {
    const text = about(server(422444, '25.78', '9.50') + error('7.40 GiB'));
    // 1.96 - 1.20 GiB
    expect(text).toMatch(/expandable_segments:True: 7\.40 GiB are reserved .* 778\.24 MiB/);
    expect(text).toMatch(/not enough: Set --mem-fraction-static 0\.8/);
  });

  test('says nothing of pieces where it keeps less', () => {
    const text = about(server(422444, '25.78', '9.50') + error('512.00 MiB'));
    expect(text).not.toContain('expandable_segments');
  });
});
