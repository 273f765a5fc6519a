/**
 * Programs of the parts of Python that sizing code is written in: dataclasses, mixins, properties,
 * keyword-only arguments, unpacking, comprehensions, loops, exceptions, texts. Made from a seed.
 */
import { generator } from './generator';

/** Definitions that every program can use. */
export const prelude = `
from dataclasses import dataclass, field
import functools, math

GIB = 1 << 30
RATES = {"bf16": 2, "fp8": 1, "fp32": 4}
NAMES = ("full", "swa", "mamba")

def noted(fn):
    @functools.wraps(fn)
    def inner(*args, **kwargs):
        return fn(*args, **kwargs)
    return inner

@dataclass
class Shape:
    heads: int
    dim: int = 128
    layers: list = field(default_factory=lambda: [1, 2, 3])
    name: str = "shape"

    def __post_init__(self):
        self.rows = self.heads * self.dim

    @property
    def cells(self):
        return self.rows * len(self.layers)

@dataclass
class Wide(Shape):
    extra: int = 3

    @property
    def cells(self):
        return super().cells + self.extra

class Mixin:
    scale = 4

    def scaled(self, x, /, by=None, *rest, plus=0, **more):
        by = self.scale if by is None else by
        return x * by + plus + sum(rest) + sum(more.values())

class Base:
    scale = 2
    kinds = NAMES

    def __init__(self, n, *, ratio=0.8):
        self.n = n
        self.ratio = ratio
        self._cache = {}

    def share(self):
        return int(self.n * self.ratio)

    @staticmethod
    def ceil(a, b):
        return -(-a // b)

    @classmethod
    def of(cls, n):
        return cls(n, ratio=0.5)

class Pool(Mixin, Base):
    def __init__(self, n, **kw):
        super().__init__(n, **kw)
        self.pages = self.ceil(n, 16)

    def share(self):
        return super().share() + self.pages

    def lookup(self, key):
        if key not in self._cache:
            self._cache[key] = key * 3
        return self._cache[key]

def pick(values, *, key=None, default=0):
    found = [v for v in values if key is None or key(v)]
    return found[0] if found else default

def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)

def split(total, parts=3):
    each, rest = divmod(total, parts)
    return each, rest

def gen(n):
    total = 0
    for i in range(n):
        total += i
        if total > 10:
            break
    else:
        total = -1
    return total
`;
/** The function `f{seed}` without arguments. */
export function wideProgram(seed: number): string {
  const r = generator(seed);
  const of = (list: readonly string[]): string => list[r(list.length)] ?? '';
  const nums = [
    'a',
    'b',
    'c',
    'a',
    'b',
    '0',
    '1',
    '3',
    '-7',
    '16',
    '64',
    '1024',
    '2.5',
    '0.1',
    '-0.5',
    '1e9',
    '1 << 30',
    '70272',
    '10**20',
    '7.0',
    '-3',
    '0.8',
    '2.675',
    '1e16',
    '123456789',
    'GIB',
    'True',
    'False',
  ];
  const num = (d: number): string => {
    if (d <= 0) return `(${of(nums)})`;
    const n = () => num(d - 1);
    switch (r(40)) {
      case 0:
        return `round(${n()}, ${of(['0', '1', '2', '3', '-1', '-2'])})`;
      case 1:
        return `(${n()} % ${n()})`;
      case 2:
        return `(${n()} // ${n()})`;
      case 3:
        return `divmod(${n()}, ${n()})[${r(2)}]`;
      case 4:
        return `max([${n()}, ${n()}, ${n()}])`;
      case 5:
        return `min(${n()}, ${n()}, key=lambda x: -x)`;
      case 6:
        return `sorted([${n()}, ${n()}, ${n()}]${of(['', ', reverse=True', ', key=abs', ', key=lambda x: -x'])})[${of(['0', '-1', '1'])}]`;
      case 7:
        return `sum(x ${of(['*', '+', '-'])} ${n()} for x in ${seq(d - 1)})`;
      case 8:
        return `len(${seq(d - 1)})`;
      case 9:
        return `${of(['Shape', 'Wide'])}(${r(9)}${of(['', ', dim=64', ', 32', ', layers=[1]', ', name="x"'])}).${of(['cells', 'rows', 'dim', 'heads', 'layers[-1]'])}`;
      case 10:
        return `Pool(${r(99)}${of(['', ', ratio=0.3'])}).${of(['share()', 'pages', 'scaled(2)', 'scaled(3, 2)', 'scaled(2, plus=4)', 'scaled(1, 2, 3, 4)', 'scaled(1, z=5, y=2)', 'scale', 'lookup(4)', 'n', 'ratio', 'ceil(7, 2)'])}`;
      case 11:
        return `Pool.of(${r(50)}).${of(['share()', 'ratio', 'pages'])}`;
      case 12:
        return `getattr(Pool(${r(9)}), "${of(['n', 'absent', 'pages', 'ratio'])}", ${n()})`;
      case 13:
        return `pick(${seq(d - 1)}${of(['', ', key=lambda v: v > 1', ', default=9', ', key=bool'])})`;
      case 14:
        return `fact(${r(8)})`;
      case 15:
        return `split(${n()}${of(['', ', 4', ', parts=7'])})[${r(2)}]`;
      case 16:
        return `RATES[${of(['"bf16"', '"fp8"', '"fp32"'])}]`;
      case 17:
        return `RATES.get(${of(['"bf16"', '"int4"'])}, ${n()})`;
      case 18:
        return `(${n()} if ${cond(d - 1)} else ${n()})`;
      case 19:
        return `int(${n()} / ${n()})`;
      case 20:
        return `(${n()} ${of(['>>', '<<'])} ${r(40)})`;
      case 21:
        return `math.${of(['ceil', 'floor', 'trunc'])}(${n()})`;
      case 22:
        return `math.sqrt(${of(['16', '2', '8'])})`;
      case 23:
        return `int("${of(['12', '-3', ' 7 ', '0'])}")`;
      case 24:
        return `float(${n()})`;
      case 25:
        return `abs(${n()})`;
      case 26:
        return `(-${n()})`;
      case 27:
        return `(~(${of(['a', '5', '-1'])}))`;
      case 28:
        return `(${n()} ** ${of(['2', '0', '-1', '0.5', '3'])})`;
      case 29:
        return `gen(${r(9)})`;
      case 30:
        return `int(${cond(d - 1)})`;
      case 31:
        return `(w := ${n()})`;
      case 32:
        return `max((x for x in ${seq(d - 1)}), default=${n()})`;
      case 33:
        return `sum([1 for _ in ${seq(d - 1)} if _])`;
      case 34:
        return `{**RATES, "x": ${n()}}["${of(['x', 'fp8'])}"]`;
      case 35:
        return `(lambda p, q=2: p * q)(${n()}${of(['', ', 5'])})`;
      case 36:
        return `(${n()} - 1)`;
      case 37:
        return `isinstance(${n()}, ${of(['int', 'float', '(int, float)', 'str', 'bool'])})`;
      default:
        return `(${n()} ${of(['+', '-', '*', '/', '+', '-', '*', '//', '%'])} ${n()})`;
    }
  };
  const seq = (d: number): string => {
    const n = () => num(d - 1);
    switch (r(14)) {
      case 0:
        return `[${n()}, ${n()}]`;
      case 1:
        return `(${n()}, ${n()}, ${n()})`;
      case 2:
        return `range(${r(6)})`;
      case 3:
        return `range(${r(5)}, ${5 + r(6)}, ${1 + r(3)})`;
      case 4:
        return `[x * ${n()} for x in range(${r(5)}) if x % 2 == ${r(2)}]`;
      case 5:
        return `sorted({${n()}, ${n()}, 3})`;
      case 6:
        return `[i + v for i, v in enumerate([${n()}, ${n()}])]`;
      case 7:
        return `[p * q for p, q in zip([1, 2, 3], (${n()}, ${n()}))]`;
      case 8:
        return `list(RATES.values())`;
      case 9:
        return `[len(s) for s in NAMES]`;
      case 10:
        return `[v for k, v in sorted(RATES.items())]`;
      case 11:
        return `[[${n()}], [2, 3]][${of(['0', '1', '-1'])}]`;
      case 12:
        return `[1, ${n()}, 3, 4][${of(['1:', ':2', '::2', '::-1', '1:3', '-2:'])}]`;
      default:
        return `[x for row in [[1, 2], [${n()}]] for x in row]`;
    }
  };
  const cond = (d: number): string => {
    const n = () => num(d - 1);
    switch (r(16)) {
      case 0:
        return `(${n()} < ${n()} <= ${n()})`;
      case 1:
        return `(${n()} == ${n()})`;
      case 2:
        return `(not ${n()})`;
      case 3:
        return `any(x > ${n()} for x in ${seq(d - 1)})`;
      case 4:
        return `all(x > ${n()} for x in ${seq(d - 1)})`;
      case 5:
        return `(${n()} in ${seq(d - 1)})`;
      case 6:
        return `("${of(['full', 'f', 'swa'])}" ${of(['in', 'not in'])} NAMES)`;
      case 7:
        return `("${of(['bf16', 'x'])}" in RATES)`;
      case 8:
        return `(${n()} is None)`;
      case 9:
        return `isinstance(Pool(2), ${of(['Base', 'Mixin', 'Shape', '(Shape, Base)'])})`;
      case 10:
        return `hasattr(Pool(2), "${of(['n', 'zz', 'scale'])}")`;
      case 11:
        return `"${of(['fp8_e4m3', 'bf16'])}".startswith(${of(['"fp8"', '("bf", "x")'])})`;
      case 12:
        return `(${n()} ${of(['>', '<', '>=', '<=', '==', '!='])} ${n()})`;
      case 13:
        return `((${n()} > 1) is ${of(['True', 'False'])})`;
      default:
        return `(${cond2(d)} ${of(['and', 'or'])} ${cond2(d)})`;
    }
  };
  const cond2 = (d: number): string => (d <= 0 ? `(${of(nums)} > ${of(nums)})` : cond(d - 1));
  const text = (d: number): string => {
    const n = () => num(d - 1);
    switch (r(18)) {
      case 0:
        return `f"{${of(['a', 'b', 'c'])}:.${r(5)}f} of {${of(['a', 'b'])}!r:>${r(9)}}"`;
      case 1:
        return `f"{a=} {b:,} {c:e}"`;
      case 2:
        return `"%.2f" "${of(['a', 'b'])}"`;
      case 3:
        return `f"{a}" f"-{${of(['b', 'c'])}:.3f}"`;
      case 4:
        return `", ".join(str(x) for x in ${seq(d - 1)})`;
      case 5:
        return `str(${n()})`;
      case 6:
        return `repr(${seq(d - 1)})`;
      case 7:
        return `"${of(['MiB', 'fp8_e5m2'])}".${of(['lower()', 'upper()', 'replace("i", "")', 'split("_")[0]', 'strip("M")'])}`;
      case 8:
        return `("x" * ${r(4)} + "y")`;
      case 9:
        return `str(${cond(d - 1)})`;
      case 10:
        return `f"{a:{${r(9)}}.{2}f}"`;
      case 11:
        return `f"{b:010.3f}|{a:<8}|{c:+}|{b:%}"`;
      case 12:
        return `f"{c:g} {b:.3g} {a:#x}" if isinstance(a, int) else "no"`;
      case 13:
        return `"abc"[${of(['0', '-1', '1:', '::-1'])}]`;
      case 14:
        return `f'{ {"k": a}["k"] }{{}}'`;
      case 15:
        return `NAMES[${r(3)}]`;
      case 16:
        return `max(NAMES, key=len)`;
      default:
        return `f"{${n()}}"`;
    }
  };
  const ind = (lines: readonly string[]): string[] => lines.map(l => '    ' + l);
  const name = () => of(['a', 'b', 'c']);
  const stmts = (d: number): string[] => {
    const out: string[] = [];
    for (let i = 0; i < 2 + r(2); i++) {
      switch (r(d > 0 ? 26 : 9)) {
        case 0:
          out.push(
            `${name()} ${of(['+', '-', '*', '//', '%', '/', '**', '>>', '<<', '|', '&'])}= ${of(['2', '3', 'a', '1', '0.5'])}`,
          );
          break;
        case 1:
          out.push(`a, (b, *rest) = ${num(1)}, [${num(1)}, 5, 6]`, `out.append(rest)`);
          break;
        case 2:
          out.push(`*init, c = ${seq(1)}`, 'out.append(init)');
          break;
        case 3:
          out.push(`a = b = ${num(1)}`);
          break;
        case 4:
          out.push(`out.append(${text(1)})`);
          break;
        case 5:
          out.push(`out += [${num(1)}]`);
          break;
        case 6:
          out.push(`a, b = b, a`);
          break;
        case 7:
          out.push(`d[${of(['"k"', '1', 'a'])}] = ${num(1)}`);
          break;
        case 8:
          out.push(`assert ${cond(1)}, f"asserted {a}"`);
          break;
        case 9:
          out.push(
            `if ${cond(1)}:`,
            ...ind(stmts(d - 1)),
            `elif ${cond(1)}:`,
            ...ind(stmts(0)),
            'else:',
            ...ind(stmts(0)),
          );
          break;
        case 10:
          out.push(
            `for i, v in enumerate(${seq(1)}):`,
            ...ind([
              'c = v',
              `if ${of(['i == 1', 'v', 'i > 2'])}:`,
              `    ${of(['break', 'continue', 'b = i'])}`,
              'out.append(i)',
            ]),
            ...(r(2) ? ['else:', '    out.append("done")'] : []),
          );
          break;
        case 11:
          out.push(
            `k = ${r(6)}`,
            'while k > 0:',
            '    k -= 1',
            ...ind([
              `if k == ${r(4)}:`,
              `    ${of(['break', 'continue', 'pass'])}`,
              'out.append(k)',
            ]),
          );
          break;
        case 12:
          out.push(
            'try:',
            ...ind(stmts(0)),
            `except ${of(['ZeroDivisionError', 'KeyError', '(ValueError, TypeError)', 'LookupError', 'ArithmeticError'])} as e:`,
            '    out.append(type(e).__name__)',
            'else:',
            ...ind(stmts(0)),
            'finally:',
            '    out.append("f")',
          );
          break;
        case 13:
          out.push(
            'try:',
            `    raise ${of(['ValueError', 'KeyError', 'RuntimeError'])}(f"bad {a}")`,
            `except ${of(['ValueError', 'RuntimeError', 'Exception'])} as e:`,
            '    out.append(str(e))',
          );
          break;
        case 14:
          out.push(
            `match ${of(['a', 'b', '"full"', 'len(out)', 'None', 'True'])}:`,
            '    case 0 | 1:',
            '        b = 1',
            '    case "full":',
            '        b = 2',
            '    case None:',
            '        b = 3',
            '    case other if a > 3:',
            '        b = 4',
            '    case -7:',
            '        b = 5',
            '    case _:',
            '        b = 6',
          );
          break;
        case 15:
          out.push(
            `match ${r(3)} + (a > 2):`,
            '    case 0:',
            '        c = 1',
            '    case 1 | 2 if b:',
            '        c = b',
            '    case x:',
            '        c = x',
          );
          break;
        case 16:
          out.push(
            `shape = ${of(['Shape', 'Wide'])}(${r(5)})`,
            `shape.dim ${of(['=', '+=', '*='])} ${r(9)}`,
            `out.append((shape.dim, shape.cells, shape.name))`,
          );
          break;
        case 17:
          out.push(
            `pool = Pool(${r(40)})`,
            `pool.n ${of(['=', '//=', '-='])} ${1 + r(5)}`,
            'out.append((pool.n, pool.share(), pool.lookup(2), pool._cache))',
          );
          break;
        case 18:
          out.push(
            `def inner(x, y=${num(0)}, *, z=2):`,
            `    nonlocal_free = x + y`,
            `    return nonlocal_free * z + ${num(0)}`,
            `out.append(inner(${num(1)}${of(['', ', 3', ', z=4', ', y=1'])}))`,
          );
          break;
        case 19:
          out.push(
            `with_default = d.get(${of(['"k"', '1'])}, ${num(0)})`,
            'out.append(with_default)',
          );
          break;
        case 20:
          out.push(`if (n := ${num(1)}) > 2:`, '    out.append(n)');
          break;
        case 21:
          out.push(
            `items = ${seq(1)}`,
            `items = list(items)`,
            of([
              'items.append(a)',
              'items.extend([1, 2])',
              'items.insert(0, b)',
              'items.pop()',
              'items.reverse()',
              'items.sort()',
            ]),
            'out.append(items)',
          );
          break;
        case 22:
          out.push(
            `sizes = {name: len(name) * ${r(9)} for name in NAMES}`,
            `out.append(sum(sizes.values()) + sizes["swa"])`,
          );
          break;
        case 23:
          out.push(`s = {${num(0)}, ${num(0)}, 1}`, `out.append(len(s))`);
          break;
        case 24:
          out.push(`del d[${of(['"k"', '"z"'])}]`, 'out.append(len(d))');
          break;
        default:
          out.push(`${name()} = ${num(2)}`);
      }
    }
    return out;
  };
  return [
    `def f${seed}():`,
    ...ind([
      `a, b, c = ${of(nums.slice(5))}, ${of(nums.slice(5))}, ${of(nums.slice(5))}`,
      'd = {"z": 1}',
      'out = []',
      ...stmts(2),
      ...stmts(1),
      'return (a, b, c, d, out)',
    ]),
  ].join('\n');
}
