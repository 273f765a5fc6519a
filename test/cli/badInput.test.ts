/** What `kvlens` says to input it cannot use: one clear line on stderr and exit code 2. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { file, folder, kvlens } from './kvlens';

const debugLine =
  'DEBUG profile_max_num_token: avail=21.697 GiB, total=93.999 GiB, fraction=0.55, reserved=42.300 GiB, rest=-20.603 GiB, cell_size=70272, max_tokens=-314811\n';

describe('input that cannot be used', () => {
  const noise = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7919) % 256);
  test.each([
    ['a missing file', `${folder}/none.log`, /no such file/],
    ['a folder', folder, /is a folder/],
    ['an empty file', file('empty.log', ''), /is empty/],
    ['a binary file', file('binary.log', noise), /no line of an SGLang server/],
    [
      'a log of another program',
      file('other.log', 'GET / 200\nGET /x 404\n'),
      /no line of an SGLang/,
    ],
    ['a damaged gzip', file('damaged.log.gz', gzipSync(debugLine).subarray(0, 40)), /damaged/],
  ])('%s', async (_, path, expected) => {
    const { code, stdout, stderr } = await kvlens('explain', path);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(expected);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test.each([
    [['explain']],
    [['explain', '--claim', '1.5', file('debug.log', debugLine)]],
    [['explain', '--claim', 'most', file('debug.log', debugLine)]],
    [['solve', file('debug.log', debugLine), '--for', 'tokens']],
    [
      [
        'solve',
        file('debug.log', debugLine),
        '--for',
        'maxTotalTokens',
        '--set',
        'kvPool=94 token',
      ],
    ],
    [['nonsense']],
  ])('%j is refused', async args => {
    const { code, stderr } = await kvlens(...args);
    expect(code).toBe(2);
    expect(stderr.trim().length).toBeGreaterThan(10);
    expect(stderr).not.toMatch(/\bat .*\.ts|node:internal/);
  });

  test('an unknown quantity is refused with the list of known ones', async () => {
    const { stderr } = await kvlens('solve', file('debug.log', debugLine), '--for', 'tokens');
    expect(stderr).toMatch(/maxTotalTokens/);
  });

  test('a gzip log is read', async () => {
    const { code, stdout } = await kvlens('explain', file('packed.log.gz', gzipSync(debugLine)));
    expect(code).toBe(0);
    expect(stdout).toMatch(/-20\.603 GiB/);
  });
});
