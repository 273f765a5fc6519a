/**
 * What `__init__` leaves in an attribute of an object that existed before the code that is looked
 * at. Only attributes that nothing else in the class's file assigns have a value; of others at most
 * the class is told, where an annotation of `__init__` names it.
 */
import { callFunction } from './call';
import { bindUnknown } from './bind';
import { classOrder, outerFrame } from './classes';
import { evaluate } from './evaluate';
import type { Frame, InitialAttributes, Machine } from './machine';
import { PythonRaise, Stopped } from './machine';
import { annotatedClass } from './names';
import { nestedBlocks } from './sourceModule';
import type { Block, ClassDefinition, Expression, FunctionDefinition, Statement } from './syntax';
import { namesIn, targetNames } from './syntaxNames';
import type { ClassValue, FunctionValue, Value } from './value';
import { opaque, rootPath } from './value';

/** Longer ones set up whole servers; running them costs more than it tells. */
const longestInit = 220;
const stepsForInit = 12_000;

interface Init {
  readonly owner: ClassValue;
  readonly definition: FunctionDefinition;
  /** Assignments to the attribute, nested ones included. */
  readonly assignments: readonly (Statement & { readonly kind: 'assign' })[];
  /** The method that assigns it, where `__init__` only calls that. */
  readonly through: FunctionDefinition | undefined;
}

/** The value, or an unknown of a known class; undefined where `__init__` says nothing of it. */
export function attributeFromInit(
  machine: Machine,
  type: ClassValue,
  name: string,
): Value | undefined {
  const init = findInit(machine, type, name);
  const [first, ...others] = init?.assignments ?? [];
  if (init === undefined || first === undefined) {
    return undefined;
  }
  const typed = typedAttribute(machine, init, first.value, name);
  if (isChangedElsewhere(machine, type, init, name)) {
    return typed;
  }
  const isPlain =
    others.length === 0 && init.through === undefined && init.definition.body.includes(first);
  const value =
    isPlain && !usesLocals(init.definition, first.value)
      ? evaluateAlone(machine, init, first.value)
      : runInit(machine, init, name);
  return value === undefined || value.kind === 'opaque' ? (typed ?? renamed(value, name)) : value;
}

/** True where something but this `__init__` assigns the attribute, as far as the file shows. */
function isChangedElsewhere(
  machine: Machine,
  type: ClassValue,
  { owner, definition, through }: Init,
  name: string,
): boolean {
  const order = classOrder(machine, type).order.map(one => one.definition);
  const isRelated = (other: ClassDefinition | undefined): boolean =>
    other === undefined ||
    order.includes(other) ||
    other.bases.some(base => base.kind === 'name' && base.name === type.definition.name);
  machine.reliance?.onAnswer(owner.module, `attribute ${name}`, one =>
    one
      .attributeAssignments(name)
      .map(({ offset, owner: object, type: around }) =>
        [object, around?.qualifiedName, one.functionAt(offset)].join(' '),
      )
      .join(),
  );
  const { start, end } = definition.span;
  const self = definition.parameters[0]?.name;
  const isOwn = (offset: number): boolean =>
    (offset >= start && offset < end) ||
    (through !== undefined && offset >= through.span.start && offset < through.span.end);
  return owner.module
    .attributeAssignments(name)
    .some(
      ({ offset, owner: object, type: around }) =>
        !isOwn(offset) && (object !== self || isRelated(around)),
    );
}

/** An unknown keeps its class and what it is as a number; its path inside `__init__` means nothing outside. */
function renamed(value: Value | undefined, name: string): Value | undefined {
  if (value?.kind !== 'opaque' || (value.type ?? value.number) === undefined) {
    return undefined;
  }
  const { type, number } = value;
  const path = { text: `self.${name}`, steps: ['self', name] };
  return opaque(path, { type, ...(number && { number }) });
}

function findInit(machine: Machine, type: ClassValue, name: string): Init | undefined {
  for (const owner of classOrder(machine, type).order) {
    const own = ownInit(owner, name);
    noteInit(machine, owner, name, own);
    if (own !== undefined) {
      return { owner, ...own };
    }
  }
  return undefined;
}

type OwnInit = Omit<Init, 'owner'>;

/** Takes notice of which method sets the attribute, and of how. */
function noteInit(
  { reliance }: Machine,
  { module, definition: { qualifiedName } }: ClassValue,
  name: string,
  found: OwnInit | undefined,
): void {
  if (reliance === undefined) {
    return;
  }
  reliance.onAnswer(module, `init ${qualifiedName}.${name}`, one =>
    one
      .classesNamed(qualifiedName)
      .map(definition => {
        const own = ownInit({ kind: 'class', definition, module: one }, name);
        return own === undefined ? '' : `${own.definition.name} ${own.through?.name}`;
      })
      .join(),
  );
  [found?.definition, found?.through].forEach(one => one && reliance.onFunction(module, one));
}

/** By class and attribute; a class is the same object as long as the text of its file is. */
const ownInits = new WeakMap<ClassDefinition, Map<string, OwnInit | undefined>>();

/** What the class's own `__init__` says of an attribute. */
function ownInit(owner: ClassValue, name: string): OwnInit | undefined {
  const known = ownInits.get(owner.definition) ?? new Map<string, OwnInit | undefined>();
  ownInits.set(owner.definition, known);
  if (!known.has(name)) {
    known.set(name, findOwnInit(owner, name));
  }
  return known.get(name);
}

