/**
 * Built-in functions and methods, as far as their result follows from values that are known. What
 * is not here, or is asked of an unknown value, gives an unknown result.
 */
import type { OperatorName } from '../terms/operator';
import type { BuiltinCall, BuiltinFunction } from './builtinCall';
import { callMethod } from './builtinMethod';
import { distinct } from './comprehension';
import { itemsOf } from './evaluate';
import { exceptionNamed } from './exceptionType';
import { reprOf, strOf } from './formatted';
import { lengthOf } from './length';
import type { Frame, Machine } from './machine';
import { PythonRaise, sourceOf } from './machine';
import { applyOperator, binaryOperation, numberTerm, truthOf, typeError } from './operation';
import { extreme, operands, sorted } from './ordering';
import { textRepr } from './pythonFormat';
import type { Expression } from './syntax';
import { getAttribute, hasAttribute, isCallable, isInstance } from './typeTest';
import type { BuiltinValue, Value } from './value';
import { boolean, fromTerm, none, numberOf, opaque, plainText, text, truth } from './value';

/** A built-in by its name; undefined for a name that is none. */
export function builtinNamed(name: string): Value | undefined {
  return Object.hasOwn(functions, name) || exceptionNamed(name) || typeNames.has(name)
    ? { kind: 'builtin', name, receiver: undefined }
    : undefined;
}

const typeNames: ReadonlySet<string> = new Set([
  'int',
  'float',
  'bool',
  'str',
  'list',
  'tuple',
  'dict',
  'set',
  'object',
  'type',
]);

export function callBuiltin(
  machine: Machine,
  frame: Frame,
  expression: Expression,
  { name, receiver }: BuiltinValue,
  positional: readonly Value[],
  named: ReadonlyMap<string, Value>,
): Value {
  const source = sourceOf(frame.module, expression);
  const call: BuiltinCall = {
    machine,
    frame,
    positional,
    named,
    source,
    apply: (other, values) => functions[other]?.({ ...call, positional: values, named: new Map() }),
  };
  if (exceptionNamed(name)) {
    return { kind: 'exception', name, message: positional[0] };
  }
  const row = receiver === undefined ? functions[name] : undefined;
  const result = receiver === undefined ? row?.(call) : callMethod(call, receiver, name);
  return result ?? opaque({ text: source, steps: ['?', source] });
}

function apply1(operator: OperatorName): BuiltinFunction {
  return ({ machine, positional: [value, second] }) => {
    if (value?.kind === 'text' || value?.kind === 'none' || value?.kind === 'tuple') {
      throw typeError(operator);
    }
    const term = value && numberTerm(machine, value);
    const extra = second && numberTerm(machine, second);
    if (term === undefined || (second !== undefined && extra === undefined)) {
      return undefined;
    }
    return fromTerm(applyOperator(machine, operator, extra ? [term, extra] : [term]));
  };
}

const anyOrAll =
  (stops: boolean): BuiltinFunction =>
  call => {
    const values = operands(call);
    if (values === undefined) {
      return undefined;
    }
    for (const value of values) {
      const holds = call.machine.valuation.decide(truthOf(call.machine, value));
      if (holds === undefined) {
        return undefined;
      }
      if (holds === stops) {
        return boolean(stops);
      }
    }
    return boolean(!stops);
  };

function newList(machine: Machine, items: readonly Value[]): Value {
  return { kind: 'list', id: machine.allocate({ kind: 'items', items }) };
}

function integerArguments({ machine, positional }: BuiltinCall): bigint[] | undefined {
  const values = positional.map(value =>
    value.kind === 'number' ? machine.valuation.exact(value.term) : undefined,
  );
  const known = values.filter((value): value is bigint => typeof value === 'bigint');
  return known.length === values.length ? known : undefined;
}

const range: BuiltinFunction = call => {
  const numbers = integerArguments(call);
  if (numbers === undefined) {
    return undefined;
  }
  const [first = 0n, second, step = 1n] = numbers;
  const [start, end] = second === undefined ? [0n, first] : [first, second];
  if (step === 0n) {
    const message = text('range() arg 3 must not be zero');
    throw new PythonRaise({ kind: 'exception', name: 'ValueError', message });
  }
  const items: Value[] = [];
  for (let at = start; step > 0n ? at < end : at > end; at += step) {
    if (items.length >= call.machine.options.limits.items) {
      return undefined;
    }
    items.push(numberOf(at));
  }
  return { kind: 'tuple', items };
};

const toInt: BuiltinFunction = call => {
  const [value] = call.positional;
  const written = value && plainText(value);
  if (written !== undefined) {
    const digits = written.trim().replace(/(?<=\d)_(?=\d)/g, '');
    if (/^[+-]?\d+$/.test(digits) && call.positional.length === 1) {
      return numberOf(BigInt(digits.replace('+', '')));
    }
    if (/^[^\d]*$/.test(digits) || /^[+-]?\d*\.\d*(e[+-]?\d+)?$/.test(digits)) {
      const message = text(`invalid literal for int() with base 10: ${textRepr(written)}`);
      throw new PythonRaise({ kind: 'exception', name: 'ValueError', message });
    }
    return undefined;
  }
  return value === undefined ? numberOf(0n) : apply1('int')(call);
};

