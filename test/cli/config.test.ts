/** `--config` of explain, compare and solve: bytes per token with their receipt, and what is refused. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sharedPath, withShared } from '../corpus/sharedFile';
import { sparse, heads } from '../core/model/modelConfigs';
import { folder, kvlens, kvlensJson } from './kvlens';

interface Amount {
  readonly lo: number;
  readonly hi: number;
  readonly basis: string;
  readonly assumptions?: readonly string[];
}

interface Factor {
  readonly id: string;
  readonly keys: readonly string[];
  readonly places?: readonly {
    readonly key: string;
    readonly line: number;
    readonly column: number;
  }[];
}

interface Explained {
  readonly files: readonly {
    readonly runs: readonly {
      readonly quantities: Readonly<Record<string, Amount>>;
      readonly fraction: { readonly implied: Amount | null };
      readonly problems: readonly { readonly code: string; readonly message: string }[];
      readonly layout?: {
        readonly agreement: string | null;
        readonly refused?: string;
        readonly texts: readonly string[];
        readonly receipt: readonly Factor[];
      };
    }[];
  }[];
}

function fileOf(name: string, config: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(config, undefined, 2));
  return path;
}

const glm = fileOf('glm.json', { ...sparse(78), max_position_embeddings: 202752 });
const small = fileOf('small.json', heads(28, 8, 128));
const unknown = fileOf('unknown.json', { ...heads(28, 8, 128), rwkv_version: 7 });

withShared(() => {
  const log = (name: string): string => sharedPath(`logs/${name}.log`);

  describe('explain --config', () => {
    test('gives both bytes per token, the fraction that they imply, and a receipt with places', async () => {
      const { files } = (await kvlensJson(
        'explain',
        log('mi355x-glm5-fp8-dsa-tp8'),
        '--config',
        glm,
      )) as Explained;
      const [run] = files[0]!.runs;
      const { quantities, fraction, layout, problems } = run!;
      expect(quantities['budgetedBytesPerToken']).toMatchObject({ lo: 55224, hi: 55224 });
      expect(quantities['allocatedBytesPerToken']).toMatchObject({ lo: 61464, hi: 61464 });
      expect(quantities['bytesPerToken']?.assumptions).toContain(
        'config.json is that of the model',
      );
      expect(fraction.implied!.lo).toBeGreaterThan(0.9075);
      expect(fraction.implied!.hi).toBeLessThan(0.9085);
      expect(layout?.agreement).toBe('agrees');
      const rank = layout?.receipt.find(({ id }) => id === 'kv_lora_rank');
      expect(rank?.places).toEqual([{ key: 'kv_lora_rank', line: 4, column: 19 }]);
      expect(problems.map(({ code }) => code)).toContain('over-allocated');
    });

    test('says in the terminal where 61,464 comes from', async () => {
      const { stdout, code } = await kvlens(
        'explain',
        log('mi355x-glm5-fp8-dsa-tp8'),
        '--config',
        glm,
      );
      expect(code).toBe(0);
      expect(stdout).toContain('Where bytes per token come from');
      expect(stdout).toMatch(/bytes of an allocated row +656 +the same on every rank/);
      expect(stdout).toMatch(/dimensions of an index key +128 +index_head_dim in line \d+/);
    });

    test('says that a config is not that of the log, and keeps the figures of the log', async () => {
      const plain = (await kvlensJson('explain', log('seed-baseline'))) as Explained;
      const { files } = (await kvlensJson(
        'explain',
        log('seed-baseline'),
        '--config',
        small,
      )) as Explained;
      const run = files[0]!.runs[0]!;
      expect(run.layout?.agreement).toBe('differs');
      expect(run.quantities).toMatchObject(plain.files[0]!.runs[0]!.quantities);
    });

    test('refuses an unknown attention by the name of its key, in one line', async () => {
      const { code, stdout, stderr } = await kvlens(
        'explain',
        log('seed-baseline'),
        '--config',
        unknown,
      );
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^kvlens: .*rwkv_version in line \d+.*\n$/);
    });

    test.each([
      ['a folder', folder],
      ['nothing', join(folder, 'none.json')],
      ['a log', 'seed'],
    ])('says in one line that %s is no config', async (_what, path) => {
      const config = path === 'seed' ? log('seed-baseline') : path;
      const { code, stdout, stderr } = await kvlens(
        'explain',
        log('seed-baseline'),
        '--config',
        config,
      );
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^kvlens: [^\n]+\n$/);
    });
  });

  describe('solve --config', () => {
    test('asks for tokens with the bytes of the config where the log has none', async () => {
      const solved = (await kvlensJson(
        'solve',
        log('mixtral-awq-a10-0111-rank-n'),
        '--for',
        'kvPool',
        '--config',
        fileOf('mixtral.json', heads(32, 8, 128)),
      )) as { readonly result: Amount };
      // README: 115,621 tokens of 65,536 bytes are 7.06 GiB.
      expect(solved.result.lo).toBeLessThanOrEqual((115622 * 65536) / 2 ** 30);
      expect(solved.result.hi).toBeGreaterThanOrEqual((115622 * 65536) / 2 ** 30);
      expect(solved.result.hi - solved.result.lo).toBeLessThan(0.1);
    });
  });
});

describe('kvlens', () => {
  test('tells its version', async () => {
    const { stdout, code } = await kvlens('--version');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([[['explain']], [['plan']], [['nonsense']], [['explain', '--nonsense']]])(
    'names itself in the error of %j',
    async args => {
      const { stderr, code } = await kvlens(...args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^kvlens: /);
    },
  );
});
