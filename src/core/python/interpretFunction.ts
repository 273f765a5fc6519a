/**
 * Runs one function as if somebody called it with the given values, and keeps what its expressions
 * were worth. The caller says what the parameters are; those that it leaves out are unknown.
 */
import { bindUnknown } from './bind';
import { annotatedClass } from './names';
import { givenExpression, hasValue, inputValue } from './inputs';
import type { Frame, Machine, Trace } from './machine';
import { PythonRaise, Stopped } from './machine';
import type { Exit, Outcome } from './outcome';
import { certainExit, resultOf } from './outcome';
import { runBlock } from './execute';
import { Scope } from './scope';
import type { SourceModule } from './sourceModule';
import type { ClassDefinition, FunctionDefinition, Span } from './syntax';
import { unreached } from './unreached';
import type { ClassValue, TextGap, Value } from './value';
import { opaque, rootPath } from './value';

/** An exception that the function raises, as far as its message is known. */
export interface RaisedException {
  readonly name: string;
  readonly message: readonly (string | TextGap)[];
  /** False where it depends on values that are not known. */
  readonly isCertain: boolean;
  readonly exit: Exit;
}

/** What a run of one function found. */
export interface FunctionRun {
  readonly machine: Machine;
  readonly module: SourceModule;
  readonly definition: FunctionDefinition;
  readonly trace: Trace;
  /** What the parameters are when the function begins. */
  readonly parameters: ReadonlyMap<string, Value>;
  /** Undefined where it certainly raises, or where the run could not reach an end. */
  readonly returns: Value | undefined;
  readonly raises: readonly RaisedException[];
  /** Local names where the function is left. */
  readonly names: ReadonlyMap<string, Value>;
  readonly stopped: 'limit' | 'broken' | undefined;
}

/** What to run. `owner` is the class around a method. */
export interface FunctionToRun {
  readonly module: SourceModule;
  readonly definition: FunctionDefinition;
  readonly owner: ClassDefinition | undefined;
}

/** With `until`, statements behind that offset are left out, and so are calls that take long. */
export function interpretFunction(
  machine: Machine,
  { module, definition, owner }: FunctionToRun,
  parameters: ReadonlyMap<string, Value> = new Map(),
  until?: number,
): FunctionRun {
  machine.reliance?.onFunction(module, definition);
  const trace: Trace = {
    values: new Map(),
    calls: new Map(),
    skipped: [],
    reached: new Set(),
    assigned: new Map(),
  };
  const type: ClassValue | undefined = owner && { kind: 'class', definition: owner, module };
  const scope = new Scope(new Map(), undefined);
  const frame: Frame = {
    scope,
    module,
    definition,
    owner: type,
    receiver: undefined,
    depth: machine.options.limits.depth,
    trace,
    ...(until !== undefined && { until }),
  };
  const receiver = bindParameters(machine, frame, definition, type, parameters);
  const running: Frame = { ...frame, receiver };
  const bound = new Map(scope.names);
  const outcome = machine.sizing.inCall(definition, () => attempt(machine, running, definition));
  trace.skipped.push(...notTaken(trace, definition, outcome.stopped !== undefined));
  return { machine, module, definition, trace, parameters: bound, ...outcome };
}

/** Statements that were not reached; of a run that did not get to its end, those before the last. */
function notTaken({ reached }: Trace, { body }: FunctionDefinition, isCut: boolean): Span[] {
  const last = Math.max(...[...reached].map(({ span }) => span.start));
  return unreached(body, reached).filter(({ end }) => !isCut || end <= last);
}

function bindParameters(
  machine: Machine,
  frame: Frame,
  definition: FunctionDefinition,
  type: ClassValue | undefined,
  given: ReadonlyMap<string, Value>,
): Value | undefined {
  const [first] = definition.parameters;
  const isStatic = definition.decorators.some(
    decorator => decorator.kind === 'name' && decorator.name === 'staticmethod',
  );
  const isMethod = type !== undefined && first?.kind === 'plain' && !isStatic;
  const declared = first && annotatedClass(machine, frame.module, first.annotation);
  const receiver =
    isMethod && first.annotation === undefined
      ? opaque(rootPath(first.name), { type, isObject: true })
      : isMethod
        ? opaque(rootPath(first.name), { type: declared ?? type, isObject: true })
        : undefined;
  bindUnknown(machine, frame, definition.parameters, receiver);
  for (const { name } of definition.parameters.slice(isMethod ? 1 : 0)) {
    const value = givenParameter(machine, frame, name, given.has(name)) ?? given.get(name);
    if (value !== undefined) {
      frame.scope.names.set(name, value);
    }
  }
  return receiver;
}

/** A value that the user gave for the parameter, or that a fact table names for it. */
function givenParameter(
  machine: Machine,
  frame: Frame,
  name: string,
  isKnownOtherwise: boolean,
): Value | undefined {
  const expression = machine.givenFor(frame, () => name);
  if (expression !== undefined) {
    return givenExpression(machine, ...expression);
  }
  const found = machine.facts.inputs.parameter(name);
  const isTold = found !== undefined && (!isKnownOtherwise || hasValue(machine, found.row));
  return isTold ? inputValue(machine, found) : undefined;
}

type RunResult = Pick<FunctionRun, 'returns' | 'raises' | 'names' | 'stopped'>;

function attempt(machine: Machine, frame: Frame, definition: FunctionDefinition): RunResult {
  try {
    const outcome = runBlock(machine, frame, definition.body);
    const raises = raisesOf(outcome);
    const names = leavingNames(frame, outcome);
    return { ...resultFrom(machine, outcome), raises, names, stopped: undefined };
  } catch (error) {
    if (error instanceof Stopped) {
      const names = new Map(frame.scope.names);
      return { returns: undefined, raises: [], names, stopped: error.reason };
    }
    throw error;
  }
}

function resultFrom(machine: Machine, outcome: Outcome): Pick<RunResult, 'returns'> {
  try {
    return { returns: resultOf(machine, outcome) };
  } catch (error) {
    if (error instanceof PythonRaise) {
      return { returns: undefined };
    }
    throw error;
  }
}

function raisesOf(outcome: Outcome): RaisedException[] {
  const certain = certainExit(outcome);
  return outcome.exits.flatMap(exit => {
    if (exit.kind !== 'raise' || exit.exception === undefined) {
      return [];
    }
    const { name, message } = exit.exception;
    const parts =
      message === undefined
        ? []
        : message.kind === 'text'
          ? message.parts
          : [{ value: message, source: '' }];
    return [{ name, message: parts, isCertain: exit === certain, exit }];
  });
}

/** Names at the exit that is certainly taken, at the end, or at the last return. */
function leavingNames(frame: Frame, outcome: Outcome): ReadonlyMap<string, Value> {
  const certain = certainExit(outcome);
  if (certain !== undefined) {
    return certain.names;
  }
  const lastReturn = outcome.exits.findLast(exit => exit.kind === 'return');
  return outcome.fallsThrough || lastReturn === undefined
    ? new Map(frame.scope.names)
    : lastReturn.names;
}
