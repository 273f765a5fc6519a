/** Tells compound statements whose header does not parse from those that are broken further in. */
import { hasLooseLineEnd } from './lineJoin';
import type { Node } from './parser';
import { significantChildren } from './parser';

/** Node types of statements that hold blocks. */
export const compoundStatements: ReadonlySet<string> = new Set([
  'if_statement',
  'for_statement',
  'while_statement',
  'try_statement',
  'with_statement',
  'match_statement',
  'function_definition',
  'class_definition',
  'decorated_definition',
]);

const bodies: ReadonlySet<string> = new Set([
  'block',
  'elif_clause',
  'else_clause',
  'except_clause',
  'finally_clause',
  'case_clause',
  'function_definition',
  'class_definition',
]);

/**
 * True when the error is outside the blocks below the statement: in its header or between clauses. A
 * header that runs over a line end, or has no block, is one as well.
 */
export function hasBrokenHeader(node: Node): boolean {
  const { children } = node;
  const clauses = children.filter(child => child.type.endsWith('_clause'));
  if (isUnfinished(node) || clauses.some(isUnfinished)) {
    return true;
  }
  return (
    node.hasError &&
    children.some(
      child =>
        child.type === 'ERROR' ||
        child.isMissing ||
        (child.hasError && !bodies.has(child.type)) ||
        (child.type.endsWith('_clause') && hasBrokenHeader(child)),
    )
  );
}

function isUnfinished(node: Node): boolean {
  if (node.type === 'with_clause' || node.type === 'decorated_definition') {
    return false;
  }
  const colon = node.children.find(child => child.type === ':');
  const block = node.children.find(child => child.type === 'block');
  if (colon === undefined || (block !== undefined && significantChildren(block).length === 0)) {
    return true;
  }
  const { row } = node.startPosition;
  return (
    colon.endPosition.row !== row &&
    hasLooseLineEnd(node.text.slice(0, colon.endIndex - node.startIndex))
  );
}
