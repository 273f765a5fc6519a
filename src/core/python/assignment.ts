/** Binds targets and deletes them: names, attributes, and items of lists and dicts. */
import { writeAttribute } from './attribute';
import { evaluate, givenFor, itemsOf, keyOf, place, unknownOf } from './evaluate';
import type { Frame, Machine } from './machine';
import { PythonRaise, sourceOf } from './machine';
import { binaryOperation } from './operation';
import type { HeapContent } from './scope';
import type { Expression, Statement } from './syntax';
import type { Value } from './value';
import { none, opaque, text } from './value';

type Subscript = Expression & { readonly kind: 'subscript' };
type Entries = (HeapContent & { readonly kind: 'entries' })['entries'];

/** Binds a target. Attributes are remembered; items of known collections are replaced. */
export function assign(machine: Machine, frame: Frame, target: Expression, made: Value): void {
  // A value that is given for the target holds from here on, as it does where the target is read.
  const value = givenFor(machine, frame, target) ?? made;
  frame.trace?.assigned.set(target, value);
  switch (target.kind) {
    case 'name':
      frame.scope.names.set(target.name, value);
      return;
    case 'attribute':
      writeAttribute(machine, evaluate(machine, frame, target.object), target.name, value);
      return;
    case 'subscript':
      changeItem(
        machine,
        frame,
        target,
        (entries, key, index) =>
          new Map([...entries, [key, [entries.get(key)?.[0] ?? index, value]]]),
        (items, at) => items.with(at, value),
      );
      return;
    case 'tuple':
    case 'list':
      unpack(machine, frame, target, value);
      return;
    default:
      return;
  }
}

/** `target += value`, with the values of both sides. Lists are changed in place. */
export function augmented(
  machine: Machine,
  frame: Frame,
  statement: Statement & { kind: 'augment' },
  before: Value,
  value: Value,
): Value {
  if (before.kind === 'list' && statement.operator === '+') {
    const items = itemsOf(machine, before);
    const more = itemsOf(machine, value);
    machine.heap.set(
      before.id,
      items && more
        ? { kind: 'items', items: [...items, ...more] }
        : { kind: 'lost', missing: [sourceOf(frame.module, statement.value)] },
    );
    return before;
  }
  return binaryOperation(
    machine,
    statement.operator,
    before,
    value,
    place(frame, statement.target),
  );
}

/** `del target`. */
export function deleteTarget(machine: Machine, frame: Frame, target: Expression): void {
  switch (target.kind) {
    case 'name':
      frame.scope.names.delete(target.name);
      return;
    case 'attribute': {
      const object = evaluate(machine, frame, target.object);
      writeAttribute(machine, object, target.name, unknownOf(frame, target));
      return;
    }
    case 'subscript':
      changeItem(
        machine,
        frame,
        target,
        (entries, key, index) => {
          if (!entries.has(key)) {
            throw new PythonRaise({ kind: 'exception', name: 'KeyError', message: index });
          }
          return new Map([...entries].filter(([other]) => other !== key));
        },
        (items, at) => items.toSpliced(at, 1),
      );
      return;
    case 'tuple':
    case 'list':
      target.elements.forEach(one => deleteTarget(machine, frame, one));
      return;
    default:
      return;
  }
}

/** Replaces what a known list or dict holds; where the place in it is not known, all of it is lost. */
function changeItem(
  machine: Machine,
  frame: Frame,
  target: Subscript,
  inEntries: (entries: Entries, key: string, index: Value) => Entries,
  inItems: (items: readonly Value[], at: number) => readonly Value[],
): void {
  const object = evaluate(machine, frame, target.object);
  const index = evaluate(machine, frame, target.index);
  if (object.kind !== 'list' && object.kind !== 'dict') {
    return;
  }
  const content = machine.heap.get(object.id);
  const key = keyOf(machine, index);
  if (content?.kind === 'entries' && key !== undefined) {
    const entries = inEntries(content.entries, key, index);
    machine.heap.set(object.id, { kind: 'entries', entries });
    return;
  }
  const at = index.kind === 'number' ? machine.valuation.exact(index.term) : undefined;
  if (content?.kind === 'items' && typeof at === 'bigint') {
    const { items } = content;
    const offset = Number(at) < 0 ? Number(at) + items.length : Number(at);
    if (offset < 0 || offset >= items.length) {
      const message = text('list assignment index out of range');
      throw new PythonRaise({ kind: 'exception', name: 'IndexError', message });
    }
    machine.heap.set(object.id, { kind: 'items', items: inItems(items, offset) });
    return;
  }
  machine.heap.set(object.id, { kind: 'lost', missing: [sourceOf(frame.module, target)] });
}

function unpack(
  machine: Machine,
  frame: Frame,
  target: Expression & { readonly elements: readonly Expression[] },
  value: Value,
): void {
  const items = itemsOf(machine, value);
  const targets = target.elements;
  const star = targets.findIndex(one => one.kind === 'starred');
  if (items === undefined) {
    const name = value.kind === 'opaque' ? value.path : { text: '…', steps: ['?'] };
    targets.forEach((one, at) => {
      const inner = one.kind === 'starred' ? one.value : one;
      const path = { text: `${name.text}[${at}]`, steps: [...name.steps, `[${at}]`] };
      assign(machine, frame, inner, opaque(path));
    });
    return;
  }
  const fits = star === -1 ? items.length === targets.length : items.length >= targets.length - 1;
  if (!fits) {
    const message = text('the number of values to unpack differs');
    throw new PythonRaise({ kind: 'exception', name: 'ValueError', message });
  }
  const behind = targets.length - 1 - star;
  targets.forEach((one, at) => {
    if (one.kind === 'starred') {
      const middle = items.slice(star, items.length - behind);
      const id = machine.allocate({ kind: 'items', items: middle });
      assign(machine, frame, one.value, { kind: 'list', id });
    } else {
      const from = star !== -1 && at > star ? items.length - (targets.length - at) : at;
      assign(machine, frame, one, items[from] ?? none);
    }
  });
}
