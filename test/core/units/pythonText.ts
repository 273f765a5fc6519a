/** How tests write numbers for CPython and read back what it computed, bit for bit. */
import type { PythonNumber } from '../../../src/core/units/pythonNumber';

/** A result as text: `int 5`, `float 0x…` (the bits), `raises ZeroDivisionError`. */
export type Outcome = string;

/** A number as a Python literal in brackets. */
export function pythonLiteral(value: PythonNumber): string {
  if (typeof value === 'bigint') {
    return `(${value})`;
  }
  const text = Object.is(value, -0) ? '-0.0' : String(value);
  return Number.isInteger(value) && !text.includes('e') && !text.includes('.')
    ? `(${text}.0)`
    : `(${text})`;
}

/** Our result in the words of `evaluateProgram`. */
export function outcomeOf(value: PythonNumber): Outcome {
  if (typeof value === 'bigint') {
    return `int ${value}`;
  }
  if (Number.isNaN(value)) {
    return 'float nan';
  }
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  return `float ${bits.getBigUint64(0).toString(16).padStart(16, '0')}`;
}

/** Evaluates every expression of a list; complex numbers count as ValueError, as we document. */
export const evaluateProgram = `
import json, math, struct, sys
sys.set_int_max_str_digits(0)
def outcome(text):
    try:
        value = eval(text, {'math': math, 'NaN': math.nan, 'Infinity': math.inf})
    except ArithmeticError as error:
        return 'raises ' + type(error).__name__
    except (ValueError, TypeError) as error:
        return 'raises ' + type(error).__name__
    if isinstance(value, complex):
        return 'raises ValueError'
    if isinstance(value, int):
        return 'int ' + str(int(value))
    if value != value:
        return 'float nan'
    return 'float ' + struct.pack('>d', value).hex()
print(json.dumps([outcome(text) for text in json.load(sys.stdin)]))
`;
