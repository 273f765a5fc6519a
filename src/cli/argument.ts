/** Arguments that are numbers, checked as they are read. */
import { InvalidArgumentError } from 'commander';
import { readAmount } from '../core/units/readAmount';
import type { Quantity } from '../core/units/quantity';
import { amountOf } from '../core/units/typedAmount';
import type { Unit } from '../core/units/unit';
import { units } from '../core/units/unit';

/** A memory fraction, above 0 and up to 1. */
export function fraction(text: string): number {
  const value = Number(readAmount(text, units.one) ?? NaN);
  if (!(value > 0 && value <= 1)) {
    throw new InvalidArgumentError('a fraction lies above 0 and is at most 1, such as 0.88');
  }
  return value;
}

/** A positive number of tokens. */
export function tokens(text: string): number {
  const value = Number(readAmount(text, units.token) ?? NaN);
  if (!(value > 0)) {
    throw new InvalidArgumentError('tokens are a positive number, such as 159171');
  }
  return value;
}

/** Collects a repeatable option. */
export function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** An amount above 0, as typed for a flag. */
export function amountIn(unit: Unit, flag: string): (text: string) => Quantity {
  return text => {
    const amount = amountOf(text, unit, flag);
    if (amount === undefined) {
      throw new InvalidArgumentError(
        `an amount above 0 in ${unit.name}, such as "94 ${unit.name}"`,
      );
    }
    return amount;
  };
}
