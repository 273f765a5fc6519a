/** What `kvlens` says to input it cannot use: one clear line on stderr and exit code 2. */
import { execFile } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bundle, file, folder, kvlens } from './kvlens';

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
    expect(stderr).not.toMatch(/^ {4}at |node:internal/m);
  });

  test('an unknown quantity is refused with the list of known ones', async () => {
    const { stderr } = await kvlens('solve', file('debug.log', debugLine), '--for', 'tokens');
    expect(stderr).toMatch(/maxTotalTokens/);
  });

  test('one foreign file among many is said and does not stop the others', async () => {
    const foreign = file('nginx.log', 'GET / 200\n');
    const { code, stdout, stderr } = await kvlens('check', foreign, file('debug.log', debugLine));
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toMatch(/not-enough-memory/);
  });

  test('a typo in --fail-on is refused with the list of codes', async () => {
    const { code, stderr } = await kvlens('explain', '--fail-on', 'tiny', file('d.log', debugLine));
    expect(code).toBe(2);
    expect(stderr).toMatch(/tiny-pool/);
  });

  test.each(['memFractionStatic=88', 'maxTotalTokens=-5'])('%s is refused', async setting => {
    const log = file('debug.log', debugLine);
    const { code } = await kvlens('solve', log, '--for', 'restMemory', '--set', setting);
    expect(code).toBe(2);
  });

  test('a file name cannot write control characters to the terminal', async () => {
    const { stderr } = await kvlens('explain', `${folder}/x\u001b[31m.log`);
    expect(stderr).not.toContain('\u001b');
  });

  test('a pipe is read, and a closed pipe is no error', async () => {
    const shell = (script: string) =>
      new Promise<string>(resolve => {
        execFile('bash', ['-c', script], (_, out, err) => resolve(out + err));
      });
    const log = file('debug.log', debugLine);
    const command = `'${process.execPath}' '${bundle}'`;
    expect(await shell(`cat '${log}' | ${command} explain -`)).toMatch(/-20\.603 GiB/);
    expect((await shell(`${command} forms --json | head -c 10`)).trim()).toMatch(/^\{\s+"schema?$/);
  });

  test('a gzip log is read', async () => {
    const { code, stdout } = await kvlens('explain', file('packed.log.gz', gzipSync(debugLine)));
    expect(code).toBe(0);
    expect(stdout).toMatch(/-20\.603 GiB/);
  });
});
