/** What a file gives where a value is one of several, or where its scale is none that has a name. */
import { describe, expect, test } from 'vitest';
import type { FileAnnotations } from '../../../src/core/annotate/python/fileAnnotations';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import type { PythonBindings } from '../../../src/core/annotate/python/pythonBindings';
import { readGivenValue, unitOfInput } from '../../../src/core/annotate/python/settingText';
import { units } from '../../../src/core/units/unit';
import { annotationText } from '../../../src/wording/pythonText';
import { defaultFormat } from '../../../src/core/units/format';
import { givenQuantity } from '../../../src/core/units/givenQuantity';
import type { RenderOptions } from '../../../src/wording/render';
import { memoryFiles, testParser } from './python';

const path = 'pkg/main.py';

const plain: RenderOptions = {
  format: defaultFormat,
  target: 'plain',
  length: 'full',
  translate: (text, values) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
};

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
  const bytesPerToken = givenQuantity(70272n, units.bytesPerToken, 'cell');
  const found = await annotator.annotate({ path, text, settings, bytesPerToken });
  if (found === undefined) {
    throw new Error('not read');
  }
  return found;
}

const sizing = `import torch
from pkg.tools import get_available_gpu_memory

def reserved(shown, way):
    if not shown:
        return 0.0
    kept = 100
    if way == 'direct':
        kept += 1024
    return kept / 1024

class Runner:
    def size(self, before):
        cell = self.config.head_dim * torch._utils._element_size(self.kv_cache_dtype)
        free = get_available_gpu_memory(self.device, self.gpu_id)
        extra = reserved(shown=self.config.is_multimodal, way=self.way)
        rest = free - before * (1 - self.mem_fraction_static) - extra
        if rest <= 0:
            needed = 1 - free / before
            raise ValueError(f"Set more than {needed:.3f} ({extra:.2f}).")
        return int(rest * (1 << 30)) // cell
`;

const failing = {
  totalBeforeLoad: '93.999',
  availableAfterLoad: '21.697',
  memFractionStatic: '0.55',
};

function textsOf({ annotations }: FileAnnotations): Record<string, string> {
  return Object.fromEntries(
    annotations
      .filter(({ kind }) => kind === 'value' || kind === 'unit')
      .map(one => [one.name, annotationText(one, plain)]),
  );
}

describe('a value that is one of two', () => {
  // 100 / 1024 or 1124 / 1024 GiB, taken from 21.697 - 93.999 * 0.45: by python3.
  test.each(['self.config.is_multimodal', 'is_multimodal'])(
    'is shown within its bounds with its unit, where %s is set',
    async name => {
      const texts = textsOf(await annotate(sizing, { ...failing, [name]: 'true' }));
      expect(texts['extra']).toBe('0.09…1.10 GiB');
      expect(texts['rest']).toBe('-21.71…-20.70 GiB');
      expect(texts['raise']).toContain('Set more than 0.769 (0.10…1.10).');
    },
  );

  test('is what is usual where nobody says more, and that is listed', async () => {
    const found = await annotate(sizing, failing);
    expect(found.assumptions).toContain('text-only');
    const extra = found.functions.flatMap(({ locals }) => locals.get('extra') ?? []);
    expect(extra.map(({ basis, assumptions }) => [basis, assumptions])).toEqual([
      ['assumed', ['measured-in-gib', 'text-only']],
    ]);
    expect(found.functions.find(({ name }) => name === 'Runner.size')?.raises).toBe(
      'ValueError: Set more than 0.769 (0.00).',
    );
  });
});

describe('a scale that has no name', () => {
  const serving = {
    totalBeforeLoad: '94',
    availableAfterLoad: '21.697',
    memFractionStatic: '0.88',
  };

  // int((21.697 - 94 * (1 - 0.88)) * scale) // 70272, by python3.
  test.each([
    ['1 << 29', 79584],
    ['1000 ** 3', 148238],
  ])('leaves the number that Python gives, without a unit: %s', async (scale, expected) => {
    const text = sizing.replace('int(rest * (1 << 30))', `int(rest * (${scale}))`);
    const found = await annotate(text, serving);
    const sized = found.functions.find(({ name }) => name === 'Runner.size');
    expect(sized?.returns?.exact).toBe(BigInt(expected));
    expect(sized?.returns?.unit).toBe(units.one);
    expect(sized?.missing).toEqual([]);
    expect(textsOf(found)['cell']).toBe('70,272 B/token');
  });

  test('is a warning where it is the bytes of another scale than that of the amount', async () => {
    const text = sizing.replace('int(rest * (1 << 30))', 'int(rest * 1e9)');
    const { annotations } = await annotate(text, serving);
    const warned = annotations.filter(({ note }) => note.id === 'mixed-scales');
    expect(warned).toHaveLength(1);
  });
});
