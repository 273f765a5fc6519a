/**
 * How Python writes numbers: `repr` of ints, floats and bools, and the format language of f-strings
 * for numbers and texts. Undefined means a format that is not covered; nothing is approximated.
 */
import type { PythonNumber } from '../units/pythonNumber';
import { isInt, ratio, toFloat } from '../units/pythonNumber';

/** repr(float): the shortest digits that read back as the same float. */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) {
    return 'nan';
  }
  if (!Number.isFinite(value)) {
    return value < 0 ? '-inf' : 'inf';
  }
  if (value === 0) {
    return Object.is(value, -0) ? '-0.0' : '0.0';
  }
  const [mantissa = '0', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  const digits = mantissa.replace('-', '').replace('.', '');
  const sign = value < 0 ? '-' : '';
  if (exponent < -4 || exponent >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    return `${sign}${digits.slice(0, 1)}${fraction}e${exponentSuffix(exponent)}`;
  }
  if (exponent < 0) {
    return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  }
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
}

function exponentSuffix(exponent: number): string {
  const size = Math.abs(exponent).toString().padStart(2, '0');
  return `${exponent < 0 ? '-' : '+'}${size}`;
}

/** str() and repr() of a number, which Python makes alike. */
export function numberRepr(value: PythonNumber, isBoolean = false): string {
  if (isBoolean) {
    return value == 0 ? 'False' : 'True';
  }
  return isInt(value) ? value.toString() : floatRepr(value);
}

/** repr() of a str. */
export function textRepr(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll(quote, `\\${quote}`);
  return `${quote}${escaped}${quote}`;
}

const specification =
  /^(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/s;

interface FormatSpecification {
  readonly fill: string;
  readonly align: string | undefined;
  readonly sign: string;
  readonly isSigned: boolean;
  readonly width: number;
  readonly grouping: string;
  readonly precision: number | undefined;
  readonly type: string | undefined;
  readonly alternate: boolean;
}

function readSpecification(text: string): FormatSpecification | undefined {
  const match = specification.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, fill, align, sign, , alternate, zero, width, grouping, precision, type] = match;
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? (zero === undefined ? undefined : '='),
    sign: sign ?? '-',
    isSigned: sign !== undefined || (align === '=' && zero === undefined),
    width: Number(width ?? 0),
    grouping: grouping ?? '',
    precision: precision === undefined ? undefined : Number(precision),
    type,
    alternate: alternate !== undefined,
  };
}

/** format(text, spec). */
export function formatText(value: string, spec: string): string | undefined {
  const read = readSpecification(spec);
  const isPlain = read?.type === undefined || read.type === 's';
  if (read === undefined || !isPlain || read.grouping !== '' || read.isSigned) {
    return undefined;
  }
  const cut = read.precision === undefined ? value : value.slice(0, read.precision);
  return aligned('', cut, { ...read, align: read.align === '=' ? '<' : read.align }, '<');
}

/** format(number, spec). */
export function formatNumberLikePython(
  value: PythonNumber,
  spec: string,
  isBoolean = false,
): string | undefined {
  if (spec === '') {
    return numberRepr(value, isBoolean);
  }
  const read = readSpecification(spec);
  if (read === undefined || read.alternate || read.type === 'n' || read.type === 's') {
    return undefined;
  }
  const isNegative = value < 0 || Object.is(value, -0);
  const size = isNegative ? (isInt(value) ? -value : -value) : value;
  const body = magnitude(size, read);
  if (body === undefined) {
    return undefined;
  }
  const sign = isNegative ? '-' : read.sign === '-' ? '' : read.sign;
  const grouped = group(body, read);
  return grouped === undefined ? undefined : aligned(sign, grouped, read, '>');
}

function magnitude(size: PythonNumber, read: FormatSpecification): string | undefined {
  const { type, precision } = read;
  if (isInt(size) && (type === undefined || type === 'd')) {
    return precision === undefined ? size.toString() : undefined;
  }
  if (type !== undefined && 'bcoxX'.includes(type)) {
    return isInt(size) && precision === undefined ? integerDigits(size, type) : undefined;
  }
  if (type === 'd') {
    return undefined;
  }
  const float = toFloat(size);
  if (!Number.isFinite(float)) {
    return Number.isNaN(float) ? 'nan' : 'inf';
  }
  switch (type) {
    case undefined:
      return precision === undefined ? floatRepr(float) : general(float, precision, true);
    case 'f':
    case 'F':
      return fixed(float, precision ?? 6);
    case '%':
      return `${fixed(float * 100, precision ?? 6)}%`;
    case 'e':
    case 'E': {
      const [mantissa, exponent] = scientific(float, precision ?? 6);
      return `${mantissa}${type}${exponentSuffix(Number(exponent))}`;
    }
    case 'g':
    case 'G': {
      const written = general(float, precision ?? 6, false);
      return type === 'G' ? written.toUpperCase() : written;
    }
    default:
      return undefined;
  }
}

