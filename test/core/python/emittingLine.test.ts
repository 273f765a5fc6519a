/** From a function that prints a log line to the line of its source. */
import { describe, expect, test } from 'vitest';
import { emittingLine } from '../../../src/core/annotate/python/emittingLine';

const source = [
  'class Other:',
  '    def plan(self):',
  '        log("Pool ready. free=")',
  'class Runner(Base):',
  '    @cached',
  '    def plan(self, a=1):',
  '        b = 2',
  '        log(f"Pool ready. free={b}")',
  '    def after(self):',
  '        log("Only here")',
].join('\n');

describe('the line that prints a message', () => {
  test('is the one with its words, in the function of the class that is named', () => {
    expect(emittingLine(source, 'Runner.plan', ['Pool ready'])).toBe(8);
    expect(emittingLine(source, 'Other.plan', ['Pool ready'])).toBe(3);
  });

  test('is the function where the words stand elsewhere', () => {
    expect(emittingLine(source, 'Runner.plan', ['Only here'])).toBe(6);
  });

  test('is not known where the function is not there', () => {
    expect(emittingLine(source, 'Runner.none', ['Pool ready'])).toBeUndefined();
    expect(emittingLine(source, 'None.plan', ['Pool ready'])).toBeUndefined();
  });
});
