/** Call chains in files of other projects: other names, other files, ways that end nowhere. */
import { describe, expect, test } from 'vitest';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import { defaultFormat } from '../../../src/core/units/format';
import { chainMarkdown } from '../../../src/wording/pythonHoverText';
import { memoryFiles, testParser } from './python';

const probe = `
import torch
import torch.distributed as dist

def probe(group):
    free, _ = torch.cuda.mem_get_info()
    sample = torch.tensor(float(free))
    dist.all_reduce(sample, op=dist.ReduceOp.MIN, group=group)
    return sample.item() / (1 << 30)
`;

const planner = `
from box.probe import probe

class Planner:
    def plan(self, early, now):
        return now - early * (1 - self.mem_fraction_static)
`;

const engine = `
from box.planner import Planner
from box.probe import probe

class Engine:
    def __init__(self, group):
        self.early = self.start(group)
        self.planner = Planner()

    def start(self, group):
        first = probe(group)
        return first

    def run(self):
        return self.planner.plan(now=3, early=self.early)
`;

async function chainIn(files: Readonly<Record<string, string>>) {
  const source = memoryFiles(files);
  const annotator = new PythonAnnotator(await testParser(), {
    ...source,
    list: folder =>
      Promise.resolve(Object.keys(files).filter(path => path.startsWith(`${folder}/`))),
  });
  annotator.update('src/box/planner.py', files['src/box/planner.py'] ?? '');
  return annotator.chainOf('src/box/planner.py', 'Planner.plan', 'early');
}

describe('the call chain of a parameter', () => {
  const files = {
    'src/box/planner.py': planner,
    'src/box/probe.py': probe,
    'src/box/engine.py': engine,
  };

  test('goes from the measurement through returns and attributes to the call', async () => {
    const chain = await chainIn(files);
    expect(chain?.isLeastOfRanks).toBe(true);
    expect(chain?.steps.map(({ kind, path, line }) => [kind, path, line])).toEqual([
      ['measured', 'src/box/engine.py', 11],
      ['returned', 'src/box/engine.py', 12],
      ['stored', 'src/box/engine.py', 7],
      ['passed', 'src/box/engine.py', 15],
    ]);
  });

  test('is not told where no way leads to a measurement', async () => {
    const chain = await chainIn({
      ...files,
      'src/box/engine.py': engine.replace('first = probe(group)', 'first = group.size()'),
    });
    expect(chain).toBeUndefined();
  });

  test('does not claim the smallest of ranks where nothing is reduced', async () => {
    const alone = probe.replace(/ {4}dist\.all_reduce.*\n/, '');
    const chain = await chainIn({ ...files, 'src/box/probe.py': alone });
    expect(chain?.isLeastOfRanks).toBe(false);
  });

  test('reads as a numbered list of places', async () => {
    const chain = await chainIn(files);
    const text = chainMarkdown(
      chain,
      {
        format: defaultFormat,
        target: 'markdown',
        length: 'full',
        translate: (words, values) =>
          words.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
      },
      { source: ({ path, line }) => `${path}:${line}`, log: String },
    );
    expect(text).toContain('not the size of the card');
    expect(text).toContain('1. measured by `probe(group)` at src/box/engine.py:11');
    expect(text).toContain('4. passed on by `Engine.run` at src/box/engine.py:15');
  });
});
