/** Comprehensions over sequences whose items are known. */
import { evaluate, itemsOf, keyOf, unknownOf } from './evaluate';
import { assign } from './assignment';
import type { Frame, Machine } from './machine';
import { truthOf } from './operation';
import { Scope } from './scope';
import type { Expression } from './syntax';
import type { Value } from './value';

export function comprehension(
  machine: Machine,
  frame: Frame,
  expression: Expression & { kind: 'comprehension' },
): Value {
  const { form, element, value, clauses } = expression;
  const inner: Frame = { ...frame, scope: new Scope(new Map(), frame.scope, true) };
  const keys: Value[] = [];
  const values: Value[] = [];
  const from = (at: number): boolean => {
    const clause = clauses[at];
    if (clause === undefined) {
      keys.push(evaluate(machine, inner, element));
      if (value !== undefined) {
        values.push(evaluate(machine, inner, value));
      }
      return keys.length <= machine.options.limits.items;
    }
    const source = evaluate(machine, inner, clause.source);
    if (clause.kind === 'if') {
      const holds = machine.valuation.decide(truthOf(machine, source));
      return holds === undefined ? false : !holds || from(at + 1);
    }
    const items = itemsOf(machine, source);
    return (
      items?.every(item => {
        if (clause.target !== undefined) {
          assign(machine, inner, clause.target, item);
        }
        return from(at + 1);
      }) ?? false
    );
  };
  if (!from(0)) {
    return unknownOf(frame, expression);
  }
  if (form === 'dict') {
    return dictionaryOf(machine, keys, values) ?? unknownOf(frame, expression);
  }
  if (form === 'generator') {
    return { kind: 'tuple', items: keys };
  }
  const items = form === 'set' ? distinct(machine, keys) : keys;
  return { kind: form, id: machine.allocate({ kind: 'items', items }) };
}

function dictionaryOf(
  machine: Machine,
  keys: readonly Value[],
  values: readonly Value[],
): Value | undefined {
  const entries = new Map<string, readonly [Value, Value]>();
  for (const [at, key] of keys.entries()) {
    const name = keyOf(machine, key);
    const value = values[at];
    if (name === undefined || value === undefined) {
      return undefined;
    }
    entries.set(name, [entries.get(name)?.[0] ?? key, value]);
  }
  return { kind: 'dict', id: machine.allocate({ kind: 'entries', entries }) };
}

/** Items without those that are certainly equal to an earlier one. */
export function distinct(machine: Machine, items: readonly Value[]): Value[] {
  const seen = new Set<string>();
  return items.filter(item => {
    const key = keyOf(machine, item);
    const isNew = key === undefined || !seen.has(key);
    seen.add(key ?? '');
    return isNew;
  });
}
