/**
 * Features of the language that sizing code uses, each a small function: the interpreter gives the
 * text that python3 gives for it.
 */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { reprOf } from '../../../src/core/python/formatted';
import { runPython } from './python';

const program = `
import math
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

GB = 1 << 30
TABLE = {"a": 1, "b": 2.5, 3: "c"}

class Base:
    scale = 4

    def __init__(self, size):
        self.size = size

    def bytes(self):
        return self.size * self.scale

    @property
    def gib(self):
        return self.bytes() / GB

    @staticmethod
    def twice(x):
        return 2 * x

    @classmethod
    def make(cls, size=3):
        return cls(size + 1)

class Mixin:
    def extra(self):
        return self.size + 100

class Derived(Mixin, Base):
    scale = 8

    def __init__(self, size, *, slack=1):
        super().__init__(size)
        self.slack = slack

    def bytes(self):
        return super().bytes() - self.slack

@dataclass
class Config:
    tokens: int
    ratio: float = 0.8
    names: list = field(default_factory=list)
    limit: Optional[int] = None

    def __post_init__(self):
        if self.tokens <= 0:
            raise RuntimeError(f"no room: {self.tokens=}")
        self.swa = int(self.tokens * self.ratio)

class Pair(NamedTuple):
    left: int
    right: int = 7

def align(value, page=16, /, *, up=False):
    return -(-value // page) * page if up else value // page * page

def varargs(first, *rest, key=0, **named):
    return first, rest, key, sorted(named.items())

def t_classes():
    d = Derived(10, slack=3)
    return d.bytes(), d.extra(), d.gib, Base.make().size, Derived.twice(4), Base(2).bytes()

def t_dataclass():
    c = Config(1000)
    return c.tokens, c.swa, c.names, c.limit, Config(tokens=10, ratio=0.5).swa

def t_dataclass_raises():
    return Config(0).swa

def t_named_tuple():
    p = Pair(1)
    return p.left + p.right

def t_calls():
    return align(100), align(100, 32, up=True), varargs(1, 2, 3, key=4, b=5, a=6)

def t_unpacking():
    a, (b, *c), d = 1, [2, 3, 4], 5
    *e, f = "xyz"
    x = y = a + b
    return a, b, c, d, e, f, x, y

def t_closures():
    page = 4
    def round_down(x):
        return x // page * page
    page = 8
    return round_down(21), (lambda x, k=3: x * k)(5)

def t_comprehensions():
    ids = [i for i in range(12) if i % 3 == 0 if i > 0]
    table = {k: v * 2 for k, v in zip("abc", range(3))}
    return ids, table, sum(x * y for x in range(3) for y in range(x)), len({1, 1, 2}), [*ids, -1]

def t_sequences():
    values = [3, 1, 2]
    values.append(10)
    values += [4]
    values[0] = 9
    return values, sorted(values, reverse=True), values[-1], values[1:3], values[::-1], 2 in values, min(values), (1, 2) + (3,)

def t_dicts():
    d = dict(x=1)
    d["y"] = 2
    return d, d.get("z", 5), list(d.items()), "x" in d, TABLE["b"], TABLE[3], len(d)

def t_loops():
    total, n = 0, 1
    while n < 1000:
        n *= 3
        if n == 27:
            continue
        if n > 300:
            break
        total += n
    else:
        total = -1
    for i, (a, b) in enumerate([(1, 2), (3, 4)], start=1):
        total += i * a * b
    else:
        total += 1000
    return total, n

def t_try():
    log = []
    for divisor in (1, 0, "x"):
        try:
            value = 10 // divisor
        except ZeroDivisionError as error:
            log.append("zero")
        except (TypeError, ValueError):
            log.append("type")
        else:
            log.append(value)
        finally:
            log.append(".")
    return log

def t_match(kind="swa"):
    out = []
    for kind in ("full", "swa", 3, None, "other"):
        match kind:
            case "full" | "mha":
                out.append(1)
            case "swa" if len(out) > 0:
                out.append(2)
            case 3:
                out.append(3)
            case None:
                out.append(4)
            case other:
                out.append(other)
    return out

def t_walrus():
    if (n := 10) > 5 and (half := n // 2):
        return n, half
    return None

def t_math():
    return math.ceil(2.1), math.floor(-2.1), round(2.5), round(-3.5), round(2.675, 2), divmod(-7, 2), abs(-3.5), int("12"), float("1e3"), 7 // -2, -7 % 3, 2 ** -1, pow(2, 10)

def t_texts():
    name = "Kv-Cache"
    return name.lower(), name.upper(), name.startswith("Kv"), "-".join(["a", "b"]), name.replace("-", "_"), "x" * 3, name[1:4], name.split("-"), "C" in name

def t_formats():
    x, n, s = 1234.5678, 42, "hi"
    return f"{x:.2f}|{x:,.1f}|{x:10.3e}|{n:05d}|{n:>6}|{n:<6}|{n:^7}|{s!r:>8}|{x=:.1f}|{n = }|{0.1 + 0.2}|{1e16}|{1e-5}|{3.0}|{n:x}|{0.256:.1%}|{-0.0}|{{x}}"

def t_short_circuit():
    return (0 or "b"), (1 and 2), (None or 0), not 3, (1 < 2 < 3), (1 < 3 < 2), None is None, 1 == 1.0, True + True, "a" < "b", (1, 2) < (1, 3)

def t_conditional_import():
    import math as m
    return m.ceil(0.5)

def t_assert():
    assert 1 + 1 == 2, "no"
    assert GB == 1, f"GB={GB}"

def t_isinstance():
    return isinstance(1, int), isinstance(True, int), isinstance(1.0, (int, str)), isinstance("a", str), isinstance(Derived(1), Base), isinstance(Base(1), Derived), hasattr(Base(1), "size"), getattr(Base(1), "none", 5)

def t_big_numbers():
    return 2 ** 100, (1 << 64) // 3, 10 ** 20 / 3, 7247757312 // 44236.8, int(1e22), 123456789123456789 * 987654321987654321 % 1000000007
`;

const names = [...program.matchAll(/^def (t_\w+)/gm)].map(([, name = '']) => name);

const harness = `
import json
out = {}
for name in ${JSON.stringify(names)}:
    try:
        out[name] = repr(globals()[name]())
    except Exception as error:
        out[name] = type(error).__name__ + ": " + str(error)
print(json.dumps(out))
`;

const expected = JSON.parse(
  execFileSync('python3', ['-'], { input: program + harness, encoding: 'utf8' }),
) as Readonly<Record<string, string>>;

describe('the language', () => {
  test.each(names)('is understood in %s', async name => {
    const run = await runPython(program, name);
    const raise = run.raises.find(({ isCertain }) => isCertain);
    const message = raise?.message.map(part => (typeof part === 'string' ? part : '?')).join('');
    const found =
      raise === undefined
        ? run.returns && reprOf(run.machine, run.returns)
        : `${raise.name}: ${message}`;
    expect(found).toBe(expected[name]);
  });
});
