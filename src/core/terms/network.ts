/**
 * A graph laid out for the solver: nodes in an order where operands come before their users. What
 * needs no input is folded to its value, and clamps of many operands become clamps of two, each
 * with the comparison that decides it. Leaves out all knowledge of values.
 */
import type { PythonNumber } from '../units/pythonNumber';
import { apply } from './build';
import { Evaluator } from './evaluate';
import { operators } from './operator';
import type { OperatorTerm, Term } from './term';
import { operandsOf, topologicalOrder } from './term';

/** Which of two nodes gives a node its value: a choice, or a clamp (`min`, `max`) of two operands. */
export interface Selection {
  /** Node that is 0 when `whenFalse` is taken. */
  readonly condition: number;
  readonly whenTrue: number;
  readonly whenFalse: number;
}

/** A term with the places of its operands. */
export interface Node {
  readonly term: Term;
  readonly operands: readonly number[];
  readonly selection: Selection | undefined;
  /** The value of a term without inputs below it. */
  readonly constant: PythonNumber | undefined;
  /** True when every value is a whole number. */
  readonly integer: boolean;
}

/** All nodes below some terms, and their places. */
export class Network {
  readonly nodes: readonly Node[];
  readonly indexOf: ReadonlyMap<Term, number>;
  /** For each node the nodes that follow from it. */
  readonly users: readonly (readonly number[])[];

  constructor(above: readonly Term[]) {
    const clamps = new Map<Term, Clamp>();
    const terms = topologicalOrder(above).flatMap(term => [...unfold(term, clamps), term]);
    const indexOf = new Map(terms.map((term, at) => [term, at]));
    const place = (term: Term): number => indexOf.get(term) ?? -1;
    const evaluator = new Evaluator();
    const nodes: Node[] = [];
    for (const term of terms) {
      const clamp = clamps.get(term);
      const operands = (clamp?.operands ?? operandsOf(term)).map(place);
      const below = operands.flatMap(operand => nodes[operand] ?? []);
      const isFixed = term.kind !== 'input' && below.every(node => node.constant !== undefined);
      const constant = isFixed ? evaluator.value(term) : undefined;
      nodes.push({
        term,
        operands,
        selection: selectionOf(term, clamp, place),
        constant,
        integer: constant === undefined ? isInteger(term, below) : isWhole(constant),
      });
    }
    this.nodes = nodes;
    this.indexOf = indexOf;
    this.users = usersOf(nodes);
  }
}

/** A `min` or `max` as a clamp of two operands, and the comparison that says whether the first is taken. */
interface Clamp {
  readonly operands: readonly [Term, Term];
  readonly condition: Term;
}

/** The terms that a clamp needs before it: those of its first operands, and its comparison. */
function unfold(term: Term, clamps: Map<Term, Clamp>): Term[] {
  if (term.kind !== 'operator' || (term.operator !== 'min' && term.operator !== 'max')) {
    return [];
  }
  const [last, ...rest] = [...term.operands].reverse();
  const [onlyOther] = rest;
  if (last === undefined || onlyOther === undefined) {
    return [];
  }
  const before: OperatorTerm | undefined =
    rest.length === 1 ? undefined : apply(term.operator, rest.reverse());
  const first = before ?? onlyOther;
  const condition = apply('<=', term.operator === 'min' ? [first, last] : [last, first]);
  clamps.set(term, { operands: [first, last], condition });
  return before === undefined ? [condition] : [...unfold(before, clamps), before, condition];
}

function selectionOf(
  term: Term,
  clamp: Clamp | undefined,
  place: (term: Term) => number,
): Selection | undefined {
  if (clamp !== undefined) {
    const [first, last] = clamp.operands;
    return {
      condition: place(clamp.condition),
      whenTrue: place(first),
      whenFalse: place(last),
    };
  }
  return term.kind === 'choice'
    ? {
        condition: place(term.condition),
        whenTrue: place(term.whenTrue),
        whenFalse: place(term.whenFalse),
      }
    : undefined;
}

function isInteger(term: Term, below: readonly Node[]): boolean {
  switch (term.kind) {
    case 'input':
      return term.integer;
    case 'constant':
      return false;
    case 'operator':
      return operators[term.operator].integer(below.map(({ integer }) => integer));
    case 'choice':
      return below[1]?.integer === true && below[2]?.integer === true;
  }
}

function isWhole(value: PythonNumber): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

function usersOf(nodes: readonly Node[]): readonly (readonly number[])[] {
  const users = nodes.map((): number[] => []);
  for (const [at, { operands, selection }] of nodes.entries()) {
    for (const below of new Set([...operands, ...(selection ? [selection.condition] : [])])) {
      users[below]?.push(at);
    }
  }
  return users;
}
