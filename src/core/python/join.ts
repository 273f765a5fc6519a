/** Joins what two branches of an undecided condition leave behind. */
import { choose } from '../terms/build';
import { operandsOf } from '../terms/term';
import type { Term } from '../terms/term';
import type { Heap, HeapContent } from './scope';
import type { Valuation } from './valuation';
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

function isSame(valuation: Valuation, a: Value, b: Value): boolean {
  if (a === b) {
    return true;
  }
  if (a.kind === 'number' && b.kind === 'number') {
    if (a.isBoolean !== b.isBoolean || a.term === b.term) {
      return a.term === b.term;
    }
    const exact = valuation.exact(a.term);
    const other = valuation.exact(b.term);
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
export function joinValues(valuation: Valuation, condition: Term, a: Value, b: Value): Value {
  if (isSame(valuation, a, b)) {
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
      joinValues(valuation, condition, item, b.items[at] ?? item),
    );
    return { kind: 'tuple', items };
  }
  const missing = missingBelow(condition);
  const type = a.kind === 'opaque' && b.kind === 'opaque' && a.type === b.type ? a.type : undefined;
  return opaque({ text: missing.join(', '), steps: ['?'] }, { type, missing });
}

/** Names of both branches. A name that one branch leaves unbound keeps the other's value. */
export function joinNames(
  valuation: Valuation,
  condition: Term,
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
): Map<string, Value> {
  const joined = new Map(b);
  for (const [name, value] of a) {
    const other = b.get(name);
    joined.set(name, other === undefined ? value : joinValues(valuation, condition, value, other));
  }
  return joined;
}

export function joinHeaps(valuation: Valuation, condition: Term, a: Heap, b: Heap): Heap {
  const joined: Heap = new Map(b);
  for (const [key, content] of a) {
    const other = b.get(key);
    if (other === undefined) {
      // Made in this branch, or an attribute that only this branch wrote.
      joined.set(key, typeof key === 'string' ? partly(condition, content) : content);
    } else if (other !== content) {
      joined.set(key, joinContents(valuation, condition, content, other));
    }
  }
  for (const [key, content] of b) {
    if (!a.has(key) && typeof key === 'string') {
      joined.set(key, partly(condition, content));
    }
  }
  return joined;
}

/** Attributes that one branch wrote and the other left as they were, which nobody knows. */
function partly(condition: Term, content: HeapContent): HeapContent {
  return content.kind === 'attributes'
    ? { kind: 'attributes', attributes: lostAttributes(condition, content.attributes.keys()) }
    : content;
}

function lostAttributes(condition: Term, names: Iterable<string>): Map<string, Value> {
  const missing = missingBelow(condition);
  return new Map(
    [...names].map(name => [
      name,
      opaque({ text: missing.join(', '), steps: ['?', name] }, { missing }),
    ]),
  );
}

function joinContents(
  valuation: Valuation,
  condition: Term,
  a: HeapContent,
  b: HeapContent,
): HeapContent {
  if (a.kind === 'items' && b.kind === 'items' && a.items.length === b.items.length) {
    const items = a.items.map((item, at) =>
      joinValues(valuation, condition, item, b.items[at] ?? item),
    );
    return { kind: 'items', items };
  }
  if (a.kind === 'attributes' && b.kind === 'attributes') {
    const shared = joinNames(valuation, condition, a.attributes, b.attributes);
    const onlyOne = [...shared.keys()].filter(
      name => !a.attributes.has(name) || !b.attributes.has(name),
    );
    const attributes = new Map([...shared, ...lostAttributes(condition, onlyOne)]);
    return { kind: 'attributes', attributes };
  }
  return { kind: 'lost', missing: missingBelow(condition) };
}
