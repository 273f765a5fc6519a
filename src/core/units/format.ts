/**
 * How numbers are written, for every surface: significant digits that the interval supports, the
 * unit always beside the number, exact bytes on demand. No sentences, only numbers.
 */
import type { Interval } from './interval';
import { isPoint } from './interval';
import type { Quantity } from './quantity';
import { singleValue } from './quantity';
import { bytesPer, units } from './unit';

/** What the user prefers to see. */
export interface FormatOptions {
  /** BCP 47 tag for digit grouping. */
  readonly locale: string;
  /** `bytes` adds exact bytes to amounts of memory; `decimal` adds GB (10^9). */
  readonly alsoShow: 'nothing' | 'bytes' | 'decimal';
}

export const defaultFormat: FormatOptions = { locale: 'en-US', alsoShow: 'nothing' };

/** Decimals for a unit where the value itself does not say. */
const decimalsOfUnit: Readonly<Record<string, number>> = {
  GiB: 2,
  GB: 2,
  MiB: 0,
  KiB: 0,
  B: 0,
  'B/token': 0,
  token: 0,
  'token/s': 1,
  request: 0,
  s: 1,
  '1': 4,
};

function decimalsFor(quantity: Quantity): number {
  const usual = decimalsOfUnit[quantity.unit.name] ?? 3;
  const { lo, hi } = quantity.interval;
  const size = Math.max(Math.abs(lo), Math.abs(hi));
  const shown = quantity.exact === undefined ? quantity.printed : undefined;
  if (shown !== undefined) {
    // A number that was rounded to three decimals is known to within a thousandth.
    const printed = hi > lo ? Math.round(-Math.log10(hi - lo)) : decimalsIn(shown);
    return Math.max(usual, Math.min(printed, 3));
  }
  // 2.44 MiB would be shown as 2.
  if (quantity.unit === units.MiB && size < 1000 && !Number.isInteger(singleValue(quantity))) {
    return 2;
  }
  // 0.0004 GiB would be shown as 0.00.
  return quantity.unit === units.GiB && size < 0.1 && lo * hi > 0 ? 4 : usual;
}

function decimalsIn(value: number): number {
  return String(value).split('.')[1]?.length ?? 0;
}

/** A number with grouped digits and this many decimals; what rounds to zero has no sign. */
export function formatNumber(value: number, decimals: number, options: FormatOptions): string {
  return digits(value, decimals, decimals, options);
}

function digits(value: number, fewest: number, most: number, options: FormatOptions): string {
  return value.toLocaleString(options.locale, {
    minimumFractionDigits: fewest,
    maximumFractionDigits: most,
    signDisplay: 'negative',
  });
}

/** Plain numbers end at their last digit that is not zero. */
function trimmed(value: number, decimals: number, quantity: Quantity, options: FormatOptions) {
  return digits(value, quantity.unit === units.one ? 0 : decimals, decimals, options);
}

/** The unit as it follows a number; nothing for plain numbers. */
export function unitSuffix(quantity: Quantity): string {
  switch (quantity.unit) {
    case units.one:
      return '';
    case units.token:
      return singleValue(quantity) === 1 ? ' token' : ' tokens';
    case units.request:
      return singleValue(quantity) === 1 ? ' request' : ' requests';
    default:
      return ` ${quantity.unit.name}`;
  }
}

/**
 * The amount with its unit: one number where it is known to the digits shown, otherwise the
 * interval `10.41…10.43 GiB`, behind the value that the printed numbers give where there is one
 * (`≈ 10.42 GiB (10.41…10.43)`), or a one-sided bound `≥ 10.41 GiB`.
 */
export function formatQuantity(quantity: Quantity, options: FormatOptions = defaultFormat): string {
  const about = nominalText(quantity, options);
  const amount = formatAmount(quantity, options);
  const shown =
    about === undefined
      ? `${amount}${unitSuffix(quantity)}`
      : `${about}${unitSuffix(quantity)} (${amount})`;
  return `${shown}${alsoShown(quantity, options)}`;
}

