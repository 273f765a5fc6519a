/** Lines that mix scales: a problem on their own, and no evidence for the unit of anything else. */
import { describe, expect, test } from 'vitest';
import type { FileAnnotations } from '../../../src/core/annotate/python/fileAnnotations';
import type { GivenValue } from '../../../src/core/annotate/python/pythonBindings';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import { units } from '../../../src/core/units/unit';
import { exactly, memoryFiles, quantityValue, testParser } from './python';

const files = {
  'src/box/gauge.py': `
import torch

def left_gib():
    left, _ = torch.cuda.mem_get_info()
    return left / (1 << 30)
`,
};

const sizing = `
import torch
from box.gauge import left_gib

class Engine:
    def capacity(self, whole):
        free = left_gib()
        rest = free - whole * (1 - self.mem_fraction_static)
        tokens = int(rest * (1 << 30) // (self.model_config.head_dim * 512))
        return tokens
`;

const plainShare = `
import torch

class Engine:
    def capacity(self, whole):
        free = torch.cuda.mem_get_info()[0] / (1 << 30)
        rest = free - whole * self.part
        left = rest - torch.cuda.memory_allocated()
        return int(rest * (1 << 30) // 65536)
`;

/** The source with one more line before its return. */
function withLine(line: string, text = sizing): string {
  return text.replace('        return', `        ${line}\n        return`);
}

async function annotate(
  text: string,
  settings: Readonly<Record<string, GivenValue>> = {},
): Promise<FileAnnotations> {
  const annotator = new PythonAnnotator(await testParser(), memoryFiles(files));
  const found = await annotator.annotate({
    path: 'src/box/engine.py',
    text,
    settings: new Map(Object.entries(settings)),
  });
  if (found === undefined) {
    throw new Error('not read');
  }
  return found;
}

function unitNames(found: FileAnnotations, ...names: string[]): (string | undefined)[] {
  return names.map(
    name => found.annotations.find(one => one.name === name && one.kind !== 'problem')?.unit?.name,
  );
}

function problems(found: FileAnnotations): string[] {
  return found.annotations.flatMap(({ kind, name }) => (kind === 'problem' ? [name] : []));
}

const gib = {
  availableAfterLoad: quantityValue(exactly(70, units.GiB)),
  totalBeforeLoad: quantityValue(exactly(80, units.GiB)),
  memFractionStatic: quantityValue(exactly(0.75)),
  head_dim: quantityValue(exactly(128n)),
};

describe('a line that mixes scales', () => {
  test.each([
    'worse = rest - torch.cuda.mem_get_info()[0]',
    'worse = torch.cuda.mem_get_info()[0] - rest',
    'worse = whole - torch.cuda.memory_allocated()',
    'worse = torch.cuda.memory_allocated() + free',
  ])('changes no unit and no value: %s', async line => {
    const found = await annotate(withLine(line), gib);
    expect(unitNames(found, 'whole', 'free', 'rest', 'tokens')).toEqual([
      'GiB',
      'GiB',
      'GiB',
      'token',
    ]);
    // python3: 70 - 80 * (1 - 0.75) = 50.0; int(50.0 * 2**30 // (128 * 512)) = 819200
    const [summary] = found.functions;
    expect(summary?.locals.get('rest')?.exact).toBe(50);
    expect(summary?.returns?.exact).toBe(819200n);
    expect(summary?.locals.get('worse')).toBeUndefined();
    expect(problems(found)).toEqual([line.replace('worse = ', '')]);
  });

  test('is the only problem of the file; without it there is none', async () => {
    expect(problems(await annotate(sizing, gib))).toEqual([]);
  });

  test('does not hide memory arithmetic without a fraction', async () => {
    const found = await annotate(plainShare);
    expect(found.functions).toHaveLength(1);
    expect(unitNames(found, 'rest')).toEqual(['GiB']);
    expect(problems(found)).toEqual(['rest - torch.cuda.memory_allocated()']);
  });
});

describe('an expression that is set without a unit', () => {
  test('fits what it stands beside, as a literal does', async () => {
    const found = await annotate(plainShare, {
      free: quantityValue(exactly(70, units.GiB)),
      whole: quantityValue(exactly(80n)),
      'self.part': quantityValue(exactly(0.25)),
    });
    // python3: 70 - 80 * 0.25 = 50.0
    expect(found.functions[0]?.locals.get('rest')).toMatchObject({ exact: 50, unit: units.GiB });
  });

  test('is asked for in the unit that its use has', async () => {
    const found = await annotate(withLine('other = rest - self.kept'));
    expect(found.unitOf('self.kept')).toBe(units.GiB);
    expect(found.unitOf('self . mem_fraction_static')).toBe(units.one);
    expect(found.unitOf('self.nothing')).toBeUndefined();
  });
});
