/** Flags by the name that the release has, and with the value of the whole server. */
import { describe, expect, test } from 'vitest';
import { flagName, requestsFlag, slotsFlag } from '../../../src/core/account/offeredFlag';
import { readLogText } from '../../../src/core/log/readLog';
import { accountOfLog } from '../../../src/core/account/account';

const release = (from: string, to: string) => ({ kind: 'range', from, to }) as const;

/** A run of eight ranks whose arguments have these keys. */
function runOf(more: string) {
  const line = `[2026-03-01 09:00:00] server_args=ServerArgs(model_path='/m/own', tp_size=8, ${more})`;
  return accountOfLog(readLogText(`${line}\n`))[0]!.run;
}

describe('the largest graph batch', () => {
  test('has its first name up to 0.5.13 and the decode name since', () => {
    expect(flagName('graphs', release('0.5.0', '0.5.13.post1'))).toBe('--cuda-graph-max-bs');
    expect(flagName('graphs', release('0.5.20', '0.5.23'))).toBe('--cuda-graph-max-bs-decode');
    expect(flagName('graphs', release('0.5.14', '0.5.19'))).toBe('--cuda-graph-max-bs-decode');
  });

  test('has the name that most releases take where the release is open', () => {
    expect(flagName('graphs', { kind: 'unknown' })).toBe('--cuda-graph-max-bs');
  });

  test('has none before there was one', () => {
    expect(flagName('graphs', release('0.3.0', '0.3.4'))).toBeUndefined();
  });
});

describe('limits that a release divides among groups of attention', () => {
  const groups =
    'dp_size=8, enable_dp_attention=True, attn_cp_size=1, disable_piecewise_cuda_graph=False';

  test('are offered for the whole server', () => {
    expect(requestsFlag(runOf(groups), 256)).toBe('--max-running-requests 2048');
    expect(slotsFlag(runOf(groups), 314)).toBe('--max-mamba-cache-size 2512');
  });

  test('are not offered for rows where only the print is divided', () => {
    const early = 'dp_size=8, enable_dp_attention=True, hybrid_kvcache_ratio=None';
    expect(requestsFlag(runOf(early), 256)).toBeUndefined();
  });

  test('are as they are without groups', () => {
    expect(requestsFlag(runOf('page_size=1'), 256)).toBe('--max-running-requests 256');
    expect(requestsFlag(runOf('page_size=1, hybrid_kvcache_ratio=None'), 17)).toBe(
      '--max-running-requests 17',
    );
  });
});

test('a limit of requests has no flag before 0.1.17', () => {
  expect(flagName('requests', release('0.1.15', '0.1.16'))).toBeUndefined();
});
