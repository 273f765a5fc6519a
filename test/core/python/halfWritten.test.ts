/**
 * Files while somebody types: from the first statement that does not parse to the end of its function
 * there is no value, whatever the parser made of it, and the functions around it stay as they are.
 */
import { describe, expect, test } from 'vitest';
import { ModuleStore } from '../../../src/core/python/moduleStore';
import { exactly, memoryFiles, quantityValue, runPython, testParser } from './python';

const before = `
class Runner:
    def first(self):
        return 1

    def sized(self, total, free):
        slack = total * 0.12
        rest = free - slack
`;

const after = `
        tokens = rest * 2
        return tokens

    def last(self):
        count = 3
        return count
`;

const given = new Map([
  ['total', quantityValue(exactly(100))],
  ['free', quantityValue(exactly(50))],
]);

const unfinished = {
  'an operator without its right side': '        spare = rest -',
  'an operator whose right side the next line would give': '        spare = rest *\n        (rest)',
  'an open parenthesis': '        spare = (rest',
  'an open call': '        spare = round(rest,',
  'an open list': '        spare = [rest,',
  'an open string': "        spare = 'rest",
  'an open text of several lines': '        spare = """rest',
  'an open f-string': '        spare = f"{rest',
  'a condition without its body': '        if rest:',
  'a condition with nothing to test': '        if :\n            rest = 1',
  'a broken statement in a branch':
    '        if total:\n            rest = = 1\n        else:\n            rest = 2',
  'a point without a name': '        self.',
  'an assignment of nothing': '        spare =',
  'a loop without its source': '        for one in',
  'a function without its end': '        def inner(',
  'a keyword that needs more': '        spare = not',
} as const;

describe('a half-written function', () => {
  test.each(Object.entries(unfinished))('has no value from %s on', async (_name, line) => {
    const run = await runPython(`${before}${line}\n${after}`, 'Runner.sized', {
      expressions: given,
    });
    expect(run.stopped).toBe('broken');
    expect(run.returns).toBeUndefined();
    expect(run.raises).toEqual([]);
    expect(run.names.has('tokens')).toBe(false);
    expect(run.names.has('spare')).toBe(false);
    const slack = run.names.get('slack');
    expect(slack?.kind === 'number' && run.machine.valuation.exact(slack.term)).toBe(12);
    const rest = run.names.get('rest');
    expect(rest?.kind === 'number' && run.machine.valuation.exact(rest.term)).toBe(38);
  });

  const strings = ['an open text of several lines', 'an open f-string'];

  test.each(Object.entries(unfinished).filter(([name]) => !strings.includes(name)))(
    'leaves its neighbours as they are with %s',
    async (_name, line) => {
      const text = `${before}${line}\n${after}`;
      for (const [name, value] of [
        ['Runner.first', 1n],
        ['Runner.last', 3n],
      ] as const) {
        const { returns, machine, stopped } = await runPython(text, name);
        expect(stopped).toBeUndefined();
        expect(returns?.kind === 'number' && machine.valuation.exact(returns.term)).toBe(value);
      }
    },
  );

  test('is found at its own place when the parser loses it', async () => {
    const text = `${before}        spare = round(rest,\n${after}`;
    const store = new ModuleStore(await testParser(), memoryFiles({}));
    const functions = store.open('pkg/main.py', text).functions();
    const names = functions.map(({ definition }) => {
      const { start, end } = definition.nameSpan;
      return text.slice(start, end);
    });
    expect(names).toEqual(['first', 'sized', 'last']);
    const [, sized] = functions;
    const [slack] = sized?.definition.body ?? [];
    expect(text.split('\n')[slack?.span.row ?? -1]).toBe('        slack = total * 0.12');
    expect(slack?.span.column).toBe(8);
  });

  test('of which not even the header is whole has no value at all', async () => {
    const text = 'def cut(a, b\n    return a\n\ndef whole():\n    return 2\n';
    const store = new ModuleStore(await testParser(), memoryFiles({}));
    const names = store
      .open('pkg/main.py', text)
      .functions()
      .map(one => one.definition.name);
    expect(names).toContain('whole');
    expect(names).not.toContain('cut');
  });
});

describe('a broken line', () => {
  const lines = `
class Runner:
    def cell(self, layers):
        return layers * 4

    def size(self, total):
        free = measured(
            self.device,
            shared=self.world > 1,
        )

        # How many there are.
        if self.is_draft:
            layers = 1
        else:
            layers = 3

        cell = self.cell(layers)

        rest = free - total * (
            1 - self.share
        )
        if self.state is not None:
            rest = self.split(rest)

        return int(rest) // cell

    def next(self):
        return 7
`.split('\n');
  const breaks = [' (', ' [', ' -', ' =', '.', ' ???', '"', " f'{", ' $', ' if', ' and not'];
  const places = [
    ['cell = ', ['free', 'layers']],
    ['rest = free', ['free', 'layers', 'cell']],
    ['if self.state', ['free', 'layers', 'cell', 'rest']],
  ] as const;
  const cases = places.flatMap(([start, kept]) =>
    breaks.map(tail => [`${start.trim()}${tail}`, start, tail, kept] as const),
  );

  test.each(cases)(
    'takes nothing from the lines before it: %s',
    async (_name, start, tail, kept) => {
      const row = lines.findIndex(line => line.trimStart().startsWith(start));
      const line = lines[row] ?? '';
      const cut = line.slice(0, line.indexOf(start.trim()) + start.trim().length);
      const text = [...lines.slice(0, row), cut + tail, ...lines.slice(row + 1)].join('\n');
      const { names } = await runPython(text, 'Runner.size');
      expect([...names.keys()].filter(name => kept.some(one => one === name))).toEqual(kept);
      const { returns, machine } = await runPython(text, 'Runner.next');
      expect(returns?.kind === 'number' && machine.valuation.exact(returns.term)).toBe(7n);
      const { returns: cell } = await runPython(text, 'Runner.cell');
      expect(cell?.kind).toBe('number');
    },
  );

  test('in a branch leaves what stands before it there', async () => {
    const text = 'def f(a):\n    if a:\n        b = 1\n        c = (2\n    return b\n';
    const { names } = await runPython(text, 'f', {
      expressions: new Map([['a', quantityValue(exactly(1))]]),
    });
    expect(names.has('b')).toBe(true);
    expect(names.has('c')).toBe(false);
  });
});

describe('expressions over several lines that Python allows', () => {
  const whole = {
    'in parentheses': 'value = (1 +\n        2)',
    'in a call': 'value = max(1,\n\n        3)',
    'behind a backslash': 'value = 1 + \\\n        2',
    'in a text of several lines': 'value = """a\n# ( not a bracket\n"""',
    'with comments between': 'value = [1,  # one (\n        2]  # two',
  } as const;

  test.each(Object.entries(whole))('are no broken statements %s', async (_name, statement) => {
    const run = await runPython(`def f():\n    ${statement}\n    return value\n`, 'f');
    expect(run.stopped).toBeUndefined();
    expect(run.returns).toBeDefined();
  });
});
