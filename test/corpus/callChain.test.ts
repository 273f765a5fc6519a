/**
 * Where the memory comes from that the fraction scales: in every release with another sizing body, from
 * the measurement before the weights are loaded to the sizing function, each station a place.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PythonAnnotator } from '../../src/core/annotate/python/pythonAnnotator';
import { compareReleases } from '../../src/core/sglang/release';
import { diskFiles } from '../../src/node/pythonFiles';
import { testParser } from '../core/python/python';
import type { Body } from './body/scenario';
import { fetchAll } from './release';

const pinned = JSON.parse(
  readFileSync(join(import.meta.dirname, 'body', 'pinned.json'), 'utf8'),
) as readonly Body[];
const sizing = pinned.filter(
  ({ family, function: name }) => family === 'sizing' && !name.endsWith('calculate_pool_sizes'),
);
const folders = await fetchAll(new Set(sizing.map(({ releases: [first = ''] }) => first)));
const here = sizing.filter(({ releases: [first = ''] }) => folders.has(first));

describe('the parameter of a sizing function', () => {
  test.each(here.map(body => [`${body.releases[0]} ${body.file}`, body] as const))(
    'comes from a measurement over all ranks in %s',
    async (_name, { releases: [release = ''], file, function: name }) => {
      const annotator = new PythonAnnotator(await testParser(), diskFiles);
      const path = join(folders.get(release) ?? '', file);
      const text = readFileSync(path, 'utf8');
      annotator.update(path, text);
      const method = name.split('.').at(-1) ?? '';
      const parameter = new RegExp(`def ${method}\\(\\s*self[^,]*,\\s*(\\w+)`).exec(text)?.[1];
      const chain = await annotator.chainOf(path, name, parameter ?? '');
      const steps = chain?.steps ?? [];
      const [first] = steps;
      const last = steps.at(-1);
      expect(first?.kind).toBe('measured');
      expect(first?.code).toContain('get_available_gpu_memory(');
      expect(chain?.isLeastOfRanks).toBe(true);
      expect(last?.kind).toBe('passed');
      expect(last?.code).toContain(`.${method}(`);
      expect(steps.length).toBeGreaterThan(2);
      for (const step of steps) {
        const line = readFileSync(step.path, 'utf8').split('\n')[step.line - 1] ?? '';
        const start = line.slice(step.column).trim();
        expect(start.startsWith(step.code.slice(0, Math.min(8, start.length)))).toBe(true);
      }
      annotator.dispose();
    },
  );

  test.each(here.map(body => [`${body.releases[0]} ${body.file}`, body] as const))(
    'is measured where a note says the unit in %s',
    async (_name, { releases: [release = ''], file, function: name }) => {
      const folder = folders.get(release) ?? '';
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8');
      const annotator = new PythonAnnotator(await testParser(), diskFiles);
      annotator.update(path, text);
      const method = name.split('.').at(-1) ?? '';
      const parameter = new RegExp(`def ${method}\\(\\s*self[^,]*,\\s*(\\w+)`).exec(text)?.[1];
      const [measured] = (await annotator.chainOf(path, name, parameter ?? ''))?.steps ?? [];
      const linked = measured?.path ?? '';
      const found = await annotator.annotate({ path: linked, text: readFileSync(linked, 'utf8') });
      const notes = found?.annotations.filter(({ range }) => range.row + 1 === measured?.line);
      // The oldest change the scale on the line that measures.
      const isOldest = compareReleases(release, '0.1.17') < 0;
      expect(notes?.map(({ unit }) => unit?.name)).toContain(isOldest ? 'B' : 'GiB');
      annotator.dispose();
    },
  );

  test('is told in every release that has another sizing body', () => {
    expect(here.length).toBe(process.env['CI'] === 'true' ? sizing.length : here.length);
    expect(sizing.length).toBeGreaterThan(25);
  });
});