function findOwnInit(owner: ClassValue, name: string): OwnInit | undefined {
  const methods = owner.definition.body.flatMap(statement =>
    statement.kind === 'function' ? [statement.definition] : [],
  );
  const definition = methods.find(one => one.name === '__init__');
  if (definition === undefined) {
    return undefined;
  }
  const assignments = assignmentsTo(definition, name);
  if (assignments.length > 0) {
    return { definition, assignments, through: undefined };
  }
  const through = methods.find(
    one => one !== definition && isCalledOnlyBy(owner, definition, one, name),
  );
  return through && { definition, assignments: assignmentsTo(through, name), through };
}

/** True for a method that sets the attribute and that nothing in the file calls but `__init__`. */
function isCalledOnlyBy(
  { module }: ClassValue,
  { span }: FunctionDefinition,
  method: FunctionDefinition,
  name: string,
): boolean {
  if (!method.text.includes(`.${name}`) || assignmentsTo(method, name).length === 0) {
    return false;
  }
  const calls = [...module.text.matchAll(new RegExp(`\\.${method.name}\\(`, 'g'))];
  return calls.length > 0 && calls.every(({ index }) => index >= span.start && index < span.end);
}

function assignmentsTo(
  { parameters, body }: FunctionDefinition,
  name: string,
): (Statement & { readonly kind: 'assign' })[] {
  const self = parameters[0]?.name;
  const search = (block: Block): (Statement & { readonly kind: 'assign' })[] =>
    block.flatMap(statement => [
      ...(statement.kind === 'assign' && statement.targets.some(isWanted) ? [statement] : []),
      ...nestedBlocks(statement).flatMap(search),
    ]);
  const isWanted = (target: Expression): boolean =>
    target.kind === 'attribute' &&
    target.name === name &&
    target.object.kind === 'name' &&
    target.object.name === self;
  return search(body);
}

/** `self.x = x` with an annotated parameter x. */
function typedAttribute(
  machine: Machine,
  { owner, definition }: Init,
  value: Expression,
  name: string,
): Value | undefined {
  const parameter =
    value.kind === 'name' ? definition.parameters.find(one => one.name === value.name) : undefined;
  const type = parameter && annotatedClass(machine, owner.module, parameter.annotation);
  return type && opaque({ text: `self.${name}`, steps: ['self', name] }, { type });
}

/** True where the expression needs a name that `__init__` binds itself. */
function usesLocals({ body }: FunctionDefinition, value: Expression): boolean {
  const bound = (block: Block): string[] =>
    block.flatMap(statement => [
      ...(statement.kind === 'assign' ? statement.targets.flatMap(targetNames) : []),
      ...(statement.kind === 'augment' || statement.kind === 'for'
        ? targetNames(statement.target)
        : []),
      ...(statement.kind === 'import-from'
        ? (statement.names ?? []).map(({ alias }) => alias)
        : []),
      ...nestedBlocks(statement).flatMap(bound),
    ]);
  const locals = new Set(bound(body));
  return namesIn(value).some(name => locals.has(name));
}

/** Evaluates one right side with unknown parameters. */
function evaluateAlone(machine: Machine, init: Init, value: Expression): Value | undefined {
  const { openInitialValues } = machine;
  // Asked for by itself, as in `self.a = f(self.a)`, the value is not known.
  if (openInitialValues.has(value)) {
    return undefined;
  }
  const { owner, definition } = init;
  const self = opaque(rootPath('self'), { type: owner, isObject: true });
  const outer = outerFrame(machine, owner, owner);
  const frame: Frame = { ...outer, receiver: self };
  bindUnknown(machine, frame, definition.parameters, self, `${definition.qualifiedName}.`);
  openInitialValues.add(value);
  const found = quietly(() =>
    machine.withinSteps(stepsForInit, () => evaluate(machine, frame, value)),
  );
  openInitialValues.delete(value);
  return found;
}

const nothingSet: InitialAttributes = { attributes: new Map(), assumptions: [] };

function runInit(machine: Machine, init: Init, name: string): Value | undefined {
  const { attributes, assumptions } = runOnce(machine, init);
  const value = attributes.get(name);
  if (value !== undefined && value.kind !== 'opaque') {
    assumptions.forEach(assumption => machine.assumptions.add(assumption));
  }
  return value;
}

function runOnce(machine: Machine, { owner, definition }: Init): InitialAttributes {
  const known = machine.initialAttributes.get(definition);
  if (known !== undefined) {
    return known;
  }
  machine.initialAttributes.set(definition, nothingSet);
  if (definition.span.endRow - definition.span.row > longestInit) {
    return nothingSet;
  }
  const self = opaque(rootPath('self'), { type: owner, isObject: true });
  const made: FunctionValue = {
    kind: 'function',
    name: '__init__',
    definition,
    module: owner.module,
    owner,
    receiver: self,
    closure: undefined,
  };
  const before = new Set(machine.assumptions);
  const heap = machine.heap;
  machine.heap = heap.fork();
  const depth = outerFrame(machine, owner, owner).depth;
  quietly(() =>
    machine.withinSteps(stepsForInit, () =>
      callFunction(machine, made, undefined, new Map(), undefined, depth),
    ),
  );
  const content = machine.heap.get('self');
  machine.heap = heap;
  const assumptions = [...machine.assumptions].filter(assumption => !before.has(assumption));
  assumptions.forEach(assumption => machine.assumptions.delete(assumption));
  const result: InitialAttributes = {
    attributes: content?.kind === 'attributes' ? content.attributes : new Map<string, Value>(),
    assumptions,
  };
  machine.initialAttributes.set(definition, result);
  return result;
}

function quietly(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof PythonRaise || error instanceof Stopped) {
      return undefined;
    }
    throw error;
  }
}
