/** Where a receipt says that dtype and ranks come from: a flag only where one was given. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import type { Message } from '../../../src/core/message/message';
import { layoutJson } from '../../../src/core/report/receiptJson';
import { defaultFormat } from '../../../src/core/units/format';
import { render } from '../../../src/wording/render';
import type { Config } from '../model/configText';
import { layoutOf } from '../model/configText';
import { heads, sparse } from '../model/modelConfigs';

const llama = { ...heads(32, 8, 128), max_position_embeddings: 8192 };

function word(message: Message): string {
  return render(message, {
    format: defaultFormat,
    target: 'plain',
    length: 'full',
    translate: (text, values) =>
      text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  });
}

function factorsOf(lines: readonly string[], config: Config = llama): ReadonlyMap<string, string> {
  const layout = layoutOf(config);
  const [account] = accountOfLog(readLogText([...lines, ''].join('\n')), {
    config: { layout, name: 'config.json' },
  });
  const json = account && layoutJson(account, word);
  return new Map(json?.receipt.map(({ id, text }) => [id, text]));
}

const loads = [
  '[2026-02-25 09:00:01 TP0] Load weight begin. avail mem=78.00 GB',
  '[2026-02-25 09:00:05 TP0] Load weight end. elapsed=4.00 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=70.50 GB, mem usage=7.50 GB.',
];
const args = (more: string) =>
  `[2026-02-25 09:00:00] server_args=ServerArgs(model_path='/m/a', mem_fraction_static=0.8${more})`;

test('a dtype that nobody gave is that of the checkpoint', () => {
  const found = factorsOf([args(", tp_size=2, kv_cache_dtype='auto'"), ...loads]);
  expect(found.get('kv_element_size')).toMatch(
    /\(--kv-cache-dtype by default, torch_dtype in line 6\)$/,
  );
  expect(found.get('tp_size')).toMatch(/\(--tp\)$/);
});

test('a dtype that was given is of the flag', () => {
  const found = factorsOf([args(", tp_size=2, kv_cache_dtype='fp8_e5m2'"), ...loads]);
  expect(found.get('kv_element_size')).toMatch(/1 B \(--kv-cache-dtype\)$/);
});

test.each([
  'Using KV cache dtype: torch.float8_e4m3fn',
  'Setting KV cache dtype to fp8_e4m3 for DeepSeek DSA on SM100',
])('without arguments the dtype is that of its line: %s', line => {
  const shown = `[2026-02-25 09:00:05 TP0] ${line}`;
  const found = factorsOf([...loads, shown], sparse(61));
  expect(found.get('kv_element_size')).toMatch(/1 B \(printed dtype\)$/);
  expect(found.get('allocated_row')).toMatch(/656/);
});

test('ranks that only prefixes show are those of the log', () => {
  const ranks = [0, 1].flatMap(rank => loads.map(line => line.replace('TP0', `TP${rank}`)));
  expect(factorsOf(ranks).get('tp_size')).toMatch(/2 \(printed ranks\)$/);
});

test('an open dtype is told by what a token takes in each', () => {
  const layout = layoutOf({ ...sparse(61), max_position_embeddings: 8192 });
  const shown = [...loads, '[2026-02-25 09:00:06 TP0] Memory pool end. avail mem=20.00 GB', ''];
  const [account] = accountOfLog(readLogText(shown.join('\n')), {
    config: { layout, name: 'config.json' },
  });
  // python3: (576 * 2 + 132) * 61; FP8 up to 0.5.16 is budgeted with 576 + 132
  expect(account && layoutJson(account, word)?.texts.join(' ')).toMatch(
    /which dtype the cache has: 78,324 B\/token in bfloat16, 43,188 B\/token in fp8_e4m3\./,
  );
});
