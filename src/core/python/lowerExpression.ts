/**
 * Lowers expression nodes of the concrete tree to `Expression`. Anything outside the subset becomes
 * `unsupported` and has no value later; nothing is guessed.
 */
import type { Node } from './parser';
import { significantChildren } from './parser';
import { lowerString } from './lowerString';
import type {
  BinaryOperator,
  CompareOperator,
  ComprehensionClause,
  Expression,
  Keyword,
  Parameter,
  Span,
} from './syntax';

export function spanOf(node: Node): Span {
  const { startPosition, endPosition } = node;
  return {
    start: node.startIndex,
    end: node.endIndex,
    row: startPosition.row,
    column: startPosition.column,
    endRow: endPosition.row,
    endColumn: endPosition.column,
  };
}

/** The node of a field, which valid syntax always has; a missing one makes the part unsupported. */
function field(node: Node, name: string): Expression {
  return lowerExpression(node.childForFieldName(name));
}

function optional(node: Node | null): Expression | undefined {
  return node === null ? undefined : lowerExpression(node);
}

/** More than code has, less than the stack holds. */
const deepestNesting = 500;
let nesting = 0;

/** Expressions within expressions beyond reason are unsupported, like anything outside the subset. */
export function lowerExpression(node: Node | null): Expression {
  if (node === null) {
    return { kind: 'unsupported', span: noSpan };
  }
  if (nesting >= deepestNesting) {
    return { kind: 'unsupported', span: spanOf(node) };
  }
  nesting++;
  try {
    return lowerKnown(node);
  } finally {
    nesting--;
  }
}

function lowerKnown(node: Node): Expression {
  const span = spanOf(node);
  switch (node.type) {
    case 'parenthesized_expression': {
      const [inner, ...rest] = significantChildren(node);
      return inner && rest.length === 0 ? lowerExpression(inner) : { kind: 'unsupported', span };
    }
    case 'identifier':
    case 'keyword_identifier':
      return { kind: 'name', name: node.text, span };
    case 'integer':
    case 'float':
      return lowerNumber(node.text, span);
    case 'string':
    case 'concatenated_string':
      return lowerString(node, span);
    case 'true':
    case 'false':
      return { kind: 'constant', value: node.type === 'true', span };
    case 'none':
      return { kind: 'constant', value: null, span };
    case 'attribute':
      return {
        kind: 'attribute',
        object: field(node, 'object'),
        name: node.childForFieldName('attribute')?.text ?? '',
        span,
      };
    case 'subscript':
      return lowerSubscript(node, span);
    case 'slice':
      return lowerSlice(node, span);
    case 'call':
      return lowerCall(node, span);
    case 'binary_operator':
      return {
        kind: 'binary',
        operator: (node.childForFieldName('operator')?.type ?? '') as BinaryOperator,
        left: field(node, 'left'),
        right: field(node, 'right'),
        span,
      };
    case 'unary_operator':
      return {
        kind: 'unary',
        operator: (node.childForFieldName('operator')?.type ?? '-') as '-' | '+' | '~',
        operand: field(node, 'argument'),
        span,
      };
    case 'not_operator':
      return { kind: 'unary', operator: 'not', operand: field(node, 'argument'), span };
    case 'boolean_operator':
      return {
        kind: 'boolean',
        operator: node.childForFieldName('operator')?.type === 'and' ? 'and' : 'or',
        left: field(node, 'left'),
        right: field(node, 'right'),
        span,
      };
    case 'comparison_operator':
      return lowerComparison(node, span);
    case 'conditional_expression': {
      const [whenTrue, test, whenFalse] = significantChildren(node);
      return {
        kind: 'conditional',
        test: lowerExpression(test ?? null),
        whenTrue: lowerExpression(whenTrue ?? null),
        whenFalse: lowerExpression(whenFalse ?? null),
        span,
      };
    }
    case 'tuple':
    case 'expression_list':
    case 'pattern_list':
    case 'tuple_pattern':
      return { kind: 'tuple', elements: significantChildren(node).map(lowerExpression), span };
    case 'list':
    case 'list_pattern':
      return { kind: 'list', elements: significantChildren(node).map(lowerExpression), span };
    case 'set':
      return { kind: 'set', elements: significantChildren(node).map(lowerExpression), span };
    case 'dictionary':
      return { kind: 'dict', entries: significantChildren(node).map(lowerEntry), span };
    case 'list_comprehension':
    case 'set_comprehension':
    case 'dictionary_comprehension':
    case 'generator_expression':
      return lowerComprehension(node, span);
    case 'lambda':
      return {
        kind: 'lambda',
        parameters: lowerParameters(node.childForFieldName('parameters')),
        body: field(node, 'body'),
        span,
      };
    case 'named_expression':
      return {
        kind: 'walrus',
        name: node.childForFieldName('name')?.text ?? '',
        value: field(node, 'value'),
        span,
      };
    case 'list_splat':
    case 'list_splat_pattern': {
      const [value] = significantChildren(node);
      return { kind: 'starred', value: lowerExpression(value ?? null), span };
    }
    case 'type': {
      const [inner] = significantChildren(node);
      return lowerExpression(inner ?? null);
    }
    default:
      return { kind: 'unsupported', span };
  }
}

const noSpan: Span = { start: 0, end: 0, row: 0, column: 0, endRow: 0, endColumn: 0 };

