/** A process that signal 9 ended before it was ready: what is known, and what is only usual. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

const begin = '[2026-05-20 11:00:10 TP0] Load weight begin. avail mem=78.50 GB';
const shell = './serve.sh: line 3:  4711 Killed                  python3 -m sglang.launch_server';
const ready = '[2026-05-20 11:00:40] The server is fired up and ready to roll!';
const args = (hicache: string): string =>
  `[2026-05-20 11:00:01] server_args=ServerArgs(model_path='some/model', mem_fraction_static=0.82, tp_size=4, pp_size=1, dp_size=1, ${hicache}, device='cuda')`;

function end(...lines: readonly string[]) {
  const account = accountOfLog(readLogText([...lines, ''].join('\n')))[0]!;
  return {
    kind: account.outcome.kind,
    phase: account.outcome.phase,
    text: terminalWording(account),
  };
}

describe('a process killed while it loads', () => {
  test.each([
    shell,
    'sglang-1 exited with code 137',
    `sglang-1  | ${shell}`,
    'Killed',
    'sglang-1  | Killed',
    'Loading safetensors checkpoint shards:  50% Completed | 2/4 [00:10<00:10,  5.05s/it]Killed',
    '[1]    4711 killed     python3 -m sglang.launch_server',
    'zsh: killed     python3 -m sglang.launch_server',
    'command terminated with exit code 137',
    '3f2a  img  "python3 -m sg…"  2 hours ago  Exited (137) 3 minutes ago',
  ])('%s', line => {
    const { kind, phase, text } = end(begin, line);
    expect([kind, phase]).toEqual(['host-oom', 'weights']);
    expect(text).toMatch(/killed by signal 9/i);
    expect(text).toMatch(/usual cause/);
    expect(text).not.toMatch(/ran out of memory/);
  });

  test('is told what the argument asks of the host, for all ranks of a node', () => {
    const asked = 'enable_hierarchical_cache=True, hicache_size=200, hicache_ratio=2.0';
    // 200 GB x 4 ranks
    expect(end(args(asked), begin, shell).text).toMatch(
      /--hicache-size 200 on each of 4 ranks .*800\.00 GB/,
    );
    const off = 'enable_hierarchical_cache=False, hicache_size=200, hicache_ratio=2.0';
    expect(end(args(off), begin, shell).text).not.toMatch(/800\.00/);
    const byRatio = 'enable_hierarchical_cache=True, hicache_size=0, hicache_ratio=2.0';
    expect(end(args(byRatio), begin, shell).text).not.toMatch(/hicache-size/);
  });

  test('is told what caches of this server had of the host', () => {
    const pool =
      '[2026-05-20 11:00:20 TP0] Allocating 40.00 GB host memory for hierarchical KV cache.';
    expect(end(args('page_size=1'), begin, pool, shell).text).toMatch(/held ≈ 160\.00 GB/);
  });

  test.each([
    '[ 9876.5] Memory cgroup out of memory: Killed process 4711 (python3) total-vm:9kB',
    'slurmstepd: error: Detected 1 oom-kill event(s) in StepId=77.0.',
    'sglang.service: A process of this unit has been killed by the OOM killer.',
  ])('for want of memory: %s', line => {
    const { kind, text } = end(begin, line);
    expect(kind).toBe('host-oom');
    expect(text).not.toMatch(/usual cause/);
  });

  test('is not meant by other lines with that word, nor after the server was ready', () => {
    for (const other of [
      'Killed all idle connections',
      'Worker Killed',
      'Detected 0 oom-kill event(s)',
      'Exited (1370)',
      '3 tasks killed here',
    ]) {
      expect(end(begin, other).kind).toBe('incomplete');
    }
    expect(end(begin, ready, 'sglang-1 exited with code 137').kind).toBe('ok');
  });
});

describe('a start that stops amid the capture of graphs', () => {
  const start = [
    "[2026-05-20 11:00:01] server_args=ServerArgs(model_path='/m/s', tp_size=1, mem_fraction_static=0.6, max_total_tokens=None, page_size=1, max_running_requests=512)",
    '[2026-05-20 11:00:02] Load weight begin. avail mem=78.00 GB',
    '[2026-05-20 11:00:09] Load weight end. elapsed=7.00 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.00 GB, mem usage=15.00 GB.',
    '[2026-05-20 11:00:10] KV Cache is allocated. #tokens: 260505, K size: 15.90 GB, V size: 15.90 GB',
    '[2026-05-20 11:00:20] Capture cuda graph end. Time elapsed: 9.20 s. mem usage=1.00 GB. avail mem=29.90 GB.',
  ];
  const draft =
    '[2026-05-20 11:00:21] Capture draft cuda graph begin. This can take up to several minutes. avail mem=29.90 GB';
  const summary =
    '[2026-05-20 11:00:30] max_total_num_tokens=260505, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=512, context_len=32768, available_gpu_mem=29.10 GB';

  test('has no free memory at ready, killed or cut', () => {
    for (const lines of [[draft, 'Killed'], [draft], []]) {
      expect(end(...start, ...lines).text).not.toContain('stay free at ready');
    }
    expect(end(...start, summary).text).toContain('29.10 GiB stay free at ready');
  });
});
