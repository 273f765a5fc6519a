/** Evaluates expressions to values. Calls, attributes and built-ins have files of their own. */
import { apply, constant } from '../terms/build';
import type { Term } from '../terms/term';
import { attributeOf } from './attribute';
import { callExpression } from './call';
import { compare } from './compare';
import { comprehension, distinct } from './comprehension';
import { evaluateString } from './formatted';
import { givenExpression } from './inputs';
import { joinValues } from './join';
import type { Frame, Machine } from './machine';
import { sourceKey, sourceOf } from './machine';
import { globalName } from './names';
import { binaryOperation, subscript, truthOf, unaryOperation } from './operation';
import type { Expression } from './syntax';
import type { Value } from './value';
import { boolean, fromTerm, letters, none, opaque, truth } from './value';

/** The value of an expression. Throws PythonRaise where Python certainly raises. */
export function evaluate(machine: Machine, frame: Frame, expression: Expression): Value {
  machine.step();
  const value =
    givenFor(machine, frame, expression) ??
    machine.nested(() => compute(machine, frame, expression));
  frame.trace?.values.set(expression, value);
  return value;
}

/** What was given for this very expression. */
export function givenFor(
  machine: Machine,
  frame: Frame,
  expression: Expression,
): Value | undefined {
  const given = machine.givenFor(frame, () => sourceKey(sourceOf(frame.module, expression)));
  return given && givenExpression(machine, ...given);
}

function compute(machine: Machine, frame: Frame, expression: Expression): Value {
  switch (expression.kind) {
    case 'name':
      return (
        frame.scope.find(expression.name) ?? globalName(machine, frame.module, expression.name)
      );
    case 'number':
      return fromTerm(constant(expression.value));
    case 'constant':
      return expression.value === null ? none : boolean(expression.value);
    case 'string':
      return evaluateString(machine, frame, expression.parts);
    case 'attribute':
      return attributeOf(machine, evaluate(machine, frame, expression.object), expression.name);
    case 'subscript':
      return subscript(
        machine,
        evaluate(machine, frame, expression.object),
        evaluate(machine, frame, expression.index),
        sourceOf(frame.module, expression),
      );
    case 'call':
      return callExpression(machine, frame, expression);
    case 'binary':
      return binaryOperation(
        machine,
        expression.operator,
        evaluate(machine, frame, expression.left),
        evaluate(machine, frame, expression.right),
        place(frame, expression),
      );
    case 'unary':
      return unaryOperation(
        machine,
        expression.operator,
        evaluate(machine, frame, expression.operand),
        place(frame, expression),
      );
    case 'boolean':
      return logical(machine, frame, expression);
    case 'compare':
      return comparisonChain(machine, frame, expression);
    case 'conditional':
      return conditional(machine, frame, expression);
    case 'tuple':
      return { kind: 'tuple', items: elements(machine, frame, expression.elements, expression) };
    case 'list':
    case 'set': {
      const all = elements(machine, frame, expression.elements, expression);
      const items = expression.kind === 'set' ? distinct(machine, all) : all;
      return { kind: expression.kind, id: machine.allocate({ kind: 'items', items }) };
    }
    case 'dict':
      return dictionary(machine, frame, expression);
    case 'comprehension':
      return comprehension(machine, frame, expression);
    case 'lambda':
      return {
        kind: 'function',
        name: '<lambda>',
        definition: expression,
        module: frame.module,
        owner: undefined,
        receiver: undefined,
        closure: frame.scope,
      };
    case 'walrus': {
      const value = evaluate(machine, frame, expression.value);
      frame.scope.assignable.names.set(expression.name, value);
      return value;
    }
    case 'slice': {
      const end = (part: Expression | undefined): Value =>
        part === undefined ? none : evaluate(machine, frame, part);
      const { lower, upper, step } = expression;
      return { kind: 'tuple', items: [end(lower), end(upper), end(step)] };
    }
    case 'starred':
    case 'unsupported':
      return unknownOf(frame, expression);
  }
}

/** The unknown value of an expression, named by its source. */
export function unknownOf(frame: Frame, expression: Expression): Value {
  const source = sourceOf(frame.module, expression);
  return opaque({ text: source, steps: ['?', source] });
}

/** Where a term was read, for links and for the line that changes a scale. */
export function place(
  frame: Frame,
  { span }: Expression,
): {
  file: string;
  line: number;
  column: number;
} {
  return { file: frame.module.path, line: span.row + 1, column: span.column };
}

/** `and` and `or` give one of their operands; undecided, either. */
function logical(
  machine: Machine,
  frame: Frame,
  expression: Expression & { kind: 'boolean' },
): Value {
  const left = evaluate(machine, frame, expression.left);
  const condition = truthOf(machine, left);
  const holds = machine.valuation.decide(condition);
  const stops = expression.operator === 'and' ? false : true;
  if (holds === stops) {
    frame.trace?.skipped.push(expression.right.span);
    return left;
  }
  const right = evaluate(machine, frame, expression.right);
  if (holds !== undefined) {
    return right;
  }
  if (isTruthLike(left) && isTruthLike(right)) {
    const other = truthOf(machine, right);
    return truth(
      expression.operator === 'and'
        ? both(condition, other)
        : apply('not', [both(apply('not', [condition]), apply('not', [other]))]),
    );
  }
  return expression.operator === 'and'
    ? joinValues(machine, condition, right, left)
    : joinValues(machine, condition, left, right);
}

