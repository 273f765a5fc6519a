/**
 * The line that the code action inserts, in every release with another sizing body: CPython runs the
 * function with it, and what it prints is read back by the line forms as the values of the function.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLogText } from '../../src/core/log/readLog';
import type { Body } from './body/scenario';
import { scenariosOf } from './body/scenario';
import { runTexts } from './body/tryBodies';
import { annotateRelease, fetchAll } from './release';

const pinned = JSON.parse(
  readFileSync(join(import.meta.dirname, 'body', 'pinned.json'), 'utf8'),
) as readonly Body[];
const sizing = pinned.filter(
  ({ family, function: name }) => family === 'sizing' && !name.endsWith('calculate_pool_sizes'),
);
const folders = await fetchAll(new Set(sizing.map(({ releases: [first = ''] }) => first)));
const here = sizing.filter(({ releases: [first = ''] }) => folders.has(first));

async function withDebugLine(body: Body) {
  const [release = ''] = body.releases;
  const folder = folders.get(release) ?? '';
  const file = await annotateRelease(folder, body.file, { function: body.function });
  const line = file.debugLineAt(file.functions[0]?.range.row ?? -1);
  const rows = file.text.split('\n');
  const text = line && rows.toSpliced(line.row, 0, line.text).join('\n');
  return { body, release, folder, line, text: text ?? file.text };
}

describe('the inserted line of a sizing function', () => {
  test('prints what the line forms read back, in every release with another body', async () => {
    const made = [];
    for (const body of here) {
      made.push(await withDebugLine(body));
    }
    const runs = runTexts(
      made.flatMap(({ text, ...trial }) => {
        const [scenario] = scenariosOf(trial.body);
        return scenario ? [[trial, scenario, { [trial.body.file]: text }] as const] : [];
      }),
    );
    let withTokens = 0;
    for (const [at, { release, line }] of made.entries()) {
      const run = runs[at];
      const printed = run?.printed ?? '';
      expect([release, run?.gap, line === undefined]).toEqual([release, undefined, false]);
      const log = readLogText(printed);
      const [record] = log.runs[0]?.records ?? [];
      const value = (name: string): number | undefined => {
        const field = record?.fields[name];
        return typeof field === 'object' && 'value' in field ? Number(field.value) : undefined;
      };
      expect([release, record?.form.id]).toEqual([release, 'debug-profile']);
      // Where the inputs are 61.9 and 78.5 GiB, and the fraction is 0.88.
      expect([value('available'), value('total'), value('fraction')]).toEqual([61.9, 78.5, 0.88]);
      expect(value('reserved')).toBe(9.42);
      expect(value('rest')).toBe(52.48);
      const tokens = value('tokens');
      if (tokens !== undefined) {
        withTokens++;
        expect([release, tokens]).toEqual([release, run?.returns]);
      }
    }
    expect(withTokens).toBeGreaterThan(made.length / 2);
    expect(made.length).toBe(process.env['CI'] === 'true' ? sizing.length : made.length);
  }, 300_000);
});
