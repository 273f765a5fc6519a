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
  test.each([shell, 'sglang-1 exited with code 137', `sglang-1  | ${shell}`])('%s', line => {
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

  test('is not meant by other lines with that word, nor after the server was ready', () => {
    expect(end(begin, 'Killed all idle connections').kind).toBe('incomplete');
    expect(end(begin, ready, 'sglang-1 exited with code 137').kind).toBe('ok');
  });
});
