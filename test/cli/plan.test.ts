/** `kvlens plan` as a person runs it: the table, JSON that keeps to its schema, one line for bad input. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { describe, expect, test } from 'vitest';
import {
  alternating,
  compressed,
  gatedDelta,
  heads,
  latent,
  sparse,
} from '../core/model/modelConfigs';
import { file, kvlens, kvlensJson } from './kvlens';

const schemas = join(import.meta.dirname, '../../media/schema');
const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
for (const name of readdirSync(schemas)) {
  ajv.addSchema(JSON.parse(readFileSync(join(schemas, name), 'utf8')) as object);
}

const vision = { num_hidden_layers: 27, hidden_size: 1152 };
const seed = file(
  'seed-config.json',
  JSON.stringify({
    text_config: { ...latent(61), max_position_embeddings: 262144 },
    vision_config: vision,
  }),
);
const machine = ['--gpu-free', '94 GiB', '--weights', '72.3 GiB', '--tp', '8'];

describe('kvlens plan', () => {
  test('shows where 70,272 comes from and what each fraction would give', async () => {
    const { code, stdout } = await kvlens(
      'plan',
      '--config',
      seed,
      '--release',
      '0.5.8',
      ...machine,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('70,272 B/token are budgeted.');
    expect(stdout).toMatch(/latent row +512 +text_config\.kv_lora_rank in line 1/);
    expect(stdout).toMatch(/576 +the same on every rank/);
    expect(stdout).toMatch(/0\.8\d .*GiB.*tokens \(±[\d,]+\).*GiB/);
    expect(stdout).toContain('Assumed: A = free - weights, to 0.1 GiB.');
  });

  test('takes the flags of latent rows where the release has them', async () => {
    const second = file(
      'second-config.json',
      JSON.stringify({ ...latent(60), architectures: ['DeepseekV2ForCausalLM'] }),
    );
    const cellOf = async (...flags: readonly string[]): Promise<string> => {
      const { stdout, stderr } = await kvlens('plan', '--config', second, '--tp', '8', ...flags);
      return /[\d,]+ B\/token are budgeted/.exec(stdout)?.[0] ?? stderr;
    };
    // python3: (512 + 64) * 60 * 2 = 69,120 and 64 // 8 * 256 * 60 * 2 * 2 = 491,520.
    const rows = '69,120 B/token are budgeted';
    const plain = '491,520 B/token are budgeted';
    expect(await cellOf('--release', '0.3.0', '--enable-mla')).toBe(rows);
    expect(await cellOf('--release', '0.3.2')).toBe(rows);
    expect(await cellOf('--release', '0.3.0')).toBe(plain);
    expect(await cellOf('--release', '0.3.2', '--disable-mla')).toBe(plain);
    expect(await cellOf('--release', '0.5.9', '--disable-mla')).toContain(
      'This release has no --disable-mla.',
    );
  });

  test('names a request table that takes more than all that is kept beside the pools', async () => {
    const long = ['--context-length', '10485760'];
    const args = ['plan', '--config', seed, '--release', '0.5.8', ...machine];
    // At least 2,048 rows of 10,485,764 x 4 B.
    expect((await kvlens(...args, ...long)).stdout).toContain(
      'The request table takes up to 80.00 GiB beside the pools',
    );
    expect((await kvlens(...args)).stdout).not.toContain('request table');
  });

  test('takes a whole launch line, and says which of its flags it left out', async () => {
    const line =
      '--model-path a/b --trust-remote-code --host 0.0.0.0 --port 30000 --enable-metrics ' +
      '--quantization fp8 --lora-paths a=b c=d --random-seed -5 --log_level=info';
    const args = ['plan', '--config', seed, '--release', '0.5.8', ...machine, ...line.split(' ')];
    const { code, stdout } = await kvlens(...args);
    expect(code).toBe(0);
    expect(stdout).toContain('Not counted, though it may move the pools: --lora-paths.');
    expect(stdout).toContain('The weights are as given, with --quantization in them.');
    expect(stdout).toContain(
      'no pool depends on them: --model-path, --trust-remote-code, --host, --port, --enable-metrics, --random-seed, --log-level.',
    );
    const json = await kvlensJson(...args);
    expect(json).toHaveProperty(
      'assumptions',
      expect.arrayContaining(['not counted: --lora-paths']),
    );
  });

  test.each([
    [
      '--trust-remote-cod',
      "unknown option '--trust-remote-cod' (Did you mean --trust-remote-code?)",
    ],
    ['--contxt-length=5', "unknown option '--contxt-length' (Did you mean --context-length?)"],
    ['--gpu-fre', "unknown option '--gpu-fre' (Did you mean --gpu-free?)"],
    ['--zzzzzzzz', "unknown option '--zzzzzzzz'"],
    ['word', "unexpected argument 'word'"],
  ])('refuses %s in one line', async (word, error) => {
    const { code, stderr } = await kvlens('plan', '--config', seed, ...machine, word);
    expect([code, stderr]).toEqual([2, `kvlens: ${error}\n`]);
  });

  test('takes prefill without chunks as the flag says it', async () => {
    const args = ['plan', '--config', seed, '--release', '0.5.9', ...machine];
    const card = ['--card', '97887 MiB', '--chunked-prefill-size', '-1'];
    // 97887 - (512 + 1.5 x 16384 + 2 x 512 + 1024), over 97887, in thousandths, less 5 % for pictures.
    const { stdout } = await kvlens(...args, ...card, '--max-prefill-tokens', '16384');
    expect(stdout).toContain('from 0.723');
  });

  test('says in words that weights do not fit, and never a fraction above 1', async () => {
    const args = ['--gpu-free', '4 GiB', '--weights', '80 GiB'];
    const { code, stdout } = await kvlens('plan', '--config', seed, ...args);
    expect(code).toBe(0);
    expect(stdout).toContain('No fraction fits: the weights take 80.00 GiB');
    expect(stdout).not.toContain('Nothing fits below');
    const { fraction, rows } = (await kvlensJson('plan', '--config', seed, ...args)) as {
      readonly fraction: { readonly minimum: unknown };
      readonly rows: readonly unknown[];
    };
    expect([fraction.minimum, rows]).toEqual([null, []]);
  });

  test('knows the automatic fraction of a card', async () => {
    const args = ['--release', '0.5.8', '--card', '97887 MiB', '--tp', '8'];
    const json = (await kvlensJson('plan', '--config', seed, ...args)) as {
      readonly fraction: { readonly automatic: { readonly value: number } };
    };
    expect(json.fraction.automatic.value).toBe(0.7714564062499999);
  });

  test('prints the figures of a single fraction as quantities', async () => {
    const args = ['--release', '0.5.8', '--mem-fraction-static', '0.88', ...machine];
    const { quantities } = (await kvlensJson('plan', '--config', seed, ...args)) as {
      readonly quantities: Readonly<Record<string, { readonly lo: number; readonly hi: number }>>;
    };
    const { maxTotalTokens, requestToTokenPool } = quantities;
    expect([maxTotalTokens!.lo < 159287, maxTotalTokens!.hi > 159287]).toEqual([true, true]);
    expect(requestToTokenPool!.lo).toBeCloseTo((2048 * 262148 * 4) / 2 ** 30, 6);
  });

  test('has bytes per token of both pools that go with the tokens beside them', async () => {
    const config = { ...alternating(24, 8, 64), max_position_embeddings: 131072 };
    const path = file('both-pools.json', JSON.stringify(config));
    const args = ['--release', '0.5.9', '--gpu-free', '78.5 GiB', '--weights', '14 GiB'];
    const one = ['--mem-fraction-static', '0.88'];
    const { quantities } = (await kvlensJson('plan', '--config', path, ...args, ...one)) as {
      readonly quantities: Readonly<Record<string, { readonly value: number }>>;
    };
    const valueOf = (id: string) => quantities[id]!.value;
    // 12 * 2048 * 2 * (1 + 0.8) / 2; 64.5 - 78.5 * 0.12 = 55.08 GiB of them.
    expect(valueOf('budgetedBytesPerToken')).toBe(44236.8);
    expect(valueOf('allocatedBytesPerToken')).toBe(44236.8);
    expect(valueOf('fullTokens')).toBe(1336933);
    expect(valueOf('kvPool')).toBeCloseTo((1336933 * 24576) / 2 ** 30, 3);
    expect(valueOf('swaPool')).toBeCloseTo((1069546 * 24576) / 2 ** 30, 3);
    const { stdout } = await kvlens('plan', '--config', path, ...args, ...one);
    expect(stdout).toContain('44,237 B/token are budgeted: for a token of the full pool');
    expect(stdout).not.toContain('49,152');
  });

  test('asks for the flags that the tokens of an older draft follow from', async () => {
    const config = file('old-draft.json', JSON.stringify(latent(61)));
    const eagle = ['--release', '0.5.5', '--speculative-algorithm', 'EAGLE'];
    const { code, stdout } = await kvlens('plan', '--config', config, ...machine, ...eagle);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'What is left cannot be known without --speculative-num-steps, --speculative-eagle-topk, --speculative-num-draft-tokens.',
    );
    expect(stdout).toMatch(/0\.9 +\? +\? +\?/);
  });

  test('starts a limited pool at the smallest fraction that holds it', async () => {
    const limit = ['--release', '0.5.8', '--max-total-tokens', '1000'];
    const { stdout } = await kvlens('plan', '--config', seed, ...machine, ...limit);
    // 1 - 21.7 / 94 = 0.7692; 1000 * 70272 / 2**30 = 0.0654 GiB and a padding row; at 0.77 there are 0.08 or none.
    expect(stdout).toContain('Start with 0.78: the smallest value that holds the 1,000 tokens');
    expect(stdout).toMatch(/0\.78 \(recommended\) +0\.0655 GiB +1,000 tokens/);
  });

  const configs = [
    ['latent rows', { ...latent(61), max_position_embeddings: 262144 }, []],
    ['sparse rows with an open dtype', { ...sparse(78), max_position_embeddings: 202752 }, []],
    ['window layers', { ...alternating(24, 8, 64), max_position_embeddings: 131072 }, []],
    [
      'state layers and a draft',
      gatedDelta(60, 2, 64),
      ['--context-length', '262144', '--speculative-algorithm', 'EAGLE'],
    ],
    [
      'compressed attention',
      { ...compressed, max_position_embeddings: 1048576 },
      ['--page-size', '256'],
    ],
    ['no context at all', latent(61), []],
  ] as const;

  test.each(configs)('keeps to its schema with %s', async (name, config, more) => {
    const path = file(`${name.replaceAll(' ', '-')}.json`, JSON.stringify(config));
    for (const release of [['--release', '0.5.16'], []]) {
      const args = [
        'plan',
        '--config',
        path,
        ...machine,
        '--card',
        '97887 MiB',
        ...release,
        ...more,
      ];
      const output = await kvlensJson(...args);
      const isValid = ajv.validate('plan.schema.json', output);
      expect(ajv.errors ?? []).toEqual([]);
      expect(isValid).toBe(true);
    }
  });

  test('keeps to its schema without free memory', async () => {
    const output = await kvlensJson('plan', '--config', seed);
    ajv.validate('plan.schema.json', output);
    expect(ajv.errors ?? []).toEqual([]);
    expect(output).toMatchObject({
      rows: [],
      release: '0.5.23',
      assumptions: ['SGLang 0.5.23'],
    });
  });

  test('says what a release to come is taken for', async () => {
    const output = await kvlensJson('plan', '--config', seed, '--release', '9.9.9');
    expect(output).toMatchObject({
      release: '0.5.23',
      assumptions: ['SGLang 9.9.9 sizes as 0.5.23, the newest that is known'],
    });
  });

  // By the own function of 0.5.18, as fractionTrials.py runs it for 81,559 MiB and 8 ranks.
  test.each([
    [[], 0.812],
    [['--disaggregation-mode', 'decode', '--max-running-requests', '64'], 0.874],
    [['--disaggregation-mode', 'prefill'], 0.825],
    // No graphs of either phase: 81559 - (512 + 1.5 x 8192 + 1024), over 81559.
    [['--disable-cuda-graph'], 0.831],
  ])('with %j the automatic fraction is %d', async (flags, fraction) => {
    const config = file('plain-heads.json', JSON.stringify(heads(32, 8, 128)));
    const args = ['--release', '0.5.18', '--card', '81559 MiB', '--tp', '8', ...flags];
    const json = (await kvlensJson('plan', '--config', config, ...args)) as {
      readonly fraction: { readonly automatic: { readonly value: number } };
    };
    expect(json.fraction.automatic.value).toBe(fraction);
  });

  test.each([
    ['--tp 8 --pp 2', '--tensor-parallel-size 8 --pipeline-parallel-size=2'],
    ['--tp 8 --dp 2 --enable-dp-attention', '--tp-size 8 --dp-size 2 --enable-dp-attention'],
    ['--tp 8 --dp 2 --enable-dp-attention', '--tp-size 8 --attn-dp-size 2'],
    ['--speculative-algorithm EAGLE', '--speculative-algo EAGLE'],
    ['--dsa-decode-backend trtllm', '--nsa-decode-backend trtllm'],
  ])('reads %s by its other names %s', async (one, other) => {
    const config = file('sparse.json', JSON.stringify(sparse(60)));
    const args = ['plan', '--config', config, '--kv-cache-dtype', 'fp8_e4m3'];
    const [first, second] = await Promise.all(
      [one, other].map(flags => kvlensJson(...args, ...flags.split(' '))),
    );
    expect(second).toEqual(first);
  });

  test('counts rows without scales where the kernels read them', async () => {
    const config = file('sparse.json', JSON.stringify(sparse(60)));
    const flags = ['--kv-cache-dtype', 'fp8_e4m3', '--release', '0.5.18'];
    const cell = async (...more: string[]): Promise<number> => {
      const json = await kvlensJson('plan', '--config', config, ...flags, ...more);
      const { quantities } = json as {
        readonly quantities: Readonly<Record<string, { readonly value: number }>>;
      };
      return quantities['allocatedBytesPerToken']!.value;
    };
    // python3: (512 + 512 // 128 * 4 + 64 * 2 + 132) * 60, then (512 + 64 + 132) * 60
    expect(await cell()).toBe(47280);
    expect(await cell('--dsa-prefill-backend', 'trtllm')).toBe(42480);
  });

  test('says in one line what is no number by another name', async () => {
    const config = file('sparse.json', JSON.stringify(sparse(60)));
    const { code, stderr } = await kvlens('plan', '--config', config, '--tp-size', 'x');
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain('--tp-size');
  });

  test('refuses in one line ranks that heads do not divide over', async () => {
    const config = file('plain-heads.json', JSON.stringify(heads(32, 8, 128)));
    const { code, stderr } = await kvlens('plan', '--config', config, '--tp', '3');
    expect(code).toBe(2);
    expect(stderr).toMatch(/num_attention_heads is 32, which does not go with 3 ranks\.\n$/);
  });

  test.each([
    ['a missing file', ['--config', 'nowhere.json'], 'no such file'],
    ['a folder', ['--config', '.'], 'is no config.json'],
    ['no JSON', ['--config', file('broken.json', '{"a":')], 'no JSON object'],
    ['a missing key', ['--config', file('empty.json', '{}')], 'none of num_hidden_layers'],
    [
      'an odd value',
      ['--config', file('odd.json', '{"num_hidden_layers": -3}')],
      'num_hidden_layers in line 1 is -3',
    ],
    ['no release', ['--config', seed, '--release', 'newest'], 'is no release'],
    ['an unknown dtype', ['--config', seed, '--kv-cache-dtype', 'int3'], 'fp8_e4m3'],
    ['another unit', ['--config', seed, '--gpu-free', '94 tokens'], 'in GiB'],
    ['nothing', [], '--config'],
  ] as const)('says in one line what is wrong with %s', async (_name, args, part) => {
    const { code, stdout, stderr } = await kvlens('plan', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(part);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
