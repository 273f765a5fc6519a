/** Methods of texts and numbers, where the receiver is known; those of collections have files of their own. */
import type { BuiltinCall } from './builtinCall';
import { dictMethod } from './dictMethod';
import { itemsOf } from './evaluate';
import { mergeParts } from './operation';
import { sequenceMethod } from './sequenceMethod';
import type { NumberValue, TextGap, Value } from './value';
import { boolean, numberOf, plainText, text } from './value';

const methodNames: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set([
    'lower',
    'upper',
    'strip',
    'startswith',
    'endswith',
    'split',
    'join',
    'replace',
    'removeprefix',
    'removesuffix',
  ]),
  tuple: new Set(['index', 'count']),
  number: new Set(['item', 'to', 'cpu', 'cuda', 'is_integer', 'bit_length']),
};

/** Whatever is called on a list, set or dict may change it, so that all of it is a method. */
export function isBuiltinMethod({ kind }: Value, name: string): boolean {
  return (
    kind === 'list' || kind === 'set' || kind === 'dict' || methodNames[kind]?.has(name) === true
  );
}

/** Undefined where the result is not known. */
export function callMethod(call: BuiltinCall, receiver: Value, name: string): Value | undefined {
  switch (receiver.kind) {
    case 'text':
      return textMethod(call, receiver, name);
    case 'list':
    case 'set':
    case 'tuple':
      return sequenceMethod(call, receiver, name);
    case 'dict':
      return dictMethod(call, receiver, name);
    case 'number':
      return numberMethod(call, receiver, name);
    default:
      return undefined;
  }
}

function numberMethod(call: BuiltinCall, receiver: NumberValue, name: string) {
  const exact = call.machine.valuation.exact(receiver.term);
  if (name === 'is_integer' || name === 'bit_length') {
    if (exact === undefined) {
      return undefined;
    }
    return name === 'is_integer'
      ? boolean(Number.isInteger(Number(exact)))
      : typeof exact === 'bigint'
        ? numberOf(BigInt(exact === 0n ? 0 : (exact < 0n ? -exact : exact).toString(2).length))
        : undefined;
  }
  // A tensor that a library made of a number is that number.
  return receiver;
}

function textMethod(call: BuiltinCall, receiver: Value, name: string): Value | undefined {
  const own = plainText(receiver);
  const [first, second] = call.positional;
  if (name === 'join' && own !== undefined && first !== undefined) {
    return joinTexts(call, own, first);
  }
  const given = call.positional.map(value => plainText(value));
  const [a, b] = given;
  if (own === undefined || (first !== undefined && a === undefined && first.kind !== 'tuple')) {
    return undefined;
  }
  switch (name) {
    case 'lower':
      return text(own.toLowerCase());
    case 'upper':
      return text(own.toUpperCase());
    case 'strip':
      return a === undefined ? text(own.trim()) : undefined;
    case 'startswith':
    case 'endswith': {
      const ends = first?.kind === 'tuple' ? first.items.map(plainText) : [a];
      const known = ends.filter((end): end is string => end !== undefined);
      const found = known.some(end =>
        name === 'startswith' ? own.startsWith(end) : own.endsWith(end),
      );
      return found || known.length === ends.length ? boolean(found) : undefined;
    }
    case 'split': {
      const parts = a === undefined ? own.trim().split(/\s+/).filter(Boolean) : own.split(a);
      return second === undefined
        ? { kind: 'list', id: call.machine.allocate({ kind: 'items', items: parts.map(text) }) }
        : undefined;
    }
    case 'replace':
      return a !== undefined && b !== undefined && a !== ''
        ? text(own.replaceAll(a, b))
        : undefined;
    case 'removeprefix':
      return a === undefined ? undefined : text(own.startsWith(a) ? own.slice(a.length) : own);
    case 'removesuffix':
      return a === undefined
        ? undefined
        : text(a !== '' && own.endsWith(a) ? own.slice(0, -a.length) : own);
    default:
      return undefined;
  }
}

function joinTexts(call: BuiltinCall, separator: string, list: Value): Value | undefined {
  const items = itemsOf(call.machine, list);
  if (items?.every(item => item.kind === 'text') !== true) {
    return undefined;
  }
  const parts = items.flatMap((item, at): (string | TextGap)[] => [
    ...(at === 0 ? [] : [separator]),
    ...item.parts,
  ]);
  return { kind: 'text', parts: mergeParts(parts) };
}
