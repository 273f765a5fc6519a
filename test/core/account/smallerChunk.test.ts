/** A prefill that asked for too much at once: half its chunk is the second lever, without a made-up gain. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { runReport } from '../../../src/core/report/runReport';
import { defaultFormat } from '../../../src/core/units/format';
import { reportTerminal } from '../../../src/wording/reportText';

const at = '[2026-05-20 11:00:';
const start = (typed: string): string[] => [
  `${at}01] server_args=ServerArgs(model_path='/m/own', tp_size=1, mem_fraction_static=0.92, ${typed}, max_total_tokens=None)`,
  `${at}02] Load weight begin. avail mem=78.70 GB`,
  `${at}20] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=17.40 GB, mem usage=61.30 GB.`,
  `${at}20] KV Cache is allocated. #tokens: 45465, K size: 5.55 GB, V size: 5.55 GB`,
  `${at}20] Memory pool end. avail mem=5.95 GB`,
  `${at}31] max_total_num_tokens=45465, chunked_prefill_size=16384, max_prefill_tokens=16384, max_running_requests=2048, context_len=40960, available_gpu_mem=3.90 GB`,
  `${at}33] The server is fired up and ready to roll!`,
];
const prefill = `${at}40] Prefill batch. #new-seq: 1, #new-token: 16384, #cached-token: 0, #token: 0, token usage: 0.00, #running-req: 0, #queue-req: 0, `;
const decode = `${at}41] Decode batch. #running-req: 1, #token: 16400, token usage: 0.36, cuda graph: True, gen throughput (token/s): 40.20, #queue-req: 0`;
const failure = [
  `${at}50] Scheduler hit an exception: Traceback (most recent call last):`,
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.64 GiB. GPU 0 has a total capacity of 79.11 GiB of which 2.10 GiB is free.',
];

const wordingOf = (...lines: readonly string[]): string =>
  reportTerminal(runReport(accountOfLog(readLogText([...lines, ''].join('\n')))[0]!), {
    format: defaultFormat,
    target: 'plain',
    length: 'full',
    translate: (text, values) =>
      text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  });

describe('out of memory in a prefill', () => {
  test('names half the chunk, after the fraction', () => {
    const text = wordingOf(...start('chunked_prefill_size=16384'), prefill, ...failure);
    expect(text).toMatch(/--mem-fraction-static.*--chunked-prefill-size 8192/);
    expect(text).not.toMatch(/--chunked-prefill-size 8192[^.]*GiB/);
  });

  test('is not meant by a failure after a decode batch, nor where chunks are off', () => {
    const chunked = start('chunked_prefill_size=16384');
    expect(wordingOf(...chunked, prefill, decode, ...failure)).not.toMatch(/chunked-prefill/);
    expect(wordingOf(...start('chunked_prefill_size=-1'), prefill, ...failure)).not.toMatch(
      /chunked-prefill/,
    );
  });
});