/** `≈ 159,171` where the printed numbers give one value inside a visibly wider interval. */
function nominalText(quantity: Quantity, options: FormatOptions): string | undefined {
  const { interval, nominal } = quantity;
  const decimals = decimalsFor(quantity);
  const write = (value: number): string => trimmed(value, decimals, quantity, options);
  const isSingle = singleValue(quantity) !== undefined || write(interval.lo) === write(interval.hi);
  return isSingle || nominal === undefined ? undefined : `≈ ${write(nominal)}`;
}

/** As formatQuantity without the unit. */
export function formatAmount(quantity: Quantity, options: FormatOptions = defaultFormat): string {
  const { interval } = quantity;
  const decimals = decimalsFor(quantity);
  const write = (value: number): string => trimmed(value, decimals, quantity, options);
  const only = singleValue(quantity);
  if (only !== undefined) {
    return write(only);
  }
  if (interval.lo === -Infinity) {
    return `≤ ${write(interval.hi)}`;
  }
  if (interval.hi === Infinity) {
    return `≥ ${write(interval.lo)}`;
  }
  const lo = write(roundDown(interval.lo, decimals));
  const hi = write(roundUp(interval.hi, decimals));
  return write(interval.lo) === write(interval.hi) ? write(interval.lo) : `${lo}…${hi}`;
}

/**
 * Short form for a place with little room: the nominal value marked with `≈` when the interval is
 * wider than the digits shown.
 */
export function formatShort(quantity: Quantity, options: FormatOptions = defaultFormat): string {
  const amount = nominalText(quantity, options) ?? formatAmount(quantity, options);
  return `${amount}${unitSuffix(quantity)}`;
}

/**
 * The nominal value and how far the truth may be from it: `≈ 159,171 tokens (±9)`, or both bounds
 * where they are not alike: `≈ 94.00 GiB (93.99…94.11)`. As formatQuantity where one number is known,
 * or none.
 */
export function formatSpread(quantity: Quantity, options: FormatOptions = defaultFormat): string {
  const { interval, nominal } = quantity;
  const decimals = decimalsFor(quantity);
  const write = (value: number): string => trimmed(value, decimals, quantity, options);
  const below = nominal === undefined ? NaN : nominal - interval.lo;
  const above = nominal === undefined ? NaN : interval.hi - nominal;
  const isInside = below >= 0 && above >= 0 && Number.isFinite(below + above);
  const isSingle = singleValue(quantity) !== undefined || write(interval.lo) === write(interval.hi);
  if (nominal === undefined || !isInside || isSingle) {
    return formatQuantity(quantity, options);
  }
  const widest = Math.max(below, above);
  const isLopsided = widest > 2 * Math.min(below, above) + 10 ** -decimals;
  const spread = isLopsided
    ? formatAmount(quantity, options)
    : `±${write(roundUp(widest, decimals))}`;
  return `≈ ${write(nominal)}${unitSuffix(quantity)} (${spread})${alsoShown(quantity, options)}`;
}

function alsoShown(quantity: Quantity, options: FormatOptions): string {
  const bytes = options.alsoShow === 'nothing' ? undefined : bytesOf(quantity);
  if (bytes === undefined) {
    return '';
  }
  if (options.alsoShow === 'decimal') {
    return ` (${span(bytes, 1e9, 2, options)} GB)`;
  }
  return ` (${span(bytes, 1, 0, options)} B)`;
}

function span(bytes: Interval, per: number, decimals: number, options: FormatOptions): string {
  const lo = formatNumber(bytes.lo / per, decimals, options);
  const hi = formatNumber(bytes.hi / per, decimals, options);
  return isPoint(bytes) || lo === hi ? lo : `${lo}…${hi}`;
}

/** An amount of memory in whole bytes; undefined for other units and for plain bytes. */
export function bytesOf({ unit, interval: { lo, hi } }: Quantity): Interval | undefined {
  const scale = unit.isMemory ? unit.byteScale : undefined;
  const per = scale === undefined || scale === 'B' ? undefined : Number(bytesPer(scale));
  return per === undefined || !Number.isFinite(lo) || !Number.isFinite(hi)
    ? undefined
    : { lo: Math.floor(lo * per), hi: Math.ceil(hi * per) };
}

function roundDown(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.floor(value * scale + 1e-9) / scale;
}

function roundUp(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.ceil(value * scale - 1e-9) / scale;
}
