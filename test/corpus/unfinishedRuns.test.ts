/** Logs that end before the server is ready still tell the pool that it got. Figures: ../shared/logs. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../src/core/account/account';
import { readLogText } from '../../src/core/log/readLog';
import { terminalWording } from '../core/account/wording';
import { sharedFile, withShared } from './sharedFile';

withShared(() => {
  test.each([
    ['mixtral-awq-a10-0111-rank-n.log', 'room for 115,621 tokens.'],
    ['mi300a-slurm-405gb.log', 'room for 2,426,200 tokens.'],
    ['npu-dsv4-flash-w4a8-dp4-truncated.log', '32,768 tokens, of 852,992 tokens that fit.'],
    [
      'mimo-v2-flash-swa-asymmetric-kv.log',
      '1,496,958 tokens in a KV pool of ≈ 8.03 GiB (±0.01), a window pool of ≈ 69.60 GiB (±0.01).',
    ],
  ])('%s', (name, pools) => {
    const text = accountOfLog(readLogText(sharedFile(`logs/${name}`)))
      .map(terminalWording)
      .join('\n');
    expect(text).toContain(`The log ends before the server was ready`);
    expect(text).toContain(`By then each rank had ${pools}`);
  });

  test('a log that ends before its pools says nothing of any', () => {
    const text = sharedFile('logs/gb200-dsr1-debug-print.log');
    const [account] = accountOfLog(readLogText(text));
    expect(account && terminalWording(account)).toMatch(/was ready \(sizing\)\.$/);
  });
});
