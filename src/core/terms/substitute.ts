/** The same formula over other inputs: terms rebuilt with some of their nodes exchanged. */
import type { Term } from './term';
import { topologicalOrder } from './term';

/** `term` with every node of the map exchanged; nodes without a change below them are shared. */
export function substitute(term: Term, exchanged: ReadonlyMap<Term, Term>): Term {
  const made = new Map<Term, Term>(exchanged);
  const known = (node: Term): Term => made.get(node) ?? node;
  for (const node of topologicalOrder([term])) {
    if (made.has(node)) {
      continue;
    }
    if (node.kind === 'operator') {
      const operands = node.operands.map(known);
      const isSame = operands.every((operand, at) => operand === node.operands[at]);
      made.set(node, isSame ? node : { ...node, operands });
    } else if (node.kind === 'choice') {
      const condition = known(node.condition);
      const whenTrue = known(node.whenTrue);
      const whenFalse = known(node.whenFalse);
      made.set(node, { ...node, condition, whenTrue, whenFalse });
    }
  }
  return known(term);
}
