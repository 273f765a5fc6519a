/** Operators on values: numbers become terms, texts and sequences are joined, the rest is unknown. */
import { apply, constant } from '../terms/build';
import { operators } from '../terms/operator';
import type { OperatorName } from '../terms/operator';
import type { Term } from '../terms/term';
import { PythonArithmeticError } from '../units/pythonNumber';
import { units } from '../units/unit';
import { itemsOf, keyOf } from './evaluate';
import type { Machine } from './machine';
import { PythonRaise } from './machine';
import type { BinaryOperator } from './syntax';
import type { Value } from './value';
import { boolean, fromTerm, none, numberOf, opaque, plainText, text } from './value';

/** Where an operation stands. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Applies an operator of the table. Constants fold at once; what Python raises is raised. */
export function applyOperator(
  machine: Machine,
  operator: OperatorName,
  operands: readonly Term[],
  place?: Place,
): Term {
  const plain = operands.flatMap(operand =>
    operand.kind === 'constant' && operand.unit === units.one ? [operand.value] : [],
  );
  if (plain.length === operands.length) {
    try {
      return constant(operators[operator].exact(plain));
    } catch (error) {
      return unlessOurs(machine, operator, operands, error);
    }
  }
  const term = apply(operator, operands, place && { origin: { kind: 'source', ...place } });
  machine.noteOperation(operands, term);
  const evaluation = machine.valuation.evaluate(term);
  if (evaluation.kind === 'raises') {
    return unlessOurs(machine, operator, operands, evaluation.error);
  }
  return term;
}

/** Raises what Python raises. Where only this arithmetic has no result, the value is unknown. */
function unlessOurs(
  machine: Machine,
  operator: OperatorName,
  operands: readonly Term[],
  error: unknown,
): Term {
  const isArithmetic = error instanceof PythonArithmeticError;
  const isComplex = isArithmetic && operator === '**' && error.exception === 'ValueError';
  const isHuge =
    isArithmetic &&
    error.exception === 'OverflowError' &&
    operands.every(operand => typeof machine.valuation.exact(operand) === 'bigint');
  if (isComplex || isHuge) {
    return machine.unknown(`… ${operator} …`);
  }
  throw raised(error);
}

function raised(error: unknown): unknown {
  if (!(error instanceof PythonArithmeticError)) {
    return error;
  }
  return new PythonRaise({
    kind: 'exception',
    name: error.exception,
    message: text(error.message),
  });
}

/** What Python raises where the types of operands never go together. */
export function typeError(operator: string): PythonRaise {
  const message = text(`unsupported operand type(s) for ${operator}`);
  return new PythonRaise({ kind: 'exception', name: 'TypeError', message });
}

/** True for values of built-in types, whose operations are all known. */
function isPlain({ kind }: Value): boolean {
  return ['number', 'text', 'none', 'tuple', 'list', 'set', 'dict'].includes(kind);
}

/** The number that arithmetic takes a value for; undefined for what is certainly no number. */
export function numberTerm(machine: Machine, value: Value): Term | undefined {
  if (value.kind === 'number') {
    return value.term;
  }
  return value.kind === 'opaque' ? (value.number ?? machine.unknown(value.path.text)) : undefined;
}

const sameInTable: ReadonlySet<string> = new Set(['+', '-', '*', '/', '//', '%', '**', '<<', '>>']);

