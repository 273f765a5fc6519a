/**
 * Annotations of Python source as text: amounts beside the code, and what a note says. Hovers have a
 * file of their own.
 */
import type { PythonAnnotation } from '../core/annotate/python/annotation';
import { escapeForeign } from '../core/message/escape';
import { bytesOf, formatNumber, formatShort } from '../core/units/format';
import type { Quantity } from '../core/units/quantity';
import { units } from '../core/units/unit';
import { plainAssumptionNames, pythonWords, roleNames } from './pythonWords';
import type { PythonWordId } from './pythonWords';
import type { RenderOptions } from './render';

/** A text of the table in the user's language. */
export function pythonWord(
  id: PythonWordId,
  values: Readonly<Record<string, string>>,
  options: RenderOptions,
): string {
  return options.translate(pythonWords[id], values);
}

/** Bounds this near each other, as a share of their middle, are of one rounded number. */
const nearBounds = 0.01;

/**
 * An amount as it stands beside code: one number with as many decimals as its bounds support, `≈` in
 * front where they leave the last one open. Bounds that are far apart, or on one side only, are shown
 * as such.
 */
export function amountText(quantity: Quantity, options: RenderOptions): string {
  const { exact, ...rest } = quantity;
  const { lo, hi } = quantity.interval;
  const known = exact ?? quantity.printed ?? quantity.nominal;
  const value = known ?? (lo + hi) / 2;
  if (!Number.isFinite(Number(value))) {
    return formatShort(quantity, options.format);
  }
  const write = (printed: number): string => formatShort({ ...rest, printed }, options.format);
  const isOpen = exact === undefined && write(lo) !== write(hi);
  if (isOpen && known === undefined && hi - lo > nearBounds * Math.abs(Number(value))) {
    // The middle of two alternatives is a value that cannot occur.
    return formatShort(rest, options.format);
  }
  return `${isOpen ? '≈ ' : ''}${write(Number(value))}`;
}

/** The same amount in bytes, or bytes in GiB; empty for other units. */
export function otherScale(quantity: Quantity, options: RenderOptions): string {
  const { unit, interval, exact } = quantity;
  if (unit === units.B) {
    const bytes = Number(exact ?? quantity.nominal ?? quantity.printed ?? interval.lo);
    const gib = formatNumber(bytes / 2 ** 30, Math.abs(bytes) < 2 ** 27 ? 6 : 3, options.format);
    return Math.abs(bytes) < 2 ** 20 ? '' : `${gib} GiB`;
  }
  const bytes = bytesOf(quantity);
  if (bytes === undefined) {
    return '';
  }
  const middle = formatNumber(Math.round((bytes.lo + bytes.hi) / 2), 0, options.format);
  const spread = Math.ceil((bytes.hi - bytes.lo) / 2);
  return spread <= 1 ? `${middle} B` : `${middle} ± ${formatNumber(spread, 0, options.format)} B`;
}

/** What an annotation says, without its name: `21.71 GiB`, `: GiB`, `raises ValueError: …`. */
export function annotationText(
  { note, unit, quantity }: PythonAnnotation,
  options: RenderOptions,
): string {
  const code = (text: string): string => escapeForeign(text, options.target);
  const unitName = unit?.name ?? '';
  switch (note.id) {
    case 'value':
      return quantity === undefined ? code(note.text ?? '') : amountText(quantity, options);
    case 'missing': {
      const names = note.missing.map(code).join(', ');
      return unit === undefined
        ? pythonWord('note.needs', { names }, options)
        : pythonWord('note.missing', { unit: unitName, names }, options);
    }
    case 'call':
      return quantity === undefined
        ? pythonWord('note.call', { unit: unitName }, options)
        : amountText(quantity, options);
    case 'raises':
      return pythonWord(
        note.isCertain ? 'note.raises' : 'note.may-raise',
        { text: code(note.text) },
        options,
      );
    case 'mixed-scales': {
      const values = { left: note.left.name, right: note.right.name };
      return pythonWord('note.mixed', values, options);
    }
    case 'unit':
      return pythonWord('note.unit', { unit: unitName }, options);
    case 'by-name':
      return pythonWord(`note.${note.scale}-by-name`, {}, options);
    case 'function': {
      const role = options.translate(roleNames[note.role], {});
      return quantity === undefined ? role : `${role}: ${amountText(quantity, options)}`;
    }
  }
}

/** An assumption as a person reads it; one of the account says itself what it supposes. */
export function assumptionText(id: string, options: RenderOptions): string {
  const name = plainAssumptionNames[id];
  return name === undefined
    ? escapeForeign(id, options.target)
    : pythonWord('assumption.plain', { assumption: options.translate(name, {}) }, options);
}
