/** A pool that is too small beside idle memory: two problems, one cure. Figures: ../shared/logs. */
import { expect, test } from 'vitest';
import { accountOfLog } from '../../src/core/account/account';
import { readLogText } from '../../src/core/log/readLog';
import { terminalWording } from '../core/account/wording';
import { sharedFile, withShared } from './sharedFile';

withShared(() => {
  test('the cure of idle memory is said once', () => {
    const text = sharedFile('logs/rtxpro6000-kimi-k25-int4-auto-fraction.log');
    const [account] = accountOfLog(readLogText(text));
    const said = account === undefined ? '' : terminalWording(account);
    expect(said.match(/--mem-fraction-static/g)).toHaveLength(1);
    expect(said).toMatch(/^19\.71 GiB stay free at ready\.$/m);
  });

  test('costs outside the budget name a direction for their flag', () => {
    const [account] = accountOfLog(readLogText(sharedFile('logs/4gb-gpu-pool-end-zero.log')));
    expect(account && terminalWording(account)).toMatch(
      /^0\.00 GiB .* Lower --max-running-requests\.$/m,
    );
  });
});
