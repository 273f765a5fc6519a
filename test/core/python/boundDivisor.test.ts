/** The bytes per token of a run hold inside a sizing function however it is entered. */
import { describe, expect, test } from 'vitest';
import type { FileAnnotations } from '../../../src/core/annotate/python/fileAnnotations';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import type { PythonBindings } from '../../../src/core/annotate/python/pythonBindings';
import { readGivenValue, unitOfInput } from '../../../src/core/annotate/python/settingText';
import { givenQuantity } from '../../../src/core/units/givenQuantity';
import { units } from '../../../src/core/units/unit';
import { memoryFiles, testParser } from './python';

const settings: PythonBindings = new Map(
  [
    ['totalBeforeLoad', '93.999'],
    ['availableAfterLoad', '21.697'],
    ['memFractionStatic', '0.55'],
  ].flatMap(([name = '', value = '']) => {
    const given = readGivenValue(name, value, unitOfInput(name));
    return given === undefined ? [] : [[name, given] as const];
  }),
);

const mixin = `import torch
from pkg.tools import get_available_gpu_memory

class SizingMixin:
    def row_bytes(self):
        width = self.config.head_dim * self.config.num_key_value_heads
        return width * torch._utils._element_size(self.kv_cache_dtype)

    def size(self, before):
        width = self.row_bytes()
        free = get_available_gpu_memory(self.device, self.gpu_id)
        rest = free - before * (1 - self.mem_fraction_static)
        return int(rest * (1 << 30)) // width

    def prepare(self, before):
        self.count = self.size(before)
        if self.count <= 0:
            raise RuntimeError(f"No room at {self.mem_fraction_static}.")
        self.rows = self.count + 1
        return self.count
`;

const runner = `from pkg.mixin import SizingMixin

class Runner(SizingMixin):
    def start(self, before):
        width = self.label_width
        tokens = self.size(before)
        columns = tokens - width
        self.fraction = self.mem_fraction_static
        return tokens
`;

async function annotate(path: string, text: string): Promise<FileAnnotations> {
  const files = memoryFiles({ 'src/pkg/mixin.py': mixin });
  const annotator = new PythonAnnotator(await testParser(), files);
  const bytesPerToken = givenQuantity(70272n, units.bytesPerToken, 'cell');
  const found = await annotator.annotate({ path, text, settings, bytesPerToken });
  if (found === undefined) {
    throw new Error('not read');
  }
  return found;
}

const split = `import torch
from pkg.tools import get_available_gpu_memory

class Plan:
    def __init__(self, runner):
        width = runner.config.head_dim * runner.config.num_key_value_heads
        self.row = width * torch._utils._element_size(runner.kv_cache_dtype)

    def divide(self, available_bytes, page_size):
        tokens = available_bytes // self.row
        return tokens // page_size * page_size

class Runner:
    def free_bytes(self, before):
        free = get_available_gpu_memory(self.device, self.gpu_id)
        return int((free - before * (1 - self.mem_fraction_static)) * (1 << 30))

    def start(self, before):
        room = self.free_bytes(before)
        self.fraction = self.mem_fraction_static
        self.tokens = Plan(self).divide(room, 1)
        return self.tokens
`;

// int((21.697 - 93.999 * (1 - 0.55)) * 2 ** 30) // 70272, by python3.
const expected = -314803n;

describe('the bytes per token of a run', () => {
  test('are those of a sizing function that a function of its file calls', async () => {
    const { functions } = await annotate('src/pkg/mixin.py', mixin);
    const prepare = functions.find(({ name }) => name === 'SizingMixin.prepare');
    expect(prepare?.attributes.get('self.count')?.exact).toBe(expected);
    expect(prepare?.raises).toBe('RuntimeError: No room at 0.55.');
    expect(prepare?.missing).toEqual([]);
  });

  test('are those of a sizing function in another file', async () => {
    const { functions } = await annotate('src/pkg/runner.py', runner);
    const start = functions.find(({ name }) => name === 'Runner.start');
    expect(start?.returns?.exact).toBe(expected);
    expect(start?.returns?.unit).toBe(units.token);
  });

  test('are those of what divides the amount that a sizing function gives', async () => {
    const { functions } = await annotate('src/pkg/split.py', split);
    const start = functions.find(({ name }) => name === 'Runner.start');
    expect(start?.returns?.exact).toBe(expected);
    expect(functions.find(({ name }) => name === 'Plan.divide')?.returns).toBeUndefined();
  });

  test('are not those of a name that the caller has for something else', async () => {
    const { annotations } = await annotate('src/pkg/runner.py', runner);
    const own = annotations.filter(({ name }) => name === 'width' || name === 'columns');
    expect(own.flatMap(({ quantity }) => quantity ?? [])).toEqual([]);
  });
});
