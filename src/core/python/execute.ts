/** Runs statements. Undecided branches run both ways on copies and are joined behind them. */
import { apply } from '../terms/build';
import type { Term } from '../terms/term';
import { writeAttribute } from './attribute';

import { equality } from './compare';
import { deleteTarget } from './deletion';
import { both, evaluate, givenFor, itemsOf, keyOf, place, unknownOf } from './evaluate';
import { exceptionMatches, exceptionOf } from './exceptionType';
import { joinHeaps, joinNames } from './join';
import type { Frame, Machine } from './machine';
import { PythonRaise, sourceOf, Stopped } from './machine';
import { importedName, moduleNamed } from './names';
import { binaryOperation, truthOf } from './operation';
import type { Exit, Outcome } from './outcome';
import type { Heap, HeapContent } from './scope';
import type { Block, Expression, Statement } from './syntax';
import { nestedBlocks } from './sourceModule';
import type { ExceptionValue, Value } from './value';
import { targetNames } from './syntaxNames';
import { none, opaque, text } from './value';

const goesOn: Outcome = { exits: [], fallsThrough: true };

/** Runs a block in the frame; the frame and the heap are left as at its end. */
export function runBlock(machine: Machine, frame: Frame, block: Block): Outcome {
  const exits: Exit[] = [];
  for (const statement of block) {
    if (frame.until !== undefined && statement.span.start > frame.until) {
      break;
    }
    const outcome = runStatement(machine, frame, statement);
    exits.push(...outcome.exits);
    if (!outcome.fallsThrough) {
      return { exits, fallsThrough: false };
    }
  }
  return { exits, fallsThrough: true };
}

function runStatement(machine: Machine, frame: Frame, statement: Statement): Outcome {
  machine.step();
  frame.trace?.reached.add(statement);
  try {
    return machine.nested(() => run(machine, frame, statement));
  } catch (error) {
    if (error instanceof PythonRaise) {
      return leave(machine, frame, statement, 'raise', none, error.exception);
    }
    throw error;
  }
}

function leave(
  machine: Machine,
  frame: Frame,
  { span, kind: statement }: Statement,
  kind: Exit['kind'],
  value: Value = none,
  exception?: ExceptionValue,
): Outcome {
  const names = new Map(frame.scope.names);
  const { heap } = machine;
  const exit: Exit = {
    kind,
    condition: undefined,
    value,
    exception,
    heap,
    names,
    span,
    isRaiseStatement: statement === 'raise',
  };
  return { exits: [exit], fallsThrough: false };
}

function run(machine: Machine, frame: Frame, statement: Statement): Outcome {
  switch (statement.kind) {
    case 'expression':
      evaluate(machine, frame, statement.value);
      return goesOn;
    case 'assign': {
      const value = evaluate(machine, frame, statement.value);
      statement.targets.forEach(target => assign(machine, frame, target, value));
      return goesOn;
    }
    case 'augment': {
      const before = evaluate(machine, frame, statement.target);
      const value = evaluate(machine, frame, statement.value);
      const result = augmented(machine, frame, statement, before, value);
      assign(machine, frame, statement.target, result);
      return goesOn;
    }
    case 'if':
      return branch(
        machine,
        frame,
        truthOf(machine, evaluate(machine, frame, statement.test)),
        () => runBlock(machine, frame, statement.body),
        () => runBlock(machine, frame, statement.otherwise),
      );
    case 'match':
      return runMatch(machine, frame, statement);
    case 'for':
      return runFor(machine, frame, statement);
    case 'while':
      return runWhile(machine, frame, statement);
    case 'try':
      return runTry(machine, frame, statement);
    case 'with':
      for (const { value, target } of statement.items) {
        const entered = evaluate(machine, frame, value);
        if (target !== undefined) {
          assign(
            machine,
            frame,
            target,
            entered.kind === 'opaque' ? unknownOf(frame, value) : entered,
          );
        }
      }
      return runBlock(machine, frame, statement.body);
    case 'return': {
      const value =
        statement.value === undefined ? none : evaluate(machine, frame, statement.value);
      return leave(machine, frame, statement, 'return', value);
    }
    case 'raise':
      return raise(machine, frame, statement);
    case 'assert': {
      const condition = truthOf(machine, evaluate(machine, frame, statement.test));
      if (machine.valuation.decide(condition) === false) {
        const { message } = statement;
        const shown = message === undefined ? undefined : evaluate(machine, frame, message);
        const exception: ExceptionValue = {
          kind: 'exception',
          name: 'AssertionError',
          message: shown,
          tests: [condition],
        };
        return leave(machine, frame, statement, 'raise', none, exception);
      }
      return goesOn;
    }
    case 'delete':
      statement.targets.forEach(target => deleteTarget(machine, frame, target));
      return goesOn;
    case 'break':
    case 'continue':
      return leave(machine, frame, statement, statement.kind);
    case 'import':
      for (const { module, alias } of statement.imports) {
        const first = module.split('.')[0] ?? module;
        const name = alias === undefined ? first : module;
        frame.scope.names.set(alias ?? first, moduleNamed(machine, frame.module, 0, name));
      }
      return goesOn;
    case 'import-from':
      for (const { name, alias } of statement.names ?? []) {
        const { level, module } = statement;
        const value = importedName(machine, frame.module, { level, module, name });
        frame.scope.names.set(alias, value);
      }
      return goesOn;
    case 'function':
      frame.scope.names.set(statement.definition.name, {
        kind: 'function',
        name: statement.definition.name,
        definition: statement.definition,
        module: frame.module,
        owner: undefined,
        receiver: undefined,
        closure: frame.scope,
      });
      return goesOn;
    case 'class':
      frame.scope.names.set(statement.definition.name, {
        kind: 'class',
        definition: statement.definition,
        module: frame.module,
      });
      return goesOn;
    case 'broken':
      throw new Stopped('broken');
    case 'declare':
    case 'pass':
    case 'unsupported':
      return goesOn;
  }
}

