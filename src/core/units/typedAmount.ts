/** An amount as a person types it, with the uncertainty that its decimals have. */
import type { Quantity } from './quantity';
import { readAmount } from './readAmount';
import type { Unit } from './unit';

/** Beyond it nothing is an amount of memory on a card. */
const largest = 1e9;

/**
 * The amount in `unit`: decimals are rounded to the last digit, whole numbers are as they are.
 * Undefined for what is no amount above 0. `name` is the flag or field that it was typed for.
 */
export function amountOf(text: string, unit: Unit, name = ''): Quantity | undefined {
  const value = readAmount(text, unit);
  if (value === undefined || !(value > 0) || !(value < largest)) {
    return undefined;
  }
  const decimals = /\.(\d+)/.exec(text)?.[1]?.length;
  const scale = Number(readAmount(`1 ${/[A-Za-z]+/.exec(text)?.[0] ?? unit.name}`, unit) ?? 1);
  const half = decimals === undefined ? 0 : 0.5 * 10 ** -decimals * scale;
  return {
    interval: { lo: Number(value) - half, hi: Number(value) + half },
    unit,
    basis: 'proved',
    assumptions: [],
    provenance: [{ kind: 'given', name }],
    printed: Number(value),
    nominal: Number(value),
    ...(half === 0 && { exact: value }),
  };
}
