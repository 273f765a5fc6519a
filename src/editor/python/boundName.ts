/** How a bound run is called: its log, and its number where the log has several. */
import type { Messages } from '../messages';
import type { BoundRun } from './runBinding';

/** `server.log`, or `server.log, run 2`. */
export function boundName({ name, run, runs }: BoundRun, messages: Messages): string {
  return runs > 1
    ? messages.ui('python.status-bound-run', { name, number: run + 1 })
    : messages.ui('python.status-bound', { name });
}
