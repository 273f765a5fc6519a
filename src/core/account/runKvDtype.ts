/**
 * The dtype of cached keys and values as a run's log tells it: the pool's own line, a line that names
 * the dtype, else the launch arguments; and which others a server can have come to. Leaves out what
 * printed sizes allow.
 */
import type { Run } from '../log/run';
import type { ReleaseInterval } from '../sglang/form/releaseInterval';
import { isSince } from '../sglang/layout/eraTable';
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
  if (typeof flag === 'string' && flag !== 'auto') {
    return { name: flag, basis: 'flag' };
  }
  // `auto` is the dtype of the model: that of the checkpoint, but where float32 was asked for.
  return flag === 'auto' && isSinglePrecision(run)
    ? { name: 'float32', basis: 'printed' }
    : { name: undefined, basis: 'none' };
}

/** A dtype that was asked for, and whether it is the one that a line names. */
export interface AskedDtype {
  /** As the flag has it. */
  readonly name: string;
  /** As the line has it. */
  readonly printed: string;
  readonly isInEffect: boolean;
}

/** Names of the same dtype: the flag's, and torch's on all platforms. */
const sameDtype = [
  ['fp8_e4m3', 'float8_e4m3fn', 'float8_e4m3fnuz'],
  ['fp8_e5m2', 'float8_e5m2', 'float8_e5m2fnuz'],
  ['bfloat16', 'bf16'],
] as const;

/** Whether the flag came to what the log prints; undefined where one of the two says nothing. */
export function askedDtypeOf(run: Run, { name: shown, basis }: RunKvDtype): AskedDtype | undefined {
  const flag = run.serverArguments?.values.get('kv_cache_dtype')?.value;
  if (basis !== 'printed' || shown === undefined || typeof flag !== 'string') {
    return undefined;
  }
  const printed = shown.replace(/^torch\./, '');
  const kindOf = (name: string): number =>
    sameDtype.findIndex(names => names.some(one => one === name));
  const asked = kindOf(flag);
  const isPlain = kindOf(printed) >= 0 || printed === 'float16';
  return asked >= 0 && isPlain
    ? { name: flag, printed, isInEffect: asked === kindOf(printed) }
    : undefined;
}

/** What decides which dtypes a server can have come to where no line names the one in use. */
export interface DtypeChoice {
  readonly kvDtype?: string;
  readonly dtypeBasis: RunKvDtype['basis'];
  readonly isDtypeOpen: boolean;
  readonly release: ReleaseInterval;
  /** Whether sparse attention chooses between bfloat16 and FP8 by the card. */
  readonly isSparse: boolean;
}

/**
 * Whether a server with these arguments can cache in the dtype (`configure_kv_cache_dtype`, 0.5.9):
 * `auto` is the dtype of the model, or FP8 E4M3 where the checkpoint declares it, from 0.5.3rc1; a
 * flag without effect leaves the model's. Nothing but a float32 model makes float32.
 */
export function canCacheIn(dtype: string, run: Run, choice: DtypeChoice): boolean {
  const { kvDtype, dtypeBasis, isDtypeOpen, release, isSparse } = choice;
  if (dtype === 'float32') {
    return isSinglePrecision(run);
  }
  if (isDtypeOpen || dtype === 'bfloat16' || dtype === kvDtype) {
    return true;
  }
  return (
    dtype === 'fp8_e4m3' &&
    (isSparse || (dtypeBasis === 'none' && isSince(release, '0.5.3rc1') !== false))
  );
}

/** Whether the log names float32 as the dtype of the model. */
function isSinglePrecision(run: Run): boolean {
  const loaded = run.records.find(({ form, words }) => form.id === 'load-end' && words['dtype']);
  const name = loaded?.words['dtype'] ?? run.serverArguments?.values.get('dtype')?.value;
  return typeof name === 'string' && /^(?:torch\.)?float(?:32)?$/.test(name);
}
