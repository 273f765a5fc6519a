/** After edits of a release's sizing file the annotations are those of a first look at the text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PythonAnnotator } from '../../src/core/annotate/python/pythonAnnotator';
import { diskFiles, testParser } from '../core/python/python';
import { changeOf, everythingShown } from '../core/python/editing';
import { fetchAll, givenValues } from './release';

const files = new Map([
  ['0.3.4', 'sglang/srt/model_executor/model_runner.py'],
  ['0.5.9', 'sglang/srt/model_executor/model_runner_kv_cache_mixin.py'],
  ['0.5.23', 'sglang/srt/mem_cache/kv_cache_configurator.py'],
]);
const folders = await fetchAll(files.keys());
const inputs = givenValues({
  totalBeforeLoad: '78.5 GiB',
  availableAfterLoad: '63.5 GiB',
  memFractionStatic: 0.88,
});

/** What a person changes of a line; undefined where the line has no such thing. All leave whole text. */
const changes: Readonly<Record<string, (line: string) => string | undefined>> = {
  number: line => replaced(line, /(?<=[-+*/=(,] ?)\d+\b(?!\.)/, found => `${Number(found) + 1}`),
  sign: line => replaced(line, / ([-*]) (?=\w)/, found => (found === ' - ' ? ' * ' : ' - ')),
  comment: line => `${/^ */.exec(line)?.[0] ?? ''}# changed\n${line}`,
  blank: line => `\n${line}`,
  result: line => replaced(line, /(?<=^ +return )[\w.]+$/, () => '(1 << 30)'),
  import: line => replaced(line, /^from [\w.]+ import [\w, ]+$/, () => 'pass'),
  attribute: line => replaced(line, /(?<=^ +self\.\w+ = )[\w.]+$/, () => '4096'),
};

function replaced(line: string, what: RegExp, by: (found: string) => string): string | undefined {
  const after = line.replace(what, by);
  return after === line ? undefined : after;
}

/** Rows where lines are no part of a longer statement or text, as far as their look tells. */
function rowsFor(lines: readonly string[], change: string): number[] {
  const row = (line: string): boolean =>
    /^(?: {8}(?! )\w.*[\w)]$| {8}return |from )/.test(line) && !line.includes('"""');
  return lines.flatMap((line, at) =>
    row(line) && changes[change]?.(line) !== undefined ? [at] : [],
  );
}

const step = fc.record({
  change: fc.constantFrom(...Object.keys(changes)),
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
});

describe.each([...folders])('in SGLang %s', (release, folder) => {
  test('what is kept from edit to edit is never stale', async () => {
    const path = join(folder, files.get(release) ?? '');
    const parser = await testParser();
    const look = async (annotator: PythonAnnotator, text: string): Promise<unknown> =>
      everythingShown(await annotator.annotate({ path, text, inputs }), text, 40);
    const first = readFileSync(path, 'utf8');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 2 }), async steps => {
        const annotator = new PythonAnnotator(parser, diskFiles);
        let text = first;
        await look(annotator, text);
        for (const { change, at } of steps) {
          const lines = text.split('\n');
          const rows = rowsFor(lines, change);
          const row = rows[Math.floor(at * rows.length)];
          if (row === undefined) continue;
          const after = lines.with(row, changes[change]?.(lines[row] ?? '') ?? '').join('\n');
          annotator.update(path, after, [changeOf(text, after)]);
          text = after;
          const found = await look(annotator, text);
          const fresh = new PythonAnnotator(parser, diskFiles);
          expect(found).toEqual(await look(fresh, text));
          fresh.dispose();
        }
        annotator.dispose();
      }),
      { numRuns: 2 },
    );
  }, 240_000);
});
