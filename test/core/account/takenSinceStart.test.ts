/** Memory that another process took after the start is no matter of the fraction. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

function failed(begin: string, own: string) {
  const log = [
    "[2025-12-05 10:00:01] server_args=ServerArgs(model_path='x/M', mem_fraction_static=0.85, tp_size=1, dp_size=1)",
    `[2025-12-05 10:00:10] Load weight begin. avail mem=${begin} GB`,
    '[2025-12-05 10:01:10] Load weight end. type=Qwen3ForCausalLM, dtype=torch.bfloat16, avail mem=23.10 GB, mem usage=15.40 GB.',
    '[2025-12-05 10:01:11] Scheduler hit an exception: Traceback (most recent call last):',
    '  File "/x/sglang/srt/mem_cache/memory_pool.py", line 700, in _create_buffers',
    `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 720.00 MiB. GPU 0 has a total capacity of 79.11 GiB of which 310.00 MiB is free. Including non-PyTorch memory, this process has ${own} GiB memory in use.`,
    '',
  ].join('\n');
  return accountOfLog(readLogText(log))[0]!;
}

test('it is named, and no fraction is', () => {
  const account = failed('78.50', '38.58');
  const text = terminalWording(account);
  // 79.11 - 310 / 1024 - 38.58 = 40.227 are of others, of 79.11 - 78.50 = 0.61 at the start.
  expect(text).toMatch(/39\.6\d GiB .* after the start/);
  expect(text).not.toContain('--mem-fraction-static');
  expect([account.relief?.flag, account.launch]).toEqual([undefined, undefined]);
});

test('what was taken before the start is not', () => {
  const text = terminalWording(failed('38.50', '38.58'));
  expect(text).not.toContain('after the start');
  expect(text).toContain('--mem-fraction-static');
});
