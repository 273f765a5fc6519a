/**
 * Small generated programs, run by the interpreter and by python3: the same values, digit for digit,
 * and the same exceptions. The programs are made from a fixed seed, all in one python3 process.
 */
import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { reprOf } from '../../../src/core/python/formatted';
import { generator } from './generator';
import { runPython } from './python';

const numbers = [
  '0',
  '1',
  '2',
  '7',
  '-3',
  '1024',
  '1 << 30',
  '2.5',
  '-0.5',
  '1e9',
  '0.1',
  '44236.8',
];
const operators = ['+', '-', '*', '/', '//', '%', '&', '|', '^', '+', '-', '*', '/', '//'];
/** Their right sides stay small, so that no number gets out of hand. */
const growing = ['** 2', '** -1', '** 0.5', '<< 3', '<< 30', '>> 2', '>> 30', '% 7', '// 0'];
const comparisons = ['<', '<=', '>', '>=', '==', '!='];
const unary = ['-', 'not ', 'abs', 'int', 'float', 'round', 'bool', 'str', 'repr'];
const formats = [
  '',
  ':.2f',
  ':.3f',
  ':,',
  ':>12',
  ':e',
  ':.4g',
  '!r',
  ':05',
  ':+.1f',
  ':,.2f',
  ':%',
];

/** One function without arguments, of random statements over a few names. */
function program(seed: number): string {
  const pick = generator(seed);
  const of = (list: readonly string[]): string => list[pick(list.length)] ?? '';
  const names = ['a', 'b', 'c'];
  const expression = (depth: number): string => {
    if (depth === 0 || pick(5) === 0) {
      return pick(2) === 0 ? of(names) : `(${of(numbers)})`;
    }
    const inner = (): string => expression(depth - 1);
    switch (pick(13)) {
      case 10:
        return `sum(i * ${of(names)} for i in range(${pick(6)}) if i % 2 == ${pick(2)})`;
      case 11:
        return `len({i % 3: ${inner()} for i in range(${pick(6)})})`;
      case 12:
        return `${of(['Size', 'Padded'])}(${inner()}, ${of(['', `height=${inner()}`])}).area()`;
      case 0:
        return `(${inner()} if ${inner()} else ${inner()})`;
      case 1:
        return `(${inner()} ${of(['and', 'or'])} ${inner()})`;
      case 2:
        return `(${inner()} ${of(comparisons)} ${inner()} ${of(comparisons)} ${inner()})`;
      case 3: {
        const name = of(unary);
        return `(${name}(${inner()}))`;
      }
      case 4:
        return `${of(['min', 'max'])}(${inner()}, ${inner()}, ${inner()})`;
      case 5:
        return `sum([${inner()} for i in range(${pick(4)})])`;
      case 6:
        return `(${of(names)} ${of(growing)})`;
      default:
        return `(${inner()} ${of(operators)} ${inner()})`;
    }
  };
  const statements = (depth: number): string[] => {
    const lines: string[] = [];
    for (let count = 0; count < 3; count++) {
      const name = of(names);
      switch (depth === 0 ? pick(4) : pick(11)) {
        case 0:
          lines.push(`${name} ${of(['+', '-', '*'])}= ${expression(1)}`);
          break;
        case 1:
          lines.push(`${name}, ${of(['d', 'e'])} = ${expression(1)}, ${expression(1)}`);
          break;
        case 4:
          lines.push(`if ${expression(2)}:`, ...indented(statements(depth - 1)));
          lines.push('else:', ...indented(statements(depth - 1)));
          break;
        case 5:
          lines.push(`for i in range(${pick(5)}):`, ...indented(statements(depth - 1)));
          lines.push(`    if i == ${pick(3)}:`, `        ${of(['break', 'continue', 'c = i'])}`);
          break;
        case 6:
          lines.push('try:', ...indented(statements(depth - 1)));
          lines.push(
            `except ${of(['ZeroDivisionError', '(TypeError, ValueError)', 'ArithmeticError', 'Exception'])}:`,
            ...indented(statements(0)),
          );
          break;
        case 7:
          lines.push(`if (n := ${expression(1)}):`, `    ${name} = n`);
          break;
        case 9:
          lines.push(`match ${expression(1)}:`, '    case 0 | 1:');
          lines.push(...indented(indented(statements(depth - 1))));
          lines.push(`    case other if other > ${pick(9)}:`, `        ${name} = other`);
          lines.push('    case _:', ...indented(indented(statements(0))));
          break;
        case 8:
          lines.push(`if ${expression(1)}:`, `    raise ValueError(f"{a${of(formats)}} {b=}")`);
          break;
        default:
          lines.push(`${name} = ${expression(2)}`);
      }
    }
    return lines;
  };
  const body = [
    `a, b, c = ${of(numbers)}, ${of(numbers)}, ${of(numbers)}`,
    'd = e = 0',
    ...statements(2),
    `text = f"{a${of(formats)}}|{b${of(formats)}}|{c}"`,
    'return (a, b, c, d, e, text)',
  ];
  return [`def f${seed}():`, ...indented(body)].join('\n');
}

