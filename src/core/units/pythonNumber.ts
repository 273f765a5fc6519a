/**
 * Numbers as Python has them: `bigint` is Python's int, `number` is Python's float. The operations
 * give what CPython gives, digit for digit (`7247757312 // 44236.8` is 163839); only a power of a
 * float may differ in the last digit. A Python exception is thrown as PythonArithmeticError.
 */

/** A Python int (bigint) or float (number). */
export type PythonNumber = bigint | number;

/** The exception that CPython raises for the same operation, by its class name. */
export class PythonArithmeticError extends Error {
  readonly exception: 'ZeroDivisionError' | 'OverflowError' | 'ValueError' | 'TypeError';

  constructor(exception: PythonArithmeticError['exception'], message: string) {
    super(message);
    this.exception = exception;
  }
}

/** Integers above this many bits are refused: nothing in a memory budget comes near. */
const maximumBits = 1n << 16n;

export function isInt(value: PythonNumber): value is bigint {
  return typeof value === 'bigint';
}

/** float(value): rounds to nearest, ties to even; OverflowError beyond float64. */
export function toFloat(value: PythonNumber): number {
  const result = Number(value);
  if (isInt(value) && !Number.isFinite(result)) {
    throw new PythonArithmeticError('OverflowError', 'int too large to convert to float');
  }
  return result;
}

/** int(value): truncates towards zero. */
export function toInt(value: PythonNumber): bigint {
  if (isInt(value)) {
    return value;
  }
  if (Number.isNaN(value)) {
    throw new PythonArithmeticError('ValueError', 'cannot convert float NaN to integer');
  }
  if (!Number.isFinite(value)) {
    throw new PythonArithmeticError('OverflowError', 'cannot convert float infinity to integer');
  }
  return BigInt(Math.trunc(value));
}

export function add(a: PythonNumber, b: PythonNumber): PythonNumber {
  return isInt(a) && isInt(b) ? a + b : toFloat(a) + toFloat(b);
}

export function subtract(a: PythonNumber, b: PythonNumber): PythonNumber {
  return isInt(a) && isInt(b) ? a - b : toFloat(a) - toFloat(b);
}

export function multiply(a: PythonNumber, b: PythonNumber): PythonNumber {
  if (isInt(a) && isInt(b)) {
    refuseHuge(bitLength(a) + bitLength(b));
    return a * b;
  }
  return toFloat(a) * toFloat(b);
}

/** a / b: for two ints the correctly rounded quotient, as CPython computes it. */
export function trueDivide(a: PythonNumber, b: PythonNumber): number {
  if (isInt(a) && isInt(b)) {
    refuseZero(b, 'division by zero');
    return divideInts(a, b);
  }
  const [x, y] = [toFloat(a), toFloat(b)];
  refuseZero(y, 'division by zero');
  return x / y;
}

/** a // b by Python's rules for ints and for floats. */
export function floorDivide(a: PythonNumber, b: PythonNumber): PythonNumber {
  if (isInt(a) && isInt(b)) {
    refuseZero(b, 'division by zero');
    const quotient = a / b;
    return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
  }
  const x = toFloat(a);
  const y = toFloat(b);
  refuseZero(y, 'division by zero');
  let remainder = x % y;
  let quotient = (x - remainder) / y;
  if (remainder !== 0 && y < 0 !== remainder < 0) {
    remainder += y;
    quotient -= 1;
  }
  if (quotient === 0) {
    return x / y > 0 || Object.is(x / y, 0) ? 0 : -0;
  }
  const floored = Math.floor(quotient);
  return quotient - floored > 0.5 ? floored + 1 : floored;
}

/** a % b: has the sign of b. */
export function modulo(a: PythonNumber, b: PythonNumber): PythonNumber {
  if (isInt(a) && isInt(b)) {
    refuseZero(b, 'modulo by zero');
    const remainder = a % b;
    return remainder !== 0n && remainder < 0n !== b < 0n ? remainder + b : remainder;
  }
  const x = toFloat(a);
  const y = toFloat(b);
  refuseZero(y, 'modulo by zero');
  const remainder = x % y;
  if (remainder === 0) {
    return y < 0 ? -0 : 0;
  }
  return remainder < 0 !== y < 0 ? remainder + y : remainder;
}

/** a ** b. A negative int exponent gives a float; a negative base with a fraction is refused. */
export function power(a: PythonNumber, b: PythonNumber): PythonNumber {
  if (isInt(a) && isInt(b) && b >= 0n) {
    refuseHuge(bitLength(a) * (b > maximumBits ? maximumBits : b));
    return a ** b;
  }
  return floatPower(toFloat(a), toFloat(b));
}

function floatPower(base: number, exponent: number): number {
  if (base === 0 && exponent < 0 && exponent !== -Infinity) {
    throw new PythonArithmeticError(
      'ZeroDivisionError',
      '0.0 cannot be raised to a negative power',
    );
  }
  if (base === 1 || (base === -1 && Math.abs(exponent) === Infinity)) {
    return 1;
  }
  const result = wholePower(base, exponent) ?? base ** exponent;
  if (Number.isNaN(result) && !Number.isNaN(base) && !Number.isNaN(exponent)) {
    throw new PythonArithmeticError('ValueError', 'a complex result is outside this arithmetic');
  }
  if (!Number.isFinite(result) && Number.isFinite(base) && Number.isFinite(exponent)) {
    throw new PythonArithmeticError('OverflowError', 'numerical result out of range');
  }
  return result;
}

