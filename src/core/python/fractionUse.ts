/**
 * Tells whether a function itself computes with a memory fraction: an operation has an attribute of
 * such a name, or a local name that was set to one, as its operand. Reading it for a message is no
 * computation.
 */
import { nestedBlocks } from './sourceModule';
import type { Block, Expression, FunctionDefinition, Statement } from './syntax';
import { childrenOf, targetNames } from './syntaxNames';

const known = new WeakMap<FunctionDefinition, boolean>();

/** `names` are the last names of the fraction's reaches; the answer is kept per definition. */
export function computesWithFraction(
  definition: FunctionDefinition,
  names: ReadonlySet<string>,
): boolean {
  let answer = known.get(definition);
  if (answer === undefined) {
    const mentions = [...names].some(name => definition.text.includes(name));
    answer = mentions && hasOperation(definition.body, names, new Set());
    known.set(definition, answer);
  }
  return answer;
}

function hasOperation(block: Block, names: ReadonlySet<string>, locals: Set<string>): boolean {
  const isFraction = (expression: Expression): boolean =>
    (expression.kind === 'attribute' && names.has(expression.name)) ||
    (expression.kind === 'name' && locals.has(expression.name));
  const computes = (expression: Expression): boolean =>
    (expression.kind === 'binary' &&
      (isFraction(expression.left) || isFraction(expression.right))) ||
    childrenOf(expression).some(computes);
  return block.some(statement => {
    if (statement.kind === 'assign' && isFraction(statement.value)) {
      statement.targets.flatMap(targetNames).forEach(name => locals.add(name));
    }
    return (
      expressionsOf(statement).some(computes) ||
      nestedBlocks(statement).some(inner => hasOperation(inner, names, locals))
    );
  });
}

/** The expressions of a statement that can be part of a computation; those of messages are not. */
function expressionsOf(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case 'expression':
    case 'assign':
    case 'augment':
      return [statement.value];
    case 'return':
      return statement.value === undefined ? [] : [statement.value];
    case 'if':
    case 'while':
      return [statement.test];
    default:
      return [];
  }
}