export function binaryOperation(
  machine: Machine,
  operator: BinaryOperator,
  left: Value,
  right: Value,
  place: Place,
): Value {
  if (left.kind === 'opaque' && right.kind === 'opaque' && !sameInTable.has(operator)) {
    return unknownResult(left, operator, right);
  }
  const special = onTexts(operator, left, right) ?? onSequences(machine, operator, left, right);
  if (special !== undefined) {
    return special;
  }
  const a = numberTerm(machine, left);
  const b = numberTerm(machine, right);
  if (operator === '*' && isRepeatedByFloat(machine, left, b, right, a)) {
    throw typeError(operator);
  }
  if (a === undefined || b === undefined) {
    const union = classUnion(operator, left, right);
    if (union === undefined && isPlain(left) && isPlain(right) && !isOther(operator, left, right)) {
      throw typeError(operator);
    }
    return union ?? unknownResult(left, operator, right);
  }
  if (operator === '/' && isOwnMaximum(machine, a, b)) {
    return numberOf(1);
  }
  if ((operator === '<<' || operator === '>>') && [a, b].some(term => isFloat(machine, term))) {
    throw typeError(operator);
  }
  return sameInTable.has(operator)
    ? fromTerm(applyOperator(machine, operator as OperatorName, [a, b], place))
    : bitwise(machine, operator, left, right);
}

/** `x / max(x, c)` where x is at least c: a guard against a division by zero, whatever x is. */
function isOwnMaximum(machine: Machine, above: Term, below: Term): boolean {
  const least = machine.least.get(above);
  return (
    least !== undefined &&
    below.kind === 'operator' &&
    below.operator === 'max' &&
    below.operands.includes(above) &&
    below.operands.every(
      term => term === above || (term.kind === 'constant' && term.value <= least && least > 0n),
    )
  );
}

/** A sequence times a number that is no whole one. */
function isRepeatedByFloat(
  machine: Machine,
  left: Value,
  b: Term | undefined,
  right: Value,
  a: Term | undefined,
): boolean {
  const isSequence = ({ kind }: Value): boolean =>
    kind === 'text' || kind === 'list' || kind === 'tuple';
  return (
    (isSequence(left) && b !== undefined && isFloat(machine, b)) ||
    (isSequence(right) && a !== undefined && isFloat(machine, a))
  );
}

function isFloat(machine: Machine, term: Term): boolean {
  return typeof machine.valuation.exact(term) === 'number';
}

/** Operators of sets and dicts, formatting by `%` and long repetitions are not followed. */
function isOther(operator: BinaryOperator, left: Value, right: Value): boolean {
  const isAny = (kinds: readonly Value['kind'][]): boolean =>
    kinds.includes(left.kind) || kinds.includes(right.kind);
  return (
    isAny(['set', 'dict']) ||
    (operator === '%' && left.kind === 'text') ||
    (operator === '*' && isAny(['text', 'list', 'tuple']))
  );
}

function unknownResult(left: Value, operator: string, right: Value): Value {
  const name = (value: Value): string => (value.kind === 'opaque' ? value.path.text : '…');
  const source = `${name(left)} ${operator} ${name(right)}`;
  const missing = [left, right].flatMap(value => (value.kind === 'opaque' ? value.missing : []));
  return opaque({ text: source, steps: ['?', source] }, { missing });
}

/** `A | B` of classes, as isinstance takes it. */
function classUnion(operator: BinaryOperator, left: Value, right: Value): Value | undefined {
  const isClass = (value: Value): boolean =>
    value.kind === 'class' ||
    value.kind === 'tuple' ||
    value.kind === 'none' ||
    value.kind === 'opaque';
  return operator === '|' && isClass(left) && isClass(right)
    ? {
        kind: 'tuple',
        items: [left, right].flatMap(one => (one.kind === 'tuple' ? one.items : [one])),
      }
    : undefined;
}

function onTexts(operator: BinaryOperator, left: Value, right: Value): Value | undefined {
  if (operator === '+' && left.kind === 'text' && right.kind === 'text') {
    return { kind: 'text', parts: mergeParts([...left.parts, ...right.parts]) };
  }
  if (operator === '+' && (left.kind === 'text' || right.kind === 'text')) {
    if (left.kind !== 'opaque' && right.kind !== 'opaque') {
      throw typeError(operator);
    }
    const part = (value: Value) =>
      value.kind === 'text'
        ? value.parts
        : [{ value, source: value.kind === 'opaque' ? value.path.text : '…' }];
    return { kind: 'text', parts: mergeParts([...part(left), ...part(right)]) };
  }
  return undefined;
}

