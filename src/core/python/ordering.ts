/** `min`, `max` and `sorted`, with keys and defaults. */
import type { Term } from '../terms/term';
import type { BuiltinCall, BuiltinFunction } from './builtinCall';
import { callFunction } from './call';
import { compare } from './compare';
import { itemsOf } from './evaluate';
import type { Machine } from './machine';
import { PythonRaise } from './machine';
import { applyOperator, numberTerm, truthOf } from './operation';
import type { Value } from './value';
import { fromTerm, text } from './value';

/** The values of one iterable argument, or of several arguments. */
export function operands({ machine, positional }: BuiltinCall): readonly Value[] | undefined {
  const [only] = positional;
  return only !== undefined && positional.length === 1 ? itemsOf(machine, only) : positional;
}

export function extreme(operator: 'min' | 'max'): BuiltinFunction {
  return call => {
    const { machine, named } = call;
    const values = operands(call);
    const key = named.get('key');
    if (values === undefined) {
      return undefined;
    }
    if (values.length === 0) {
      const fallback = named.get('default');
      if (fallback === undefined) {
        const message = text(`${operator}() arg is an empty sequence`);
        throw new PythonRaise({ kind: 'exception', name: 'ValueError', message });
      }
      return fallback;
    }
    const [only] = values;
    if (values.length === 1) {
      return only;
    }
    if (key !== undefined && key.kind !== 'none') {
      return extremeByKey(call, operator, values, key);
    }
    const isMixed = values.some(value => value.kind === 'number' && value.isBoolean);
    const chosen = isMixed ? extremeByOrder(machine, operator, values) : undefined;
    if (chosen !== undefined) {
      return chosen;
    }
    const terms = values.map(value => numberTerm(machine, value));
    const known = terms.filter((term): term is Term => term !== undefined);
    return known.length === terms.length
      ? fromTerm(applyOperator(machine, operator, known))
      : extremeByOrder(machine, operator, values);
  };
}

function extremeByOrder(
  machine: Machine,
  operator: 'min' | 'max',
  values: readonly Value[],
): Value | undefined {
  let best = values[0];
  for (const value of values.slice(1)) {
    const better =
      best &&
      machine.valuation.decide(
        truthOf(machine, compare(machine, operator === 'min' ? '<' : '>', value, best, '…')),
      );
    if (better === undefined) {
      return undefined;
    }
    best = better ? value : best;
  }
  return best;
}

function extremeByKey(
  call: BuiltinCall,
  operator: 'min' | 'max',
  values: readonly Value[],
  key: Value,
): Value | undefined {
  const { machine } = call;
  let best: { readonly item: Value; readonly rank: Value } | undefined;
  for (const item of values) {
    const rank = rankBy(call, key, item);
    const better =
      rank && best && decideOrder(machine, operator === 'min' ? '<' : '>', rank, best.rank);
    if (rank === undefined || (best !== undefined && better === undefined)) {
      return undefined;
    }
    best = best === undefined || better === true ? { item, rank } : best;
  }
  return best?.item;
}

function decideOrder(machine: Machine, operator: '<' | '>', a: Value, b: Value) {
  return machine.valuation.decide(truthOf(machine, compare(machine, operator, a, b, '…')));
}

/** A new list in order; `list.sort` puts its items into the list itself. */
export function sorted(call: BuiltinCall): Value | undefined {
  const [value] = call.positional;
  const items = value && itemsOf(call.machine, value);
  const order = items && inOrder(call, items);
  return order && { kind: 'list', id: call.machine.allocate({ kind: 'items', items: order }) };
}

/** The items by `key` and `reverse` of the call; equal ones stay in their order. */
export function inOrder(call: BuiltinCall, items: readonly Value[]): readonly Value[] | undefined {
  const { machine, named } = call;
  const key = named.get('key');
  const reverse = named.get('reverse');
  const isReversed =
    reverse === undefined ? false : machine.valuation.decide(truthOf(machine, reverse));
  const keyed = items.flatMap(item => {
    const rank = rankBy(call, key, item);
    return rank === undefined ? [] : [{ item, rank }];
  });
  if (isReversed === undefined || keyed.length < items.length) {
    return undefined;
  }
  const open: Value[] = [];
  const order = [...keyed].sort((a, b) => {
    const [first, second] = isReversed ? [b, a] : [a, b];
    const before = decideOrder(machine, '<', first.rank, second.rank);
    const after = decideOrder(machine, '<', second.rank, first.rank);
    if (before === undefined || after === undefined) {
      open.push(first.item);
    }
    return before === true ? -1 : after === true ? 1 : 0;
  });
  return open.length > 0 ? undefined : order.map(({ item }) => item);
}

/** What `key` gives for an item; undefined where that is not known. */
function rankBy(call: BuiltinCall, key: Value | undefined, item: Value): Value | undefined {
  const { machine, frame } = call;
  switch (key?.kind) {
    case undefined:
    case 'none':
      return item;
    case 'function':
      return callFunction(machine, key, [item], new Map(), undefined, frame.depth - 1);
    case 'builtin':
      return key.receiver === undefined ? call.apply(key.name, [item]) : undefined;
    default:
      return undefined;
  }
}
