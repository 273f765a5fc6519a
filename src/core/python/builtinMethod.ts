/** Methods of texts, sequences, dicts and numbers, where the receiver is known. */
import type { BuiltinCall } from './builtin';
import { distinct } from './comprehension';
import { itemsOf, keyOf } from './evaluate';
import { mergeParts } from './operation';
import type { CollectionValue, DictValue, NumberValue, TextGap, TupleValue, Value } from './value';
import { boolean, none, numberOf, plainText, text } from './value';

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
  list: new Set(['append', 'extend', 'insert', 'pop', 'copy', 'index', 'count']),
  tuple: new Set(['index', 'count']),
  set: new Set(['add', 'copy', 'union']),
  dict: new Set(['get', 'keys', 'values', 'items', 'copy', 'setdefault', 'pop', 'update']),
  number: new Set(['item', 'to', 'cpu', 'cuda', 'is_integer', 'bit_length']),
};

export function isBuiltinMethod(value: Value, name: string): boolean {
  return methodNames[value.kind]?.has(name) === true;
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

function sequenceMethod(
  call: BuiltinCall,
  receiver: CollectionValue | TupleValue,
  name: string,
): Value | undefined {
  const {
    machine,
    positional: [first, second],
  } = call;
  const items = itemsOf(machine, receiver);
  const put = (next: readonly Value[] | undefined): void => {
    if (receiver.kind !== 'tuple') {
      machine.heap.set(
        receiver.id,
        next ? { kind: 'items', items: next } : { kind: 'lost', missing: [call.source] },
      );
    }
  };
  switch (name) {
    case 'append':
      put(items && first && [...items, first]);
      return none;
    case 'add':
      put(items && first && distinct(machine, [...items, first]));
      return none;
    case 'extend': {
      const more = first && itemsOf(machine, first);
      put(items && more && [...items, ...more]);
      return none;
    }
    case 'insert': {
      const at = first?.kind === 'number' ? machine.valuation.exact(first.term) : undefined;
      put(
        items && second && typeof at === 'bigint'
          ? items.toSpliced(Number(at), 0, second)
          : undefined,
      );
      return none;
    }
    case 'pop': {
      const at = first?.kind === 'number' ? machine.valuation.exact(first.term) : -1n;
      const place = typeof at === 'bigint' ? Number(at) : undefined;
      const item = place === undefined ? undefined : items?.at(place);
      put(item && place !== undefined ? items?.toSpliced(place, 1) : undefined);
      return item;
    }
    case 'copy':
      return items && receiver.kind !== 'tuple'
        ? { kind: receiver.kind, id: machine.allocate({ kind: 'items', items }) }
        : undefined;
    case 'index':
    case 'count': {
      const wanted = first && keyOf(machine, first);
      const keys = items?.map(item => keyOf(machine, item));
      if (wanted === undefined || keys === undefined || keys.includes(undefined)) {
        return undefined;
      }
      const at = keys.indexOf(wanted);
      return name === 'count'
        ? numberOf(BigInt(keys.filter(key => key === wanted).length))
        : at === -1
          ? undefined
          : numberOf(BigInt(at));
    }
    default:
      return undefined;
  }
}

function dictMethod(call: BuiltinCall, receiver: DictValue, name: string): Value | undefined {
  const {
    machine,
    positional: [first, second],
  } = call;
  const content = machine.heap.get(receiver.id);
  if (content?.kind !== 'entries') {
    return undefined;
  }
  const all = [...content.entries.values()];
  switch (name) {
    case 'get': {
      const key = first && keyOf(machine, first);
      return key === undefined ? undefined : (content.entries.get(key)?.[1] ?? second ?? none);
    }
    case 'keys':
      return { kind: 'tuple', items: all.map(([key]) => key) };
    case 'values':
      return { kind: 'tuple', items: all.map(([, value]) => value) };
    case 'items':
      return {
        kind: 'tuple',
        items: all.map(([key, value]) => ({ kind: 'tuple', items: [key, value] })),
      };
    case 'copy':
      return { kind: 'dict', id: machine.allocate(content) };
    default:
      machine.heap.set(receiver.id, { kind: 'lost', missing: [call.source] });
      return undefined;
  }
}
