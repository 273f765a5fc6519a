/**
 * Runs loops: round by round where the rounds are known, else once, with all that the body changes
 * unknown behind it.
 */
import { assign } from './assignment';
import { under } from './branch';
import { evaluate, itemsOf } from './evaluate';
import { runBlock } from './execute';
import type { Frame, Machine } from './machine';
import { sourceOf } from './machine';
import { truthOf } from './operation';
import type { Exit, Outcome } from './outcome';
import type { HeapContent } from './scope';
import { nestedBlocks } from './sourceModule';
import type { Block, Expression, Statement } from './syntax';
import { targetNames } from './syntaxNames';
import type { Value } from './value';
import { opaque } from './value';

/** Exits of a loop's body, without those that only steer the loop. */
interface Round {
  readonly exits: readonly Exit[];
  readonly goesOn: boolean;
  readonly isOver: boolean;
  /** False where it depends on the inputs whether the loop goes on. */
  readonly isDecided: boolean;
}

function runRound(machine: Machine, frame: Frame, body: Block): Round {
  const outcome = runBlock(machine, frame, body);
  const steering = outcome.exits.filter(exit => exit.kind === 'break' || exit.kind === 'continue');
  const [first] = outcome.exits;
  if (outcome.fallsThrough && steering.length === 0 && !outcome.exits.some(isReturn)) {
    return { exits: outcome.exits, goesOn: true, isOver: false, isDecided: true };
  }
  if (first !== undefined && first.condition === undefined) {
    frame.scope.names = new Map(first.names);
    machine.heap = first.heap;
    return {
      exits: first.kind === 'return' || first.kind === 'raise' ? [first] : [],
      goesOn: first.kind === 'continue',
      isOver: first.kind !== 'continue',
      isDecided: true,
    };
  }
  return { exits: [], goesOn: false, isOver: false, isDecided: false };
}

function isReturn(exit: Exit): boolean {
  return exit.kind === 'return';
}

export function runFor(
  machine: Machine,
  frame: Frame,
  statement: Statement & { kind: 'for' },
): Outcome {
  const iterable = evaluate(machine, frame, statement.iterable);
  const items = itemsOf(machine, iterable);
  if (items === undefined || items.length > machine.options.limits.items) {
    return forget(machine, frame, statement, [statement.target], () =>
      assign(machine, frame, statement.target, elementOf(iterable)),
    );
  }
  const before = { names: new Map(frame.scope.names), heap: machine.heap };
  const exits: Exit[] = [];
  for (const item of items) {
    assign(machine, frame, statement.target, item);
    const round = runRound(machine, frame, statement.body);
    if (!round.isDecided) {
      frame.scope.names = before.names;
      machine.heap = before.heap;
      return forget(machine, frame, statement, [statement.target], () =>
        assign(machine, frame, statement.target, item),
      );
    }
    exits.push(...round.exits);
    if (round.isOver) {
      return { exits, fallsThrough: round.exits.length === 0 };
    }
  }
  const end = runBlock(machine, frame, statement.otherwise);
  return { exits: [...exits, ...end.exits], fallsThrough: end.fallsThrough };
}

function elementOf(iterable: Value): Value {
  return iterable.kind === 'opaque'
    ? opaque({ text: `${iterable.path.text}[…]`, steps: [...iterable.path.steps, '[]'] })
    : opaque({ text: '…', steps: ['?'] });
}

export function runWhile(
  machine: Machine,
  frame: Frame,
  statement: Statement & { kind: 'while' },
): Outcome {
  const before = { names: new Map(frame.scope.names), heap: machine.heap };
  const exits: Exit[] = [];
  for (let count = 0; count <= machine.options.limits.items; count++) {
    const condition = truthOf(machine, evaluate(machine, frame, statement.test));
    const holds = machine.valuation.decide(condition);
    if (holds === false) {
      const end = runBlock(machine, frame, statement.otherwise);
      return { exits: [...exits, ...end.exits], fallsThrough: end.fallsThrough };
    }
    const round = holds === undefined ? undefined : runRound(machine, frame, statement.body);
    if (round?.isDecided !== true) {
      break;
    }
    exits.push(...round.exits);
    if (round.isOver) {
      return { exits, fallsThrough: round.exits.length === 0 };
    }
  }
  frame.scope.names = before.names;
  machine.heap = before.heap;
  return forget(machine, frame, statement, [], () => undefined);
}

/**
 * A loop whose rounds are not known: its body runs once so that units and hovers have something, and
 * whatever it changes is unknown behind it.
 */
function forget(
  machine: Machine,
  frame: Frame,
  statement: Statement & { kind: 'for' | 'while' },
  targets: readonly Expression[],
  start: () => void,
): Outcome {
  // Another round may take another way than the one that is run.
  reachAll(frame, statement.body);
  const names = frame.scope.names;
  const heap = machine.heap;
  const source = sourceOf(
    frame.module,
    statement.kind === 'for' ? statement.iterable : statement.test,
  );
  frame.scope.names = new Map(names);
  machine.heap = heap.fork();
  start();
  const outcome = runBlock(machine, frame, statement.body);
  const changed = machine.heap;
  const lost = new Map(names);
  for (const name of [...boundNames(statement.body), ...targets.flatMap(targetNames)]) {
    lost.set(name, opaque({ text: name, steps: ['?', name] }, { missing: [source] }));
  }
  const kept = heap.fork();
  for (const [key, content] of changed.entries) {
    if (heap.get(key) !== content) {
      kept.set(key, lostContent(content, source));
    }
  }
  frame.scope.names = lost;
  machine.heap = kept;
  const condition = machine.unknown(source, { isInteger: true });
  const exits = outcome.exits.filter(exit => exit.kind === 'return' || exit.kind === 'raise');
  return {
    exits: under(
      condition,
      exits.map(exit =>
        exit.kind === 'return' ? { ...exit, value: forgotten(exit.value, source) } : exit,
      ),
    ),
    fallsThrough: true,
  };
}

/** Takes a block for reached where some run of it is not followed. */
export function reachAll({ trace }: Pick<Frame, 'trace'>, block: Block): void {
  for (const statement of trace === undefined ? [] : block) {
    trace?.reached.add(statement);
    nestedBlocks(statement).forEach(inner => reachAll({ trace }, inner));
  }
}

function lostContent(content: HeapContent, source: string): HeapContent {
  if (content.kind !== 'attributes') {
    return { kind: 'lost', missing: [source] };
  }
  const unknown = (name: string): Value =>
    opaque({ text: name, steps: ['?', name] }, { missing: [source] });
  const attributes = new Map([...content.attributes.keys()].map(name => [name, unknown(name)]));
  return { kind: 'attributes', attributes };
}

function forgotten(value: Value, source: string): Value {
  return value.kind === 'none' || value.kind === 'class' || value.kind === 'function'
    ? value
    : opaque({ text: source, steps: ['?', source] }, { missing: [source] });
}

/** Names that a block may bind, nested blocks included. */
function boundNames(block: Block): string[] {
  return block.flatMap(statement => {
    const own =
      statement.kind === 'assign'
        ? statement.targets.flatMap(targetNames)
        : statement.kind === 'augment' || statement.kind === 'for'
          ? targetNames(statement.target)
          : [];
    return [...own, ...nestedBlocks(statement).flatMap(boundNames)];
  });
}
