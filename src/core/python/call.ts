/**
 * Calls: fact tables first, then built-ins, then the definition itself, followed through the
 * package. Where a callee cannot be found, the result is unknown and named by the call.
 */
import { writeAttribute } from './attribute';
import { attributeFromFields } from './dataclass';
import { bindArguments, bindUnknown } from './bind';
import { callBuiltin } from './builtin';
import { classMember, classOrder, decoratorName } from './classes';
import { evaluate, itemsOf, unknownOf } from './evaluate';
import { runBlock } from './execute';
import { exceptionNamed } from './exceptionType';
import { mathFunction } from './mathFunction';
import { formulaValue, toldValue } from './inputs';
import { resultOf } from './outcome';
import { measuredInput, unfollowedInput } from './measurement';
import type { CallRecord, Frame, Machine, Trace } from './machine';
import { PythonRaise, sourceOf, Stopped } from './machine';
import { Scope } from './scope';
import type { Expression } from './syntax';
import type { ClassValue, FunctionValue, Value, ValuePath } from './value';
import { fromTerm, none, opaque, plainText, rootPath } from './value';

type CallExpression = Expression & { readonly kind: 'call' };

/** Evaluated arguments; undefined where `*values` or `**values` are not known. */
interface Arguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  readonly isComplete: boolean;
}

export function callExpression(machine: Machine, frame: Frame, expression: CallExpression): Value {
  if (expression.callee.kind === 'name' && expression.callee.name === 'super') {
    return superObject(machine, frame) ?? unknownOf(frame, expression);
  }
  const callee = evaluate(machine, frame, expression.callee);
  const given = evaluateArguments(machine, frame, expression);
  const record = call(machine, frame, expression, callee, given);
  frame.trace?.calls.set(expression, record);
  return record.result;
}

function evaluateArguments(machine: Machine, frame: Frame, expression: CallExpression): Arguments {
  const positional: Value[] = [];
  const named = new Map<string, Value>();
  let isComplete = true;
  for (const argument of expression.positional) {
    if (argument.kind === 'starred') {
      const items = itemsOf(machine, evaluate(machine, frame, argument.value));
      isComplete &&= items !== undefined;
      positional.push(...(items ?? []));
    } else {
      positional.push(evaluate(machine, frame, argument));
    }
  }
  for (const { name, value } of expression.keywords) {
    const made = evaluate(machine, frame, value);
    if (name !== undefined) {
      named.set(name, made);
      continue;
    }
    const content = made.kind === 'dict' ? machine.heap.get(made.id) : undefined;
    if (content?.kind === 'entries') {
      content.entries.forEach(([key, one]) => {
        if (key.kind === 'text') {
          named.set(plainText(key) ?? '', one);
        }
      });
    } else {
      isComplete = false;
    }
  }
  return { positional, named, isComplete };
}

/** The path by which tables know a call: the callee's path with `()` at its last step. */
function callPath(callee: Value, source: string, given: Arguments): ValuePath | undefined {
  const all = [...given.positional, ...given.named.values()];
  if (callee.kind === 'opaque') {
    const steps = [...callee.path.steps.slice(0, -1), `${callee.path.steps.at(-1) ?? ''}()`];
    return { text: source, steps, arguments: all };
  }
  if (callee.kind === 'function' || callee.kind === 'builtin') {
    const { receiver, name } = callee;
    const before = receiver?.kind === 'opaque' ? receiver.path.steps : receiver ? ['?'] : [];
    return { text: source, steps: [...before, `${name}()`], arguments: all };
  }
  return undefined;
}

function call(
  machine: Machine,
  frame: Frame,
  expression: CallExpression,
  callee: Value,
  given: Arguments,
): CallRecord {
  const source = sourceOf(frame.module, expression);
  const path = callPath(callee, source, given);
  const known = callee.kind === 'function' || callee.kind === 'class' ? callee : undefined;
  const done = (result: Value, followed?: Value): CallRecord => ({
    callee: known,
    result,
    followed,
    positional: given.positional,
    named: given.named,
  });
  if (path !== undefined && writesArguments(machine, path, callee, given)) {
    return done(none);
  }
  const byTable = path === undefined ? undefined : tableCall(machine, path, callee);
  if (byTable !== undefined) {
    return done(byTable);
  }
  if (callee.kind === 'builtin') {
    return done(callBuiltin(machine, frame, expression, callee, given.positional, given.named));
  }
  if (callee.kind === 'opaque' && callee.path.steps[0] === 'math') {
    const [, name = ''] = callee.path.steps;
    const result = mathFunction(machine, name, given.positional);
    if (result !== undefined) {
      return done(result);
    }
  }
  const result =
    known !== undefined && given.isComplete && frame.depth > 0
      ? follow(machine, frame, known, given)
      : undefined;
  if (known !== undefined && result !== undefined) {
    const measured =
      known.kind === 'function' ? measuredInput(machine, frame, known, result) : undefined;
    return measured === undefined
      ? done(noteUse(machine, given, nameUnknown(result, source, known, given)))
      : done(measured.value, measured.isWhole ? result : undefined);
  }
  forgetArguments(machine, source, given);
  const unfollowed = path && machine.facts.unfollowed.value(path);
  if (unfollowed !== undefined) {
    const { assumption } = unfollowed.row;
    const unknown = machine.unknown(path?.text ?? source);
    return done(unfollowedInput(machine, frame, unknown, assumption) ?? fromTerm(unknown));
  }
  return done(noteUse(machine, given, unknownCall(path, source)));
}

