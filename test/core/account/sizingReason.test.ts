/** Sizing that failed for another reason than the budget of the target: no fraction is offered. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { terminalWording } from './wording';

const args = (more: string) =>
  `[2025-07-02 07:41:00] server_args=ServerArgs(model_path='x/M', tp_size=1, dp_size=1, max_total_tokens=None, page_size=1, kv_cache_dtype='auto', device='cuda', ${more})`;
const begin = (avail: string) => `[2025-07-02 07:41:10] Load weight begin. avail mem=${avail} GB`;
const loaded = (avail: string, type = 'LlamaForCausalLM') =>
  `[2025-07-02 07:41:58] Load weight end. type=${type}, dtype=torch.bfloat16, avail mem=${avail} GB, mem usage=1.00 GB.`;
const head = '[2025-07-02 07:41:59] Scheduler hit an exception: Traceback (most recent call last):';
const plainError = 'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.';

function accountOf(...lines: readonly string[]) {
  return accountOfLog(readLogText([...lines, ''].join('\n')))[0]!;
}

describe('a draft worker whose own sizing fails', () => {
  const account = accountOf(
    args("mem_fraction_static=0.84, speculative_algorithm='EAGLE'"),
    begin('44.10'),
    loaded('29.00'),
    '[2025-07-02 07:42:00] KV Cache is allocated. K size: 10.97 GB, V size: 10.97 GB.',
    '[2025-07-02 07:42:00] Memory pool end. avail mem=5.00 GB',
    '[2025-07-02 07:42:10] Init torch distributed begin.',
    begin('4.20'),
    loaded('0.50', 'LlamaForCausalLMEagle'),
    head,
    plainError,
  );
  const text = terminalWording(account);

  test('is told from the target, whose pool was there', () => {
    expect(text).toContain('draft model');
    expect(text).not.toMatch(/would get|Nothing fits below/);
  });

  test('is not cured by a larger fraction', () => {
    expect(account.advice).toMatchObject({ kind: 'none', reason: 'draft-sizing' });
    expect(text).not.toMatch(/Set --mem-fraction-static|Raise/);
    expect(text).toContain('Lower --mem-fraction-static');
    expect([account.launch, account.table.length]).toEqual([undefined, 0]);
  });
});

describe('a sizing that fails when both models are loaded', () => {
  const account = accountOf(
    args("mem_fraction_static=0.8, speculative_algorithm='EAGLE'"),
    begin('138.20'),
    loaded('27.51'),
    begin('27.51'),
    loaded('25.02', 'LlamaForCausalLMEagle'),
    head,
    'ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=0.8. Raise --mem-fraction-static above 0.819 (minimum viable = 1 - available/pre = 0.8190).',
  );
  const text = terminalWording(account);

  test('is the budget of the target: no line shows its pools', () => {
    expect(text).toContain('at a fraction of 0.8 the KV pool would get ≈ -2.62 GiB');
    expect(text).toContain('Nothing fits below 0.819');
    expect(text).not.toMatch(/sizes its pool from|Lower --mem-fraction-static/);
  });

  test('is cured by a larger fraction', () => {
    expect(account.advice).toMatchObject({ kind: 'fraction' });
    expect(text).toContain('Set --mem-fraction-static 0.9');
  });
});

test('groups of attention with a flag of their own are started again with it', () => {
  const account = accountOf(
    "[2025-07-02 07:41:00] server_args={'model_path': 'x/M', 'tp_size': 8, 'dp_size': 1, 'attn_dp_size': 8, 'enable_dp_attention': True, 'mem_fraction_static': 0.3}",
    begin('138.20'),
    loaded('75.00'),
    head,
    'ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=0.3. Raise --mem-fraction-static above 0.4573 (minimum viable = 1 - available/pre = 0.4573).',
  );
  expect(account.run.parallel).toMatchObject({ tp: 8, dp: 8 });
  expect(account.launch).toContain('--tp-size 8 --attn-dp-size 8 --mem-fraction-static');
});

describe('a window pool that is cut first', () => {
  const withCap = (cap: string) =>
    accountOf(
      args('mem_fraction_static=0.8, max_running_requests=4096, disable_radix_cache=True'),
      begin('78.50'),
      loaded('17.20', 'GptOssForCausalLM'),
      head,
      `RuntimeError: SWA pool cap (1200000 tokens, ${cap} GiB) leaves no room for the full KV pool within the available 1.50 GiB. Reduce --max-running-requests.`,
    );

  test('is named with its size, and the requests that set it are what to lower', () => {
    const account = withCap('41.20');
    const text = terminalWording(account);
    expect(text).toContain('41.20 GiB');
    expect(text).toContain('--max-running-requests');
    // 41.20 of 17.20 that are free: no fraction holds it.
    expect(text).toContain('No fraction holds it');
    expect(text).not.toMatch(/Nothing fits below|Set --mem/);
    expect([account.launch, account.table.length]).toEqual([undefined, 0]);
  });

  test('may be held by a larger fraction where so much is free', () => {
    expect(terminalWording(withCap('5.15'))).not.toContain('No fraction holds it');
  });
});

describe('an error that nothing was left, although the claimed fraction leaves much', () => {
  const failing = (more: string) =>
    accountOf(
      args(`mem_fraction_static=0.95${more}`),
      begin('188.32'),
      loaded('21.73'),
      head,
      plainError,
    );

  test('is not answered with the value that failed', () => {
    const account = failing('');
    // 21.73 - 188.32 x 0.05 = 12.31
    expect(terminalWording(account)).not.toMatch(/would get|Set --mem/);
    expect(account.advice).toMatchObject({ kind: 'none', reason: 'unexplained' });
  });

  test('is explained by aiter attention, which lowers the fraction', () => {
    const text = terminalWording(failing(", attention_backend='aiter'"));
    expect(text).toContain('0.85');
    expect(text).not.toMatch(/would get|Set --mem|Raise/);
  });

  test('is not explained so where the context is too short for that', () => {
    const short = failing(", attention_backend='aiter', context_length=8192");
    expect(short.advice).toMatchObject({ kind: 'none', reason: 'unexplained' });
    const long = failing(", attention_backend='aiter', context_length=8193");
    expect(long.advice).toMatchObject({ kind: 'none', reason: 'lowered-fraction' });
  });

  test('is as it was where the claim leaves nothing', () => {
    const account = accountOf(
      args('mem_fraction_static=0.85'),
      begin('78.50'),
      loaded('10.00'),
      head,
      plainError,
    );
    // 10.00 - 78.50 x 0.15 = -1.775; 1 - 10 / 78.5 = 0.8726
    expect(terminalWording(account)).toContain('Nothing fits below ≈ 0.8726');
    expect(account.advice).toMatchObject({ kind: 'fraction' });
  });
});

test('a state pool without a slot names the minimum that the log shows, and the direction', () => {
  const text = terminalWording(
    accountOf(
      args('mem_fraction_static=0.55'),
      begin('138.20'),
      loaded('62.30', 'Qwen3NextForCausalLM'),
      head,
      'RuntimeError: Hybrid (mamba/linear-attention) state cache is too small to serve any requests. max_mamba_cache_size=1, mamba_ratio=3, resulting max_num_reqs=0.',
    ),
  );
  // 1 - 62.30 / 138.20 = 0.54920
  expect(text).toContain('0.5492');
  expect(text).toContain('Raise --mem-fraction-static');
  expect(text).not.toContain('does not show');
});
