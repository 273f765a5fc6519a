/** Every flag that a release defines is one that a pasted launch line may have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { flagEffect } from '../../src/core/sglang/launchFlag';
import { fetchAll } from './release';

const releases = ['0.4.6', '0.5.9', '0.5.18'];
const folders = await fetchAll(new Set(releases));
const here = releases.filter(release => folders.has(release));

test('there are the releases', () => {
  expect(here.length).toBe(process.env['CI'] === 'true' ? releases.length : here.length);
});

test.each(here)('%s has no flag that is not known', release => {
  const text = readFileSync(join(folders.get(release) ?? '', 'sglang/srt/server_args.py'), 'utf8');
  const literal = [...text.matchAll(/add_argument\(\s*"(--[a-z0-9-]+)"(?:,\s*"(--[a-z0-9-]+)")?/g)];
  // Fields without a flag, and those whose flag has another name, say so inside.
  const fields = [...text.matchAll(/^ {4}([a-z]\w+): A\[((?:(?!^ {4}\S).*\n)*?) *\]/gm)].flatMap(
    ([, name = '', body = '']) =>
      /no_cli=True|cli_name=/.test(body) ? [] : [`--${name.replaceAll('_', '-')}`],
  );
  const flags = [...literal.flatMap(([, ...names]) => names.filter(Boolean)), ...fields];
  expect(flags.length).toBeGreaterThan(100);
  const own = ['--config', '--tp-size', '--pp-size', '--dp-size'];
  const unknown = flags.filter(flag => !own.includes(flag) && flagEffect(flag) === undefined);
  expect(unknown).toEqual([]);
});
