/** The expressions that a statement evaluates or binds, nested blocks left out. */
import { nestedBlocks } from './sourceModule';
import type { Block, Expression, Statement } from './syntax';
import { childrenOf } from './syntaxNames';

/** One expression; for a target, what it is set to as well. */
export type StatementExpression = readonly [expression: Expression, assignedFrom?: Expression];

export function statementExpressions(statement: Statement): readonly StatementExpression[] {
  switch (statement.kind) {
    case 'expression':
      return [[statement.value]];
    case 'assign':
      return [
        [statement.value],
        ...statement.targets.map((target): StatementExpression => [target, statement.value]),
      ];
    case 'augment':
      return [[statement.value], [statement.target, statement.value]];
    case 'if':
    case 'while':
      return [[statement.test]];
    case 'for':
      return [[statement.iterable]];
    case 'with':
      return statement.items.map(({ value }): StatementExpression => [value]);
    case 'match':
      return [[statement.subject]];
    case 'return':
      return statement.value === undefined ? [] : [[statement.value]];
    case 'raise':
      return statement.exception === undefined ? [] : [[statement.exception]];
    case 'assert':
      return [[statement.test], ...(statement.message ? [[statement.message] as const] : [])];
    default:
      return [];
  }
}

/** Every statement of a block, nested ones included; not those of functions and classes in it. */
export function allStatements(block: Block): readonly Statement[] {
  return block.flatMap(statement => [
    statement,
    ...nestedBlocks(statement).flatMap(nested => allStatements(nested)),
  ]);
}

/** Every expression of a block, those inside others included. */
export function allExpressions(block: Block): readonly Expression[] {
  const withChildren = (expression: Expression): readonly Expression[] => [
    expression,
    ...childrenOf(expression).flatMap(withChildren),
  ];
  return allStatements(block)
    .flatMap(statementExpressions)
    .flatMap(([expression]) => withChildren(expression));
}
