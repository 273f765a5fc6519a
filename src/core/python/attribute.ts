/** `value.name`: what was written before, what a fact table says, what the class gives. */
import { isBuiltinMethod } from './builtinMethod';
import { classAttribute, inheritedAttribute, isProperty } from './classes';
import { attributeFromInit } from './initialAttribute';
import { toldValue } from './inputs';
import type { Machine } from './machine';
import { moduleAttribute } from './names';
import type { OpaqueValue, Value, ValuePath } from './value';
import { attributePath, opaque } from './value';

export function attributeOf(machine: Machine, value: Value, name: string): Value {
  switch (value.kind) {
    case 'module':
      return moduleAttribute(machine, value.module, name);
    case 'class':
      return (
        classAttribute(machine, value, name, undefined) ??
        opaque({
          text: `${value.definition.name}.${name}`,
          steps: [value.definition.name, name],
        })
      );
    case 'instance':
      return (
        writtenAttribute(machine, value.id, name) ??
        classAttribute(machine, value.type, name, value) ??
        opaque({
          text: `${value.type.definition.name}().${name}`,
          steps: [`${value.type.definition.name}()`, name],
        })
      );
    case 'super':
      return (
        inheritedAttribute(machine, value.order, name, value.receiver) ??
        opaque({ text: `super().${name}`, steps: ['super()', name] })
      );
    case 'opaque':
      return opaqueAttribute(machine, value, name);
    default:
      return isBuiltinMethod(value, name)
        ? { kind: 'builtin', name, receiver: value }
        : opaque({ text: `….${name}`, steps: ['?', name] });
  }
}

/** The object in the heap that an opaque value is written to, if any. */
function writtenAttribute(machine: Machine, key: number | string, name: string): Value | undefined {
  const content = machine.heap.get(key);
  return content?.kind === 'attributes' ? content.attributes.get(name) : undefined;
}

function opaqueAttribute(machine: Machine, value: OpaqueValue, name: string): Value {
  const written = writtenAttribute(machine, value.path.text, name);
  if (written !== undefined) {
    return written;
  }
  const path = attributePath(value.path, name);
  const known = machine.readAttributes.get(path.text);
  if (known !== undefined) {
    return known;
  }
  const found = unwrittenAttribute(machine, value, name, path);
  // A property is computed at each reading, from what is written by then.
  if (
    value.type === undefined ||
    found.kind === 'function' ||
    !isProperty(machine, value.type, name)
  ) {
    machine.readAttributes.set(path.text, found);
  }
  return found;
}

/** The attribute as it was before the code that is looked at. */
function unwrittenAttribute(
  machine: Machine,
  value: OpaqueValue,
  name: string,
  path: ValuePath,
): Value {
  const told = toldValue(machine, path, value);
  if (told !== undefined) {
    return told;
  }
  if (value.type !== undefined) {
    const own = classAttribute(machine, value.type, name, value);
    if (own !== undefined && own.kind !== 'opaque') {
      return own;
    }
    const initial = attributeFromInit(machine, value.type, name);
    if (initial !== undefined) {
      return initial.kind === 'opaque'
        ? opaque(path, {
            type: initial.type,
            isObject: initial.isObject,
            ...(initial.number && { number: initial.number }),
          })
        : initial;
    }
  }
  return opaque(path);
}

/** Writes an attribute. Values that are not known further remember it by their path. */
export function writeAttribute(machine: Machine, target: Value, name: string, value: Value): void {
  const key =
    target.kind === 'instance'
      ? target.id
      : target.kind === 'opaque'
        ? target.path.text
        : undefined;
  if (key === undefined) {
    return;
  }
  const content = machine.heap.get(key);
  const attributes = new Map(content?.kind === 'attributes' ? content.attributes : []);
  attributes.set(name, value);
  machine.heap.set(key, { kind: 'attributes', attributes });
}
