/**
 * Explanations by walking the graph: a term as the formula it is, in parts, so that a surface can
 * show it with names, or the same with values. Named terms below are leaves of the text.
 */
import type { OperatorName } from './operator';
import type { Term } from './term';

/** A piece of a formula: text as it stands, or a term to be shown by name or by value. */
export type FormulaPart = string | { readonly term: Term };

/** Binding strength by Python's precedence; functions bind like names. */
const strength: Readonly<Partial<Record<OperatorName, number>>> = {
  not: 1,
  '<': 2,
  '<=': 2,
  '==': 2,
  '!=': 2,
  '<<': 3,
  '>>': 3,
  '+': 4,
  '-': 4,
  '*': 5,
  '/': 5,
  '//': 5,
  '%': 5,
  neg: 6,
  '**': 7,
};

/** How a term may be shown by name: an input's name, or the name its formula gave it. */
export function nameOf(term: Term): string | undefined {
  return term.kind === 'constant' ? undefined : term.name;
}

/** The formula of a term, one level deep to the next named terms. */
export function formulaOf(term: Term): FormulaPart[] {
  return write(term, 0, true);
}

/** The formula as text with names only. */
export function formulaText(term: Term): string {
  return formulaOf(term)
    .map(part => (typeof part === 'string' ? part : (nameOf(part.term) ?? '?')))
    .join('');
}

function write(term: Term, outer: number, isTop = false): FormulaPart[] {
  if (!isTop && nameOf(term) !== undefined) {
    return [{ term }];
  }
  switch (term.kind) {
    case 'input':
      return [{ term }];
    case 'constant':
      return [String(term.value)];
    case 'choice':
      return wrap(
        [
          ...write(term.whenTrue, 1),
          ' if ',
          ...write(term.condition, 1),
          ' else ',
          ...write(term.whenFalse, 0),
        ],
        outer > 0,
      );
    case 'operator':
      return writeOperator(term.operator, term.operands, outer);
  }
}

function writeOperator(
  operator: OperatorName,
  operands: readonly Term[],
  outer: number,
): FormulaPart[] {
  const own = strength[operator];
  const [left, right] = operands;
  if (own === undefined || left === undefined) {
    const list = operands.flatMap((operand, at) => [
      ...(at > 0 ? [', '] : []),
      ...write(operand, 0),
    ]);
    return [`${operator}(`, ...list, ')'];
  }
  if (right === undefined) {
    return wrap([operator === 'neg' ? '-' : 'not ', ...write(left, own)], own < outer);
  }
  // Left-associative operators need brackets on the right at equal strength; ** on the left.
  const isPower = operator === '**';
  const parts = [
    ...write(left, isPower ? own + 1 : own),
    ` ${operator} `,
    ...write(right, isPower ? own : own + 1),
  ];
  return wrap(parts, own < outer);
}

function wrap(parts: FormulaPart[], isNeeded: boolean): FormulaPart[] {
  return isNeeded ? ['(', ...parts, ')'] : parts;
}
