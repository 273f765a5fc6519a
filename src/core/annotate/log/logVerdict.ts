/** The verdict of a run in a few words, for a lens, the status bar and lists of runs. */
import type { RunAccount } from '../../account/account';
import type { Message } from '../../message/message';
import { message } from '../../message/message';

/** The kind of the verdict and the one or two numbers that it turns on. */
export function shortVerdict(account: RunAccount): Message {
  const { outcome, quantities, fraction } = account;
  if (outcome.kind === 'ok') {
    const tokens = quantities.get('maxTotalTokens');
    return tokens ? message('short.ok', { tokens }) : message('short.ok-plain', {});
  }
  if (outcome.kind === 'not-enough-memory') {
    const inForce = fraction.effective ?? fraction.claimed;
    const rest = quantities.get('restMemory');
    if (rest && inForce) {
      return message('short.not-enough-memory', { rest, fraction: inForce });
    }
  }
  return message('short.verdict', { verdict: outcome.kind });
}
