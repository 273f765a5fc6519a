/** What is offered beside the release's own fraction, whose rest is for chunks and graphs. */
import { describe, expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { givenQuantity } from '../../../src/core/units/givenQuantity';
import { units } from '../../../src/core/units/unit';
import { terminalWording } from './wording';

const at = '[2026-03-04 12:00';
const card = givenQuantity(81559, units.MiB, 'card');

/** P 78.00, A 63.00, 131,072 bytes a token; what the pool and 1.00 GiB of graphs leave. */
function accountOf(fraction: number, context: number, flags = '', label = ''): RunAccount {
  const pool = 63 - 78 * (1 - fraction);
  const left = (78 * (1 - fraction) - 1 - 0.25).toFixed(2);
  const half = (pool / 2).toFixed(2);
  const tokens = Math.floor((pool * 2 ** 30) / 131072);
  const lines = [
    `${at}:00] server_args=ServerArgs(model_path='/m/s', tp_size=1, mem_fraction_static=${fraction}, max_total_tokens=None, page_size=1, max_running_requests=512${flags})`,
    `${at}:01] Load weight begin. avail mem=78.00 GB`,
    `${at}:09] Load weight end. elapsed=8.00 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.00 GB, mem usage=15.00 GB.`,
    `${at}:10] ${label}KV Cache is allocated. #tokens: ${tokens}, K size: ${half} GB, V size: ${half} GB`,
    `${at}:20] Capture cuda graph end. Time elapsed: 9.20 s. mem usage=1.00 GB. avail mem=${left} GB.`,
    `${at}:21] max_total_num_tokens=${tokens}, max_running_requests=512, context_len=${context}, available_gpu_mem=${left} GB`,
    `${at}:22] The server is fired up and ready to roll!`,
    '',
  ];
  return accountOfLog(readLogText(lines.join('\n')), { card })[0]!;
}

const idleOf = ({ problems }: RunAccount) => problems.find(({ code }) => code === 'idle-memory');

// python3, 0.5.9 on a card of 81,559 MiB: round((81559 - 512 - 8192 * 1.5 - 256 * 2 - 128) / 81559, 3)
const own = 0.835;

test('up to the fraction that the release would set, and says so', () => {
  const account = accountOf(0.7, 131072);
  expect(account.ownFraction?.nominal ?? account.ownFraction?.exact).toBeCloseTo(own, 9);
  expect(idleOf(account)?.fix).toBe('--mem-fraction-static 0.83');
  expect(terminalWording(account)).toMatch(/0\.83 gives .* this release would set 0\.835;/);
});

test('nothing where the present one is beyond it', () => {
  const account = accountOf(0.84, 131072);
  expect(idleOf(account)).toBeDefined();
  expect(idleOf(account)?.fix).toBeUndefined();
  expect(terminalWording(account)).toMatch(/No larger fraction is offered: .* 0\.835/);
});

test('nothing beyond it where no value can be offered, since a window pool is not shown', () => {
  const account = accountOf(0.84, 131072, '', 'Full ');
  expect(idleOf(account)?.fix).toBeUndefined();
  expect(terminalWording(account)).toMatch(/No larger fraction is offered: .* 0\.835/);
});

test('more where chunks are small, as the release then keeps less', () => {
  // python3: it keeps 10 GiB at least, round((81559 - 10240) / 81559, 3) = 0.874
  const account = accountOf(0.8, 131072, ', chunked_prefill_size=2048, cuda_graph_max_bs=8');
  expect(idleOf(account)?.fix).toBe('--mem-fraction-static 0.87');
});

test('up to the smallest that holds a request where the release’s own holds none', () => {
  // python3: (63 - 78 * (1 - 0.83)) * 2**30 / 131072 = 407,470 tokens; 440,000 need 53.71 GiB, f 0.8809
  expect(idleOf(accountOf(0.7, 440_000))?.fix).toBe('--mem-fraction-static 0.89');
});

describe('a start that failed, where nothing tells what the pool has to hold', () => {
  const failed = (total: string, left: string, flags: string, capacity: number): RunAccount => {
    const ranks = flags.includes('tp_size=8') ? [0, 1, 2, 3, 4, 5, 6, 7] : [];
    const heads = ranks.length > 0 ? ranks.map(rank => ` DP${rank} TP${rank}`) : [''];
    const lines = [
      `${at}:00] server_args=ServerArgs(model_path='/m/s', mem_fraction_static=0.3, max_total_tokens=None, page_size=1, ${flags})`,
      ...heads.map(rank => `${at}:01${rank}] Load weight begin. avail mem=${total} GB`),
      ...heads.map(
        rank =>
          `${at}:09${rank}] Load weight end. elapsed=8.00 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=${left} GB, mem usage=15.00 GB.`,
      ),
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=0.3',
      '',
    ];
    const options = { card: givenQuantity(capacity, units.MiB, 'card') };
    return accountOfLog(readLogText(lines.join('\n')), options)[0]!;
  };

  test('is told that the need is not known, what is assumed, and what the release would set', () => {
    const account = failed('78.00', '38.00', 'tp_size=1', 81559);
    expect(account.advice).toMatchObject({ flag: '--mem-fraction-static 0.88' });
    const text = terminalWording(account);
    expect(text).toMatch(/keeps 9\.00 GiB, assumed for what was not measured/);
    expect(text).toMatch(/this release would set 0\.835, which leaves more/);
    expect(text).toContain('How many tokens are needed is not known');
  });

  test('is offered the release’s own fraction where that keeps more than twice as much', () => {
    // python3, 0.5.9: (143771 - (512 + 8192 * 1.5 + 512 * 2 + 1024 + 512 * 8 * 4.5)) / 143771 = 0.769
    const account = failed(
      '138.20',
      '78.00',
      'tp_size=8, dp_size=8, enable_dp_attention=True, chunked_prefill_size=1024, cuda_graph_max_bs=512',
      143771,
    );
    expect(account.advice).toMatchObject({ flag: '--mem-fraction-static 0.76' });
    expect(terminalWording(account)).toMatch(/would set 0\.769 without the flag/);
  });

  test('is not offered it where that gives a much smaller pool', () => {
    const account = failed(
      '138.20',
      '40.00',
      'tp_size=8, dp_size=8, enable_dp_attention=True, chunked_prefill_size=1024, cuda_graph_max_bs=512',
      143771,
    );
    // 40 - 138.2 * 0.24 = 6.83 GiB beside 40 - 138.2 * 0.07 = 30.33
    expect(account.advice).toMatchObject({ flag: '--mem-fraction-static 0.93' });
    expect(terminalWording(account)).toMatch(/this release would set 0\.769, which leaves more/);
  });
});

test('nothing where the release keeps more, also with a card that is only about known', () => {
  const ranks = [...Array(16).keys()].map(rank => ` DP${rank} TP${rank} EP${rank}`);
  const lines = [
    `${at}:00] server_args=ServerArgs(model_path='/m/s', tp_size=16, dp_size=16, ep_size=16, enable_dp_attention=True, nnodes=2, mem_fraction_static=0.85, max_total_tokens=None, page_size=1, max_running_requests=8192, chunked_prefill_size=512, cuda_graph_max_bs=512)`,
    ...ranks.map(rank => `${at}:01${rank}] Load weight begin. avail mem=138.10 GB`),
    ...ranks.map(
      rank =>
        `${at}:09${rank}] Load weight end. elapsed=8.00 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=52.10 GB, mem usage=86.00 GB.`,
    ),
    ...ranks.flatMap(rank => [
      `${at}:10${rank}] KV Cache is allocated. #tokens: 256900, K size: 15.69 GB, V size: 15.69 GB`,
      `${at}:20${rank}] Capture cuda graph end. Time elapsed: 9.20 s. mem usage=1.00 GB. avail mem=18.40 GB.`,
    ]),
    `${at}:21${ranks[0] ?? ''}] max_total_num_tokens=256900, max_running_requests=512, context_len=131072, available_gpu_mem=18.40 GB`,
    `${at}:22] The server is fired up and ready to roll!`,
    '',
  ];
  const [account] = accountOfLog(readLogText(lines.join('\n')));
  // python3, 0.5.9: 1 - 52736 / (138.1 * 1024) = 0.627; 52,736 MiB = 512 + 512 * 16 * 1.5 + 1024 + 2048 + 512 * 16 * 4.5
  expect(idleOf(account!)).toBeDefined();
  expect(idleOf(account!)?.fix).toBeUndefined();
  expect(terminalWording(account!)).toMatch(/No larger fraction is offered: .* 0\.62[67]…0\.65/);
});

describe('the release’s own fraction of a model with images', () => {
  const own = (model: string, flags = '') => {
    const lines = [
      `${at}:00] server_args=ServerArgs(model_path='/m/s', tp_size=1, mem_fraction_static=0.3, max_total_tokens=None, page_size=1${flags})`,
      `${at}:01] Load weight begin. avail mem=78.00 GB`,
      `${at}:09] Load weight end. elapsed=8.00 s, type=${model}, dtype=torch.bfloat16, avail mem=38.00 GB, mem usage=40.00 GB.`,
      'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=0.3',
      '',
    ];
    const { ownFraction } = accountOfLog(readLogText(lines.join('\n')), { card })[0]!;
    return [ownFraction!.interval.lo, ownFraction!.interval.hi] as const;
  };

  test('is lowered by a tower whose size a config alone tells', () => {
    // python3: 0.835 * 0.95 * 0.8 = 0.6346, 0.835 * 0.95 * 1.05 = 0.8329
    for (const model of ['Qwen2_5_VLForConditionalGeneration', 'Phi4MMForCausalLM']) {
      const [lo, hi] = own(model);
      expect([lo, hi]).toEqual([expect.closeTo(0.6346, 4), expect.closeTo(0.8329, 4)]);
    }
  });

  test('is not where images are off, or a class is served as a text model', () => {
    expect(own('Qwen2_5_VLForConditionalGeneration', ', enable_multimodal=False')).toEqual([
      0.835, 0.835,
    ]);
    expect(own('Llama4ForConditionalGeneration')).toEqual([0.835, 0.835]);
    expect(own('LlamaForCausalLM')).toEqual([0.835, 0.835]);
  });
});
