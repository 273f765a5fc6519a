/** Which dtypes printed sizes may decide: only those that a server with the log's arguments comes to. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { checkMessages, layoutMessages } from '../../../src/core/account/layoutMessages';
import type { RunLayout } from '../../../src/core/account/runLayout';
import { readLogText } from '../../../src/core/log/readLog';
import { layoutOf } from '../model/configText';
import { heads } from '../model/modelConfigs';

/** Two ranks of 28 layers with 8 heads of 128: python3, 28 * 4 * 128 * 2 * 2 = 57,344 bytes a token. */
const config = layoutOf({ ...heads(28, 8, 128), max_position_embeddings: 32768 });

interface Case {
  readonly flag: string | undefined;
  /** GiB of keys, and as much of values, for 300,000 tokens. */
  readonly keys: string;
  readonly modelDtype?: string;
  /** A line that only older releases print; they print no time of loading. */
  readonly more?: string;
}

function joined({ flag, keys, modelDtype = 'bfloat16', more }: Case): RunLayout {
  const dtype = flag === undefined ? '' : `, kv_cache_dtype='${flag}'`;
  const [account] = accountOfLog(
    readLogText(
      [
        `[2026-02-25 09:00:00] server_args=ServerArgs(model_path='/m/a', tp_size=2, page_size=1, mem_fraction_static=0.8${dtype})`,
        '[2026-02-25 09:00:01 TP0] Load weight begin. avail mem=78.00 GB',
        `[2026-02-25 09:00:05 TP0] Load weight end.${more === undefined ? ' elapsed=4.00 s,' : ''} type=LlamaForCausalLM, dtype=torch.${modelDtype}, avail mem=70.50 GB, mem usage=7.50 GB.`,
        ...(more === undefined ? [] : [`[2026-02-25 09:00:05 TP0] ${more}`]),
        `[2026-02-25 09:00:06 TP0] KV Cache is allocated. #tokens: 300000, K size: ${keys} GB, V size: ${keys} GB`,
        '',
      ].join('\n'),
    ),
    { config: { layout: config, name: 'config.json' } },
  );
  if (account?.layout?.kind !== 'known') {
    throw new Error('no layout');
  }
  return account.layout.value;
}

const said = (found: RunLayout) => checkMessages(found).map(({ id }) => id);

// python3: 300001 * 57344 / 2 / 2**30 = 8.01; twice and half of it 16.02 and 4.01
const own = '8.01';
const double = '16.02';
const half = '4.01';

test('sizes of the dtype of the model are those of the config', () => {
  const found = joined({ flag: 'auto', keys: own });
  expect([found.agreement, said(found)]).toEqual(['agrees', ['layout.agrees']]);
});

test.each(['auto', 'fp8_e4m3', 'bf16'])(
  'twice the bytes of a bfloat16 model with %s are another model, never float32',
  flag => {
    const found = joined({ flag, keys: double });
    expect(found.agreement).toBe('differs');
    expect(said(found)).toContain('layout.differs');
    expect(found.inferredDtypes).toEqual([]);
    const all = layoutMessages(found, new Map()).map(({ id }) => id);
    expect(all).toEqual(['layout.differs']);
  },
);

test('twice the bytes are those of float32 where the model is of float32', () => {
  const found = joined({ flag: 'auto', keys: double, modelDtype: 'float32' });
  expect([found.agreement, found.options.kvDtype]).toEqual(['agrees', 'float32']);
});

test('half the bytes where nothing asks for them can only be a checkpoint that declares FP8', () => {
  const found = joined({ flag: 'auto', keys: half });
  expect(found.inferredDtypes).toEqual(['fp8_e4m3']);
  expect(said(found)).toEqual(['layout.agrees', 'layout.dtypes-unasked']);
});

test('half the bytes of releases that take no dtype from a checkpoint are another model', () => {
  // In this form up to 0.4.6.post5.
  const more =
    'Decode out of memory happened. #retracted_reqs: 1, #new_token_ratio: 0.5000 -> 0.6000';
  const found = joined({ flag: 'auto', keys: half, more });
  expect(found.options.release).toMatchObject({ to: '0.4.6.post5' });
  expect(found.agreement).toBe('differs');
});

test('half the bytes without launch arguments may be of any 8-bit dtype', () => {
  const found = joined({ flag: undefined, keys: half });
  expect(found.inferredDtypes).toEqual(['fp8_e4m3', 'fp8_e5m2']);
  expect(said(found)).toContain('layout.dtypes');
});

test('a flag of FP8 over sizes of the model is without effect; a flag of bfloat16 over half is not', () => {
  expect(said(joined({ flag: 'fp8_e4m3', keys: own }))).toContain('layout.flag-without-effect');
  expect(joined({ flag: 'bf16', keys: half }).agreement).toBe('differs');
});