/** Neighbouring plain parts as one, so that a known text has one part. */
export function mergeParts<Gap>(parts: readonly (string | Gap)[]): (string | Gap)[] {
  const merged: (string | Gap)[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === 'string' && typeof last === 'string') {
      merged[merged.length - 1] = last + part;
    } else if (part !== '') {
      merged.push(part);
    }
  }
  return merged;
}

function onSequences(
  machine: Machine,
  operator: BinaryOperator,
  left: Value,
  right: Value,
): Value | undefined {
  const isSequence = (value: Value): boolean => value.kind === 'tuple' || value.kind === 'list';
  if (operator === '+' && isSequence(left) && left.kind === right.kind) {
    const a = itemsOf(machine, left);
    const b = itemsOf(machine, right);
    return a && b ? sequence(machine, left.kind, [...a, ...b]) : undefined;
  }
  if (operator === '*' && (isSequence(left) || left.kind === 'text')) {
    return repeat(machine, left, right);
  }
  return operator === '*' && (isSequence(right) || right.kind === 'text')
    ? repeat(machine, right, left)
    : undefined;
}

function sequence(machine: Machine, kind: Value['kind'], items: readonly Value[]): Value {
  return kind === 'list'
    ? { kind: 'list', id: machine.allocate({ kind: 'items', items }) }
    : { kind: 'tuple', items };
}

function repeat(machine: Machine, value: Value, times: Value): Value | undefined {
  const count = times.kind === 'number' ? machine.valuation.exact(times.term) : undefined;
  const items = itemsOf(machine, value);
  if (typeof count !== 'bigint' || items === undefined) {
    return undefined;
  }
  const rounds = Math.max(0, Number(count));
  if (rounds * items.length > machine.options.limits.items) {
    return undefined;
  }
  const all = Array.from({ length: rounds }, () => items).flat();
  return value.kind === 'text'
    ? text(all.map(item => plainText(item) ?? '').join(''))
    : sequence(machine, value.kind, all);
}

/** `&`, `|`, `^` of known integers. */
function bitwise(machine: Machine, operator: BinaryOperator, left: Value, right: Value): Value {
  const exact = (value: Value) =>
    value.kind === 'number' ? machine.valuation.exact(value.term) : undefined;
  const a = exact(left);
  const b = exact(right);
  if (typeof a === 'number' || typeof b === 'number') {
    throw typeError(operator);
  }
  if (a === undefined || b === undefined) {
    return unknownResult(left, operator, right);
  }
  const isBoolean =
    left.kind === 'number' && left.isBoolean && right.kind === 'number' && right.isBoolean;
  const value = operator === '&' ? a & b : operator === '|' ? a | b : a ^ b;
  return isBoolean ? boolean(value !== 0n) : numberOf(value);
}

export function unaryOperation(
  machine: Machine,
  operator: '-' | '+' | '~' | 'not',
  operand: Value,
  place: Place,
): Value {
  if (operator === 'not') {
    const condition = truthOf(machine, operand);
    return {
      kind: 'number',
      term: applyOperator(machine, 'not', [condition], place),
      isBoolean: true,
    };
  }
  const term = numberTerm(machine, operand);
  if (term === undefined) {
    if (isPlain(operand)) {
      throw typeError(operator);
    }
    return opaque({ text: `${operator}…`, steps: ['?'] });
  }
  if (operator === '~' && isFloat(machine, term)) {
    throw typeError(operator);
  }
  switch (operator) {
    case '-':
      return fromTerm(applyOperator(machine, 'neg', [term], place));
    case '+':
      return fromTerm(term);
    case '~': {
      const negative = applyOperator(machine, 'neg', [term], place);
      return fromTerm(applyOperator(machine, '-', [negative, constant(1n)], place));
    }
  }
}

