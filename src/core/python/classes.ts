/** Classes: order of bases, attributes, properties, instances, and what `__init__` gives to self. */
import { evaluate, unknownOf } from './evaluate';
import { callFunction } from './call';
import type { ClassOrder, Frame, Machine } from './machine';
import { PythonRaise } from './machine';
import { globalName } from './names';
import { Scope } from './scope';
import type { ClassDefinition, Expression, Statement } from './syntax';
import type { ClassValue, FunctionValue, Value } from './value';
import { opaque } from './value';

/** A frame for code at the top level of a module or class, outside any trace. */
export function outerFrame(
  machine: Machine,
  { module }: ClassValue,
  owner: ClassValue | undefined,
): Frame {
  return {
    scope: new Scope(new Map(), undefined),
    module,
    definition: undefined,
    owner,
    receiver: undefined,
    depth: machine.options.limits.depth - 3,
    trace: undefined,
  };
}

/** The class and its bases in the order of lookup, and whether all bases are known. */
export function classOrder(machine: Machine, type: ClassValue): ClassOrder {
  const known = machine.classOrders.get(type.definition);
  if (known !== undefined) {
    return known;
  }
  const found = findClassOrder(machine, type);
  // Where a name is being worked out, a base can be unknown that is known behind it.
  if (!machine.isNaming) {
    machine.classOrders.set(type.definition, found);
  }
  return found;
}

function findClassOrder(machine: Machine, type: ClassValue): ClassOrder {
  const order: ClassValue[] = [];
  let isComplete = true;
  const visit = (one: ClassValue, depth: number): void => {
    const at = order.findIndex(other => other.definition === one.definition);
    if (at !== -1) {
      order.splice(at, 1);
    }
    order.push(one);
    for (const base of depth > 12 ? [] : one.definition.bases) {
      const value = baseValue(machine, one, base);
      if (value?.kind === 'class') {
        visit(value, depth + 1);
      } else {
        isComplete &&= isHarmlessBase(base);
      }
    }
  };
  visit(type, 0);
  return { order, isComplete };
}

function baseValue(machine: Machine, type: ClassValue, base: Expression): Value | undefined {
  if (base.kind === 'name') {
    return globalName(machine, type.module, base.name);
  }
  return base.kind === 'attribute'
    ? evaluate(machine, outerFrame(machine, type, undefined), base)
    : undefined;
}

function isHarmlessBase(base: Expression): boolean {
  const name = base.kind === 'name' || base.kind === 'attribute' ? base.name : '';
  return ['object', 'ABC', 'Protocol', 'NamedTuple', 'Enum', 'IntEnum', 'Generic'].includes(name);
}

/** Finds a name in the class and its bases. */
export function classMember(
  machine: Machine,
  type: ClassValue,
  name: string,
): { readonly owner: ClassValue; readonly statement: Statement } | undefined {
  return memberIn(classOrder(machine, type).order, name);
}

function memberIn(
  order: readonly ClassValue[],
  name: string,
): { readonly owner: ClassValue; readonly statement: Statement } | undefined {
  for (const owner of order) {
    const statement = membersOf(owner.definition).get(name);
    if (statement !== undefined) {
      return { owner, statement };
    }
  }
  return undefined;
}

/** By class, which is the same object as long as the text of its file is. */
const members = new WeakMap<ClassDefinition, ReadonlyMap<string, Statement>>();

/** The last statement of the class for every name that it defines. */
function membersOf(definition: ClassDefinition): ReadonlyMap<string, Statement> {
  let known = members.get(definition);
  if (known === undefined) {
    known = new Map(
      definition.body.flatMap(one => definedNames(one).map(name => [name, one] as const)),
    );
    members.set(definition, known);
  }
  return known;
}

