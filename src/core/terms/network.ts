/**
 * A graph laid out for the solver: nodes in an order where operands come before their users. What
 * needs no input is folded to its value, and clamps of many operands become clamps of two, each
 * with the comparison that decides it. Leaves out all knowledge of values.
 */
import type { Interval } from '../units/interval';
import { enclose } from '../units/interval';
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

/** A term with the places of its operands and users. */
export interface Node {
  readonly term: Term;
  readonly operands: readonly number[];
  readonly users: readonly number[];
  readonly selection: Selection | undefined;
  /** The value of a term without inputs below it. */
  readonly constant: Interval | undefined;
  /** True when every value is a whole number. */
  readonly integer: boolean;
  /** False in a branch that may not be taken, where Python would not compute the value at all. */
  readonly certain: boolean;
}

/** All nodes that the roots reach, and their places. */
export class Network {
  readonly nodes: readonly Node[];
  readonly indexOf: ReadonlyMap<Term, number>;

  constructor(roots: readonly Term[]) {
    const clamps = new Map<Term, Clamp>();
    const terms = topologicalOrder(roots).flatMap(term => [...unfold(term, clamps), term]);
    const indexOf = new Map(terms.map((term, at) => [term, at]));
    const place = (term: Term): number => indexOf.get(term) ?? -1;
    const constants = new Evaluator();
    const users = terms.map((): number[] => []);
    const integer: boolean[] = [];
    const nodes: Node[] = terms.map((term, at) => {
      const clamp = clamps.get(term);
      const operands = (clamp?.operands ?? operandsOf(term)).map(place);
      for (const below of clamp ? [...operands, place(clamp.condition)] : operands) {
        users[below]?.push(at);
      }
      const value = constants.value(term);
      const isWhole =
        value === undefined
          ? isInteger(
              term,
              operands.map(operand => integer[operand] ?? false),
            )
          : typeof value === 'bigint' || Number.isInteger(value);
      integer.push(isWhole);
      return {
        term,
        operands,
        users: users[at] ?? [],
        selection: selectionOf(term, clamp, place),
        constant: value === undefined ? undefined : enclose(value),
        integer: isWhole,
        certain: false,
      };
    });
    this.nodes = markCertain(nodes, roots.map(place));
    this.indexOf = indexOf;
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

function isInteger(term: Term, below: readonly boolean[]): boolean {
  switch (term.kind) {
    case 'input':
      return term.integer;
    case 'constant':
      return false;
    case 'operator':
      return operators[term.operator].integer(below);
    case 'choice':
      return below[1] === true && below[2] === true;
  }
}

function markCertain(nodes: readonly Node[], roots: readonly number[]): Node[] {
  const certain = new Set(roots);
  for (const [at, { term, operands }] of [...nodes.entries()].reverse()) {
    if (certain.has(at)) {
      for (const operand of term.kind === 'choice' ? operands.slice(0, 1) : operands) {
        certain.add(operand);
      }
    }
  }
  return nodes.map((node, at) => ({ ...node, certain: certain.has(at) }));
}
