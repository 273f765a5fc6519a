/** A raise is told where known values decide it, never where only what is usual does. */
import { expect, test } from 'vitest';
import type { FileAnnotations } from '../../../src/core/annotate/python/fileAnnotations';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import type { PythonBindings } from '../../../src/core/annotate/python/pythonBindings';
import { readGivenValue, unitOfInput } from '../../../src/core/annotate/python/settingText';
import { memoryFiles, testParser } from './python';

const path = 'pkg/main.py';

async function annotate(
  text: string,
  values: Readonly<Record<string, string>>,
): Promise<FileAnnotations> {
  const settings: PythonBindings = new Map(
    Object.entries(values).flatMap(([name, value]) => {
      const given = readGivenValue(name, value, unitOfInput(name));
      return given === undefined ? [] : [[name, given] as const];
    }),
  );
  const annotator = new PythonAnnotator(await testParser(), memoryFiles({}));
  const found = await annotator.annotate({ path, text, settings });
  if (found === undefined) {
    throw new Error('not read');
  }
  return found;
}

const known = { totalBeforeLoad: '80', memFractionStatic: '0.5', availableAfterLoad: '30' };

function raisesOf(found: FileAnnotations): (string | undefined)[] {
  return found.functions.map(({ raises }) => raises);
}

const state = `import torch

class Runner:
    def state_pool(self, rest_memory):
        config = self.mambaish_config
        assert config is not None
        free = torch.cuda.mem_get_info()[0] / (1 << 30)
        kept = rest_memory * self.mem_fraction_static
        return free - kept * config.mamba_cache_per_req
`;

test('an assertion that only the usual case breaks is not told', async () => {
  const found = await annotate(state, known);
  expect(raisesOf(found)).toEqual([undefined]);
  expect(found.annotations.filter(({ name }) => name === 'raise')).toEqual([]);
  expect(found.functions[0]?.locals.size).toBe(0);
});

test('the same assertion is told where somebody says that there is no such config', async () => {
  const found = await annotate(state, { ...known, 'self.mambaish_config': 'None' });
  expect(raisesOf(found)).toEqual(['AssertionError']);
});

test('a check of what is usual is not told, whatever it raises', async () => {
  const text = state.replace(
    'assert config is not None',
    "if config is None:\n            raise ValueError('no state layers')",
  );
  expect(raisesOf(await annotate(text, known))).toEqual([undefined]);
});

test('an assertion on a given value is told', async () => {
  const text = `class Runner:
    def size(self, total_memory):
        assert self.mem_fraction_static > 0.6
        return int(total_memory * self.mem_fraction_static * (1 << 30))
`;
  expect(raisesOf(await annotate(text, known))).toEqual(['AssertionError']);
  expect(raisesOf(await annotate(text, { ...known, memFractionStatic: '0.7' }))).toEqual([
    undefined,
  ]);
});
