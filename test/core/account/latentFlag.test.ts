/** Which rows a log's arguments ask of a model with latent attention, and which releases they tell of. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { layoutOf } from '../model/configText';
import { latent } from '../model/modelConfigs';

const config = layoutOf({
  ...latent(60),
  architectures: ['DeepseekV2ForCausalLM'],
  num_attention_heads: 128,
  num_key_value_heads: 128,
});

/** Bytes a token, as the config and the arguments of the log give them. */
function budgetedOf(flag: string): number | undefined {
  const [account] = accountOfLog(
    readLogText(
      [
        `[2026-02-25 09:00:00] server_args=ServerArgs(model_path='/m/a', tp_size=8, kv_cache_dtype='auto', mem_fraction_static=0.8${flag})`,
        '[2026-02-25 09:00:01 TP0] Load weight begin. avail mem=78.00 GB',
        '[2026-02-25 09:00:05 TP0] Load weight end. type=DeepseekV2ForCausalLM, dtype=torch.bfloat16, avail mem=30.50 GB',
        '[2026-02-25 09:00:06 TP0] Memory pool end. avail mem=15.00 GB',
        '',
      ].join('\n'),
    ),
    { config: { layout: config, name: 'config.json' } },
  );
  if (account?.layout?.kind !== 'known') {
    return undefined;
  }
  const { bytes } = account.layout.value;
  return bytes.solution.quantityOf(bytes.budgeted)?.interval.lo;
}

describe('a log with the argument', () => {
  // python3: 128 // 8 * 256 * 60 * 2 * 2 = 983,040 for heads, (512 + 64) * 60 * 2 = 69,120 for rows.
  test.each([
    ['disable_mla=True', 983_040],
    ['disable_mla=False', 69_120],
    ['enable_mla=True', 69_120],
    ['enable_mla=False', 983_040],
  ])('%s has %i bytes a token', (flag, bytes) => {
    expect(budgetedOf(`, ${flag}`)).toBe(bytes);
  });

  test('of neither is taken to keep latent rows, as all releases of today do', () => {
    expect(budgetedOf('')).toBe(69_120);
  });
});
