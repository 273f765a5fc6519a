/** A statement that is being rewritten: the function keeps what it is for, and what stands before. */
import { expect, test } from 'vitest';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import { memoryFiles, testParser } from './python';

const files = {
  'src/box/gauge.py': `
import torch

def left_gib():
    left, _ = torch.cuda.mem_get_info()
    return left / (1 << 30)
`,
};

const whole = `
from box.gauge import left_gib

class Engine:
    def capacity(self, whole):
        free = left_gib()
        rest = free - whole * (1 - self.mem_fraction_static)
        return int(rest * (1 << 30) // 65536)
`;

test('a function keeps its role while the words that told it are gone', async () => {
  const annotator = new PythonAnnotator(await testParser(), memoryFiles(files));
  const path = 'src/box/engine.py';
  await annotator.annotate({ path, text: whole });
  const text = whole.replace(/free - whole.*/, 'free -');
  annotator.update(path, text);
  const found = await annotator.annotate({ path, text });
  expect(found?.functions.map(({ role }) => role)).toEqual(['sizing']);
  const names = found?.annotations.map(({ name }) => name) ?? [];
  expect(names).toContain('free');
  expect(names).not.toContain('rest');
  annotator.dispose();
});