/** What a caller calls on its way to the call that is asked about; few steps make an argument. */
const stepsForPassing = 1_000;

/** Undefined where a call takes too long to follow: of a caller, or of what is only looked at. */
function follow(
  machine: Machine,
  { depth, until, trace }: Frame,
  callee: FunctionValue | ClassValue,
  given: Arguments,
): Value | undefined {
  const work = (): Value =>
    callee.kind === 'class'
      ? instantiate(machine, callee, given, depth - 1)
      : callFunction(machine, callee, given.positional, given.named, undefined, depth - 1);
  const own = trace === undefined ? undefined : machine.options.limits.call;
  const steps = until === undefined ? own : stepsForPassing;
  return steps === undefined ? work() : machine.attemptWithin(steps, work);
}

/** Sets attributes to keyword arguments where a table says that the call does. */
function writesArguments(
  machine: Machine,
  path: ValuePath,
  callee: Value,
  { named }: Arguments,
): boolean {
  const writer = machine.facts.writers.value(path)?.row;
  if (writer === undefined) {
    return false;
  }
  const receiver =
    callee.kind === 'function'
      ? callee.receiver
      : callee.kind === 'opaque'
        ? opaque({
            text: callee.path.text.slice(0, callee.path.text.lastIndexOf('.')),
            steps: callee.path.steps.slice(0, -1),
          })
        : undefined;
  const target = writer.to === undefined ? receiver : opaque(rootPath(writer.to));
  if (target === undefined) {
    return false;
  }
  named.forEach((value, name) => writeAttribute(machine, target, name, value));
  return true;
}

function unknownCall(path: ValuePath | undefined, source: string): Value {
  return opaque(path ?? { text: source, steps: ['?', source] });
}

/** What is not known of a call that was given a memory fraction is computed with the fraction. */
function noteUse(machine: Machine, { positional, named }: Arguments, result: Value): Value {
  const numbers = [...positional, ...named.values()].flatMap(one =>
    one.kind === 'number' ? [one.term] : [],
  );
  if (result.kind === 'opaque' && machine.hasFraction(numbers)) {
    machine.sizing.noteScaled(machine.unknown(result.path.text));
  }
  return result;
}

/** An unknown result is named by the call that gave it, where its own name says less. */
function nameUnknown(
  result: Value,
  source: string,
  callee: FunctionValue | ClassValue,
  given: Arguments,
): Value {
  if (result.kind !== 'opaque') {
    return result;
  }
  const { path, type, isObject } = result;
  const receiver = callee.kind === 'function' ? callee.receiver : undefined;
  const isOfCaller = [receiver, ...given.positional, ...given.named.values()].some(
    value => value?.kind === 'opaque' && path.text.startsWith(value.path.text),
  );
  return isOfCaller ? result : opaque({ text: source, steps: path.steps }, { type, isObject });
}

/** A call that was not followed may have changed what it was given. */
function forgetArguments(machine: Machine, source: string, given: Arguments): void {
  for (const value of [...given.positional, ...given.named.values()]) {
    if (value.kind === 'list' || value.kind === 'dict' || value.kind === 'set') {
      machine.heap.set(value.id, { kind: 'lost', missing: [source] });
    }
  }
}

function tableCall(machine: Machine, path: ValuePath, callee: Value): Value | undefined {
  const formula = machine.facts.formulas.value(path);
  if (formula !== undefined) {
    const term = formulaValue(machine, formula.row.formula, path.arguments?.[0]);
    return term && fromTerm(term);
  }
  const receiver =
    callee.kind === 'builtin' || callee.kind === 'function' ? callee.receiver : undefined;
  return toldValue(machine, path, receiver);
}

