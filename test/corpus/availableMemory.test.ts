/**
 * What the functions that measure free memory return, in every release that has another one: GiB where
 * their own arithmetic divides by 2 ** 30 (as python3's syntax tree has it), the library's bytes where
 * it does not. Their namesakes for other engines and platforms are among them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pinnedReleases } from '../../scripts/releases.mjs';
import type { Body } from './body/scenario';
import { listMeasures } from './body/tryBodies';
import { annotateRelease, fetchAll } from './release';

const pinned = JSON.parse(
  readFileSync(join(import.meta.dirname, 'body', 'pinned.json'), 'utf8'),
) as readonly Body[];
const releases = pinned.map(({ releases: [first = ''] }) => first);
const folders = await fetchAll(new Set([...pinnedReleases, ...releases]));
const measures = folders.size === 0 ? [] : listMeasures(folders);

describe('functions that measure free memory', () => {
  test.each(measures.map(one => [`${one.release} ${one.function}`, one] as const))(
    'return what their arithmetic makes of it in %s',
    async (_name, { release, file, function: name, unit }) => {
      const annotations = await annotateRelease(folders.get(release) ?? '', file, {
        function: name,
      });
      const returned = annotations.annotations.filter(one => one.name === 'return');
      const [found] = annotations.functions;
      expect(found?.role).toBe(unit === null ? undefined : 'available-memory');
      expect(returned.length > 0).toBe(unit !== null);
      expect(new Set(returned.map(one => one.unit?.name ?? null))).toEqual(
        new Set(unit === null ? [] : [unit]),
      );
    },
  );

  test('are in every release, and some return bytes', () => {
    const units = measures.map(({ unit }) => unit);
    expect(units.filter(unit => unit === 'GiB').length).toBeGreaterThan(folders.size > 30 ? 25 : 0);
    expect(units.includes('B')).toBe(folders.has('0.5.18'));
  });
});
