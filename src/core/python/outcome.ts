/** How a block can be left, and what a function's exits make of its value. */
import type { Term } from '../terms/term';
import { joinHeaps, joinValues } from './join';
import type { Machine } from './machine';
import { PythonRaise } from './machine';
import type { Heap } from './scope';
import type { Span } from './syntax';
import type { ExceptionValue, Value } from './value';
import { none } from './value';

/** One way out of a block: taken when its condition holds and no exit before it was taken. */
export interface Exit {
  readonly kind: 'return' | 'raise' | 'break' | 'continue';
  /** Undefined where the exit is certain once the block comes to it. */
  readonly condition: Term | undefined;
  /** The returned value. */
  readonly value: Value;
  readonly exception: ExceptionValue | undefined;
  readonly heap: Heap;
  readonly names: ReadonlyMap<string, Value>;
  readonly span: Span;
  /** True for `raise`; false for an assertion, or for an operation that raises. */
  readonly isRaiseStatement: boolean;
}

/** The exits of a block in order, and whether its end can be reached. */
export interface Outcome {
  readonly exits: readonly Exit[];
  readonly fallsThrough: boolean;
}

/** The exit that is certainly taken, unless one of its kind before it is. */
export function certainExit({ exits }: Outcome): Exit | undefined {
  const at = exits.findIndex(({ condition }) => condition === undefined);
  const found = exits[at];
  return exits.slice(0, at).every(({ kind }) => kind === found?.kind) ? found : undefined;
}

/**
 * The value of a call. A certain raise is raised; possible raises are left out, as what comes after
 * them holds only where they did not happen.
 */
export function resultOf(machine: Machine, outcome: Outcome): Value {
  const certain = certainExit(outcome);
  if (certain?.kind === 'raise' && certain.exception !== undefined) {
    throw new PythonRaise(certain.exception);
  }
  const returns = outcome.exits.filter(exit => exit.kind === 'return');
  const end: { value: Value; heap: Heap; condition: Term | undefined } = {
    value: none,
    heap: machine.heap,
    condition: undefined,
  };
  const ways = outcome.fallsThrough ? [...returns, end] : returns;
  const last = ways.at(-1);
  if (last === undefined) {
    const raised = outcome.exits.find(exit => exit.kind === 'raise');
    if (raised?.exception !== undefined) {
      throw new PythonRaise(raised.exception);
    }
    return none;
  }
  let { value, heap } = last;
  for (const way of ways.slice(0, -1).reverse()) {
    if (way.condition === undefined) {
      value = way.value;
      heap = way.heap;
    } else {
      value = joinValues(machine, way.condition, way.value, value);
      heap = joinHeaps(machine, way.condition, way.heap, heap);
    }
  }
  machine.heap = heap;
  return value;
}
