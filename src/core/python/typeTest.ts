/** `isinstance`, `getattr`, `hasattr`, `callable`: questions about what a value is. */
import { attributeOf } from './attribute';
import type { BuiltinCall } from './builtinCall';
import { classMember, classOrder } from './classes';
import { isAbsent } from './inputs';
import type { Machine } from './machine';
import type { Value } from './value';
import { boolean, opaque, plainText, truth } from './value';

export function isInstance({
  machine,
  positional: [value, type],
  source,
}: BuiltinCall): Value | undefined {
  const answer = value && type && matchesType(machine, value, type);
  return answer === undefined
    ? truth(machine.unknown(source, { isInteger: true }))
    : boolean(answer);
}

function matchesType(machine: Machine, value: Value, type: Value): boolean | undefined {
  if (type.kind === 'tuple') {
    const answers = type.items.map(item => matchesType(machine, value, item));
    return answers.includes(true) ? true : answers.includes(undefined) ? undefined : false;
  }
  if (type.kind === 'none') {
    return value.kind === 'opaque' ? undefined : value.kind === 'none';
  }
  if (type.kind === 'builtin') {
    return matchesBuiltinType(machine, value, type.name);
  }
  if (type.kind !== 'class' || value.kind === 'opaque') {
    return undefined;
  }
  if (value.kind !== 'instance') {
    return false;
  }
  const { order, isComplete } = classOrder(machine, value.type);
  const found = order.some(one => one.definition === type.definition);
  return found || isComplete ? found : undefined;
}

function matchesBuiltinType(machine: Machine, value: Value, name: string): boolean | undefined {
  switch (value.kind) {
    case 'opaque':
      return undefined;
    case 'number': {
      if (value.isBoolean) {
        return name === 'bool' || name === 'int' || name === 'object';
      }
      const exact = machine.valuation.exact(value.term);
      if (name !== 'int' && name !== 'float') {
        return name === 'object';
      }
      return exact === undefined ? undefined : (typeof exact === 'bigint') === (name === 'int');
    }
    case 'text':
      return name === 'str' || name === 'object';
    case 'tuple':
    case 'list':
    case 'set':
    case 'dict':
      return name === value.kind || name === 'object';
    default:
      return name === 'object';
  }
}

export function getAttribute({
  machine,
  positional: [value, name, fallback],
  source,
}: BuiltinCall): Value | undefined {
  const known = name && plainText(name);
  if (value === undefined || known === undefined) {
    return undefined;
  }
  const found = attributeOf(machine, value, known);
  if (found.kind !== 'opaque' || fallback === undefined) {
    return found;
  }
  if (isAbsent(machine, found.path)) {
    return fallback;
  }
  // An instance of ours has the attributes that it has; nobody knows those of an unknown object.
  return value.kind === 'instance' && classOrder(machine, value.type).isComplete
    ? fallback
    : opaque({ text: source, steps: found.path.steps }, { missing: [source] });
}

export function hasAttribute({
  machine,
  positional: [value, name],
  source,
}: BuiltinCall): Value | undefined {
  const known = name && plainText(name);
  if (value === undefined || known === undefined) {
    return undefined;
  }
  const found = attributeOf(machine, value, known);
  if (found.kind !== 'opaque') {
    return boolean(true);
  }
  return value.kind === 'instance' && classOrder(machine, value.type).isComplete
    ? boolean(false)
    : truth(machine.unknown(source, { isInteger: true }));
}

export function isCallable({
  machine,
  positional: [value],
  source,
}: BuiltinCall): Value | undefined {
  switch (value?.kind) {
    case undefined:
      return undefined;
    case 'function':
    case 'class':
    case 'builtin':
      return boolean(true);
    case 'instance':
      return classMember(machine, value.type, '__call__') !== undefined
        ? boolean(true)
        : classOrder(machine, value.type).isComplete
          ? boolean(false)
          : truth(machine.unknown(source, { isInteger: true }));
    case 'opaque':
    case 'super':
      return truth(machine.unknown(source, { isInteger: true }));
    default:
      return boolean(false);
  }
}
