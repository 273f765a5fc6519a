/** Code that leads the interpreter around in a ring, or deeper than its stack: it stops, calmly. */
import { describe, expect, test } from 'vitest';
import { runPython } from './python';

describe('code that asks for itself', () => {
  const ring = `
class Pipeline:
    def __init__(self, path, parts=None):
        self.path = resolve(self.path, parts)
        self.size = Size(self.size)

    @property
    def low(self):
        return self.high - 1

    @property
    def high(self):
        return self.low + 1

    def of_attribute(self):
        a = self.path
        b = self.size
        return 7

    def of_properties(self):
        spread = self.high
        return 7

    def of_itself(self, n):
        return self.of_itself(n + 1)

class Size:
    def __init__(self, other):
        self.other = Size(other)
`;

  test.each(['of_attribute', 'of_properties'])(
    'gives no value there, and goes on (%s)',
    async name => {
      const { returns, machine, stopped } = await runPython(ring, `Pipeline.${name}`);
      expect(stopped).toBeUndefined();
      expect(returns?.kind === 'number' && machine.valuation.exact(returns.term)).toBe(7n);
    },
  );

  test('has no result where it never ends', async () => {
    const { returns } = await runPython(ring, 'Pipeline.of_itself');
    expect(returns?.kind).not.toBe('number');
  });
});

describe('code that is nested beyond reason', () => {
  const many = 3000;
  const nested = {
    'a long sum': `    return ${Array.from({ length: many }, () => '1').join(' + ')}`,
    parentheses: `    return ${'('.repeat(many)}1${')'.repeat(many)}`,
    'calls in calls': `    return ${'abs('.repeat(many)}1${')'.repeat(many)}`,
    conditions: `    return ${'1 if a else '.repeat(many)}2`,
    'attributes of attributes': `    return a${'.b'.repeat(many)}`,
    'lists in lists': `    return ${'['.repeat(many)}${']'.repeat(many)}`,
    'negations of negations': `    return ${'not '.repeat(many)}a`,
    'branches in branches': Array.from(
      { length: 90 },
      (_, at) => `${' '.repeat(at + 1)}if a > ${at}:`,
    )
      .concat(`${' '.repeat(95)}b = 1`, '    return a')
      .join('\n'),
    'an elif chain': ['    if a == 0:\n        b = 0']
      .concat(Array.from({ length: many }, (_, at) => `    elif a == ${at}:\n        b = ${at}`))
      .concat('    return b')
      .join('\n'),
  } as const;

  test.each(Object.entries(nested))('ends without a crash: %s', async (_name, body) => {
    const start = performance.now();
    const run = await runPython(`def f(a):\n${body}\n`, 'f');
    expect(run.returns === undefined || run.stopped === undefined).toBe(true);
    expect(performance.now() - start).toBeLessThan(4000);
  });
});
