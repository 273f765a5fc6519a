/** Joins what two branches of an undecided condition leave behind. */
import { choose } from '../terms/build';
import { operandsOf } from '../terms/term';
import type { Term } from '../terms/term';
import type { Machine } from './machine';
import type { HeapContent, HeapKey } from './scope';
import { Heap } from './scope';
import { numberTerm } from './operation';
import type { Value } from './value';
import { opaque, plainText } from './value';

/** Names of the inputs below a condition: what is missing to decide it. */
export function missingBelow(term: Term): string[] {
  const names = new Set<string>();
  const seen = new Set<Term>();
  const visit = (node: Term): void => {
    if (!seen.has(node)) {
      seen.add(node);
      if (node.kind === 'input') {
        names.add(node.name);
      }
      operandsOf(node).forEach(visit);
    }
  };
  visit(term);
  return [...names];
}

function isSame(machine: Machine, a: Value, b: Value): boolean {
  if (a === b) {
    return true;
  }
  if (a.kind === 'number' && b.kind === 'number') {
    if (a.isBoolean !== b.isBoolean || a.term === b.term) {
      return a.term === b.term;
    }
    const exact = machine.valuation.exact(a.term);
    const other = machine.valuation.exact(b.term);
    return exact !== undefined && Object.is(exact, other);
  }
  if (a.kind === 'text' && b.kind === 'text') {
    const left = plainText(a);
    return left !== undefined && left === plainText(b);
  }
  if (a.kind === 'opaque' && b.kind === 'opaque') {
    return a.path.text === b.path.text;
  }
  if (a.kind === 'class' && b.kind === 'class') {
    return a.definition === b.definition;
  }
  if ('id' in a && 'id' in b) {
    return a.id === b.id;
  }
  return a.kind === 'none' && b.kind === 'none';
}

/** The value under a condition that is not decided. */
export function joinValues(machine: Machine, condition: Term, a: Value, b: Value): Value {
  if (isSame(machine, a, b)) {
    return a;
  }
  if (a.kind === 'number' && b.kind === 'number') {
    return {
      kind: 'number',
      term: choose(condition, a.term, b.term),
      isBoolean: a.isBoolean && b.isBoolean,
    };
  }
  if (a.kind === 'tuple' && b.kind === 'tuple' && a.items.length === b.items.length) {
    const items = a.items.map((item, at) =>
      joinValues(machine, condition, item, b.items[at] ?? item),
    );
    return { kind: 'tuple', items };
  }
  const missing = missingBelow(condition);
  const [left, right] = [possibleNumber(machine, a), possibleNumber(machine, b)];
  const isSome = a.kind === 'number' || b.kind === 'number' || isNumber(a) || isNumber(b);
  if (isSome && (left ?? right) && (left || a.kind === 'none') && (right || b.kind === 'none')) {
    // A number or None: it is that number wherever arithmetic gets to use it.
    const number = left && right ? choose(condition, left, right) : (left ?? right);
    const path = { text: missing.join(', '), steps: ['?'] };
    return opaque(path, { missing, ...(number && { number }) });
  }
  const type = a.kind === 'opaque' && b.kind === 'opaque' && a.type === b.type ? a.type : undefined;
  return opaque({ text: missing.join(', '), steps: ['?'] }, { type, missing });
}

/** What a value is if it is a number; undefined for what is certainly none. */
function possibleNumber(machine: Machine, value: Value): Term | undefined {
  return value.kind === 'opaque' && (value.isObject || value.type !== undefined)
    ? undefined
    : numberTerm(machine, value);
}

function isNumber(value: Value): boolean {
  return value.kind === 'opaque' && value.number !== undefined;
}

/** Names of both branches. A name that one branch leaves unbound keeps the other's value. */
export function joinNames(
  machine: Machine,
  condition: Term,
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
): Map<string, Value> {
  const joined = new Map(b);
  for (const [name, value] of a) {
    const other = b.get(name);
    joined.set(name, other === undefined ? value : joinValues(machine, condition, value, other));
  }
  return joined;
}

const noContent: HeapContent = { kind: 'attributes', attributes: new Map() };

export function joinHeaps(machine: Machine, condition: Term, a: Heap, b: Heap): Heap {
  if (a.entries === b.entries) {
    return a.fork();
  }
  const joined = new Map<HeapKey, HeapContent>();
  const join = (
    key: HeapKey,
    left: HeapContent | undefined,
    right: HeapContent | undefined,
  ): void => {
    const either = left ?? right;
    if (left === right || typeof key === 'number') {
      // What only one branch made, only that branch can refer to.
      const both = left && right;
      joined.set(
        key,
        both && left !== right
          ? joinContents(machine, condition, key, left, right)
          : (either ?? noContent),
      );
    } else {
      joined.set(key, joinContents(machine, condition, key, left ?? noContent, right ?? noContent));
    }
  };
  a.entries.forEach((left, key) => join(key, left, b.get(key)));
  b.entries.forEach((right, key) => {
    if (!joined.has(key)) {
      join(key, undefined, right);
    }
  });
  return new Heap(joined);
}

function joinContents(
  machine: Machine,
  condition: Term,
  key: number | string,
  a: HeapContent,
  b: HeapContent,
): HeapContent {
  if (a.kind === 'items' && b.kind === 'items' && a.items.length === b.items.length) {
    const items = a.items.map((item, at) =>
      joinValues(machine, condition, item, b.items[at] ?? item),
    );
    return { kind: 'items', items };
  }
  if (a.kind !== 'attributes' || b.kind !== 'attributes') {
    return { kind: 'lost', missing: missingBelow(condition) };
  }
  const attributes = new Map<string, Value>();
  const join = (name: string, left: Value | undefined, right: Value | undefined): void => {
    if (left !== undefined && left === right) {
      attributes.set(name, left);
      return;
    }
    // A branch that did not write the attribute leaves what was read of it before, if anything was.
    const before = left && right ? undefined : machine.readAttributes.get(`${key}.${name}`);
    const [one, other] = [left ?? before, right ?? before];
    if (one && other) {
      attributes.set(name, joinValues(machine, condition, one, other));
      return;
    }
    const missing = missingBelow(condition);
    attributes.set(name, opaque({ text: missing.join(', '), steps: ['?', name] }, { missing }));
  };
  a.attributes.forEach((left, name) => join(name, left, b.attributes.get(name)));
  b.attributes.forEach((right, name) => {
    if (!attributes.has(name)) {
      join(name, undefined, right);
    }
  });
  return { kind: 'attributes', attributes };
}
