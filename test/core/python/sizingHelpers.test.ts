/**
 * The function that sizes is the one in whose call the measurement meets what the fraction makes,
 * wherever the parts of the formula stand. Expected numbers are python3's.
 */
import { describe, expect, test } from 'vitest';
import type { FileAnnotations } from '../../../src/core/annotate/python/fileAnnotations';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import { units } from '../../../src/core/units/unit';
import { exactly, memoryFiles, quantityValue, testParser } from './python';

const path = '/pkg/main.py';

const probe = `import torch

def get_available_gpu_memory(gpu_id, distributed=False):
    free, _ = torch.cuda.mem_get_info(gpu_id)
    if distributed:
        least = torch.tensor(free)
        free = least.item()
    return free / (1 << 30)
`;

const inputs = new Map([
  ['availableAfterLoad', quantityValue(exactly(61.2, units.GiB))],
  ['totalBeforeLoad', quantityValue(exactly(78.4, units.GiB))],
  ['memFractionStatic', quantityValue(exactly(0.85))],
  ['kv_lora_rank', quantityValue(exactly(65536n))],
  ['kv_element_size', quantityValue(exactly(2n, units.B))],
]);

async function annotate(
  text: string,
  files: Readonly<Record<string, string>> = { '/pkg/probe.py': probe },
): Promise<FileAnnotations> {
  const annotator = new PythonAnnotator(await testParser(), memoryFiles(files));
  const found = await annotator.annotate({ path, text, inputs });
  if (found === undefined) {
    throw new Error('not read');
  }
  return found;
}

/** Those of the functions but `cell`. */
function roles({ functions }: FileAnnotations): string[] {
  const others = functions.filter(({ role }) => role !== 'cell-size');
  return others.map(({ name, role }) => `${name} ${role}`);
}

function returned({ functions }: FileAnnotations, name: string): string {
  const quantity = functions.find(one => one.name === name)?.returns;
  return quantity === undefined ? '?' : `${String(quantity.exact)} ${quantity.unit.name}`;
}

/** A runner with these methods. */
function runner(methods: string): string {
  return `from pkg.probe import get_available_gpu_memory
from pkg.share import kept

class Runner:
    def __init__(self, args, gpu_id):
        self.mem_fraction_static = args.mem_fraction_static
        self.gpu_id = gpu_id

    def cell(self):
        return self.config.kv_lora_rank * self.kv_cache_dtype.itemsize

${methods.replace(/^(?=.)/gm, '    ')}`;
}

