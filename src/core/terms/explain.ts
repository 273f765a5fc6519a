/**
 * Explanations by walking the graph: a term as the formula it is, in parts, so that a surface can
 * show it with names, or the same with values. Named terms below are leaves of the text.
 */
import type { OperatorName } from './operator';
import type { Term } from './term';

/** A piece of a formula: text as it stands, or a term to be shown by name or by value. */
export type FormulaPart = string | { readonly term: Term };

const comparison = 2;
const negation = 6;

/** Binding strength by Python's precedence; functions bind like names. */
const strength: Readonly<Partial<Record<OperatorName, number>>> = {
  not: 1,
  '<': comparison,
  '<=': comparison,
  '==': comparison,
  '!=': comparison,
  '<<': 3,
  '>>': 3,
  '+': 4,
  '-': 4,
  '*': 5,
  '/': 5,
  '//': 5,
  '%': 5,
  neg: negation,
  '**': 7,
};

/** How a term may be shown by name: an input's name, or the name its formula gave it. */
export function nameOf(term: Term): string | undefined {
  return term.kind === 'constant' ? undefined : term.name;
}

/** Says of a term that it is exactly zero here, so that a sum may be shown without it. */
export type IsZero = (term: Term) => boolean;

const nothingIsZero: IsZero = () => false;

/**
 * The formula of a term, one level deep to the next named terms. Summands that are zero are left
 * out, and a name that then stands for a single other term is replaced by it.
 */
export function formulaOf(
  term: Term,
  isZero: IsZero = nothingIsZero,
  brackets: Brackets = 'needed',
): FormulaPart[] {
  return new FormulaWriter(isZero, brackets).write(term, 0, true);
}

/** Whether every operation below the first stands in brackets, or only where precedence needs it. */
export type Brackets = 'needed' | 'all';

/** The term itself, or what it comes to when zero summands are left out. */
export function withoutZeros(term: Term, isZero: IsZero): Term {
  const kept = withoutZeroSummand(term, isZero);
  return kept === undefined ? term : nameOf(kept) === undefined ? withoutZeros(kept, isZero) : kept;
}

function withoutZeroSummand(term: Term, isZero: IsZero): Term | undefined {
  if (term.kind !== 'operator' || (term.operator !== '+' && term.operator !== '-')) {
    return undefined;
  }
  const [left, right] = term.operands;
  if (left && right && isZero(right)) {
    return left;
  }
  return left && right && term.operator === '+' && isZero(left) ? right : undefined;
}

class FormulaWriter {
  readonly #isZero: IsZero;
  readonly #brackets: Brackets;

  constructor(isZero: IsZero, brackets: Brackets) {
    this.#isZero = isZero;
    this.#brackets = brackets;
  }

  write(whole: Term, outer: number, isTop = false): FormulaPart[] {
    const term = withoutZeros(whole, this.#isZero);
    const isRenamed = term !== whole && isTop;
    if ((!isTop || isRenamed) && nameOf(term) !== undefined) {
      return [{ term }];
    }
    switch (term.kind) {
      case 'input':
        return [{ term }];
      case 'constant':
        return wrap([String(term.value)], term.value < 0 && outer > negation);
      case 'choice':
        return wrap(
          [
            ...this.write(term.whenTrue, 1),
            ' if ',
            ...this.write(term.condition, 1),
            ' else ',
            ...this.write(term.whenFalse, 0),
          ],
          outer > 0,
        );
      case 'operator':
        return this.#operator(term.operator, term.operands, outer);
    }
  }

  #operator(operator: OperatorName, operands: readonly Term[], outer: number): FormulaPart[] {
    const own = strength[operator];
    const [left, right] = operands;
    if (own === undefined || left === undefined) {
      const list = operands.flatMap((operand, at) => [
        ...(at > 0 ? [', '] : []),
        ...this.write(operand, 0),
      ]);
      return [`${operator}(`, ...list, ')'];
    }
    if (right === undefined) {
      return wrap([operator === 'neg' ? '-' : 'not ', ...this.write(left, own)], own < outer);
    }
    // Left-associative operators need brackets on the right at equal strength; ** on the left, and
    // comparisons, which Python would chain, on both sides.
    const isPower = operator === '**';
    const parts = [
      ...this.write(left, isPower || own === comparison ? own + 1 : own),
      ` ${operator} `,
      ...this.write(right, isPower ? own : own + 1),
    ];
    return wrap(parts, this.#brackets === 'all' ? outer > 0 : own < outer);
  }
}

function wrap(parts: FormulaPart[], isNeeded: boolean): FormulaPart[] {
  return isNeeded ? ['(', ...parts, ')'] : parts;
}
