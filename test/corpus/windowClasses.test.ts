/** Classes whose window layers have a pool of their own: as the releases list them. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exactRelease } from '../../src/core/sglang/layout/eraTable';
import { poolsWindow } from '../../src/core/sglang/layout/windowArchitecture';
import { fetchAll } from './release';
import { releasesFrom } from './trials';

const folders = await fetchAll(['0.5.8', '0.5.9', ...releasesFrom('0.5.10')]);
const lists = JSON.parse(
  execFileSync(
    'python3',
    [
      join(import.meta.dirname, 'windowClasses.py'),
      ...[...folders].map(([release, folder]) => `${folder}=${release}`),
    ],
    { encoding: 'utf8' },
  ),
) as Readonly<Record<string, readonly string[]>>;

/** Drafts, and compressed attention with windows of another kind. */
const other = /^DeepseekV4|NextN$|MTP$|DSpark$/;
const all = [...new Set(Object.values(lists).flat())].filter(name => !other.test(name));

describe('classes with window pools', () => {
  test('are listed by every release', () => {
    expect(folders.size).toBe(process.env['CI'] === 'true' ? 16 : folders.size);
    expect(Object.values(lists).every(list => list.includes('GptOssForCausalLM'))).toBe(true);
  });

  test.each(Object.entries(lists))('are those of %s', (release, list) => {
    const ours = all.filter(name => poolsWindow(name, false, exactRelease(release)) === true);
    expect(ours).toEqual(all.filter(name => list.includes(name)));
  });
});
