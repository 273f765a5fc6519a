/** Instances of dataclasses and named tuples: fields in order, defaults, keyword arguments. */
import { decoratorName, classOrder, outerFrame } from './classes';
import { callFunction } from './call';
import { evaluate } from './evaluate';
import type { Machine } from './machine';
import type { Expression } from './syntax';
import type { ClassValue, Value } from './value';
import { opaque } from './value';

interface Field {
  readonly name: string;
  readonly fallback: Expression | undefined;
  readonly owner: ClassValue;
}

/** Attributes of a new instance; undefined for a class that is no dataclass or named tuple. */
export function attributeFromFields(
  machine: Machine,
  type: ClassValue,
  positional: readonly Value[],
  named: ReadonlyMap<string, Value>,
): Map<string, Value> | undefined {
  const { order } = classOrder(machine, type);
  if (!order.some(isRecord)) {
    return undefined;
  }
  const attributes = new Map<string, Value>();
  for (const [at, field] of fieldsOf(order).entries()) {
    const value = positional[at] ?? named.get(field.name) ?? defaultOf(machine, field);
    attributes.set(field.name, value);
  }
  return attributes;
}

function isRecord({ definition }: ClassValue): boolean {
  return (
    definition.decorators.some(decorator => decoratorName(decorator) === 'dataclass') ||
    definition.bases.some(
      base => (base.kind === 'name' || base.kind === 'attribute') && base.name === 'NamedTuple',
    )
  );
}

/** Fields of the bases come first; a field that is declared again keeps its place. */
function fieldsOf(order: readonly ClassValue[]): Field[] {
  const fields = new Map<string, Field>();
  for (const owner of [...order].reverse().filter(isRecord)) {
    for (const statement of owner.definition.body) {
      if (statement.kind === 'declare' && statement.target.kind === 'name') {
        fields.set(statement.target.name, {
          name: statement.target.name,
          fallback: undefined,
          owner,
        });
      } else if (statement.kind === 'assign' && statement.annotation !== undefined) {
        const [target] = statement.targets;
        if (target?.kind === 'name') {
          fields.set(target.name, { name: target.name, fallback: statement.value, owner });
        }
      }
    }
  }
  return [...fields.values()];
}

function defaultOf(machine: Machine, { name, fallback, owner }: Field): Value {
  const unknown = opaque({ text: `${owner.definition.name}().${name}`, steps: [name] });
  if (fallback === undefined) {
    return unknown;
  }
  const frame = outerFrame(machine, owner, owner);
  const isField =
    fallback.kind === 'call' && fallback.callee.kind === 'name' && fallback.callee.name === 'field';
  if (!isField) {
    return evaluate(machine, frame, fallback);
  }
  const option = (key: string): Expression | undefined =>
    fallback.keywords.find(keyword => keyword.name === key)?.value;
  const value = option('default');
  if (value !== undefined) {
    return evaluate(machine, frame, value);
  }
  const factory = option('default_factory');
  const made = factory && evaluate(machine, frame, factory);
  if (made?.kind === 'builtin' && (made.name === 'list' || made.name === 'dict')) {
    return made.name === 'list'
      ? { kind: 'list', id: machine.allocate({ kind: 'items', items: [] }) }
      : { kind: 'dict', id: machine.allocate({ kind: 'entries', entries: new Map() }) };
  }
  return made?.kind === 'function'
    ? callFunction(machine, made, [], new Map(), undefined, frame.depth)
    : unknown;
}