describe('a formula in pieces', () => {
  test('sizes where its caller measures and gives back what a helper makes', async () => {
    const found = await annotate(
      runner(`def profile(self, total):
    free = get_available_gpu_memory(self.gpu_id)
    return self.finish(free, total, self.cell())

def finish(self, free, total, cell):
    rest = free - total * (1 - self.mem_fraction_static)
    return int(rest * (1 << 30) // cell)
`),
    );
    expect(roles(found)).toEqual(['Runner.profile sizing', 'Runner.finish pool-split']);
    expect(returned(found, 'Runner.profile')).toBe('405012 token');
    expect(returned(found, 'Runner.finish')).toBe('405012 token');
  });

  test('is followed into another module of the package', async () => {
    const found = await annotate(
      runner(`def profile(self, total):
    rest = get_available_gpu_memory(self.gpu_id) - kept(total, self.mem_fraction_static)
    return int(rest * (1 << 30)) // self.cell()
`),
      {
        '/pkg/probe.py': probe,
        '/pkg/share.py': 'def kept(total, share):\n    return total * (1 - share)\n',
      },
    );
    expect(returned(found, 'Runner.profile')).toBe('405012 token');
  });

  test('names the helper that cannot be found, and shows what is measured', async () => {
    const found = await annotate(
      runner(`def profile(self, total):
    free = get_available_gpu_memory(self.gpu_id)
    rest = free - kept(total, self.mem_fraction_static)
    return int(rest * (1 << 30)) // self.cell()
`),
    );
    expect(roles(found)).toEqual(['Runner.profile sizing']);
    const profile = found.functions.find(({ role }) => role === 'sizing');
    expect(profile?.locals.get('free')?.exact).toBe(61.2);
    expect(profile?.missing).toEqual(['kept(total, self.mem_fraction_static)']);
  });

  test('names the helper that a decorator hides', async () => {
    const found = await annotate(
      runner(`def profile(self, total):
    free = get_available_gpu_memory(self.gpu_id)
    rest = free - self.slack(total, self.mem_fraction_static)
    return int(rest * (1 << 30)) // self.cell()

@remembered
def slack(self, total, share):
    return total * (1 - share)
`),
    );
    expect(roles(found)).toEqual(['Runner.profile sizing']);
    const profile = found.functions.find(({ role }) => role === 'sizing');
    expect(profile?.locals.get('free')?.exact).toBe(61.2);
    expect(profile?.missing).toEqual(['self.slack(total, self.mem_fraction_static)']);
  });

  test('is understood in a file alone, whose imports cannot be followed', async () => {
    const found = await annotate(
      runner(`def profile(self, total):
    rest = get_available_gpu_memory(self.gpu_id) - self.slack(total)
    return int(rest * (1 << 30)) // self.cell()

def slack(self, total):
    return total * (1 - self.mem_fraction_static)
`),
      {},
    );
    expect(returned(found, 'Runner.profile')).toBe('405012 token');
    expect(found.assumptions).toContain('measured-in-gib');
  });

  test('keeps what a helper takes from the measurement, in whatever unit', async () => {
    const found = await annotate(
      runner(`def profile(self, total):
    share = total * (1 << 30) * (1 - self.mem_fraction_static)
    return int(self.left() - share) // self.cell()

def left(self):
    free = get_available_gpu_memory(self.gpu_id, distributed=True)
    return (free - 1.5) * (1 << 30)
`),
    );
    expect(roles(found)).toContain('Runner.profile sizing');
    expect(returned(found, 'Runner.profile')).toBe('392724 token');
  });

  test('takes no other measurement of a caller for its own', async () => {
    const found = await annotate(
      runner(`def start(self, total):
    before = get_available_gpu_memory(self.gpu_id)
    tokens = self.profile(total)
    after = get_available_gpu_memory(self.gpu_id)
    left = after - tokens * self.cell() / (1 << 30)
    print(f"{before} {after} {self.mem_fraction_static}")
    self.tokens = tokens
    return left

def profile(self, total):
    rest = get_available_gpu_memory(self.gpu_id) - self.slack(total)
    return int(rest * (1 << 30)) // self.cell()

def slack(self, total):
    return total * (1 - self.mem_fraction_static)
`),
    );
    expect(roles(found)).toEqual(['Runner.start pool-split', 'Runner.profile sizing']);
    const start = found.functions.find(({ name }) => name === 'Runner.start');
    expect(start?.locals.get('before')).toBeUndefined();
    expect(start?.locals.get('after')).toBeUndefined();
    expect(start?.returns).toBeUndefined();
    expect(start?.locals.get('tokens')?.exact).toBe(405012n);
  });

  test('sizes in the function that it was moved up into', async () => {
    const found = await annotate(
      runner(`def init_pool(self, total):
    free = get_available_gpu_memory(self.gpu_id)
    self.max_total_num_tokens = int((free - self.slack(total)) * (1 << 30)) // self.cell()
    if self.max_total_num_tokens <= 0:
        raise RuntimeError("not enough")

def slack(self, total):
    return total * (1 - self.mem_fraction_static)
`),
    );
    expect(roles(found)).toEqual(['Runner.init_pool sizing']);
    const pool = found.functions.find(({ role }) => role === 'sizing');
    expect(pool?.attributes.get('self.max_total_num_tokens')?.exact).toBe(405012n);
  });

  test('has no debug line where what is left has no name', async () => {
    const found = await annotate(
      runner(`def profile(self, total):
    free = get_available_gpu_memory(self.gpu_id)
    cell = self.cell()
    return self.finish(free, total, cell, self.mem_fraction_static)

def finish(self, free, total, cell, share):
    return int((free - total * (1 - share)) * (1 << 30) // cell)
`),
    );
    expect(returned(found, 'Runner.profile')).toBe('405012 token');
    const row = found.functions.find(({ role }) => role === 'sizing')?.range.row;
    expect(row === undefined ? row : found.debugLineAt(row + 1)).toBeUndefined();
  });
});

test('a property is computed anew from what was written since it was last read', async () => {
  const found = await annotate(
    runner(`@property
def slack(self):
    return self.amount * (1 - self.mem_fraction_static)

def profile(self, total):
    self.amount = 1.0
    small = self.slack
    self.amount = total
    rest = get_available_gpu_memory(self.gpu_id) - self.slack
    return int(rest * (1 << 30)) // self.cell()
`),
  );
  expect(returned(found, 'Runner.profile')).toBe('405012 token');
});
