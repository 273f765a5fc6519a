/** f-strings and str(): texts with their values written as Python writes them. */
import { evaluate } from './evaluate';
import type { Frame, Machine } from './machine';
import { sourceOf } from './machine';
import { mergeParts } from './operation';
import { formatNumberLikePython, formatText, numberRepr, textRepr } from './pythonFormat';
import type { StringPart } from './syntax';
import type { TextGap, TextValue, Value } from './value';
import { plainText } from './value';

/** The text of a literal; values that are not known stay as gaps. */
export function evaluateString(
  machine: Machine,
  frame: Frame,
  parts: readonly StringPart[],
): TextValue {
  const made = parts.flatMap((part): (string | TextGap)[] => {
    if (typeof part === 'string') {
      return [part];
    }
    const value = evaluate(machine, frame, part.value);
    const source = sourceOf(frame.module, part.value);
    const spec =
      part.format.length === 0 ? '' : plainText(evaluateString(machine, frame, part.format));
    // `{x=}` shows repr(x) unless a format is given.
    const conversion =
      part.conversion ?? (part.debug !== undefined && part.format.length === 0 ? 'r' : undefined);
    const written = spec === undefined ? undefined : formatted(machine, value, conversion, spec);
    const shown: (string | TextGap)[] =
      written === undefined
        ? value.kind === 'text' && spec === '' && conversion === undefined
          ? [...value.parts]
          : [{ value, source, ...(spec !== undefined && { format: spec }) }]
        : [written];
    return part.debug === undefined ? shown : [part.debug, ...shown];
  });
  return { kind: 'text', parts: mergeParts(made) };
}

function formatted(
  machine: Machine,
  value: Value,
  conversion: 'r' | 's' | 'a' | undefined,
  spec: string,
): string | undefined {
  if (conversion !== undefined) {
    const text = conversion === 's' ? strOf(machine, value) : reprOf(machine, value);
    return text === undefined ? undefined : formatText(text, spec);
  }
  if (value.kind === 'number') {
    const exact = machine.valuation.exact(value.term);
    if (exact !== undefined) {
      return formatNumberLikePython(exact, spec, value.isBoolean);
    }
    const [lo, hi] = formattedBounds(machine, value, spec) ?? [];
    return lo === hi ? lo : undefined;
  }
  const text = strOf(machine, value);
  return text === undefined ? undefined : formatText(text, spec);
}

/**
 * Both bounds of a number that is not exact, by a format that rounds to decimals and so keeps their
 * order; undefined without bounds or for other formats.
 */
export function formattedBounds(
  machine: Machine,
  value: Value,
  spec: string,
): readonly [string, string] | undefined {
  if (value.kind !== 'number' || value.isBoolean || !/\.\d+[f%]$/.test(spec)) {
    return undefined;
  }
  const { lo, hi } = machine.valuation.interval(value.term);
  const [low, high] = [lo, hi].map(one =>
    Number.isFinite(one) ? formatNumberLikePython(one, spec, false) : undefined,
  );
  return low === undefined || high === undefined ? undefined : [low, high];
}

/** str(value); undefined where it is not known. */
export function strOf(machine: Machine, value: Value): string | undefined {
  if (value.kind === 'text') {
    return plainText(value);
  }
  if (value.kind !== 'exception') {
    return reprOf(machine, value);
  }
  // The text of a KeyError is the key as the source would write it.
  const write = value.name === 'KeyError' ? reprOf : strOf;
  return value.message === undefined ? '' : write(machine, value.message);
}

/** repr(value); undefined where it is not known. */
export function reprOf(machine: Machine, value: Value): string | undefined {
  const list = (items: readonly Value[]): string | undefined => {
    const written = items.map(item => reprOf(machine, item));
    return written.includes(undefined) ? undefined : written.join(', ');
  };
  switch (value.kind) {
    case 'number': {
      const exact = machine.valuation.exact(value.term);
      return exact === undefined ? undefined : numberRepr(exact, value.isBoolean);
    }
    case 'text': {
      const text = plainText(value);
      return text === undefined ? undefined : textRepr(text);
    }
    case 'none':
      return 'None';
    case 'tuple': {
      const inner = list(value.items);
      return inner === undefined ? undefined : `(${inner}${value.items.length === 1 ? ',' : ''})`;
    }
    case 'list': {
      const content = machine.heap.get(value.id);
      const inner = content?.kind === 'items' ? list(content.items) : undefined;
      return inner === undefined ? undefined : `[${inner}]`;
    }
    case 'dict': {
      const content = machine.heap.get(value.id);
      if (content?.kind !== 'entries') {
        return undefined;
      }
      const entries = [...content.entries.values()].map(([key, item]) => {
        const [left, right] = [reprOf(machine, key), reprOf(machine, item)];
        return left === undefined || right === undefined ? undefined : `${left}: ${right}`;
      });
      return entries.includes(undefined) ? undefined : `{${entries.join(', ')}}`;
    }
    default:
      return undefined;
  }
}
