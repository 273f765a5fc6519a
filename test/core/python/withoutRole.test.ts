/** Functions that are for nothing that we know: what is certain of their units is told, and no more. */
import { describe, expect, test } from 'vitest';
import type { FileAnnotations } from '../../../src/core/annotate/python/fileAnnotations';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import { memoryFiles, testParser } from './python';

const path = 'pkg/main.py';

async function annotator(): Promise<PythonAnnotator> {
  return new PythonAnnotator(await testParser(), memoryFiles({}));
}

async function annotate(text: string): Promise<FileAnnotations> {
  const found = await (await annotator()).annotate({ path, text });
  if (found === undefined) {
    throw new Error('not read');
  }
  return found;
}

/** `row name unit`, or `row ! code` for a problem. */
function notes(found: FileAnnotations): string[] {
  return found.annotations.map(({ range, name, unit, kind }) =>
    kind === 'problem' ? `${range.row} ! ${name}` : `${range.row} ${name} ${unit?.name ?? '?'}`,
  );
}

const text = `import torch

class Watch:
    def report(self):
        free, _ = torch.cuda.mem_get_info()
        free_gb = free / (1 << 30)
        guess = self.other - free
        if self.flag:
            peak = torch.cuda.max_memory_allocated() / 1024**2
        else:
            peak = self.nothing()
        self.log(free_gb, peak, guess)

    def wrong(self):
        free_gb = torch.cuda.mem_get_info()[0] / (1 << 30)
        self.log(free_gb - torch.cuda.memory_allocated())
`;

describe('a function without a role', () => {
  test('has the units that flow from libraries, and none that only a use tells', async () => {
    const found = await annotate(text);
    expect(found.functions).toEqual([]);
    expect(notes(found)).toEqual([
      '4 free B',
      '5 free_gb GiB',
      '8 peak MiB',
      '14 free_gb GiB',
      '15 ! free_gb - torch.cuda.memory_allocated()',
    ]);
  });

  test('keeps its notes where it stands when lines come in above it', async () => {
    const one = await annotator();
    await one.annotate({ path, text });
    const moved = `# more\n# lines\n${text}`;
    const found = await one.annotate({ path, text: moved });
    expect(found && notes(found).slice(0, 2)).toEqual(['6 free B', '7 free_gb GiB']);
  });

  test('is looked at when it calls one that has a role', async () => {
    const found = await annotate(`import torch

def left():
    return torch.cuda.mem_get_info()[0]

def update(config):
    now = left()
    config.blocks = int(now * config.share) // config.block
`);
    expect(found.functions.map(({ name }) => name)).toEqual(['left']);
    expect(notes(found)).toContain('6 now B');
  });
});

describe('a file with unusual line ends', () => {
  test('is read where only carriage returns end its lines', async () => {
    const found = await annotate(text.replaceAll('\n', '\r'));
    expect(notes(found)).toContain('5 free_gb GiB');
  });
});

describe('imports that lead nowhere', () => {
  test('are told with what is called of them; libraries are not', async () => {
    const one = await annotator();
    await one.annotate({
      path,
      text: `import numpy as np
import box.tools as tools
from ..probe import free_gib
from math import ceil
from unused import thing

def budget(total, share):
    return free_gib() - ceil(total * share) - tools.kept() - np.zeros(1) - own()

def own():
    return tools.more()
`,
    });
    expect(one.unfollowedImports(path)).toEqual([
      { module: '..probe', names: ['free_gib'] },
      { module: 'box.tools', names: ['tools'] },
    ]);
  });
});

/** A literal divisor means something: what is left is no amount of bytes. */
describe('memory divided by a number of bytes', () => {
  test.each([
    ['free / 1e6', undefined],
    ['free // 70272', undefined],
    ['free / 1000', undefined],
    ['free * 1e-9', 'GB'],
    ['free / 1e9', 'GB'],
    ['free / GB', 'GB'],
    ['free / GiB', 'GiB'],
    ['free / 1024 / 1024 / 1024', 'GiB'],
    ['free / 1024 / 1024', 'MiB'],
    ['free >> 30', 'GiB'],
    ['free >> 20', 'MiB'],
    ['free / 2', 'B'],
    ['free * 0.9', 'B'],
    ['free / (1 << 30) * 1000', undefined],
    ['free / 1024**3 * 1024', 'MiB'],
    ['(free >> 20) << 20', 'B'],
    ['round(free / 1024**3, 2)', 'GiB'],
    ['int(free) // 1024', 'KiB'],
    ['params.numel() * params.element_size()', 'B'],
    ['params.numel() * 2', undefined],
    ['psutil.virtual_memory().available / 2**30', 'GiB'],
    ['psutil.virtual_memory().percent', undefined],
    ['torch.cuda.get_device_properties(0).total_memory // 1024**2', 'MiB'],
    ['pynvml.nvmlDeviceGetMemoryInfo(handle).free / 2**20', 'MiB'],
    ['psutil.Process().memory_info().rss', 'B'],
    ['max(free, 0) / float(1 << 30)', 'GiB'],
    ['min(free, torch.cuda.memory_reserved())', 'B'],
    ['free / torch.cuda.mem_get_info()[1]', undefined],
    ['sum(p.nbytes for p in params)', undefined],
  ] as const)('%s', async (expression, unit) => {
    const found = await annotate(`import torch, psutil, pynvml

GB = 1e9
GiB = 1 << 30

def log(params, handle):
    free = torch.cuda.mem_get_info()[0]
    amount = ${expression}
    print(amount, free)
`);
    const note = found.annotations.find(one => one.name === 'amount');
    expect(note?.unit?.name).toBe(unit);
  });
});
