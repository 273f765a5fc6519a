/**
 * A budget that comes to nothing although the fraction is above the minimum that the error itself
 * names: that minimum counts the weights alone (reference 1.7), so a state pool or a reservation,
 * which the log does not show, was subtracted first. A reservation that the log shows is no hidden one.
 */
import type { Run } from '../log/run';
import type { LogRecord } from '../log/record';
import { derive } from '../terms/derive';
import type { Quantity } from '../units/quantity';
import { fieldQuantity } from './figure';

/** A reservation that a line shows, in GiB. */
export interface PrintedReservation {
  readonly amount: Quantity;
  readonly record: LogRecord;
}

/**
 * The minimum by weights alone, below the fraction that failed; undefined where it is above it, or
 * where a reservation that a line shows may take the difference.
 */
export function minimumBelowFraction(run: Run): Quantity | undefined {
  const record = run.records.find(
    ({ form, fields }) => form.id === 'no-memory-left' && fields['minimum'] !== undefined,
  );
  const { fraction, minimum } = record?.fields ?? {};
  const viable = record && minimum && fieldQuantity(record, minimum);
  return viable && fraction && Number(fraction.value) > mostOf(viable, run) ? viable : undefined;
}

/** The reservation for multimodal features, where a line says it. */
export function printedReservation(run: Run): PrintedReservation | undefined {
  const record = run.records.find(({ form }) => form.id === 'multimodal-reservation');
  const field = record?.fields['reserved'];
  const amount = record && field && fieldQuantity(record, field);
  return amount && { amount, record };
}

/** The largest fraction that weights and the printed reservation explain. */
function mostOf(viable: Quantity, run: Run): number {
  const reserved = printedReservation(run)?.amount;
  const begins = run.records.flatMap(record => {
    const field = record.form.id === 'load-begin' ? record.fields['avail'] : undefined;
    return (field && fieldQuantity(record, field)) ?? [];
  });
  const [total] = begins.sort((a, b) => a.interval.lo - b.interval.lo);
  const most =
    reserved && total && derive('viable + reserved / total', { viable, reserved, total });
  return (most ?? viable).interval.hi;
}