function augmented(
  machine: Machine,
  frame: Frame,
  statement: Statement & { kind: 'augment' },
  before: Value,
  value: Value,
): Value {
  if (before.kind === 'list' && statement.operator === '+') {
    const items = itemsOf(machine, before);
    const more = itemsOf(machine, value);
    machine.heap.set(
      before.id,
      items && more
        ? { kind: 'items', items: [...items, ...more] }
        : { kind: 'lost', missing: [sourceOf(frame.module, statement.value)] },
    );
    return before;
  }
  return binaryOperation(
    machine,
    statement.operator,
    before,
    value,
    place(frame, statement.target),
  );
}

function raise(machine: Machine, frame: Frame, statement: Statement & { kind: 'raise' }): Outcome {
  const value =
    statement.exception === undefined ? undefined : evaluate(machine, frame, statement.exception);
  const exception = { ...exceptionOf(value), tests: machine.tests };
  return leave(machine, frame, statement, 'raise', none, exception);
}

/** Binds a target. Attributes are remembered; items of known collections are replaced. */
export function assign(machine: Machine, frame: Frame, target: Expression, made: Value): void {
  // A value that is given for the target holds from here on, as it does where the target is read.
  const value = givenFor(machine, frame, target) ?? made;
  frame.trace?.assigned.set(target, value);
  switch (target.kind) {
    case 'name':
      frame.scope.names.set(target.name, value);
      return;
    case 'attribute':
      writeAttribute(machine, evaluate(machine, frame, target.object), target.name, value);
      return;
    case 'subscript':
      assignItem(machine, frame, target, value);
      return;
    case 'tuple':
    case 'list':
      unpack(machine, frame, target, value);
      return;
    default:
      return;
  }
}

function assignItem(
  machine: Machine,
  frame: Frame,
  target: Expression & { kind: 'subscript' },
  value: Value,
): void {
  const object = evaluate(machine, frame, target.object);
  const index = evaluate(machine, frame, target.index);
  if (object.kind !== 'list' && object.kind !== 'dict') {
    return;
  }
  const content = machine.heap.get(object.id);
  const key = keyOf(machine, index);
  if (content?.kind === 'entries' && key !== undefined) {
    const entry = [content.entries.get(key)?.[0] ?? index, value] as const;
    machine.heap.set(object.id, {
      kind: 'entries',
      entries: new Map([...content.entries, [key, entry]]),
    });
    return;
  }
  const at = index.kind === 'number' ? machine.valuation.exact(index.term) : undefined;
  if (content?.kind === 'items' && typeof at === 'bigint') {
    const place = Number(at) < 0 ? Number(at) + content.items.length : Number(at);
    if (place < 0 || place >= content.items.length) {
      const message = text('list assignment index out of range');
      throw new PythonRaise({ kind: 'exception', name: 'IndexError', message });
    }
    const items = content.items.with(place, value);
    machine.heap.set(object.id, { kind: 'items', items });
    return;
  }
  machine.heap.set(object.id, { kind: 'lost', missing: [sourceOf(frame.module, target)] });
}

