/**
 * From a printed field to a quantity: the interval of its rounding, its unit, its line. The only
 * door by which numbers of a log enter the account.
 */
import type { FieldValue, LogRecord } from '../log/record';
import type { Run } from '../log/run';
import type { QuantityId } from '../sglang/quantityId';
import { givenQuantity } from '../units/givenQuantity';
import { point } from '../units/interval';
import { printedInterval } from '../units/printed';
import type { Provenance, Quantity } from '../units/quantity';
import { Unit } from '../units/unit';

/** A quantity of one rank, and the record that shows it. */
export interface Figure {
  readonly id: QuantityId;
  readonly quantity: Quantity;
  readonly record: LogRecord;
}

/** Where a field stands, for "show me the line". */
export function printedAt(record: LogRecord, field?: FieldValue): Provenance {
  return { kind: 'printed', line: field?.line ?? record.line, file: record.file };
}

/** A printed field as a quantity; undefined for a unit that we do not know, or digits without end. */
export function fieldQuantity(record: LogRecord, field: FieldValue): Quantity | undefined {
  const unit = Unit.parse(field.unit);
  const interval =
    field.rounding === 'printed' ? printedInterval(field.text) : point(Number(field.value));
  if (unit === undefined || interval === undefined || !Number.isFinite(Number(field.value))) {
    return undefined;
  }
  return {
    interval,
    unit,
    basis: 'proved',
    assumptions: [],
    provenance: [printedAt(record, field)],
    printed: Number(field.value),
    ...(field.rounding === 'exact' && { exact: field.value }),
    nominal: Number(field.value),
  };
}

/** A number of the launch arguments as a log shows it, which rounds none; undefined for any other. */
export function argumentQuantity(
  { serverArguments }: Run,
  name: string,
  unit: Unit,
): Quantity | undefined {
  const argument = serverArguments?.values.get(name);
  return typeof argument?.value === 'number' || typeof argument?.value === 'bigint'
    ? {
        ...givenQuantity(argument.value, unit, name),
        provenance: [{ kind: 'printed', line: argument.line }],
        printed: Number(argument.value),
      }
    : undefined;
}

/** The field by its name in the form, as a figure with this id. */
export function figure(record: LogRecord, name: string, id: QuantityId): Figure | undefined {
  const field = record.fields[name];
  const quantity = field && fieldQuantity(record, field);
  return quantity && { id, quantity, record };
}
