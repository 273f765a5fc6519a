/** Runs statements; loops, branches and assignments have files of their own. */
import { apply } from '../terms/build';
import type { Term } from '../terms/term';
import { equality } from './compare';
import { assign, augmented, deleteTarget } from './assignment';
import { branch } from './branch';
import { reachAll, runFor, runWhile } from './loop';
import { both, evaluate, unknownOf } from './evaluate';
import { exceptionMatches, exceptionOf } from './exceptionType';
import type { Frame, Machine } from './machine';
import { PythonRaise, sourceOf, Stopped } from './machine';
import { importedName, moduleNamed } from './names';
import { truthOf } from './operation';
import type { Exit, Outcome } from './outcome';
import type { Block, Statement } from './syntax';
import type { ExceptionValue, Value } from './value';
import { none } from './value';

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

function raise(machine: Machine, frame: Frame, statement: Statement & { kind: 'raise' }): Outcome {
  const value =
    statement.exception === undefined ? undefined : evaluate(machine, frame, statement.exception);
  const exception = { ...exceptionOf(value), tests: machine.tests };
  return leave(machine, frame, statement, 'raise', none, exception);
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
