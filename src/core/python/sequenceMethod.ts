/** Methods of lists, tuples and sets. One that is not known here may change what it is called on. */
import type { BuiltinCall } from './builtinCall';
import { distinct } from './comprehension';
import { itemsOf, keyOf } from './evaluate';
import { inOrder } from './ordering';
import type { CollectionValue, TupleValue, Value } from './value';
import { none, numberOf } from './value';

/** Undefined where the result is not known. */
export function sequenceMethod(
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
    case 'reverse':
      put(items?.toReversed());
      return none;
    case 'sort':
      put(items && inOrder(call, items));
      return none;
    case 'clear':
      put([]);
      return none;
    case 'union':
      return undefined;
    default:
      put(undefined);
      return undefined;
  }
}