function indented(lines: readonly string[]): string[] {
  return lines.map(line => `    ${line}`);
}

/** Classes that the programs use: a dataclass, a subclass, a method that calls the one above it. */
const classes = `
from dataclasses import dataclass

@dataclass
class Size:
    width: int
    height: int = 2

    def area(self):
        return self.width * self.height

class Padded(Size):
    def area(self):
        return super().area() + self.height
`;

const count = 600;
const sources = Array.from({ length: count }, (_, seed) => program(seed + 1));

/** Prints one line a program: its result, or the class of its exception. */
const harness = `
import json, sys
out = []
for n in range(1, ${count} + 1):
    try:
        value = globals()["f%d" % n]()
        out.append(["value", repr(value)] if len(repr(value)) < 4000 else ["huge", ""])
    except Exception as error:
        out.append(["raises", type(error).__name__, str(error)])
print(json.dumps(out))
`;

type Result = readonly [kind: 'value' | 'raises' | 'huge', what: string, message?: string];

/** Errors of types, which this interpreter does not tell: it has no value then. */
const untold = new Set(['TypeError', 'UnboundLocalError', 'MemoryError', 'OverflowError']);

describe('generated programs', () => {
  let expected: readonly Result[] = [];

  beforeAll(() => {
    const script = `import sys\nsys.set_int_max_str_digits(0)\n${classes}\n${sources.join('\n\n')}\n${harness}`;
    const output = execFileSync('python3', ['-'], {
      input: script,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    expected = JSON.parse(output) as readonly Result[];
  });

  test('have in the interpreter the values and exceptions that python3 gives them', async () => {
    let values = 0;
    let raises = 0;
    const wrong: string[] = [];
    for (const [at, source] of sources.entries()) {
      const [kind, what, message] = expected[at] ?? ['huge', ''];
      const {
        returns,
        raises: raised,
        machine,
      } = await runPython(`${classes}\n${source}`, `f${at + 1}`);
      const shown = returns && reprOf(machine, returns);
      const certain = raised.find(raise => raise.isCertain);
      if (kind === 'value' && shown !== undefined) {
        values++;
        if (shown !== what) {
          wrong.push(`${source}\n  ${shown} is not ${what}`);
        }
      } else if (kind === 'raises' && certain !== undefined) {
        raises++;
        const isWhole = certain.message.every(part => typeof part === 'string');
        const isMessageTold = isWhole && certain.name === 'ValueError' && what === 'ValueError';
        const text = certain.message.map(part => (typeof part === 'string' ? part : '?')).join('');
        const isSame =
          certain.name === what && (!isMessageTold || text === message || !text.includes('='));
        if (!isSame) {
          wrong.push(`${source}\n  ${certain.name}: ${text} is not ${what}: ${message}`);
        }
      } else if (kind === 'value' && certain !== undefined) {
        wrong.push(`${source}\n  raises ${certain.name}, but gives ${what}`);
      } else if (kind === 'raises' && shown !== undefined && !untold.has(what)) {
        wrong.push(`${source}\n  gives ${shown}, but raises ${what}`);
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    // Silence is allowed, but it must be rare.
    const all = (kind: Result[0]): number => expected.filter(([one]) => one === kind).length;
    expect(all('value')).toBeGreaterThan(150);
    expect(values / all('value')).toBeGreaterThan(0.95);
    expect(raises / all('raises')).toBeGreaterThan(0.8);
  });
});