const toFloat: BuiltinFunction = call => {
  const {
    positional: [value],
  } = call;
  const written = value && plainText(value);
  if (written !== undefined) {
    return /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(written)
      ? numberOf(Number(written))
      : undefined;
  }
  return value === undefined ? numberOf(0) : apply1('float')(call);
};

const toStr: BuiltinFunction = ({ machine, positional: [value], source }) => {
  if (value === undefined) {
    return text('');
  }
  const written = strOf(machine, value);
  return written === undefined ? { kind: 'text', parts: [{ value, source }] } : text(written);
};

const sum: BuiltinFunction = ({ machine, frame, positional: [value, second], named }) => {
  const start = second ?? named.get('start');
  const items = value && itemsOf(machine, value);
  const place = { file: frame.module.path, line: 0, column: 0 };
  return items?.reduce<Value>(
    (total, item) => binaryOperation(machine, '+', total, item, place),
    start ?? numberOf(0n),
  );
};

const enumerate: BuiltinFunction = ({ machine, positional: [value, start], named }) => {
  const first = start ?? named.get('start') ?? numberOf(0n);
  const from = first.kind === 'number' ? machine.valuation.exact(first.term) : undefined;
  const items = value && itemsOf(machine, value);
  return items === undefined || typeof from !== 'bigint'
    ? undefined
    : {
        kind: 'tuple',
        items: items.map((item, at) => ({
          kind: 'tuple',
          items: [numberOf(from + BigInt(at)), item],
        })),
      };
};

const zip: BuiltinFunction = ({ machine, positional }) => {
  const columns = positional.map(value => itemsOf(machine, value));
  const known = columns.filter((column): column is readonly Value[] => column !== undefined);
  if (known.length !== columns.length) {
    return undefined;
  }
  const rows = known.length === 0 ? 0 : Math.min(...known.map(column => column.length));
  return {
    kind: 'tuple',
    items: Array.from({ length: rows }, (_, at) => ({
      kind: 'tuple',
      items: known.map(column => column[at] ?? none),
    })),
  };
};

const functions: Readonly<Record<string, BuiltinFunction>> = {
  abs: apply1('abs'),
  int: toInt,
  float: toFloat,
  round: call => {
    const [value, digits] = call.positional;
    return digits?.kind === 'none' && value !== undefined
      ? apply1('round')({ ...call, positional: [value] })
      : apply1('round')(call);
  },
  bool: ({ machine, positional: [value] }) => {
    if (value === undefined) {
      return boolean(false);
    }
    const condition = truthOf(machine, value);
    const holds = machine.valuation.decide(condition);
    const twice = applyOperator(machine, 'not', [applyOperator(machine, 'not', [condition])]);
    return holds === undefined ? truth(twice) : boolean(holds);
  },
  str: toStr,
  repr: ({ machine, positional: [value], source }) => {
    const written = value && reprOf(machine, value);
    return written === undefined
      ? value && { kind: 'text', parts: [{ value, source }] }
      : text(written);
  },
  min: extreme('min'),
  max: extreme('max'),
  sum,
  len: ({ machine, positional: [value], source }) => value && lengthOf(machine, value, source),
  range,
  sorted,
  reversed: ({ machine, positional: [value] }) => {
    const items = value && itemsOf(machine, value);
    return items && { kind: 'tuple', items: [...items].reverse() };
  },
  enumerate,
  zip,
  any: anyOrAll(true),
  all: anyOrAll(false),
  list: ({ machine, positional: [value] }) => {
    const items = value === undefined ? [] : itemsOf(machine, value);
    return items && newList(machine, items);
  },
  tuple: ({ machine, positional: [value] }) => {
    const items = value === undefined ? [] : itemsOf(machine, value);
    return items && { kind: 'tuple', items };
  },
  set: ({ machine, positional: [value] }) => {
    const items = value === undefined ? [] : itemsOf(machine, value);
    return (
      items && {
        kind: 'set',
        id: machine.allocate({ kind: 'items', items: distinct(machine, items) }),
      }
    );
  },
  dict: ({ machine, positional, named }) => {
    if (positional.length > 0) {
      return undefined;
    }
    const entries = new Map(
      [...named].map(([key, value]) => [`s${key}`, [text(key), value] as const]),
    );
    return { kind: 'dict', id: machine.allocate({ kind: 'entries', entries }) };
  },
  isinstance: isInstance,
  getattr: getAttribute,
  hasattr: hasAttribute,
  callable: isCallable,
  print: () => none,
  divmod: ({ machine, frame, positional: [a, b] }) => {
    const place = { file: frame.module.path, line: 0, column: 0 };
    return a && b
      ? {
          kind: 'tuple',
          items: [
            binaryOperation(machine, '//', a, b, place),
            binaryOperation(machine, '%', a, b, place),
          ],
        }
      : undefined;
  },
  pow: ({ machine, frame, positional: [a, b, modulus] }) =>
    a && b && modulus === undefined
      ? binaryOperation(machine, '**', a, b, { file: frame.module.path, line: 0, column: 0 })
      : undefined,
};