function isTruthLike(value: Value): boolean {
  return (value.kind === 'number' && value.isBoolean) || value.kind === 'opaque';
}

/** Both hold, as a 0 or 1. */
export function both(a: Term, b: Term): Term {
  const one = constant(1n);
  const zero = constant(0n);
  return {
    kind: 'choice',
    condition: a,
    whenTrue: { kind: 'choice', condition: b, whenTrue: one, whenFalse: zero },
    whenFalse: zero,
  };
}

function comparisonChain(
  machine: Machine,
  frame: Frame,
  expression: Expression & { kind: 'compare' },
): Value {
  let left = evaluate(machine, frame, expression.first);
  let result: Value | undefined;
  for (const { operator, operand } of expression.rest) {
    const right = evaluate(machine, frame, operand);
    const next = compare(machine, operator, left, right, sourceOf(frame.module, expression));
    if (result === undefined) {
      result = next;
    } else {
      result = truth(both(truthOf(machine, result), truthOf(machine, next)));
    }
    if (machine.valuation.decide(truthOf(machine, result)) === false) {
      return boolean(false);
    }
    left = right;
  }
  return result ?? unknownOf(frame, expression);
}

function conditional(
  machine: Machine,
  frame: Frame,
  { test, whenTrue, whenFalse }: Expression & { kind: 'conditional' },
): Value {
  const condition = truthOf(machine, evaluate(machine, frame, test));
  const holds = machine.valuation.decide(condition);
  if (holds !== undefined) {
    frame.trace?.skipped.push((holds ? whenFalse : whenTrue).span);
    return evaluate(machine, frame, holds ? whenTrue : whenFalse);
  }
  return joinValues(
    machine,
    condition,
    evaluate(machine, frame, whenTrue),
    evaluate(machine, frame, whenFalse),
  );
}

/** Items of a display, with `*values` spread where their items are known. */
function elements(
  machine: Machine,
  frame: Frame,
  parts: readonly Expression[],
  whole: Expression,
): Value[] {
  return parts.flatMap(part => {
    if (part.kind !== 'starred') {
      return [evaluate(machine, frame, part)];
    }
    const items = itemsOf(machine, evaluate(machine, frame, part.value));
    return items ?? [unknownOf(frame, whole)];
  });
}

/** What iteration over a value gives; undefined where that is not known. */
export function itemsOf(machine: Machine, value: Value): readonly Value[] | undefined {
  if (value.kind === 'tuple') {
    return value.items;
  }
  if (value.kind === 'list' || value.kind === 'set' || value.kind === 'dict') {
    const content = machine.heap.get(value.id);
    if (content?.kind === 'entries') {
      return [...content.entries.values()].map(([key]) => key);
    }
    return content?.kind === 'items' ? content.items : undefined;
  }
  if (value.kind === 'text') {
    const [only = '', ...others] = value.parts;
    return typeof only === 'string' && others.length === 0
      ? letters(only).map(letter => ({ kind: 'text', parts: [letter] }))
      : undefined;
  }
  return undefined;
}

function dictionary(
  machine: Machine,
  frame: Frame,
  expression: Expression & { kind: 'dict' },
): Value {
  const entries = new Map<string, readonly [Value, Value]>();
  let isKnown = true;
  for (const { key, value } of expression.entries) {
    const made = evaluate(machine, frame, value);
    if (key === undefined) {
      const content = made.kind === 'dict' ? machine.heap.get(made.id) : undefined;
      if (content?.kind === 'entries') {
        content.entries.forEach((entry, name) => entries.set(name, entry));
      } else {
        isKnown = false;
      }
      continue;
    }
    const keyValue = evaluate(machine, frame, key);
    const name = keyOf(machine, keyValue);
    if (name === undefined) {
      isKnown = false;
    } else {
      entries.set(name, [entries.get(name)?.[0] ?? keyValue, made]);
    }
  }
  const source = sourceOf(frame.module, expression);
  const id = machine.allocate(
    isKnown ? { kind: 'entries', entries } : { kind: 'lost', missing: [source] },
  );
  return { kind: 'dict', id };
}

/** A text that is equal for keys that Python takes as equal; undefined where it is not known. */
export function keyOf(machine: Machine, value: Value): string | undefined {
  switch (value.kind) {
    case 'number': {
      const exact = machine.valuation.exact(value.term);
      return exact === undefined
        ? undefined
        : `n${Number.isInteger(Number(exact)) ? BigInt(exact) : exact}`;
    }
    case 'text': {
      const [only = '', ...others] = value.parts;
      return typeof only === 'string' && others.length === 0 ? `s${only}` : undefined;
    }
    case 'none':
      return 'none';
    case 'tuple': {
      const keys = value.items.map(item => keyOf(machine, item));
      return keys.includes(undefined)
        ? undefined
        : `(${keys.map(key => JSON.stringify(key)).join()})`;
    }
    default:
      return undefined;
  }
}