function definedNames(statement: Statement): readonly string[] {
  const named = (target: Expression): string[] => (target.kind === 'name' ? [target.name] : []);
  switch (statement.kind) {
    case 'function':
    case 'class':
      return [statement.definition.name];
    case 'assign':
      return statement.targets.flatMap(named);
    case 'declare':
      return named(statement.target);
    default:
      return [];
  }
}

/** True for a name that the class computes whenever it is read. */
export function isProperty(machine: Machine, type: ClassValue, name: string): boolean {
  const statement = classMember(machine, type, name)?.statement;
  return (
    statement?.kind === 'function' &&
    statement.definition.decorators.some(one => decoratorName(one) === 'property')
  );
}

/** The last name of a decorator: `functools.lru_cache(maxsize=1)` is `lru_cache`. */
export function decoratorName(decorator: Expression): string {
  const inner = decorator.kind === 'call' ? decorator.callee : decorator;
  return inner.kind === 'name' || inner.kind === 'attribute' ? inner.name : '';
}

const propertyDecorators: ReadonlySet<string> = new Set(['property', 'cached_property']);

/**
 * An attribute that the class gives, for the class itself or for a receiver: methods are bound,
 * properties are evaluated, plain constants are their value. Undefined where the class has none, or
 * where it only declares a field.
 */
export function classAttribute(
  machine: Machine,
  type: ClassValue,
  name: string,
  receiver: Value | undefined,
): Value | undefined {
  const { order } = classOrder(machine, type);
  return inheritedAttribute(machine, order, name, receiver);
}

/** As classAttribute, from classes that are given in the order of lookup. */
export function inheritedAttribute(
  machine: Machine,
  order: readonly ClassValue[],
  name: string,
  receiver: Value | undefined,
): Value | undefined {
  const found = memberIn(order, name);
  const [type] = order;
  if (found === undefined || type === undefined) {
    return undefined;
  }
  const { owner, statement } = found;
  switch (statement.kind) {
    case 'function':
      return method(machine, owner, statement, receiver, type);
    case 'class':
      return { kind: 'class', definition: statement.definition, module: owner.module };
    case 'assign':
      if (isEnumeration(owner)) {
        return member(owner, name);
      }
      // A field of an instance that nobody made here can hold anything.
      return receiver !== undefined && isField(statement)
        ? undefined
        : constantOfClass(machine, owner, statement.value);
    default:
      return undefined;
  }
}

function isField(statement: Statement & { kind: 'assign' }): boolean {
  return statement.annotation !== undefined;
}

function method(
  machine: Machine,
  owner: ClassValue,
  statement: Statement & { kind: 'function' },
  receiver: Value | undefined,
  type: ClassValue,
): Value {
  const { definition } = statement;
  const decorators = definition.decorators.map(decoratorName);
  const isStatic = decorators.includes('staticmethod');
  const bound = decorators.includes('classmethod') ? type : isStatic ? undefined : receiver;
  const made: FunctionValue = {
    kind: 'function',
    name: definition.name,
    definition,
    module: owner.module,
    owner,
    receiver: bound,
    closure: undefined,
  };
  const isComputed = decorators.some(decorator => propertyDecorators.has(decorator));
  return isComputed && receiver !== undefined
    ? callFunction(machine, made, [], new Map(), undefined, machine.options.limits.depth - 6)
    : made;
}

function isEnumeration({ definition }: ClassValue): boolean {
  return definition.bases.some(base => {
    const name = base.kind === 'name' || base.kind === 'attribute' ? base.name : '';
    return name.endsWith('Enum') || name === 'Flag';
  });
}

function member(owner: ClassValue, name: string): Value {
  const steps = [owner.definition.name, name];
  return opaque({ text: steps.join('.'), steps }, { type: owner, isObject: true });
}

function constantOfClass(machine: Machine, owner: ClassValue, value: Expression): Value {
  const frame = outerFrame(machine, owner, owner);
  try {
    return evaluate(machine, frame, value);
  } catch (error) {
    if (error instanceof PythonRaise) {
      return unknownOf(frame, value);
    }
    throw error;
  }
}