/** Runs a function. Unknown arguments (`undefined`) make every parameter an unknown of its name. */
export function callFunction(
  machine: Machine,
  callee: FunctionValue,
  positional: readonly Value[] | undefined,
  named: ReadonlyMap<string, Value>,
  trace: Trace | undefined,
  depth: number,
): Value {
  const { definition, receiver } = callee;
  machine.step();
  if (!('kind' in definition)) {
    machine.reliance?.onFunction(callee.module, definition);
  }
  const source = `${callee.name}(…)`;
  const isOpaqueFunction =
    !('kind' in definition) &&
    definition.decorators.some(decorator => !harmlessDecorators.has(decoratorName(decorator)));
  if (depth <= 0 || machine.isDeep || isOpaqueFunction) {
    return opaque({ text: source, steps: ['?', source] });
  }
  const scope = new Scope(new Map(), callee.closure);
  const frame: Frame = {
    scope,
    module: callee.module,
    definition: 'kind' in definition ? undefined : definition,
    owner: callee.owner,
    receiver,
    depth,
    trace,
  };
  const all = positional && receiver !== undefined ? [receiver, ...positional] : positional;
  if (all === undefined) {
    bindUnknown(machine, frame, definition.parameters, receiver, `${callee.name}.`);
  } else if (!bindArguments(machine, frame, callee, all, named)) {
    return opaque({ text: source, steps: ['?', source] });
  }
  if ('kind' in definition) {
    return machine.sizing.inCall(definition, () => evaluate(machine, frame, definition.body));
  }
  machine.entered.set(definition, callee);
  try {
    return machine.sizing.inCall(definition, () =>
      resultOf(machine, runBlock(machine, frame, definition.body)),
    );
  } catch (error) {
    const isBroken = error instanceof Stopped && error.reason === 'broken';
    if (isBroken || isLeftToSubclass(error, receiver)) {
      return opaque({ text: source, steps: ['?', source] });
    }
    throw error;
  }
}

/** A method that only says that it is not implemented is another one in the object's own class. */
function isLeftToSubclass(error: unknown, receiver: Value | undefined): boolean {
  return (
    error instanceof PythonRaise &&
    error.exception.name === 'NotImplementedError' &&
    (receiver?.kind === 'opaque' || receiver?.kind === 'class')
  );
}

/** Decorators that leave the value of a call as it is. */
const harmlessDecorators: ReadonlySet<string> = new Set([
  'staticmethod',
  'classmethod',
  'property',
  'cached_property',
  'lru_cache',
  'cache',
  'abstractmethod',
  'override',
  'final',
  'no_grad',
  'inference_mode',
  'torch_compile_disable',
]);

/** Objects that take longer to set up hold tensors, not numbers that memory is computed with. */
const stepsForInstance = 1_500;

function instantiate(machine: Machine, type: ClassValue, given: Arguments, depth: number): Value {
  const { order, isComplete } = classOrder(machine, type);
  const exception = order
    .flatMap(one => one.definition.bases)
    .find(base => base.kind === 'name' && exceptionNamed(base.name));
  if (exception !== undefined) {
    return { kind: 'exception', name: type.definition.name, message: given.positional[0] };
  }
  const source = `${type.definition.name}(…)`;
  const id = machine.allocate({ kind: 'attributes', attributes: new Map() });
  const instance: Value = { kind: 'instance', id, type };
  const fields = attributeFromFields(machine, type, given.positional, given.named);
  if (fields !== undefined) {
    machine.heap.set(id, { kind: 'attributes', attributes: fields });
    runMethod(machine, type, '__post_init__', instance, [], new Map(), depth);
    return instance;
  }
  const hasInit = classMember(machine, type, '__init__') !== undefined;
  if (!isComplete && !hasInit) {
    return opaque({ text: source, steps: [source] }, { type, isObject: true });
  }
  // An instance that is set up in part only would show what is overwritten later.
  return (
    machine.attemptWithin(stepsForInstance, () => {
      runMethod(machine, type, '__init__', instance, given.positional, given.named, depth);
      return instance;
    }) ?? opaque({ text: source, steps: [source] }, { type, isObject: true })
  );
}

function runMethod(
  machine: Machine,
  type: ClassValue,
  name: string,
  receiver: Value,
  positional: readonly Value[],
  named: ReadonlyMap<string, Value>,
  depth: number,
): void {
  const found = classMember(machine, type, name);
  if (found?.statement.kind === 'function') {
    const { definition } = found.statement;
    const { owner } = found;
    callFunction(
      machine,
      {
        kind: 'function',
        name,
        definition,
        module: owner.module,
        owner,
        receiver,
        closure: undefined,
      },
      positional,
      named,
      undefined,
      depth,
    );
  }
}

/** `super()`: the receiver, seen as the class behind its owner in the order of lookup. */
function superObject(machine: Machine, frame: Frame): Value | undefined {
  const { owner, receiver } = frame;
  if (owner === undefined || (receiver?.kind !== 'instance' && receiver?.kind !== 'opaque')) {
    return undefined;
  }
  const { order } = classOrder(machine, receiver.type ?? owner);
  const at = order.findIndex(one => one.definition === owner.definition);
  return at === -1
    ? opaque({ text: 'super()', steps: ['super()'] })
    : { kind: 'super', receiver, order: order.slice(at + 1) };
}
