/**
 * The dtype of cached keys and values as a run's log tells it: the pool's own line, a line that names
 * the dtype, else the launch arguments. Leaves out what printed sizes allow.
 */
import type { Run } from '../log/run';
import type { RankFigures } from './rankFigures';

/** A dtype and where it stands. */
export interface RunKvDtype {
  /** As it is printed; undefined where nothing names one, or only `auto`. */
  readonly name: string | undefined;
  /** `printed` where a line of the server names the dtype, `flag` where only the arguments do. */
  readonly basis: 'printed' | 'flag' | 'none';
}

/** The line that says which dtype is in use, and the earlier one that says which was chosen. */
const lineForms = ['kv-dtype', 'kv-dtype-set'] as const;

/** What the log says of the dtype. */
export function kvDtypeOf(run: Run, binding: RankFigures | undefined): RunKvDtype {
  const [line] = lineForms.flatMap(
    id => run.records.find(({ form }) => form.id === id)?.words['dtype'] ?? [],
  );
  const printed = binding?.kvPool?.dtype ?? line;
  if (printed !== undefined) {
    return { name: printed, basis: 'printed' };
  }
  const flag = run.serverArguments?.values.get('kv_cache_dtype')?.value;
  return typeof flag === 'string' && flag !== 'auto'
    ? { name: flag, basis: 'flag' }
    : { name: undefined, basis: 'none' };
}