/** The correctly rounded power for a whole exponent of usual size: JavaScript's own is often one off. */
function wholePower(base: number, exponent: number): number | undefined {
  if (!Number.isInteger(exponent) || Math.abs(exponent) > 64 || !Number.isFinite(base)) {
    return undefined;
  }
  const [numerator, denominator] = ratio(base);
  const count = BigInt(Math.abs(exponent));
  const above = numerator ** count;
  const below = denominator ** count;
  if (above === 0n) {
    return base ** exponent;
  }
  return exponent < 0 ? divideInts(below, above) : divideInts(above, below);
}

/** a << b for ints. */
export function shiftLeft(a: bigint, b: bigint): bigint {
  if (b < 0n) {
    throw new PythonArithmeticError('ValueError', 'negative shift count');
  }
  refuseHuge(bitLength(a) + b);
  return a << b;
}

/** a >> b for ints. */
export function shiftRight(a: bigint, b: bigint): bigint {
  if (b < 0n) {
    throw new PythonArithmeticError('ValueError', 'negative shift count');
  }
  return a >> b;
}

/** round(value): to the nearest int, ties to even. */
export function roundToInt(value: PythonNumber): bigint {
  if (isInt(value)) {
    return value;
  }
  const floor = Math.floor(value);
  const above = value - floor;
  const nearest =
    above < 0.5 || (above === 0.5 && floor % 2 === 0)
      ? floor
      : Number.isFinite(floor)
        ? floor + 1
        : floor;
  return toInt(nearest);
}

/** round(value, digits): of a float the correctly rounded decimal, ties to even, as CPython's. */
export function roundToDigits(value: PythonNumber, digits: bigint): PythonNumber {
  if (isInt(value)) {
    if (digits >= 0n) {
      return value;
    }
    refuseHuge(-digits * 4n);
    const unit = 10n ** -digits;
    return roundRatio(value, unit) * unit;
  }
  if (!Number.isFinite(value) || value === 0 || digits > 323n) {
    return value;
  }
  if (digits < -308n) {
    return value < 0 ? -0 : 0;
  }
  const [numerator, denominator] = ratio(value);
  const scaled =
    digits >= 0n
      ? roundRatio(numerator * 10n ** digits, denominator)
      : roundRatio(numerator, denominator * 10n ** -digits);
  const rounded = Number(`${scaled}e${-digits}`);
  if (!Number.isFinite(rounded)) {
    throw new PythonArithmeticError('OverflowError', 'rounded value too large to represent');
  }
  return rounded === 0 && value < 0 ? -0 : rounded;
}

/** The exact value of a finite float as a ratio of ints with a positive denominator. */
export function ratio(value: number): readonly [numerator: bigint, denominator: bigint] {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const raw = bits.getBigUint64(0);
  const exponentBits = (raw >> 52n) & 0x7ffn;
  const fraction = raw & 0xfffffffffffffn;
  const mantissa = exponentBits === 0n ? fraction : fraction | (1n << 52n);
  const exponent = (exponentBits === 0n ? 1n : exponentBits) - 1075n;
  const signed = value < 0 ? -mantissa : mantissa;
  return exponent >= 0n ? [signed << exponent, 1n] : [signed, 1n << -exponent];
}

/** numerator / denominator (positive) to the nearest int, ties to even. */
function roundRatio(numerator: bigint, denominator: bigint): bigint {
  const floor = floorDivide(numerator, denominator) as bigint;
  const twice = (numerator - floor * denominator) * 2n;
  return twice < denominator || (twice === denominator && floor % 2n === 0n) ? floor : floor + 1n;
}

/** a / b (not zero) rounded once to float64, ties to even. */
function divideInts(a: bigint, b: bigint): number {
  const negative = a < 0n !== b < 0n;
  const x = a < 0n ? -a : a;
  const y = b < 0n ? -b : b;
  const magnitude = bitLength(x) - bitLength(y);
  const result =
    magnitude < -1021n
      ? Number(roundRatio(x << 1074n, y)) * Number.MIN_VALUE
      : divideNormal(x, y, magnitude);
  if (!Number.isFinite(result)) {
    throw new PythonArithmeticError(
      'OverflowError',
      'integer division result too large for a float',
    );
  }
  return negative ? -result : result;
}

/** x / y where the quotient is not subnormal, or is just about 2^-1022. */
function divideNormal(x: bigint, y: bigint, magnitude: bigint): number {
  // 66 bits of quotient hold every rounding decision; a sticky bit says whether anything is left.
  const shift = 66n - magnitude;
  const scaledX = shift > 0n ? x << shift : x;
  const scaledY = shift < 0n ? y << -shift : y;
  const sticky = scaledX % scaledY === 0n ? 0n : 1n;
  const mantissa = Number(((scaledX / scaledY) << 1n) | sticky);
  // In two steps, since 2^-shift alone can be out of range.
  const exponent = -Number(shift) - 1;
  const half = Math.trunc(exponent / 2);
  return mantissa * 2 ** half * 2 ** (exponent - half);
}

function bitLength(value: bigint): bigint {
  return BigInt((value < 0n ? -value : value).toString(2).length);
}

function refuseZero(divisor: PythonNumber, message: string): void {
  if (divisor == 0) {
    throw new PythonArithmeticError('ZeroDivisionError', message);
  }
}

function refuseHuge(bits: bigint): void {
  if (bits > maximumBits) {
    throw new PythonArithmeticError('OverflowError', 'integer beyond the supported size');
  }
}
