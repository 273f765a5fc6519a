/** Lowers the patterns of `case` that compare with plain values. */
import { lowerExpression, spanOf } from './lowerExpression';
import type { Node } from './parser';
import { significantChildren } from './parser';
import type { Expression } from './syntax';

/** True for a word that is a value, not a name. */
export function isLiteralName(name: string): boolean {
  return name === 'True' || name === 'False' || name === 'None';
}

/** The plain values that a pattern compares with; undefined for any other pattern. */
export function patternValues(pattern: Node | undefined): Expression[] | undefined {
  const [inner, ...others] = pattern === undefined ? [] : significantChildren(pattern);
  if (inner === undefined || others.length > 0) {
    return undefined;
  }
  if (inner.type === 'union_pattern') {
    return significantChildren(inner).map(lowerPatternValue);
  }
  return plainPatterns.has(inner.type) ? [lowerPatternValue(inner)] : undefined;
}

const plainPatterns: ReadonlySet<string> = new Set([
  'integer',
  'float',
  'string',
  'true',
  'false',
  'none',
  'dotted_name',
]);

function lowerPatternValue(node: Node): Expression {
  if (node.type !== 'dotted_name') {
    return lowerExpression(node);
  }
  const [first, ...rest] = node.namedChildren;
  return rest.reduce<Expression>(
    (object, part) => ({ kind: 'attribute', object, name: part.text, span: spanOf(node) }),
    lowerExpression(first ?? null),
  );
}
