/** Names that expressions read and targets bind. */
import type { Expression } from './syntax';

/** The names that a target binds: not those of attributes and items. */
export function targetNames(target: Expression): string[] {
  switch (target.kind) {
    case 'name':
      return [target.name];
    case 'tuple':
    case 'list':
      return target.elements.flatMap(targetNames);
    case 'starred':
      return targetNames(target.value);
    default:
      return [];
  }
}

/** The expressions directly below an expression. */
export function childrenOf(expression: Expression): readonly Expression[] {
  const present = (parts: readonly (Expression | undefined)[]): Expression[] =>
    parts.filter(part => part !== undefined);
  switch (expression.kind) {
    case 'name':
    case 'number':
    case 'constant':
    case 'unsupported':
      return [];
    case 'string':
      return expression.parts.flatMap(part =>
        typeof part === 'string'
          ? []
          : [
              part.value,
              ...part.format.flatMap(piece => (typeof piece === 'string' ? [] : [piece.value])),
            ],
      );
    case 'attribute':
      return [expression.object];
    case 'subscript':
      return [expression.object, expression.index];
    case 'slice':
      return present([expression.lower, expression.upper, expression.step]);
    case 'call':
      return [
        expression.callee,
        ...expression.positional,
        ...expression.keywords.map(({ value }) => value),
      ];
    case 'binary':
    case 'boolean':
      return [expression.left, expression.right];
    case 'unary':
      return [expression.operand];
    case 'compare':
      return [expression.first, ...expression.rest.map(({ operand }) => operand)];
    case 'conditional':
      return [expression.whenTrue, expression.test, expression.whenFalse];
    case 'tuple':
    case 'list':
    case 'set':
      return expression.elements;
    case 'dict':
      return expression.entries.flatMap(({ key, value }) => present([key, value]));
    case 'comprehension':
      return present([
        expression.element,
        expression.value,
        ...expression.clauses.flatMap(({ target, source }) => [target, source]),
      ]);
    case 'lambda':
      return [expression.body];
    case 'walrus':
    case 'starred':
      return [expression.value];
  }
}

/** Every name that an expression reads. */
export function namesIn(expression: Expression): string[] {
  return expression.kind === 'name' ? [expression.name] : childrenOf(expression).flatMap(namesIn);
}
