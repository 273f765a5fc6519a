/**
 * Short constructors for the fields of line forms. Leaves out the forms.
 */
import type { FormQuantity, NumberField, TextField } from './lineForm';

type Names = readonly string[];

function number(
  unit: NumberField['unit'],
  rounding: NumberField['rounding'],
  quantity?: FormQuantity,
  groups?: Names,
): NumberField {
  return {
    unit,
    rounding,
    ...(quantity === undefined ? {} : { quantity }),
    ...(groups === undefined ? {} : { groups }),
  };
}

/** A number of GiB with the printed decimals, whatever the line calls it. */
export function gib(quantity?: FormQuantity, groups?: Names): NumberField {
  return number('GiB', 'printed', quantity, groups);
}

/** A full-precision number of GiB. */
export function gibExact(quantity?: FormQuantity): NumberField {
  return number('GiB', 'exact', quantity);
}

/** A number of decimal gigabytes with the printed decimals. */
export function decimalGb(quantity?: FormQuantity, groups?: Names): NumberField {
  return number('GB', 'printed', quantity, groups);
}

/** A number of MiB with the printed decimals. */
export function mib(quantity?: FormQuantity): NumberField {
  return number('MiB', 'printed', quantity);
}

/** A whole number of bytes. */
export function bytes(quantity?: FormQuantity, groups?: Names): NumberField {
  return number('B', 'exact', quantity, groups);
}

/** Bytes per token: rounded where decimals are printed by a format, whole otherwise. */
export function bytesPerToken(
  rounding: NumberField['rounding'],
  quantity?: FormQuantity,
): NumberField {
  return number('B/token', rounding, quantity);
}

/** A whole number of tokens. */
export function tokens(quantity?: FormQuantity, groups?: Names): NumberField {
  return number('token', 'exact', quantity, groups);
}

/** A whole number of requests. */
export function requests(quantity?: FormQuantity, groups?: Names): NumberField {
  return number('request', 'exact', quantity, groups);
}

/** A whole number of slots, rows, layers or ranks. */
export function count(quantity?: FormQuantity, groups?: Names): NumberField {
  return number('1', 'exact', quantity, groups);
}

/** A share from 0 to 1, rounded to the printed decimals. */
export function share(quantity?: FormQuantity, groups?: Names): NumberField {
  return number('1', 'printed', quantity, groups);
}

/** A full-precision share or factor. */
export function exactShare(quantity?: FormQuantity, groups?: Names): NumberField {
  return number('1', 'exact', quantity, groups);
}

/** Seconds with the printed decimals. */
export function seconds(groups?: Names): NumberField {
  return number('s', 'printed', undefined, groups);
}

/** Tokens per second with the printed decimals. */
export function tokensPerSecond(): NumberField {
  return number('token/s', 'printed');
}

/** A number whose scale the line names after it (`970.00 MiB`). */
export function scaled(quantity?: FormQuantity): NumberField {
  return number('printed', 'printed', quantity);
}

/** A word. */
export function word(groups?: Names): TextField {
  return groups === undefined ? { unit: 'text' } : { unit: 'text', groups };
}