function integerDigits(size: bigint, type: string): string | undefined {
  switch (type) {
    case 'b':
      return size.toString(2);
    case 'o':
      return size.toString(8);
    case 'x':
      return size.toString(16);
    case 'X':
      return size.toString(16).toUpperCase();
    default:
      return undefined;
  }
}

/** Exactly rounded decimals, ties to even. */
function fixed(value: number, decimals: number): string {
  const [numerator, denominator] = ratio(value);
  const scaled = roundRatio(numerator * 10n ** BigInt(decimals), denominator);
  const digits = scaled.toString().padStart(decimals + 1, '0');
  return decimals === 0
    ? digits
    : `${digits.slice(0, -decimals)}.${digits.slice(digits.length - decimals)}`;
}

function roundRatio(numerator: bigint, denominator: bigint): bigint {
  const floor = numerator / denominator;
  const twice = (numerator - floor * denominator) * 2n;
  return twice < denominator || (twice === denominator && floor % 2n === 0n) ? floor : floor + 1n;
}

/** Mantissa with `decimals` decimals and the exponent, exactly rounded. */
function scientific(value: number, decimals: number): readonly [string, string] {
  if (value === 0) {
    return [fixed(0, decimals), '0'];
  }
  let exponent = Math.floor(Math.log10(value));
  for (;;) {
    const [numerator, denominator] = ratio(value);
    const shift = decimals - exponent;
    const scaled =
      shift >= 0
        ? roundRatio(numerator * 10n ** BigInt(shift), denominator)
        : roundRatio(numerator, denominator * 10n ** BigInt(-shift));
    const digits = scaled.toString();
    if (digits.length === decimals + 1) {
      const mantissa = decimals === 0 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`;
      return [mantissa, exponent.toString()];
    }
    exponent += digits.length > decimals + 1 ? 1 : -1;
  }
}

function general(value: number, precision: number, keepPoint: boolean): string {
  const significant = Math.max(1, precision);
  const [, exponentText] = scientific(value, significant - 1);
  const exponent = Number(exponentText);
  // Without a type, Python keeps one digit behind the point, so its exponent form starts earlier.
  if (exponent < -4 || exponent >= significant - (keepPoint ? 1 : 0)) {
    const [mantissa] = scientific(value, significant - 1);
    return `${trimZeros(mantissa)}e${exponentSuffix(exponent)}`;
  }
  const written = trimZeros(fixed(value, significant - 1 - exponent));
  return keepPoint && !written.includes('.') ? `${written}.0` : written;
}

function trimZeros(written: string): string {
  return written.includes('.') ? written.replace(/\.?0+$/, '') : written;
}

function group(body: string, { grouping, type }: FormatSpecification): string | undefined {
  if (grouping === '') {
    return body;
  }
  if (type !== undefined && 'bcoxX'.includes(type)) {
    return undefined;
  }
  const [, whole = '', rest = ''] = /^(\d*)(.*)$/s.exec(body) ?? [];
  return whole.replace(/\B(?=(\d{3})+$)/g, grouping) + rest;
}

function aligned(
  sign: string,
  body: string,
  { fill, align, width, grouping }: FormatSpecification,
  usual: string,
): string | undefined {
  const missing = width - Array.from(sign + body).length;
  if (missing <= 0) {
    return sign + body;
  }
  const before = align === '^' ? Math.floor(missing / 2) : missing;
  switch (align ?? usual) {
    case '<':
      return sign + body + fill.repeat(missing);
    case '^':
      return fill.repeat(before) + sign + body + fill.repeat(missing - before);
    case '=':
      // Zeros between grouped digits would be grouped as well.
      return grouping !== '' && fill === '0' ? undefined : sign + fill.repeat(missing) + body;
    default:
      return fill.repeat(missing) + sign + body;
  }
}
