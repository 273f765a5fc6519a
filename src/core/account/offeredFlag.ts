/**
 * Flags that an account offers, by the name that the release has for them and with the value of the
 * whole server where the release divides it among groups of data-parallel attention.
 */
import type { Run } from '../log/run';
import type { ReleaseRange } from '../sglang/form/lineForm';
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { isWithin, mayBeWithin } from '../sglang/release';
import { attentionGroups } from './replicas';

interface FlagName extends ReleaseRange {
  readonly flag: string;
}

/** By what they set; of two names that a release takes, the earlier row is preferred. */
const names = {
  requests: [{ flag: '--max-running-requests', from: '0.1.17' }],
  chunk: [{ flag: '--chunked-prefill-size', from: '0.2.7' }],
  graphs: [
    { flag: '--cuda-graph-max-bs-decode', from: '0.5.14' },
    { flag: '--cuda-graph-max-bs', from: '0.3.5', to: '0.5.19' },
  ],
  fp8: [{ flag: '--kv-cache-dtype fp8_e4m3', from: '0.4.1.post6' }],
  slots: [{ flag: '--max-mamba-cache-size', from: '0.5.2' }],
} as const satisfies Readonly<Record<string, readonly FlagName[]>>;

/** From here on the rows of the request table are those of one group. */
const rowsOfGroup = { from: '0.5.10' };

/** The name; undefined where no release that the log may be of has it. */
export function flagName(of: keyof typeof names, release: ReleaseInterval): string | undefined {
  const rows: readonly FlagName[] = names[of];
  const row =
    rows.find(range => isWithin(release, range)) ??
    rows.findLast(range => mayBeWithin(release, range));
  return row?.flag;
}

/** `--max-running-requests` for so many rows on each rank; undefined where that cannot be asked for. */
export function requestsFlag(run: Run, rows: number): string | undefined {
  const isAlone = (run.parallel.dp ?? 1) === 1;
  const groups = attentionGroups(run);
  const flag = flagName('requests', run.release);
  return flag && groups !== undefined && (isAlone || isWithin(run.release, rowsOfGroup))
    ? `${flag} ${rows * groups}`
    : undefined;
}

/** `--max-mamba-cache-size` for so many slots on each rank. */
export function slotsFlag(run: Run, slots: number): string | undefined {
  const groups = attentionGroups(run);
  const flag = flagName('slots', run.release);
  return flag && groups !== undefined ? `${flag} ${slots * groups}` : undefined;
}
