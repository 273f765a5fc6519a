/** Comparisons. What cannot be decided is a condition named by its source. */
import { itemsOf } from './evaluate';
import { defaultValue, formulaValue, hasValue, inputValue } from './inputs';
import type { Machine } from './machine';
import { applyOperator, numberTerm, truthOf, typeError } from './operation';
import type { CompareOperator } from './syntax';
import type { Value, ValuePath } from './value';
import { boolean, letters, plainText, rootPath, truth } from './value';

/** One link of a comparison chain; `source` names it where it stays open. */
export function compare(
  machine: Machine,
  operator: CompareOperator,
  left: Value,
  right: Value,
  source: string,
): Value {
  const not = (value: Value): Value =>
    truth(applyOperator(machine, 'not', [truthOf(machine, value)]));
  switch (operator) {
    case '==':
    case '!=': {
      const equal = equality(machine, left, right, source);
      return operator === '==' ? equal : not(equal);
    }
    case 'is':
    case 'is not': {
      const same = identity(machine, left, right, source);
      return operator === 'is' ? same : not(same);
    }
    case 'in':
    case 'not in': {
      const found = membership(machine, left, right, source);
      return operator === 'in' ? found : not(found);
    }
    default:
      return order(machine, operator, left, right, source);
  }
}

function open(machine: Machine, source: string): Value {
  return truth(machine.unknown(source, { isInteger: true }));
}

function order(
  machine: Machine,
  operator: '<' | '<=' | '>' | '>=',
  left: Value,
  right: Value,
  source: string,
): Value {
  const texts = [plainText(left), plainText(right)];
  if (texts[0] !== undefined && texts[1] !== undefined) {
    const [a, b] = [codePoints(texts[0]), codePoints(texts[1])];
    return boolean(holds(operator, a < b ? -1 : a > b ? 1 : 0));
  }
  const a = numberTerm(machine, left);
  const b = numberTerm(machine, right);
  if (a === undefined || b === undefined) {
    const plain: readonly Value['kind'][] = ['number', 'text', 'none', 'tuple', 'list', 'dict'];
    if (left.kind !== right.kind && plain.includes(left.kind) && plain.includes(right.kind)) {
      throw typeError(operator);
    }
    return sequenceOrder(machine, operator, left, right) ?? open(machine, source);
  }
  const term =
    operator === '<' || operator === '<='
      ? applyOperator(machine, operator, [a, b])
      : applyOperator(machine, operator === '>' ? '<' : '<=', [b, a]);
  return truth(term);
}

/** A key that sorts as Python sorts texts: by code points. */
function codePoints(value: string): string {
  return letters(value)
    .map(letter => (letter.codePointAt(0) ?? 0).toString(16).padStart(6, '0'))
    .join('');
}

function holds(operator: '<' | '<=' | '>' | '>=', sign: number): boolean {
  switch (operator) {
    case '<':
      return sign < 0;
    case '<=':
      return sign <= 0;
    case '>':
      return sign > 0;
    case '>=':
      return sign >= 0;
  }
}

function sequenceOrder(
  machine: Machine,
  operator: '<' | '<=' | '>' | '>=',
  left: Value,
  right: Value,
): Value | undefined {
  const isOrdered = (value: Value): boolean => value.kind === 'tuple' || value.kind === 'list';
  if (!isOrdered(left) || left.kind !== right.kind) {
    return undefined;
  }
  const a = itemsOf(machine, left) ?? [];
  const b = itemsOf(machine, right) ?? [];
  for (const [at, item] of a.entries()) {
    const other = b[at];
    if (other === undefined) {
      break;
    }
    const equal = machine.valuation.decide(truthOf(machine, equality(machine, item, other, '…')));
    if (equal === undefined) {
      return undefined;
    }
    if (!equal) {
      return order(machine, operator, item, other, '…');
    }
  }
  return boolean(holds(operator, a.length - b.length));
}

/** `a == b`. */
export function equality(machine: Machine, left: Value, right: Value, source: string): Value {
  const byTable = tableComparison(machine, left, right);
  if (byTable !== undefined) {
    return byTable;
  }
  if (left.kind === 'number' && right.kind === 'number') {
    return truth(applyOperator(machine, '==', [left.term, right.term]));
  }
  const texts = [plainText(left), plainText(right)];
  if (texts[0] !== undefined && texts[1] !== undefined) {
    return boolean(texts[0] === texts[1]);
  }
  if (left.kind === 'opaque' || right.kind === 'opaque') {
    return opaqueEquality(machine, left, right, source);
  }
  if (left.kind === 'text' && right.kind === 'text') {
    return open(machine, source);
  }
  const items = [itemsOf(machine, left), itemsOf(machine, right)];
  if (left.kind === right.kind && left.kind !== 'text' && items[0] && items[1]) {
    return sequenceEquality(machine, left.kind, items[0], items[1], source);
  }
  if (left.kind === 'instance' || right.kind === 'instance') {
    return left.kind === 'instance' && right.kind === 'instance' && left.id === right.id
      ? boolean(true)
      : open(machine, source);
  }
  return left.kind === right.kind ? identity(machine, left, right, source) : boolean(false);
}

