/**
 * What callers of the same file give a function: values and units of parameters that nothing else
 * tells. Callers that disagree on a value tell its unit, where they agree on that.
 */
import type { Unit } from '../units/unit';
import { classMember, classOrder } from './classes';
import type { FunctionToRun } from './interpretFunction';
import { interpretFunction } from './interpretFunction';
import type { CallRecord, Machine } from './machine';
import { Stopped } from './machine';
import { Heap } from './scope';
import type { ClassDefinition, FunctionDefinition, Parameter } from './syntax';
import type { ClassValue, Value } from './value';
import { fromTerm } from './value';

const stepsForCaller = 8_000;

/** Values by parameter name. `depth` bounds the way up through callers of callers. */
export function parametersFromCalls(
  machine: Machine,
  target: FunctionToRun,
  depth = 3,
): Map<string, Value> {
  const { definition, module, owner } = target;
  const found = new Map<string, Value>();
  const wanted = definition.parameters.slice(owner === undefined ? 0 : 1);
  if (depth === 0 || !wanted.some(one => isUsed(definition, one) && !isBound(machine, one))) {
    return found;
  }
  machine.reliance?.onAnswer(module, `callers ${definition.name}`, one =>
    one
      .functions()
      .filter(caller => caller.definition.text.includes(`${definition.name}(`))
      .map(caller => one.codeOf(caller.definition.qualifiedName))
      .join(),
  );
  const callers = module
    .functions()
    .filter(one => one.definition !== definition && mayCall(machine, target, one));
  const conflicting = new Set<string>();
  const units = new Map<string, Unit[]>();
  for (const caller of callers) {
    const { start } = caller.definition.span;
    const until = start + caller.definition.text.lastIndexOf(`${definition.name}(`);
    for (const record of callsIn(machine, { module, ...caller }, depth, until)) {
      if (record.callee?.kind !== 'function' || record.callee.definition !== definition) {
        continue;
      }
      wanted.forEach((parameter, at) => {
        const value = record.named.get(parameter.name) ?? record.positional[at];
        const before = found.get(parameter.name);
        if (value === undefined || !isPortable(value)) {
          return;
        }
        const unit = value.kind === 'number' ? machine.unitOf(value.term) : undefined;
        if (unit !== undefined) {
          units.set(parameter.name, [...(units.get(parameter.name) ?? []), unit]);
        }
        if (before !== undefined && !isEqual(machine, before, value)) {
          conflicting.add(parameter.name);
        }
        found.set(parameter.name, value);
      });
    }
  }
  for (const name of conflicting) {
    const told = new Set(units.get(name));
    const [unit] = told;
    if (unit !== undefined && told.size === 1) {
      found.set(name, fromTerm(machine.unknown(name, { unit })));
    } else {
      found.delete(name);
    }
  }
  return found;
}

/** True where the body says the parameter's name at all, behind its docstring. */
function isUsed({ body, span, text }: FunctionDefinition, { name }: Parameter): boolean {
  const first = body.find(one => !(one.kind === 'expression' && one.value.kind === 'string'));
  const code = first === undefined ? '' : text.slice(first.span.start - span.start);
  return new RegExp(`\\b${name}\\b`).test(code);
}

/** A definition with the class around it, in the file of the target. */
interface Caller {
  readonly definition: FunctionDefinition;
  readonly owner: ClassDefinition | undefined;
}

/**
 * False where the text of the caller shows that its calls of this name go elsewhere: to the method
 * that its own class has under the name, to an object for a plain function, or the other way round.
 */
function mayCall(machine: Machine, target: FunctionToRun, caller: Caller): boolean {
  const { name } = target.definition;
  // Nearly every function of a file ends here.
  if (!caller.definition.text.includes(`${name}(`)) {
    return false;
  }
  // The name first, then back to what stands before it: names are rarer than words with a point.
  const call = new RegExp(`\\b${name}\\((?<=(\\bsuper\\(\\)\\.|[\\w)\\]]*\\.)?${name}\\()`, 'g');
  return [...caller.definition.text.matchAll(call)].some(([, before]) => {
    if (target.owner === undefined || before === undefined) {
      return target.owner === undefined && before === undefined;
    }
    const type: ClassValue | undefined = caller.owner && {
      kind: 'class',
      definition: caller.owner,
      module: target.module,
    };
    switch (type && before) {
      case `${caller.definition.parameters[0]?.name}.`:
        return (
          type !== undefined && classMember(machine, type, name)?.owner.definition === target.owner
        );
      case 'super().':
        return type !== undefined && inherits(machine, type, target.owner);
      default:
        return true;
    }
  });
}

function inherits(machine: Machine, type: ClassValue, owner: ClassDefinition): boolean {
  return classOrder(machine, type)
    .order.slice(1)
    .some(one => one.definition === owner);
}

function isBound(machine: Machine, { name }: Parameter): boolean {
  const row = machine.facts.inputs.parameter(name)?.row;
  const isGiven = row !== undefined && machine.options.inputs.has(row.id);
  return isGiven || machine.options.expressions.has(name);
}

/** The calls of a caller up to an offset, run on a heap of its own, with at most half of the steps left. */
function callsIn(
  machine: Machine,
  caller: FunctionToRun,
  depth: number,
  until: number,
): readonly CallRecord[] {
  const known = machine.callsOfCallers.get(caller.definition);
  if (known !== undefined && known.depth >= depth && known.until >= until) {
    return known.calls;
  }
  // A caller that is looked at already calls nothing new: functions can call each other in a ring.
  machine.callsOfCallers.set(caller.definition, { depth, until: Infinity, calls: [] });
  const calls = runForCalls(machine, caller, depth, until);
  machine.callsOfCallers.set(caller.definition, { depth, until, calls });
  return calls;
}

function runForCalls(
  machine: Machine,
  caller: FunctionToRun,
  depth: number,
  until: number,
): CallRecord[] {
  const parameters = parametersFromCalls(machine, caller, depth - 1);
  const heap = machine.heap;
  const assumptions = new Set(machine.assumptions);
  // What the caller read is read anew, so that what it takes for granted is noticed again.
  const read = [...machine.readAttributes];
  machine.heap = new Heap();
  try {
    const steps = Math.min(stepsForCaller, Math.floor(machine.stepsLeft / 2));
    const run = machine.withinSteps(steps, () =>
      interpretFunction(machine, caller, parameters, until),
    );
    return [...run.trace.calls.values()];
  } catch (error) {
    if (error instanceof Stopped) {
      return [];
    }
    throw error;
  } finally {
    machine.heap = heap;
    machine.readAttributes.clear();
    read.forEach(([path, value]) => machine.readAttributes.set(path, value));
    machine.assumptions.clear();
    assumptions.forEach(one => machine.assumptions.add(one));
  }
}

/** Values that mean the same on another heap. */
function isPortable({ kind }: Value): boolean {
  return kind === 'number' || kind === 'text' || kind === 'none' || kind === 'opaque';
}

function isEqual(machine: Machine, a: Value, b: Value): boolean {
  if (a.kind === 'number' && b.kind === 'number') {
    const exact = machine.valuation.exact(a.term);
    return (
      a.term === b.term ||
      (exact !== undefined && Object.is(exact, machine.valuation.exact(b.term)))
    );
  }
  return a.kind === 'opaque' && b.kind === 'opaque' && a.path.text === b.path.text;
}
