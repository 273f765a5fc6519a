/** `del`: of names, attributes, and items of dicts and lists. */
import { writeAttribute } from './attribute';
import { evaluate, keyOf, unknownOf } from './evaluate';
import type { Frame, Machine } from './machine';
import { PythonRaise, sourceOf } from './machine';
import type { Expression } from './syntax';

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
      deleteItem(machine, frame, target);
      return;
    case 'tuple':
    case 'list':
      target.elements.forEach(one => deleteTarget(machine, frame, one));
      return;
    default:
      return;
  }
}

function deleteItem(
  machine: Machine,
  frame: Frame,
  target: Expression & { readonly kind: 'subscript' },
): void {
  const object = evaluate(machine, frame, target.object);
  const index = evaluate(machine, frame, target.index);
  if (object.kind !== 'list' && object.kind !== 'dict') {
    return;
  }
  const content = machine.heap.get(object.id);
  const key = keyOf(machine, index);
  if (content?.kind === 'entries' && key !== undefined) {
    if (!content.entries.has(key)) {
      throw new PythonRaise({ kind: 'exception', name: 'KeyError', message: index });
    }
    const entries = new Map([...content.entries].filter(([other]) => other !== key));
    machine.heap.set(object.id, { kind: 'entries', entries });
    return;
  }
  const at = index.kind === 'number' ? machine.valuation.exact(index.term) : undefined;
  const place = typeof at === 'bigint' ? Number(at) : undefined;
  machine.heap.set(
    object.id,
    content?.kind === 'items' && place !== undefined && content.items.at(place) !== undefined
      ? { kind: 'items', items: content.items.toSpliced(place, 1) }
      : { kind: 'lost', missing: [sourceOf(frame.module, target)] },
  );
}