function lowerNumber(text: string, span: Span): Expression {
  const plain = text.replaceAll('_', '').toLowerCase();
  if (/^(0[xob][0-9a-f]+|\d+)$/.test(plain)) {
    return { kind: 'number', value: BigInt(plain), span };
  }
  const value = Number(plain);
  return Number.isNaN(value) ? { kind: 'unsupported', span } : { kind: 'number', value, span };
}

function lowerSubscript(node: Node, span: Span): Expression {
  const indices = node.childrenForFieldName('subscript').map(lowerExpression);
  const [only] = indices;
  // `x[a,]` is a tuple index as well; it does not occur in arithmetic.
  const index: Expression =
    only !== undefined && indices.length === 1 ? only : { kind: 'tuple', elements: indices, span };
  return { kind: 'subscript', object: field(node, 'value'), index, span };
}

function lowerSlice(node: Node, span: Span): Expression {
  const parts: (Expression | undefined)[] = [undefined, undefined, undefined];
  let place = 0;
  for (const child of node.children) {
    if (child.type === ':') {
      place++;
    } else if (child.isNamed && child.type !== 'comment') {
      parts[place] = lowerExpression(child);
    }
  }
  return { kind: 'slice', lower: parts[0], upper: parts[1], step: parts[2], span };
}

function lowerCall(node: Node, span: Span): Expression {
  const callee = field(node, 'function');
  const list = node.childForFieldName('arguments');
  if (list?.type === 'generator_expression') {
    return { kind: 'call', callee, positional: [lowerExpression(list)], keywords: [], span };
  }
  const positional: Expression[] = [];
  const keywords: Keyword[] = [];
  for (const child of list === null ? [] : significantChildren(list)) {
    if (child.type === 'keyword_argument') {
      keywords.push({
        name: child.childForFieldName('name')?.text,
        value: field(child, 'value'),
      });
    } else if (child.type === 'dictionary_splat') {
      const [value] = significantChildren(child);
      keywords.push({ name: undefined, value: lowerExpression(value ?? null) });
    } else {
      positional.push(lowerExpression(child));
    }
  }
  return { kind: 'call', callee, positional, keywords, span };
}

function lowerComparison(node: Node, span: Span): Expression {
  const operands = significantChildren(node).map(lowerExpression);
  const operators = node.childrenForFieldName('operators').map(operator => operator.type);
  const [first, ...others] = operands;
  if (first === undefined || others.length !== operators.length) {
    return { kind: 'unsupported', span };
  }
  const rest = others.map((operand, at) => ({
    operator: (operators[at] === '<>' ? '!=' : operators[at]) as CompareOperator,
    operand,
  }));
  return { kind: 'compare', first, rest, span };
}

function lowerEntry(node: Node): { key: Expression | undefined; value: Expression } {
  if (node.type === 'pair') {
    return { key: field(node, 'key'), value: field(node, 'value') };
  }
  const [value] = significantChildren(node);
  return { key: undefined, value: lowerExpression(value ?? null) };
}

function lowerComprehension(node: Node, span: Span): Expression {
  const body = node.childForFieldName('body');
  const clauses = significantChildren(node).flatMap((child): ComprehensionClause[] => {
    if (child.type === 'for_in_clause') {
      return [{ kind: 'for', target: field(child, 'left'), source: field(child, 'right') }];
    }
    if (child.type === 'if_clause') {
      const [test] = significantChildren(child);
      return [{ kind: 'if', target: undefined, source: lowerExpression(test ?? null) }];
    }
    return [];
  });
  const pair = body?.type === 'pair' ? lowerEntry(body) : undefined;
  const form = comprehensionForms[node.type];
  if (form === undefined) {
    return { kind: 'unsupported', span };
  }
  return {
    kind: 'comprehension',
    form,
    element: pair?.key ?? lowerExpression(body),
    value: pair?.value,
    clauses,
    span,
  };
}

const comprehensionForms: Readonly<Record<string, 'list' | 'set' | 'dict' | 'generator'>> = {
  list_comprehension: 'list',
  set_comprehension: 'set',
  dictionary_comprehension: 'dict',
  generator_expression: 'generator',
};

/** The parameters of a function or lambda. */
export function lowerParameters(node: Node | null): Parameter[] {
  const parameters: Parameter[] = [];
  let kind: Parameter['kind'] = 'plain';
  for (const child of node === null ? [] : significantChildren(node)) {
    if (child.type === 'keyword_separator') {
      kind = 'keyword-only';
    } else if (child.type === 'positional_separator') {
      parameters.forEach((parameter, at) => {
        parameters[at] = { ...parameter, kind: 'positional-only' };
      });
    } else {
      const parameter = lowerParameter(child, kind);
      parameters.push(parameter);
      kind = parameter.kind === 'rest' ? 'keyword-only' : kind;
    }
  }
  return parameters;
}

function lowerParameter(node: Node, kind: Parameter['kind']): Parameter {
  const target = node.childForFieldName('name') ?? innerPattern(node);
  const splat = target.type === 'list_splat_pattern' || target.type === 'dictionary_splat_pattern';
  const named = splat ? (significantChildren(target)[0] ?? target) : target;
  return {
    name: named.text,
    kind: !splat ? kind : target.type === 'list_splat_pattern' ? 'rest' : 'keywords',
    fallback: optional(node.childForFieldName('value')),
    annotation: optional(node.childForFieldName('type')),
    span: spanOf(named),
  };
}

/** The identifier or splat below `typed_parameter`, or the node itself. */
function innerPattern(node: Node): Node {
  return node.type === 'typed_parameter' ? (significantChildren(node)[0] ?? node) : node;
}
