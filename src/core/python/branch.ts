/** Runs the one way that a condition takes, or both on copies that are joined behind them. */
import { apply } from '../terms/build';
import type { Term } from '../terms/term';
import { both } from './evaluate';
import { joinHeaps, joinNames } from './join';
import type { Frame, Machine } from './machine';
import type { Exit, Outcome } from './outcome';
import type { Heap } from './scope';
import type { Value } from './value';

type Way = () => Outcome;

/** Runs the way that the condition takes, or both. */
export function branch(
  machine: Machine,
  frame: Frame,
  condition: Term,
  whenTrue: Way,
  whenFalse: Way,
): Outcome {
  const holds = machine.valuation.decide(condition);
  if (holds !== undefined) {
    return machine.inBranchOf(condition, holds ? whenTrue : whenFalse);
  }
  const names = frame.scope.names;
  const heap = machine.heap;
  const attempt = (work: Way): { outcome: Outcome; names: Map<string, Value>; heap: Heap } => {
    frame.scope.names = new Map(names);
    machine.heap = heap.fork();
    const outcome = work();
    return { outcome, names: frame.scope.names, heap: machine.heap };
  };
  const a = attempt(whenTrue);
  const b = attempt(whenFalse);
  if (a.outcome.fallsThrough && b.outcome.fallsThrough) {
    frame.scope.names = joinNames(machine, condition, a.names, b.names);
    machine.heap = joinHeaps(machine, condition, a.heap, b.heap);
  } else {
    const kept = a.outcome.fallsThrough ? a : b;
    frame.scope.names = kept.names;
    machine.heap = kept.heap;
  }
  const opposite = apply('not', [condition]);
  return {
    exits: [...under(condition, a.outcome.exits), ...under(opposite, b.outcome.exits)],
    fallsThrough: a.outcome.fallsThrough || b.outcome.fallsThrough,
  };
}

/** The exits, taken only where the condition holds. */
export function under(condition: Term, exits: readonly Exit[]): Exit[] {
  return exits.map(exit => ({
    ...exit,
    condition: exit.condition === undefined ? condition : both(condition, exit.condition),
  }));
}
