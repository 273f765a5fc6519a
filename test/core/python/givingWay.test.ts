/** A look at a file gives way to others between its pieces of work, and gives up when it is stale. */
import { expect, test } from 'vitest';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import { memoryFiles, testParser } from './python';

const path = 'src/pkg/main.py';
const text = `from pkg.a import width
from pkg.b import get_available_gpu_memory

class Runner:
    def size(self, before):
        free = get_available_gpu_memory(self.device, self.gpu_id)
        rest = free - before * (1 - self.mem_fraction_static)
        return int(rest * (1 << 30)) // width(self)
`;
const files = memoryFiles({
  'src/pkg/a.py': 'from pkg.c import scale\n\ndef width(one):\n    return scale(one) * 4\n',
  'src/pkg/b.py': 'def get_available_gpu_memory(device, gpu_id):\n    return 1.5\n',
  'src/pkg/c.py': 'def scale(one):\n    return 2\n',
});

test('a look gives way behind every file and every reading', async () => {
  let pauses = 0;
  const pause = () => {
    pauses++;
    return Promise.resolve();
  };
  const annotator = new PythonAnnotator(await testParser(), files);
  const found = await annotator.annotate({ path, text, pause });
  expect(found?.functions.map(({ name }) => name)).toEqual(['Runner.size']);
  // Three files, at least as many readings that ask for them, and one of the whole.
  expect(pauses).toBeGreaterThan(6);
});

test('a look at a text that was changed meanwhile gives nothing', async () => {
  const annotator = new PythonAnnotator(await testParser(), files);
  const pause = () => {
    annotator.update(path, `${text}\n# more\n`);
    return Promise.resolve();
  };
  expect(await annotator.annotate({ path, text, pause })).toBeUndefined();
});