/** The condition that a value is in `if`: a term that is 0 where Python takes it as false. */
export function truthOf(machine: Machine, value: Value): Term {
  switch (value.kind) {
    case 'number':
      return value.term;
    case 'none':
      return constant(0n);
    case 'text': {
      const isEmpty = value.parts.length === 0;
      const isSure = isEmpty || value.parts.some(part => typeof part === 'string');
      return isSure ? constant(isEmpty ? 0n : 1n) : machine.unknown('…');
    }
    case 'tuple':
      return constant(value.items.length > 0 ? 1n : 0n);
    case 'list':
    case 'set':
    case 'dict': {
      const items = itemsOf(machine, value);
      return items === undefined ? machine.unknown('…') : constant(items.length > 0 ? 1n : 0n);
    }
    case 'opaque':
      return value.isObject ? constant(1n) : machine.unknown(value.path.text);
    case 'instance':
    case 'function':
    case 'class':
    case 'module':
    case 'builtin':
    case 'exception':
    case 'super':
      return constant(1n);
  }
}

/** `value[index]`. A slice arrives as a tuple of three. */
export function subscript(machine: Machine, value: Value, index: Value, source: string): Value {
  const unknown = (): Value =>
    value.kind === 'opaque'
      ? opaque({ text: source, steps: [...value.path.steps, '[]'] })
      : opaque({ text: source, steps: ['?', source] });
  if (value.kind === 'dict') {
    const content = machine.heap.get(value.id);
    const key = keyOf(machine, index);
    if (content?.kind !== 'entries' || key === undefined) {
      return unknown();
    }
    const entry = content.entries.get(key);
    if (entry === undefined) {
      throw new PythonRaise({ kind: 'exception', name: 'KeyError', message: index });
    }
    return entry[1];
  }
  const items = itemsOf(machine, value);
  if (items === undefined) {
    return unknown();
  }
  if (index.kind === 'tuple') {
    return slice(machine, value, items, index.items) ?? unknown();
  }
  const at = index.kind === 'number' ? machine.valuation.exact(index.term) : undefined;
  if (typeof at !== 'bigint') {
    return unknown();
  }
  const item = items.at(Number(at));
  if (item === undefined) {
    const message = text(`${value.kind === 'text' ? 'string' : value.kind} index out of range`);
    throw new PythonRaise({ kind: 'exception', name: 'IndexError', message });
  }
  return item;
}

function slice(
  machine: Machine,
  value: Value,
  items: readonly Value[],
  ends: readonly Value[],
): Value | undefined {
  const [lower, upper, step] = ends.map(end =>
    end.kind === 'none'
      ? undefined
      : end.kind === 'number'
        ? machine.valuation.exact(end.term)
        : null,
  );
  const known = [lower, upper, step].every(end => end === undefined || typeof end === 'bigint');
  const stride = step === undefined ? 1 : Number(step);
  if (!known || stride === 0 || Number.isNaN(stride)) {
    return undefined;
  }
  const size = items.length;
  const clamp = (end: number, low: number, high: number): number =>
    Math.min(Math.max(end < 0 ? end + size : end, low), high);
  const first =
    typeof lower === 'bigint'
      ? clamp(Number(lower), stride > 0 ? 0 : -1, stride > 0 ? size : size - 1)
      : stride > 0
        ? 0
        : size - 1;
  const last =
    typeof upper === 'bigint'
      ? clamp(Number(upper), stride > 0 ? 0 : -1, stride > 0 ? size : size - 1)
      : stride > 0
        ? size
        : -1;
  const chosen: Value[] = [];
  for (let at = first; stride > 0 ? at < last : at > last; at += stride) {
    chosen.push(items[at] ?? none);
  }
  return value.kind === 'text'
    ? text(chosen.map(item => plainText(item) ?? '').join(''))
    : sequence(machine, value.kind, chosen);
}
