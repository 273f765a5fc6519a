/** While somebody types, only the function that changed is lowered again. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import { StatementLowering } from '../../../src/core/python/lowerStatement';
import type { Node } from '../../../src/core/python/parser';
import type { Block } from '../../../src/core/python/syntax';
import { units } from '../../../src/core/units/unit';
import { exactly, memoryFiles, quantityValue, testParser } from './python';

const path = 'src/box/engine.py';

const engine = (share: string): string => `import torch

def left_gib():
    left, _ = torch.cuda.mem_get_info()
    return left / (1 << 30)

class Engine:
    def first(self, whole):
        rest = left_gib() - whole * (1 - self.mem_fraction_static)
        return int(rest * (1 << 30)) // 65536

    def second(self, whole):
        ${share}
        rest = left_gib() - whole * share
        return int(rest * (1 << 30)) // 65536

    def third(self, whole):
        for one in range(2):
            rest = left_gib() - whole * (1 - self.mem_fraction_static)
        return int(rest * (1 << 30)) // 65536
`;

const lowered: string[] = [];

beforeEach(() => {
  lowered.length = 0;
  const block = Object.getOwnPropertyDescriptor(StatementLowering.prototype, 'block')?.value as (
    this: StatementLowering,
    node: Node | null,
  ) => Block;
  vi.spyOn(StatementLowering.prototype, 'block').mockImplementation(function (
    this: StatementLowering,
    node,
  ) {
    if (node?.parent?.type === 'function_definition') {
      lowered.push(node.parent.childForFieldName('name')?.text ?? '');
    }
    return block.call(this, node);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

function request(text: string) {
  return {
    path,
    text,
    inputs: new Map([
      ['availableAfterLoad', quantityValue(exactly(21.697, units.GiB))],
      ['totalBeforeLoad', quantityValue(exactly(93.999, units.GiB))],
      ['memFractionStatic', quantityValue(exactly(0.55))],
    ]),
  };
}

const before = engine('share = 1 - self.mem_fraction_static');
const after = engine('keep = self.mem_fraction_static\n        share = 1 - keep * 1');

test('an edit lowers its function and no other, and leaves every place right', async () => {
  const annotator = new PythonAnnotator(await testParser(), memoryFiles({}));
  await annotator.annotate(request(before));
  expect([...new Set(lowered)].toSorted()).toEqual(['first', 'left_gib', 'second', 'third']);
  expect(lowered).toHaveLength(4);
  lowered.length = 0;
  const start = before.indexOf('share = 1');
  annotator.update(path, after, [
    {
      start,
      oldEnd: before.indexOf('\n', start),
      inserted: after.slice(start, after.indexOf('\n', after.indexOf('keep * 1'))),
    },
  ]);
  const found = await annotator.annotate(request(after));
  expect(lowered).toEqual(['second']);

  const fresh = new PythonAnnotator(await testParser(), memoryFiles({}));
  const expected = await fresh.annotate(request(after));
  expect(found?.annotations).toEqual(expected?.annotations);
  expect(found?.functions).toEqual(expected?.functions);
  // The function below moved by a line: what is under the mouse there is what it was.
  const row = after.slice(0, after.lastIndexOf('whole * (1')).split('\n').length - 1;
  const column = after.split('\n')[row]?.indexOf('* (1') ?? 0;
  const hover = found?.hoverAt(row, column);
  expect(hover?.source).toBe('whole * (1 - self.mem_fraction_static)');
  expect(hover).toEqual(expected?.hoverAt(row, column));
  annotator.dispose();
  fresh.dispose();
});

test('an edit back has the values back', async () => {
  const annotator = new PythonAnnotator(await testParser(), memoryFiles({}));
  const first = await annotator.annotate(request(before));
  const broken = engine('share = 1 -');
  annotator.update(path, broken);
  const between = await annotator.annotate(request(broken));
  const rest = (found: typeof first) =>
    found?.annotations.filter(one => one.name === 'rest').map(one => one.quantity?.exact);
  expect(rest(between)).toHaveLength(2);
  annotator.update(path, before);
  const back = await annotator.annotate(request(before));
  expect(rest(back)).toEqual(rest(first));
  expect(rest(back)).toHaveLength(3);
  annotator.dispose();
});
