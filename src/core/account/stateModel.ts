/**
 * Whether a model keeps state of linear attention or of a state-space layer beside its keys and
 * values: by the lines of its pool, or by its class where it failed before the pool was made. A class that no
 * release lists with state has none.
 */
import type { Run } from '../log/run';
import { isListedWithState } from '../sglang/layout/bufferArchitecture';
import type { Quantity } from '../units/quantity';
import { fieldQuantity } from './figure';

/** Forms that only such models print. */
const stateForms: ReadonlySet<string> = new Set([
  'state-pool',
  'state-does-not-fit',
  'state-too-small',
  'state-slots-exhausted',
  'state-ring-buffers',
  'int8-state-pool',
  'requests-capped-by-state',
]);

/** True where the run is, or may be, of such a model. */
export function hasStateModel(run: Run): boolean {
  return (
    isListedWithState(run.modelClass ?? '') ||
    run.records.some(
      ({ form, words }) =>
        stateForms.has(form.id) || (form.id === 'prefix-cache' && words['ssm'] === 'True'),
    )
  );
}

/** GiB that an error about the state pool prints as left for state, keys and values. */
export function restAtStateError(run: Run): Quantity | undefined {
  const record = run.records.find(({ form }) => form.id === 'state-does-not-fit');
  const field = record?.fields['rest'];
  return record && field && fieldQuantity(record, field);
}
