/**
 * A budget that comes to nothing although the fraction is above the minimum that the error itself
 * names: that minimum counts the weights alone (reference 1.7), so a state pool or a reservation,
 * which the log does not show, was subtracted first.
 */
import type { Run } from '../log/run';
import type { Quantity } from '../units/quantity';
import { fieldQuantity } from './figure';

/** The minimum by weights alone, below the fraction that failed; undefined where it is above it. */
export function minimumBelowFraction(run: Run): Quantity | undefined {
  const record = run.records.find(
    ({ form, fields }) => form.id === 'no-memory-left' && fields['minimum'] !== undefined,
  );
  const { fraction, minimum } = record?.fields ?? {};
  const viable = record && minimum && fieldQuantity(record, minimum);
  return viable && fraction && Number(fraction.value) > viable.interval.hi ? viable : undefined;
}
