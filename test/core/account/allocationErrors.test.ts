/** Errors by which libraries say that an allocation failed: each is named for the memory it is about. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

const start = '[2026-05-18 10:00:09 TP0] Init torch distributed begin.';
const served = [
  '[2026-05-18 10:00:10 TP0] Load weight begin. avail mem=78.50 GB',
  '[2026-05-18 10:00:40 TP0] Load weight end. elapsed=30.0 s, type=LlamaForCausalLM, avail mem=60.10 GB, mem usage=18.40 GB.',
  '[2026-05-18 10:00:45] The server is fired up and ready to roll!',
];
const head =
  '[2026-05-18 10:10:42 TP0] Scheduler hit an exception: Traceback (most recent call last):';
const end = '[2026-05-18 10:10:43] Received sigquit from a child process. It failed.';

function accountOf(before: readonly string[], ...error: readonly string[]) {
  return accountOfLog(readLogText([...before, head, ...error, end, ''].join('\n')))[0]!;
}

describe('an allocation of the device that a library reports without figures', () => {
  test.each([
    ["Cuda failure 2 'out of memory'"],
    ["Cuda failure 'out of memory'"],
    ['Failed to CUDA calloc async 608 bytes'],
    ['RuntimeError: Triton Error [CUDA]: out of memory'],
    ['RuntimeError: Triton Error [HIP]: out of memory'],
    ['RuntimeError: CUDA driver error: out of memory (cuMemCreate)'],
    ['RuntimeError: cuDNN error: CUDNN_STATUS_ALLOC_FAILED'],
    ['RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `create`'],
    ['RuntimeError: HIP error: HIPBLAS_STATUS_ALLOC_FAILED'],
    ['CUDA_ERROR_OUT_OF_MEMORY: out of memory'],
    ['RuntimeError: hipErrorOutOfMemory'],
    ['EL0004: Failed to allocate memory.'],
  ])('is a want of device memory while serving: %s', error => {
    const account = accountOf(served, 'torch.SomeError: first line', error);
    expect(account.outcome).toMatchObject({ kind: 'runtime-oom', phase: 'serving' });
    expect(terminalWording(account)).toContain('Out of memory while serving.');
  });

  test('before any weight is one of the start, which no fraction cures', () => {
    const account = accountOf([start], "Cuda failure 2 'out of memory'");
    const text = terminalWording(account);
    expect(account.outcome.phase).toBe('init');
    expect(text).toContain('Out of memory at the start, before the weights.');
    expect(text).not.toMatch(/weights\. The memory|smaller weights|--cpu-offload-gb/);
  });

  test('is none where the server goes on', () => {
    const log = [...served, "NCCL WARN Cuda failure 2 'out of memory'", ''].join('\n');
    expect(accountOfLog(readLogText(log))[0]?.outcome.kind).toBe('ok');
  });
});

describe('an allocation of the host that failed', () => {
  test('is named with what was asked for', () => {
    const account = accountOf(
      served,
      "RuntimeError: [enforce fail at alloc.cpp:1] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 107374182400 bytes. Error code 12",
    );
    expect(account.outcome.kind).toBe('host-oom');
    // 107,374,182,400 / 2**30 = 100
    expect(terminalWording(account)).toContain('100.00 GiB');
    expect(terminalWording(account)).toContain('This is not GPU memory.');
  });

  test.each([
    ['OSError: [Errno 12] Cannot allocate memory'],
    ['MemoryError'],
    ["terminate called after throwing an instance of 'std::bad_alloc'"],
  ])('is one without figures: %s', error => {
    expect(accountOf(served, error).outcome.kind).toBe('host-oom');
  });

  test('is not read out of an error of the device', () => {
    expect(
      accountOf(served, 'torch.OutOfMemoryError: CUDA error: out of memory').outcome.kind,
    ).toBe('runtime-oom');
  });
});

test('a workspace that is too small is named, and neither the fraction nor a denial is offered', () => {
  const account = accountOf(
    served,
    'RuntimeError: Failed to allocate memory for batch_prefill_tmp_v with size 435814400 and alignment 16 in AlignedAllocator',
  );
  const text = terminalWording(account);
  // 435,814,400 / 2**20 = 415.625
  expect(text).toContain('415.63 MiB');
  expect(text).toContain('SGLANG_FLASHINFER_WORKSPACE_SIZE');
  expect(text).not.toMatch(/known to be about memory|--mem-fraction-static/);
});

test('a full device of shared memory or disk is no proof that memory was not the reason', () => {
  const text = terminalWording(accountOf(served, 'OSError: [Errno 28] No space left on device'));
  expect(text).not.toMatch(/known to be about memory/);
  expect(text).toContain('/dev/shm');
});
