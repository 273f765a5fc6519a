/** What is offered in place of free memory: never beyond what the release keeps by itself. */
import { expect, test } from 'vitest';
import type { RunAccount } from '../../../src/core/account/account';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';
import { givenQuantity } from '../../../src/core/units/givenQuantity';
import { units } from '../../../src/core/units/unit';
import { terminalWording } from './wording';

const at = '[2026-03-04 12:00';
const card = givenQuantity(81559, units.MiB, 'card');

/** P 78.00, A 63.00, 131,072 bytes a token; what the pool and 1.00 GiB of graphs leave. */
function accountOf(fraction: number, context: number, flags = ''): RunAccount {
  const pool = 63 - 78 * (1 - fraction);
  const left = (78 * (1 - fraction) - 1 - 0.25).toFixed(2);
  const half = (pool / 2).toFixed(2);
  const tokens = Math.floor((pool * 2 ** 30) / 131072);
  const lines = [
    `${at}:00] server_args=ServerArgs(model_path='/m/s', tp_size=1, mem_fraction_static=${fraction}, max_total_tokens=None, page_size=1, max_running_requests=512${flags})`,
    `${at}:01] Load weight begin. avail mem=78.00 GB`,
    `${at}:09] Load weight end. elapsed=8.00 s, type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=63.00 GB, mem usage=15.00 GB.`,
    `${at}:10] KV Cache is allocated. #tokens: ${tokens}, K size: ${half} GB, V size: ${half} GB`,
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

test('more where chunks are small, as the release then keeps less', () => {
  // python3: it keeps 10 GiB at least, round((81559 - 10240) / 81559, 3) = 0.874
  const account = accountOf(0.8, 131072, ', chunked_prefill_size=2048, cuda_graph_max_bs=8');
  expect(idleOf(account)?.fix).toBe('--mem-fraction-static 0.87');
});

test('up to the smallest that holds a request where the release’s own holds none', () => {
  // python3: (63 - 78 * (1 - 0.83)) * 2**30 / 131072 = 407,470 tokens; 440,000 need 53.71 GiB, f 0.8809
  expect(idleOf(accountOf(0.7, 440_000))?.fix).toBe('--mem-fraction-static 0.89');
});
