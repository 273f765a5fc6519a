/** Logs as machines and people leave them: mixed, cut, doubled, with other line ends and bytes. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { mergeLogs } from '../../../src/core/log/mergeLogs';
import { readLog } from '../../../src/core/log/readLog';
import { encodeUtf8 } from '../../../src/core/log/utf8';
import { sourceOf } from './memorySource';

function serverOf(rank: string, begin: string): readonly string[] {
  const at = (message: string): string => `[2026-03-01 08:00:00 ${rank}] ${message}`;
  return [
    "[2026-03-01 08:00:00] server_args=ServerArgs(model_path='m', mem_fraction_static=0.8, tp_size=2)",
    at('Init torch distributed begin.'),
    at(`Load weight begin. avail mem=${begin} GB`),
    at(
      'Load weight end. type=BigForCausalLM, dtype=torch.bfloat16, avail mem=62.30 GB, mem usage=16.20 GB.',
    ),
    at('KV Cache is allocated. #tokens: 400000, K size: 20.00 GB, V size: 20.00 GB'),
    at('Memory pool end. avail mem=21.60 GB'),
    at(
      'max_total_num_tokens=400000, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=32768, available_gpu_mem=20.90 GB',
    ),
    at(
      'Prefill batch. #new-seq: 1, #new-token: 9, #cached-token: 0, token usage: 0.01, #running-req: 0, #queue-req: 0, ',
    ),
    at(
      'Decode batch. #running-req: 1, #token: 99, token usage: 0.02, cuda graph: True, gen throughput (token/s): 31.40, #queue-req: 0, ',
    ),
    at(
      'KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_token_ratio: 0.3119 -> 0.5217',
    ),
    at('Scheduler hit an exception: Traceback (most recent call last):'),
    '  File "model.py", line 1, in forward',
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.20 GiB is free.',
    'Memory profiling: available_gpu_memory=62.30 GB, total_gpu_memory=78.50 GB, mem_fraction_static=0.80, rest_memory=46.60 GB',
  ];
}

const servers = [serverOf('TP0', '78.50'), serverOf('TP1', '78.10'), serverOf('DP1 TP1', '9.99')];

/** Lines of the servers in turns, some cut, doubled or glued. */
const line = fc
  .tuple(
    fc.nat(servers.length - 1),
    fc.nat(13),
    fc.option(fc.nat(200), { freq: 5 }),
    fc.constantFrom(
      '',
      '',
      '',
      'pod-1  | ',
      '2026-03-01T08:00:00.123456789Z stdout P ',
      '\u001b[31m',
    ),
    fc.constantFrom('\n', '\n', '\n', '\r\n', '\r', ' \u23ce ', '', '\u0000\n', '\ufffd'),
  )
  .map(([server, index, cut, prefix, end]) => {
    const text = servers[server]?.[index] ?? '';
    return `${prefix}${cut === null ? text : text.slice(0, cut)}${end}`;
  });

const noise = fc.uint8Array({ maxLength: 12 });

const bytes = fc
  .array(fc.oneof({ weight: 9, arbitrary: line }, noise), { maxLength: 60 })
  .map(list => {
    const pieces = list.map(each => (typeof each === 'string' ? encodeUtf8(each) : each));
    return Uint8Array.from(pieces.flatMap(piece => [...piece]));
  });

test('any mixture is read the same however it arrives, with and without series, and explained', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, bytes, fc.integer({ min: 1, max: 300 }), async (one, other, size) => {
      const whole = await readLog(sourceOf(one), undefined, { series: true });
      const pieces = await readLog(sourceOf(one), undefined, { series: true, pieceBytes: size });
      expect(pieces.records).toEqual(whole.records);
      expect(pieces.runs.map(run => run.series)).toEqual(whole.runs.map(run => run.series));
      const plain = await readLog(sourceOf(one));
      expect(plain.records).toEqual(whole.records);
      const merged = mergeLogs([
        whole,
        await readLog(sourceOf(other), undefined, { series: true }),
      ]);
      for (const reading of [whole, merged]) {
        expect(accountOfLog(reading)).toHaveLength(reading.runs.length);
      }
    }),
    { numRuns: 60, endOnFailure: true },
  );
}, 60_000);