function unpack(
  machine: Machine,
  frame: Frame,
  target: Expression & { readonly elements: readonly Expression[] },
  value: Value,
): void {
  const items = itemsOf(machine, value);
  const targets = target.elements;
  const star = targets.findIndex(one => one.kind === 'starred');
  if (items === undefined) {
    const name = value.kind === 'opaque' ? value.path : { text: '…', steps: ['?'] };
    targets.forEach((one, at) => {
      const inner = one.kind === 'starred' ? one.value : one;
      const path = { text: `${name.text}[${at}]`, steps: [...name.steps, `[${at}]`] };
      assign(machine, frame, inner, opaque(path));
    });
    return;
  }
  const fits = star === -1 ? items.length === targets.length : items.length >= targets.length - 1;
  if (!fits) {
    const message = text('the number of values to unpack differs');
    throw new PythonRaise({ kind: 'exception', name: 'ValueError', message });
  }
  const behind = targets.length - 1 - star;
  targets.forEach((one, at) => {
    if (one.kind === 'starred') {
      const middle = items.slice(star, items.length - behind);
      const id = machine.allocate({ kind: 'items', items: middle });
      assign(machine, frame, one.value, { kind: 'list', id });
    } else {
      const from = star !== -1 && at > star ? items.length - (targets.length - at) : at;
      assign(machine, frame, one, items[from] ?? none);
    }
  });
}

type Way = () => Outcome;

/** Runs the way that the condition takes, or both. */
function branch(
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
    machine.heap = new Map(heap);
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

function under(condition: Term, exits: readonly Exit[]): Exit[] {
  return exits.map(exit => ({
    ...exit,
    condition: exit.condition === undefined ? condition : both(condition, exit.condition),
  }));
}

function runMatch(
  machine: Machine,
  frame: Frame,
  statement: Statement & { kind: 'match' },
): Outcome {
  const subject = evaluate(machine, frame, statement.subject);
  const from = (at: number): Outcome => {
    const one = statement.cases[at];
    if (one === undefined) {
      return goesOn;
    }
    const rest = (): Outcome => from(at + 1);
    const body = (): Outcome => runBlock(machine, frame, one.body);
    const guarded = (): Outcome => {
      // The name is bound before the guard is asked, and stays where the guard says no.
      if (one.capture !== undefined) {
        frame.scope.names.set(one.capture, subject);
      }
      return one.guard === undefined
        ? body()
        : branch(machine, frame, truthOf(machine, evaluate(machine, frame, one.guard)), body, rest);
    };
    if (one.wildcard) {
      return guarded();
    }
    if (one.values === undefined) {
      const pattern = machine.unknown(`case ${statement.span.row + 1}.${at}`, { isInteger: true });
      return branch(machine, frame, pattern, guarded, rest);
    }
    const condition = one.values.reduce<Term | undefined>((found, pattern) => {
      const value = evaluate(machine, frame, pattern);
      const source = sourceOf(frame.module, pattern);
      const equal = truthOf(machine, equality(machine, subject, value, `case ${source}`));
      return found === undefined
        ? equal
        : apply('not', [both(apply('not', [found]), apply('not', [equal]))]);
    }, undefined);
    return condition === undefined ? rest() : branch(machine, frame, condition, guarded, rest);
  };
  return from(0);
}

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

function runFor(machine: Machine, frame: Frame, statement: Statement & { kind: 'for' }): Outcome {
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

function runWhile(
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
  machine.heap = new Map(heap);
  start();
  const outcome = runBlock(machine, frame, statement.body);
  const changed = machine.heap;
  const lost = new Map(names);
  for (const name of [...boundNames(statement.body), ...targets.flatMap(targetNames)]) {
    lost.set(name, opaque({ text: name, steps: ['?', name] }, { missing: [source] }));
  }
  const kept: Heap = new Map(heap);
  for (const [key, content] of changed) {
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
function reachAll({ trace }: Pick<Frame, 'trace'>, block: Block): void {
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

function runTry(machine: Machine, frame: Frame, statement: Statement & { kind: 'try' }): Outcome {
  const body = runBlock(machine, frame, statement.body);
  const [first] = body.exits;
  const raised = first?.condition === undefined && first?.kind === 'raise' ? first : undefined;
  let outcome = body;
  if (raised === undefined) {
    // What a call raises that was not followed is not known.
    statement.handlers.forEach(handler => reachAll(frame, handler.body));
  }
  if (raised?.exception !== undefined) {
    const { exception } = raised;
    const handler = statement.handlers.find(
      one =>
        one.exception === undefined ||
        exceptionMatches(exception, evaluate(machine, frame, one.exception)),
    );
    if (handler !== undefined) {
      frame.scope.names = new Map(raised.names);
      machine.heap = raised.heap;
      if (handler.name !== undefined) {
        frame.scope.names.set(handler.name, exception);
      }
      outcome = runBlock(machine, frame, handler.body);
    }
  } else if (body.fallsThrough) {
    const more = runBlock(machine, frame, statement.otherwise);
    outcome = { exits: [...body.exits, ...more.exits], fallsThrough: more.fallsThrough };
  }
  const end = runBlock(machine, frame, statement.finalizer);
  return {
    exits: end.fallsThrough ? [...outcome.exits, ...end.exits] : end.exits,
    fallsThrough: outcome.fallsThrough && end.fallsThrough,
  };
}
