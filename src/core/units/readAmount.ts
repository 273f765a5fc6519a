/** Reads an amount as a person types it: `0.88`, `94 GiB`, `97887 MiB`, `159,171`. */
import type { PythonNumber } from './pythonNumber';
import { multiply, trueDivide } from './pythonNumber';
import { Unit, bytesPer } from './unit';

/**
 * The number in `unit`; without a unit the text is taken to be in it. Byte scales convert exactly
 * where the result is exact. Undefined for what is no number or has another dimension.
 */
export function readAmount(text: string, unit: Unit): PythonNumber | undefined {
  const match = /^\s*([-+]?(?:\d[\d_,]*)(?:\.\d+)?(?:e[-+]?\d+)?)\s*([A-Za-z/]*)\s*$/i.exec(text);
  const digits = match?.[1]?.replace(/[_,]/g, '');
  if (digits === undefined) {
    return undefined;
  }
  const value = /^[-+]?\d+$/.test(digits) ? BigInt(digits.replace('+', '')) : Number(digits);
  const typed = typedUnit(match?.[2] ?? '', unit);
  if (typed === unit) {
    return value;
  }
  const from = typed?.byteScale && bytesPer(typed.byteScale);
  const to = unit.byteScale && bytesPer(unit.byteScale);
  if (!typed || !from || !to || typed.withByteScale(unit.byteScale) !== unit) {
    return undefined;
  }
  return trueDivide(multiply(value, from), to);
}

function typedUnit(text: string, expected: Unit): Unit | undefined {
  if (text === '') {
    return expected;
  }
  const singular = text.replace(/^(token|request)s$/, '$1');
  return Unit.parse(singular);
}
