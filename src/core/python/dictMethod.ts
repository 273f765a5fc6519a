/** Methods of dicts. One that is not known here may change the dict. */
import type { BuiltinCall } from './builtinCall';
import { keyOf } from './evaluate';
import { PythonRaise } from './machine';
import type { DictValue, Value } from './value';
import { none, text } from './value';

/** Undefined where the result is not known. */
export function dictMethod(
  call: BuiltinCall,
  receiver: DictValue,
  name: string,
): Value | undefined {
  const {
    machine,
    positional: [first, second],
  } = call;
  const lose = (): Value | undefined => {
    machine.heap.set(receiver.id, { kind: 'lost', missing: [call.source] });
    return undefined;
  };
  const content = machine.heap.get(receiver.id);
  if (content?.kind !== 'entries') {
    return undefined;
  }
  const all = [...content.entries.values()];
  const key = first && keyOf(machine, first);
  const put = (entries: typeof content.entries): void => {
    machine.heap.set(receiver.id, { kind: 'entries', entries });
  };
  switch (name) {
    case 'get':
      return key === undefined ? undefined : (content.entries.get(key)?.[1] ?? second ?? none);
    case 'setdefault': {
      const known = key === undefined ? undefined : content.entries.get(key)?.[1];
      if (first === undefined || key === undefined || known !== undefined) {
        return known ?? lose();
      }
      put(new Map([...content.entries, [key, [first, second ?? none]]]));
      return second ?? none;
    }
    case 'pop': {
      const found = key === undefined ? undefined : content.entries.get(key)?.[1];
      if (key === undefined) {
        return lose();
      }
      if (found === undefined && second === undefined) {
        throw new PythonRaise({ kind: 'exception', name: 'KeyError', message: first });
      }
      put(new Map([...content.entries].filter(([other]) => other !== key)));
      return found ?? second;
    }
    case 'clear':
      put(new Map());
      return none;
    case 'update': {
      const more = first?.kind === 'dict' ? machine.heap.get(first.id) : undefined;
      if (first !== undefined && more?.kind !== 'entries') {
        lose();
        return none;
      }
      const named = [...call.named].map(
        ([name, value]) => [`s${name}`, [text(name), value] as const] as const,
      );
      put(
        new Map([...content.entries, ...(more?.kind === 'entries' ? more.entries : []), ...named]),
      );
      return none;
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
      return lose();
  }
}
