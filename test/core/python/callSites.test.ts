/** Callers that tell the parameters of a function: only those that can reach it, and each once. */
import { describe, expect, test } from 'vitest';
import { FactIndex } from '../../../src/core/python/factIndex';
import { parametersFromCalls } from '../../../src/core/python/callSites';
import { Machine, usualLimits } from '../../../src/core/python/machine';
import { ModuleStore } from '../../../src/core/python/moduleStore';
import { Valuation } from '../../../src/core/python/valuation';
import { memoryFiles, noFacts, testParser } from './python';

/** What callers give to the first parameter of a function, and the steps that finding it took. */
async function firstParameter(text: string, name: string) {
  const store = new ModuleStore(await testParser(), memoryFiles({}));
  const module = store.open('pkg/main.py', text);
  const target = module.functions().find(one => one.definition.qualifiedName === name);
  if (target === undefined) {
    throw new Error(`no function ${name}`);
  }
  const machine = new Machine({
    store,
    facts: new FactIndex(noFacts),
    valuation: new Valuation(),
    inputs: new Map(),
    expressions: new Map(),
    limits: usualLimits,
    usesDefaults: true,
  });
  const [value] = parametersFromCalls(machine, { module, ...target }).values();
  const steps = usualLimits.steps - machine.stepsLeft;
  return { value: value?.kind === 'number' && machine.valuation.exact(value.term), steps };
}

const boxes = `
class Box:
    def size(self, amount):
        return amount * 2

    def fill(self):
        return self.size(3)

class Crate:
    def size(self, amount):
        return amount * 5

    def fill(self):
        return self.size(4)

class Chest(Box):
    def size(self, amount):
        return super().size(3) + helper(amount)

class Trunk(Crate):
    def size(self, amount):
        return super().size(4)

def size(amount):
    return amount

def helper(amount):
    return size(7)
`;

describe('callers of a function', () => {
  test.each([
    ['Box.size', 3n],
    ['Crate.size', 4n],
    ['size', 7n],
  ] as const)('with a name that others have too are its own: %s', async (name, value) => {
    expect((await firstParameter(boxes, name)).value).toBe(value);
  });

  test('are not asked where the body says no parameter', async () => {
    const text = `
class Base:
    def size(self, amount):
        """Of a subclass: the amount."""
        raise NotImplementedError

    def fill(self):
        return self.size(sum(range(500)))
`;
    const { value, steps } = await firstParameter(text, 'Base.size');
    expect(value).toBe(false);
    expect(steps).toBe(0);
  });

  test('that call each other are run once each', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const text = [
      'def size(amount):\n    return amount\n',
      ...names.map(
        name =>
          `def ${name}(n):\n    x = [i * i for i in range(20)]\n    ${names
            .map(other => `${other}(n)`)
            .join('; ')}\n    return size(n)\n`,
      ),
    ].join('\n');
    const { steps } = await firstParameter(text, 'size');
    expect(steps).toBeLessThan(usualLimits.steps);
  });

  test('are read to the call and no further, however long what they call takes', async () => {
    const long = '    sum([i * i for i in range(3000)])\n';
    const text = [
      'def size(amount):\n    return amount\n',
      `def slow():\n${long}    return 1\n`,
      `def start():\n    slow()\n    slow()\n    slow()\n    size(9)\n${long}`,
    ].join('\n');
    const { value, steps } = await firstParameter(text, 'size');
    expect(value).toBe(9n);
    expect(steps).toBeLessThan(4000);
  });
});
