/** What the hover over parts of a line of a sizing function reads like. */
import { describe, expect, test } from 'vitest';
import { PythonAnnotator } from '../../../src/core/annotate/python/pythonAnnotator';
import { units } from '../../../src/core/units/unit';
import { pythonHoverMarkdown } from '../../../src/wording/pythonHoverText';
import { exactly, memoryFiles, quantityValue, testParser } from './python';

const gauge = `
import torch

def left_gib(device, index):
    left, _ = torch.cuda.mem_get_info(index)
    return left / (1 << 30)
`;

const text = `from box.gauge import left_gib

class Engine:
    def capacity(self, whole):
        free = left_gib(
            self.device,
            self.names(),
        )
        rest = free - whole * (1 - self.mem_fraction_static)
        return int(rest * (1 << 30)) // 65536
`;

const path = 'src/box/engine.py';

/** The hover over the first place of a text, some letters into it. */
async function hoverOver(part: string, letters = 0): Promise<string> {
  const annotator = new PythonAnnotator(
    await testParser(),
    memoryFiles({ 'src/box/gauge.py': gauge }),
  );
  const found = await annotator.annotate({
    path,
    text,
    inputs: new Map([
      ['availableAfterLoad', quantityValue(exactly(21.697, units.GiB))],
      ['totalBeforeLoad', quantityValue(exactly(93.999, units.GiB))],
      ['memFractionStatic', quantityValue(exactly(0.55))],
    ]),
  });
  const offset = text.indexOf(part) + letters;
  const row = text.slice(0, offset).split('\n').length - 1;
  const hover = found?.hoverAt(row, offset - (text.lastIndexOf('\n', offset - 1) + 1));
  annotator.dispose();
  return hover === undefined
    ? ''
    : pythonHoverMarkdown(
        hover,
        {
          format: { locale: 'en', alsoShow: 'nothing' },
          target: 'markdown',
          length: 'full',
          translate: (words, values) =>
            words.replace(/\{(\w+)\}/g, (_, name: string) => values[name]?.toString() ?? ''),
        },
        {
          source: ({ path: file, line }) => `${file}:${line}`,
          log: line => `log:${line}`,
        },
      );
}

function rowsOf(markdown: string): string[] {
  const [, code = ''] = markdown.split(/```python\n|\n```/);
  return code.split('\n');
}

describe('the hover over a part of a line', () => {
  test('is the value of the operation whose sign is under the mouse', async () => {
    // python3: 93.999 * (1 - 0.55) = 42.29955; 21.697 - 42.29955 = -20.60255
    const product = await hoverOver('whole * (', 6);
    expect(rowsOf(product)).toEqual([
      'whole * (1 - self.mem_fraction_static)',
      '= 93.999 GiB * (1 - 0.55)',
    ]);
    expect(product).toContain('**42.300 GiB**');
    // The result stands once, below the values.
    expect(product.match(/42\.300 GiB/g)).toHaveLength(1);
    // A name that says it already is not said again.
    expect(product).toMatch(/`self\.mem_fraction_static`: /);
    const difference = await hoverOver('free - whole', 5);
    expect(rowsOf(difference)[0]).toBe('free - (whole * (1 - self.mem_fraction_static))');
    expect(difference).toContain('**-20.603 GiB**');
    // python3: 1 - 0.55 = 0.44999999999999996
    const share = await hoverOver('1 - self', 2);
    expect(rowsOf(share).slice(0, 2)).toEqual(['1 - self.mem_fraction_static', '= 1 - 0.55']);
    expect(share).toMatch(/= 0\.45\b/);
  });

  test('says of a scale change what it is, once', async () => {
    const shift = await hoverOver('1 << 30', 3);
    expect(shift.match(/1,073,741,824/g)).toHaveLength(1);
  });

  test('has a call of several lines as one, and why it returns what it does', async () => {
    const call = await hoverOver('left_gib(\n');
    expect(rowsOf(call)[0]).toBe('left_gib(self.device, self.names())');
    expect(call).toContain('`left_gib` returns GiB.');
    expect(call).toContain('src/box/gauge.py:6');
    expect(call).toContain('left / (1 << 30)');
  });
});
