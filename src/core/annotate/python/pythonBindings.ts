/**
 * Sorts given values into input ids and expressions of the source, and brings amounts of memory to
 * the unit of their input. A name that is neither is reported back, never ignored.
 */
import type { FactIndex } from '../../python/factIndex';
import type { GivenValue } from '../../python/machine';
import { sourceKey, unitNamed } from '../../python/machine';
import { divideIntervals, multiplyIntervals, point } from '../../units/interval';
import type { PythonNumber } from '../../units/pythonNumber';
import { multiply, trueDivide } from '../../units/pythonNumber';
import type { Quantity } from '../../units/quantity';
import type { Unit } from '../../units/unit';
import { bytesPer, units } from '../../units/unit';

export type { GivenValue } from '../../python/machine';

/** What is given, by input id or by expression of the source. */
export type PythonBindings = ReadonlyMap<string, GivenValue>;

export interface SortedBindings {
  readonly inputs: ReadonlyMap<string, GivenValue>;
  readonly expressions: ReadonlyMap<string, GivenValue>;
  /** Names that are no input and do not occur in the text. */
  readonly unknown: readonly string[];
}

/** An expression of the text wins over an input id of the same name. */
export function sortBindings(
  facts: FactIndex,
  bindings: PythonBindings,
  text: string,
): SortedBindings {
  const inputs = new Map<string, GivenValue>();
  const expressions = new Map<string, GivenValue>();
  const unknown: string[] = [];
  const plain = sourceKey(text);
  for (const [name, given] of bindings) {
    const fact = facts.input(name);
    const key = sourceKey(name);
    if (fact !== undefined) {
      inputs.set(name, inInputUnit(given, unitNamed(fact.unit)));
    }
    if (fact === undefined && given.kind === 'literal' && /^\w+$/.test(key)) {
      // A flag that is set by its name alone is meant wherever an object carries it.
      for (const [path] of text.matchAll(new RegExp(`[A-Za-z_][\\w.]*\\.${key}\\b`, 'g'))) {
        expressions.set(path, given);
      }
    }
    if (occurs(plain, text, key)) {
      expressions.set(key, fact === undefined ? given : { kind: 'input', id: name });
    } else if (fact === undefined) {
      unknown.push(name);
    }
  }
  return { inputs, expressions, unknown };
}

function occurs(plain: string, text: string, key: string): boolean {
  return /^\w+$/.test(key) ? new RegExp(`\\b${key}\\b`).test(text) : plain.includes(key);
}

/** The given value in the unit of its input. */
export function inInputUnit(given: GivenValue, unit: Unit): GivenValue {
  return given.kind === 'quantity'
    ? { kind: 'quantity', quantity: inUnit(given.quantity, unit) }
    : given;
}

/** The quantity in another unit of memory; a plain number takes the unit of its input. */
function inUnit(quantity: Quantity, unit: Unit): Quantity {
  const [from, to] = [quantity.unit.byteScale, unit.byteScale].map(
    scale => scale && bytesPer(scale),
  );
  if (quantity.unit === unit || quantity.unit === units.one || !from || !to) {
    return { ...quantity, unit };
  }
  const change = (value: PythonNumber): PythonNumber =>
    from % to === 0n ? multiply(value, from / to) : trueDivide(multiply(value, from), to);
  const bytes = multiplyIntervals(quantity.interval, point(Number(from)));
  const { exact, printed, nominal } = quantity;
  return {
    ...quantity,
    unit,
    interval: divideIntervals(bytes, point(Number(to))) ?? quantity.interval,
    ...(exact !== undefined && { exact: change(exact) }),
    ...(printed !== undefined && { printed: Number(change(printed)) }),
    ...(nominal !== undefined && { nominal: Number(change(nominal)) }),
  };
}