function sequenceEquality(
  machine: Machine,
  kind: Value['kind'],
  left: readonly Value[],
  right: readonly Value[],
  source: string,
): Value {
  if (kind === 'set' || kind === 'dict') {
    return open(machine, source);
  }
  if (left.length !== right.length) {
    return boolean(false);
  }
  let isOpen = false;
  for (const [at, item] of left.entries()) {
    const other = right[at];
    const equal = other && truthOf(machine, equality(machine, item, other, source));
    const decided = equal && machine.valuation.decide(equal);
    if (decided === false) {
      return boolean(false);
    }
    isOpen ||= decided === undefined;
  }
  return isOpen ? open(machine, source) : boolean(true);
}

/** A comparison that a fact table names. */
function tableComparison(machine: Machine, left: Value, right: Value): Value | undefined {
  const first = comparedPath(left);
  const second = comparedPath(right);
  if (first === undefined || second === undefined) {
    return undefined;
  }
  for (const [a, b] of [
    [first, second],
    [second, first],
  ] as const) {
    const found = machine.facts.inputs.comparison(a, b);
    if (found !== undefined && hasValue(machine, found.row)) {
      return inputValue(machine, found);
    }
    const formula = machine.facts.formulas.comparison(a, b);
    const computed = formula && formulaValue(machine, formula.row.formula, undefined);
    if (computed !== undefined) {
      return truth(computed);
    }
    const assumed = machine.facts.defaults.comparison(a, b);
    const usual =
      assumed && machine.options.usesDefaults ? defaultValue(machine, assumed, a) : undefined;
    if (usual !== undefined && usual.kind !== 'opaque') {
      return usual;
    }
    if (found !== undefined) {
      return inputValue(machine, found);
    }
  }
  return undefined;
}

/** What tables know a side of a comparison by: its path, or the text in quotes. */
function comparedPath(value: Value): ValuePath | undefined {
  if (value.kind === 'opaque') {
    return value.path;
  }
  const plain = plainText(value);
  return plain === undefined ? undefined : rootPath(`'${plain}'`);
}

function opaqueEquality(machine: Machine, left: Value, right: Value, source: string): Value {
  if (left.kind === 'opaque' && right.kind === 'opaque' && left.isObject && right.isObject) {
    // Members of one enumeration are told apart by their names.
    const [a, b] = [left.path.steps, right.path.steps];
    if (a.length === b.length && a.slice(0, -1).join('.') === b.slice(0, -1).join('.')) {
      return boolean(a.at(-1) === b.at(-1));
    }
  }
  const [number, other] = left.kind === 'number' ? [left, right] : [right, left];
  if (number.kind === 'number' && other.kind === 'opaque' && !other.isObject) {
    const term = numberTerm(machine, other);
    return term === undefined
      ? open(machine, source)
      : truth(applyOperator(machine, '==', [number.term, term]));
  }
  return open(machine, source);
}

/** `a is b`. */
function identity(machine: Machine, left: Value, right: Value, source: string): Value {
  const [nothing, other] = right.kind === 'none' ? [right, left] : [left, right];
  if (nothing.kind === 'none') {
    if (other.kind === 'opaque' && !other.isObject) {
      return open(machine, source);
    }
    return boolean(other.kind === 'none');
  }
  if (left.kind === 'number' && right.kind === 'number' && left.isBoolean && right.isBoolean) {
    return truth(applyOperator(machine, '==', [left.term, right.term]));
  }
  if (left.kind === 'class' && right.kind === 'class') {
    return boolean(left.definition === right.definition);
  }
  if ('id' in left && 'id' in right) {
    return boolean(left.id === right.id);
  }
  const table = tableComparison(machine, left, right);
  if (table !== undefined) {
    return table;
  }
  const isUnsure = (value: Value): boolean => value.kind === 'opaque' || value.kind === 'number';
  if (left.kind === 'opaque' && right.kind === 'opaque' && left.isObject && right.isObject) {
    return opaqueEquality(machine, left, right, source);
  }
  return isUnsure(left) || isUnsure(right) || left.kind === right.kind
    ? open(machine, source)
    : boolean(false);
}

function membership(machine: Machine, left: Value, right: Value, source: string): Value {
  const [part, whole] = [plainText(left), plainText(right)];
  if (part !== undefined && whole !== undefined) {
    return boolean(whole.includes(part));
  }
  const items = right.kind === 'text' ? undefined : itemsOf(machine, right);
  if (items === undefined) {
    return open(machine, source);
  }
  let isOpen = false;
  for (const item of items) {
    const equal = truthOf(machine, equality(machine, left, item, source));
    const decided = machine.valuation.decide(equal);
    if (decided === true) {
      return boolean(true);
    }
    isOpen ||= decided === undefined;
  }
  return isOpen ? open(machine, source) : boolean(false);
}
