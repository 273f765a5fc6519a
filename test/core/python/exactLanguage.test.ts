/** Generated programs of the whole language that is read, against python3: equal, or rarely unknown. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { reprOf } from '../../../src/core/python/formatted';
import { runPython } from './python';
import { prelude, wideProgram } from './wideProgram';

const count = 200;
const sources = Array.from({ length: count }, (_, seed) => wideProgram(seed + 1));

type Result = readonly [kind: 'value' | 'raises' | 'huge', what: string];

/** What each program gives, in one python3 process; the class of an exception where it raises. */
function expectedResults(): readonly Result[] {
  const script = `${prelude}
import json
sources = json.loads(${JSON.stringify(JSON.stringify(sources))})
results = []
for seed, source in enumerate(sources, 1):
    try:
        exec(source, globals())
        shown = repr(globals()["f%d" % seed]())
        results.append(["value", shown] if len(shown) < 4000 else ["huge", ""])
    except Exception as error:
        results.append(["raises", type(error).__name__])
print(json.dumps(results))
`;
  const output = execFileSync('python3', ['-W', 'ignore', '-'], {
    input: script,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return JSON.parse(output) as readonly Result[];
}

/** Errors of types and of size, which the interpreter does not tell: it has no value then. */
const untold = new Set(['TypeError', 'UnboundLocalError', 'MemoryError', 'OverflowError']);

test('programs of the whole language give what python3 gives', { timeout: 120_000 }, async () => {
  const expected = expectedResults();
  const wrong: string[] = [];
  let told = 0;
  for (const [at, source] of sources.entries()) {
    const [kind, what] = expected[at] ?? ['huge', ''];
    const run = await runPython(`${prelude}\n${source}`, `f${at + 1}`);
    const shown = run.returns && reprOf(run.machine, run.returns);
    const certain = run.raises.find(one => one.isCertain);
    const isSame =
      kind === 'value'
        ? certain === undefined && (shown === undefined || shown === what)
        : kind === 'huge' ||
          (certain === undefined ? shown === undefined || untold.has(what) : certain.name === what);
    told += shown === undefined && certain === undefined ? 0 : 1;
    if (!isSame) {
      wrong.push(`${source}\n  ${shown ?? certain?.name ?? ''} is not ${what}`);
    }
  }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(told / count).toBeGreaterThan(0.95);
});
