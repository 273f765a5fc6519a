/**
 * What the releases after the catalogue print of memory, taken from their own sources, filled with
 * values and read back through the table of line forms. Leaves out batch lines, which are put
 * together of pieces.
 */
import { describe, expect, test } from 'vitest';
import { expectRead, fillsOf } from './filledTemplate';
import { memoryEmitters } from './memoryEmitters';
import type { PrintedText } from './printedTexts';
import { newestReleases, printedTexts } from './printedTexts';

/** Texts that print an amount of memory or of tokens, say that it is short, or tell a phase. */
const isMemoryRelated =
  /%[.\d]*[fsd] ?(?:GB|GiB|MB|MiB|KB|KiB)\b|#tokens: |avail mem|Not enough|no GPU memory|KV Cache is|layer_tokens=|_capacity=|pool sizes|\[unified-memory-pool\] {3}total_bytes|SWA (?:ring:|pool (?:cap )?\()|Post-capture KV sizing|Init parallel|Init torch|Load weight|graph (?:begin|end)|worst-case request|host memory is left|fewer than --context|Mamba Cache|max_total_num_tokens=/;

const files = [...new Set(memoryEmitters.map(emitter => emitter.split('::')[0] ?? ''))];
const printed = await printedTexts(newestReleases, files);
const here = new Set(printed.map(({ release }) => release));
const related = printed.filter(
  ({ template, kind }) => kind !== '=' && isMemoryRelated.test(template),
);
const emitters: ReadonlySet<string> = new Set(memoryEmitters);

/** Each text once, with the releases that print it. */
function rowsOf(texts: readonly PrintedText[]) {
  const rows = new Map<string, { kind: string; template: string; releases: [string, string][] }>();
  for (const { release, kind, template } of texts) {
    const own = rows.get(`${kind} ${template}`) ?? { kind, template, releases: [] };
    own.releases.push([release, release]);
    rows.set(`${kind} ${template}`, own);
  }
  return [...rows.values()];
}

describe.skipIf(here.size === 0)('the releases after the catalogue', () => {
  const rows = rowsOf(related.filter(text => emitters.has(text.emitter)));

  test.runIf(here.size === newestReleases.length)('print as much as was counted', () => {
    expect([rows.length, related.length]).toEqual([99, 391]);
    for (const emitter of memoryEmitters) {
      expect(
        related.some(text => text.emitter === emitter),
        emitter,
      ).toBe(true);
    }
  });

  test('print nothing of memory in these files from a function that is not listed', () => {
    const others = related.filter(text => !emitters.has(text.emitter));
    expect(others.map(({ emitter, template }) => `${emitter} ${template}`)).toEqual([]);
  });

  test.each(rows.map(row => [fillsOf(row)[0]?.text ?? row.template, row] as const))(
    'are read: %s',
    (_text, row) => {
      expectRead(row);
    },
  );
});
