/** The founding case in the terminal, on the sample workspace. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { file, kvlens, kvlensJson } from './kvlens';

const sample = (name: string): string => join(import.meta.dirname, '../../sample', name);

interface Amount {
  readonly lo: number;
  readonly hi: number;
  readonly value?: number;
  readonly printed?: number;
  readonly basis: string;
}

interface Explained {
  readonly files: readonly {
    readonly runs: readonly {
      readonly quantities: Readonly<Record<string, Amount>>;
      readonly fraction: Readonly<Record<string, Amount | null>>;
      readonly verdict: { readonly kind: string; readonly phase: string };
      readonly ranks: readonly unknown[];
      readonly problems: readonly { readonly code: string; readonly fix?: string }[];
    }[];
  }[];
}

describe('the seed story in the terminal', () => {
  test('explain --json states the failing run', async () => {
    const { files } = (await kvlensJson('explain', sample('seed-failing.log'))) as Explained;
    const run = files[0]!.runs[0]!;
    expect(run.verdict).toMatchObject({ kind: 'not-enough-memory', phase: 'sizing' });
    // Printed; 314,811 tokens of 70,272 bytes say it closer: -314811 * 70272 / 2**30 to -314810 * ….
    expect(run.quantities['restMemory']?.printed).toBe(-20.603);
    expect(run.quantities['restMemory']?.value).toBeGreaterThanOrEqual(-20.60309);
    expect(run.quantities['restMemory']?.value).toBeLessThanOrEqual(-20.60302);
    expect(run.quantities['profiledTokens']?.value).toBe(-314811);
    expect(run.quantities['bytesPerToken']?.value).toBe(70272);
    expect(run.fraction['minimum']?.lo.toFixed(4)).toBe('0.7692');
    expect(run.fraction['minimum']?.hi.toFixed(4)).toBe('0.7692');
    expect(run.problems).toHaveLength(1);
  });

  test('a false claim for the baseline fails a run that asks for it', async () => {
    const args = ['explain', sample('seed-baseline.log'), '--fail-on', 'fraction-mismatch'];
    expect((await kvlens(...args, '--claim', '0.55')).code).toBe(1);
    expect((await kvlens(...args, '--claim', '0.88')).code).toBe(0);
  });

  test('compare predicts 159,171 tokens and blames the fraction alone', async () => {
    const { stdout } = await kvlens(
      'compare',
      sample('seed-baseline.log'),
      sample('seed-failing.log'),
    );
    expect(stdout).toMatch(/Only the fraction differs/);
    expect(stdout).toMatch(/At 0\.88 the second run would get ≈ 159,171 tokens/);
  });

  test('a run of a file with several is named by its number', async () => {
    const { stdout } = await kvlens(
      'compare',
      `${sample('seed-restart.log')}#1`,
      `${sample('seed-restart.log')}#2`,
    );
    expect(stdout).toMatch(/159,171 tokens/);
  });

  test('solve goes forward and back to the same fraction', async () => {
    const forward = (await kvlensJson(
      'solve',
      sample('seed-failing.log'),
      '--for',
      'maxTotalTokens',
      '--set',
      'memFractionStatic=0.88',
    )) as { readonly result: Amount };
    expect(forward.result.value).toBe(159171);
    const back = (await kvlensJson(
      'solve',
      sample('seed-failing.log'),
      '--for',
      'memFractionStatic',
      '--set',
      'maxTotalTokens=159171',
    )) as { readonly result: Amount };
    expect(back.result.lo).toBeLessThanOrEqual(0.88);
    expect(back.result.hi).toBeGreaterThanOrEqual(0.88);
    expect(back.result.hi - back.result.lo).toBeLessThan(0.00003);
  });

  test('the logs of two nodes are one server with --merge', async () => {
    const lines = readFileSync(sample('seed-failing.log'), 'utf8').split('\n');
    const node = (name: string, ranks: RegExp): string =>
      file(name, lines.filter(line => ranks.test(line)).join('\n'));
    const { files } = (await kvlensJson(
      'explain',
      '--merge',
      node('node0.log', /server_args|TP[0-3]\]/),
      node('node1.log', /TP[4-7]\]/),
    )) as Explained;
    expect(files).toHaveLength(1);
    expect(files[0]!.runs.map(({ ranks }) => ranks.length)).toEqual([8]);
  });

  test('forms lists every line with the unit of its numbers', async () => {
    const { stdout } = await kvlens('forms');
    expect(stdout).toMatch(/kv-allocated\s+pools\s+0\.4\.1\.post6\+\s+.*kv \(GiB\)/);
    expect(stdout).toMatch(/kv-allocated.*\n {4}mem_cache\/memory_pool\.py::/);
  });
});
