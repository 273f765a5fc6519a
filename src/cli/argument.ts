/** Arguments that are numbers, checked as they are read. */
import { InvalidArgumentError } from 'commander';
import { readAmount } from '../core/units/readAmount';
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
