/**
 * The chunk of the prefill during which memory ran out, and half of it to set instead. What that
 * frees hangs on the model and is not in a log. Leaves out failures after any other batch.
 */
import type { LogRecord } from '../log/record';
import type { Run } from '../log/run';
import { givenQuantity } from '../units/givenQuantity';
import type { Quantity } from '../units/quantity';
import { units } from '../units/unit';
import { fieldQuantity } from './figure';
import { flagName } from './offeredFlag';

/** Tokens below which half a chunk makes prefills slow and frees little. */
const leastChunk = 2048;

/** The chunk in tokens and the flag for half of it. */
export interface SmallerChunk {
  readonly chunk: Quantity;
  readonly flag: string;
}

/** Undefined where the last batch before the failure was no prefill, or its chunk is not known. */
export function smallerChunk(run: Run, failure: LogRecord): SmallerChunk | undefined {
  const before = run.records.slice(0, run.records.indexOf(failure));
  const last = before.findLast(
    ({ form, rank }) =>
      form.id.includes('-batch') && (rank === failure.rank || failure.rank === '' || rank === ''),
  );
  const chunk = last?.form.id.startsWith('prefill-batch') === true ? chunkOf(run) : undefined;
  const half = Math.floor((chunk?.nominal ?? 0) / 2);
  const name = flagName('chunk', run.release);
  return chunk && name && half >= leastChunk / 2 ? { chunk, flag: `${name} ${half}` } : undefined;
}

/** As typed; with attention over several replicas the summary prints a share of it. */
function chunkOf(run: Run): Quantity | undefined {
  const typed = run.serverArguments?.values.get('chunked_prefill_size')?.value;
  if (typed !== undefined && typed !== null) {
    return typeof typed === 'bigint'
      ? givenQuantity(typed, units.token, '--chunked-prefill-size')
      : undefined;
  }
  const summary = run.records.find(({ fields }) => fields['chunk'] !== undefined);
  const field = summary?.fields['chunk'];
  return summary && field && (run.parallel.dp ?? 1) === 1
    ? fieldQuantity(summary, field)
    : undefined;
}
