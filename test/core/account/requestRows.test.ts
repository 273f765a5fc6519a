/** Rows of the request-to-token table beside data-parallel attention, by release. */
import { describe, expect, test } from 'vitest';
import { accountOfLog } from '../../../src/core/account/account';
import { readLogText } from '../../../src/core/log/readLog';

const time = '[2026-03-01 09:00:00 DP0 TP0]';

/** A start whose arguments have these keys; 2048 requests of 262,144 tokens are printed. */
function tableOf(more: string) {
  const lines = [
    `[2026-03-01 09:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=8, dp_size=8, enable_dp_attention=True, mem_fraction_static=0.8, page_size=1, ${more})`,
    `${time} Load weight begin. avail mem=138.20 GB`,
    `${time} Load weight end. elapsed=9.00 s, type=OwnForCausalLM, avail mem=75.00 GB, mem usage=63.20 GB.`,
    `${time} KV Cache is allocated. dtype: torch.bfloat16, #tokens: 302692, K size: 23.65 GB, V size: 23.65 GB`,
    `${time} Memory pool end. avail mem=25.60 GB`,
    `${time} max_total_num_tokens=302692, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2048, context_len=262144, available_gpu_mem=23.00 GB`,
  ];
  const [account] = accountOfLog(readLogText(`${lines.join('\n')}\n`));
  return account?.quantities.get('requestToTokenPool')?.interval;
}

/** GiB of rows of 262,144 tokens and 4 more, 4 bytes each. */
const ofRows = (rows: number) => (rows * (262144 + 4) * 4) / 2 ** 30;

describe('2,048 printed requests of eight groups', () => {
  test('are the rows from 0.5.10 on, with one that pads them from 0.5.12', () => {
    const table = tableOf("cuda_graph_config={'decode': {}}");
    expect(table?.lo).toBeCloseTo(ofRows(2048), 6);
    expect(table?.hi).toBeCloseTo(ofRows(2049), 6);
  });

  test('may be a share of the rows before', () => {
    const table = tableOf('enable_piecewise_cuda_graph=False');
    expect(table?.lo).toBeCloseTo(ofRows(2048), 6);
    expect(table?.hi).toBeCloseTo(ofRows(8 * 2048), 6);
  });
});
