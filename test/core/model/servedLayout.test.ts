/**
 * Models with latent attention in releases that keep them in plain heads. The expected numbers are
 * products that python3 gives: heads of 256 (or 128) for keys and as much for values.
 */
import { describe, expect, test } from 'vitest';
import type { Config, Options } from './configText';
import { bytesOf, cellsOf } from './configText';
import { latent } from './modelConfigs';

const second: Config = {
  ...latent(60),
  architectures: ['DeepseekV2ForCausalLM'],
  num_attention_heads: 128,
  num_key_value_heads: 128,
};

const third: Config = { ...second, architectures: ['DeepseekV3ForCausalLM'] };

const small: Config = {
  ...latent(62, 256, 32),
  architectures: ['MiniCPM3ForCausalLM'],
  num_attention_heads: 40,
  num_key_value_heads: 40,
};

function cell(config: Config, release: string, options: Options = {}): number {
  const given = { release, parallel: { tp: 8 }, kvDtype: 'bfloat16', ...options };
  return cellsOf(config, given).budgeted;
}

describe('rows of latent attention', () => {
  test('are plain heads up to 0.3.1.post1 unless a flag asks for latent rows', () => {
    const releases = ['0.2.6', '0.2.9', '0.2.10', '0.3.1.post1', '0.3.1.post2', '0.4.5.post2'];
    const cells = releases.map(release => cell(second, release));
    expect(cells).toEqual([983_040, 983_040, 983_040, 983_040, 69_120, 69_120]);
    expect(cell(second, '0.3.0', { latentRows: true })).toBe(69_120);
  });

  test('are plain heads from 0.3.1.post2 to 0.4.5.post1 where a flag asks for them', () => {
    const releases = ['0.3.1.post2', '0.4.5.post1'];
    const cells = releases.map(release => cell(second, release, { latentRows: false }));
    expect(cells).toEqual([983_040, 983_040]);
    expect(cell(third, '0.4.1', { latentRows: false })).toBe(983_040);
  });

  test('have the dimension of heads that the class has', () => {
    const parallel = { tp: 1 };
    expect(cell(small, '0.3.1', { parallel })).toBe(1_269_760);
    expect(cell(small, '0.3.1', { parallel, latentRows: true })).toBe(35_712);
  });

  test.each([
    ['a flag that the release has not yet', '0.2.9', second, true, '--enable-mla'],
    ['a flag that the release has no more', '0.3.1.post2', second, true, '--enable-mla'],
    ['a flag that comes later', '0.3.1.post1', second, false, '--disable-mla'],
    ['a flag that is gone', '0.4.5.post2', second, false, '--disable-mla'],
    ['a class that comes later', '0.2.5', second, undefined, 'DeepseekV2ForCausalLM'],
    ['another such class', '0.3.0', small, undefined, 'MiniCPM3ForCausalLM'],
    ['a class without known heads', '0.3.0', latent(60), undefined, '--enable-mla'],
  ] as const)('are refused for %s', (_, release, config, latentRows, named) => {
    const options = latentRows === undefined ? {} : { latentRows };
    expect(() => cell(config, release, options)).toThrow(named);
  });

  test('say in the receipt that nobody asked for latent rows', () => {
    const assumptionOf = (release: string, options: Options): unknown =>
      bytesOf(second, { release, ...options })
        .receipt.find(({ name }) => name === 'head_dim')
        ?.sources.find(({ kind }) => kind === 'assumption');
    expect(assumptionOf('0.3.0', {})).toMatchObject({ assumption: '--enable-mla is not given' });
    expect(assumptionOf('0.2.9', {})).toBeUndefined();
    expect(assumptionOf('0.4.1', { latentRows: false })).toBeUndefined();
  });
});
