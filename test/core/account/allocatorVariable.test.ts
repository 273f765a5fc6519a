/** The allocator in pieces is set by a variable of the device, where the device has one. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

function textOn(device: string): string {
  const log = [
    '[2026-05-18 10:00:10] Load weight begin. avail mem=58.50 GB',
    '[2026-05-18 10:00:40] Load weight end. elapsed=30.0 s, type=LlamaForCausalLM, avail mem=40.10 GB, mem usage=18.40 GB.',
    '[2026-05-18 10:00:45] The server is fired up and ready to roll!',
    '[2026-05-18 10:10:42] Scheduler hit an exception: Traceback (most recent call last):',
    `RuntimeError: ${device} out of memory. Tried to allocate 2.00 GiB (${device === 'NPU' ? 'NPU' : 'GPU'} 0; 60.97 GiB total capacity; 55.10 GiB already allocated; 1.20 GiB free; 58.00 GiB reserved in total by PyTorch) If reserved memory is large, try to avoid fragmentation.`,
    '',
  ].join('\n');
  return terminalWording(accountOfLog(readLogText(log))[0]!);
}

test.each([
  ['CUDA', 'PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True'],
  ['NPU', 'PYTORCH_NPU_ALLOC_CONF=expandable_segments:True'],
])('of %s it is %s', (device, setting) => {
  const text = textOn(device);
  expect(text).toContain(setting);
  expect(text.match(/PYTORCH_\w+/g)?.every(name => setting.startsWith(name))).toBe(true);
});

test('of HIP none is offered, whose allocator has no such segments in most releases', () => {
  expect(textOn('HIP')).not.toContain('ALLOC_CONF');
});
