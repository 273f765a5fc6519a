/**
 * Lowers blocks and definitions. The first statement that does not parse becomes `broken`, and
 * nothing after it in its function is lowered: after an error the parser may have joined pieces of
 * different statements into a wrong one.
 */
import { compoundStatements, hasBrokenHeader } from './brokenHeader';
import { hasLooseLineEnd } from './lineJoin';
import { lowerExpression, lowerParameters, spanOf } from './lowerExpression';
import { lowerImportFrom, lowerImports } from './lowerImport';
import { isLiteralName, patternValues } from './lowerPattern';
import type { LoweredBodies } from './loweredBodies';
import type { Node } from './parser';
import { significantChildren } from './parser';
import type { RepairedText } from './repairText';
import type {
  BinaryOperator,
  Block,
  ClassDefinition,
  ExceptClause,
  Expression,
  FunctionDefinition,
  MatchCase,
  Span,
  Statement,
} from './syntax';

/** Lowers the statements of one function, class body or module. */
export class StatementLowering {
  readonly #outerName: string;
  readonly #bodies: LoweredBodies | undefined;
  readonly #repaired: RepairedText | undefined;
  #stopped = false;

  /**
   * `outerName` is the qualified name around the block, empty for a module; `bodies` are those of
   * functions that need not be lowered again; `repaired` is the text, where it was not whole.
   */
  constructor(outerName: string, bodies?: LoweredBodies, repaired?: RepairedText) {
    this.#outerName = outerName;
    this.#bodies = bodies;
    this.#repaired = repaired;
  }

  /** The statements of a `module` or `block` node. */
  block(node: Node | null): Block {
    const statements: Statement[] = [];
    for (const child of node === null ? [] : significantChildren(node)) {
      if (this.#stopped) {
        break;
      }
      statements.push(this.#statement(child));
    }
    const last = statements.at(-1);
    if (this.#stopped && last !== undefined && last.kind !== 'broken') {
      // Nobody passes a broken statement, not even by a branch around it.
      statements.push({ kind: 'broken', span: last.span });
    }
    return statements;
  }

  /**
   * The statements of a module or class body, where a broken one takes nothing with it: what stands
   * before and after it are definitions of their own.
   */
  definitions(node: Node | null): Block {
    return (node === null ? [] : significantChildren(node)).map(child => {
      this.#stopped = false;
      return this.#statement(child);
    });
  }

  #statement(node: Node): Statement {
    const span = spanOf(node);
    const compound = compoundStatements.has(node.type);
    const isBroken = compound
      ? hasBrokenHeader(node)
      : node.hasError || (span.row !== span.endRow && hasLooseLineEnd(node.text));
    const isMark = this.#repaired?.marks.has(span.start) === true;
    if (node.type === 'ERROR' || node.isMissing || isBroken || isMark) {
      this.#stopped = true;
      return { kind: 'broken', span };
    }
    switch (node.type) {
      case 'expression_statement':
        return this.#simple(node.namedChildren, span);
      case 'assignment':
      case 'augmented_assignment':
        return this.#simple([node], span);
      case 'if_statement':
        return this.#if(node, node.childrenForFieldName('alternative'), span);
      case 'for_statement':
        return {
          kind: 'for',
          target: lowerExpression(node.childForFieldName('left')),
          iterable: lowerExpression(node.childForFieldName('right')),
          body: this.block(node.childForFieldName('body')),
          otherwise: this.#otherwise(node),
          span,
        };
      case 'while_statement':
        return {
          kind: 'while',
          test: lowerExpression(node.childForFieldName('condition')),
          body: this.block(node.childForFieldName('body')),
          otherwise: this.#otherwise(node),
          span,
        };
      case 'try_statement':
        return this.#try(node, span);
      case 'with_statement':
        return this.#with(node, span);
      case 'match_statement':
        return this.#match(node, span);
      case 'return_statement': {
        const [value] = significantChildren(node);
        return { kind: 'return', value: value && lowerExpression(value), span };
      }
      case 'raise_statement': {
        const value = significantChildren(node).find(
          child => child.id !== node.childForFieldName('cause')?.id,
        );
        return { kind: 'raise', exception: value && lowerExpression(value), span };
      }
      case 'assert_statement': {
        const [test, message] = significantChildren(node);
        return {
          kind: 'assert',
          test: lowerExpression(test ?? null),
          message: message && lowerExpression(message),
          span,
        };
      }
      case 'delete_statement':
        return {
          kind: 'delete',
          targets: significantChildren(node).map(lowerExpression),
          span,
        };
      case 'pass_statement':
        return { kind: 'pass', span };
      case 'break_statement':
        return { kind: 'break', span };
      case 'continue_statement':
        return { kind: 'continue', span };
      case 'import_statement':
        return { kind: 'import', imports: lowerImports(node), span };
      case 'import_from_statement':
        return { kind: 'import-from', ...lowerImportFrom(node), span };
      case 'future_import_statement':
      case 'global_statement':
      case 'nonlocal_statement':
        // The interpreter treats a name as local to where it is assigned.
        return { kind: node.type === 'future_import_statement' ? 'pass' : 'unsupported', span };
      case 'function_definition':
        return { kind: 'function', definition: this.#function(node, []), span };
      case 'class_definition':
        return { kind: 'class', definition: this.#class(node, []), span };
      case 'decorated_definition':
        return this.#decorated(node, span);
      default:
        return { kind: 'unsupported', span };
    }
  }

  #simple(children: readonly Node[], span: Statement['span']): Statement {
    const [node, ...others] = children.filter(child => child.type !== 'comment');
    if (node === undefined || others.length > 0) {
      return node === undefined
        ? { kind: 'unsupported', span }
        : {
            kind: 'expression',
            value: {
              kind: 'tuple',
              elements: [node, ...others].map(lowerExpression),
              span,
            },
            span,
          };
    }
    if (node.type === 'assignment') {
      return lowerAssignment(node, span);
    }
    if (node.type === 'augmented_assignment') {
      const operator = node.childForFieldName('operator')?.type.slice(0, -1) ?? '';
      return {
        kind: 'augment',
        target: lowerExpression(node.childForFieldName('left')),
        operator: operator as BinaryOperator,
        value: lowerExpression(node.childForFieldName('right')),
        span,
      };
    }
    return { kind: 'expression', value: lowerExpression(node), span };
  }

  #otherwise(node: Node): Block {
    return this.block(node.childForFieldName('alternative')?.childForFieldName('body') ?? null);
  }

  #if(node: Node, alternatives: readonly Node[], span: Statement['span']): Statement {
    const test = lowerExpression(node.childForFieldName('condition'));
    const body = this.block(node.childForFieldName('consequence'));
    const [next, ...rest] = alternatives;
    if (next === undefined || this.#stopped) {
      return { kind: 'if', test, body, otherwise: [], span };
    }
    const otherwise =
      next.type === 'elif_clause'
        ? [this.#if(next, rest, through(spanOf(next), spanOf(rest.at(-1) ?? next)))]
        : this.block(next.childForFieldName('body'));
    return { kind: 'if', test, body, otherwise, span };
  }

  #try(node: Node, span: Statement['span']): Statement {
    const body = this.block(node.childForFieldName('body'));
    const handlers: ExceptClause[] = [];
    let otherwise: Block = [];
    let finalizer: Block = [];
    for (const clause of significantChildren(node)) {
      if (this.#stopped) {
        break;
      }
      const inner = clause.namedChildren.find(child => child.type === 'block') ?? null;
      if (clause.type === 'except_clause' || clause.type === 'except_group_clause') {
        const value = clause.childForFieldName('value');
        const alias = value?.type === 'as_pattern' ? value.childForFieldName('alias') : null;
        const named = value?.type === 'as_pattern' ? (value.namedChildren[0] ?? null) : value;
        handlers.push({
          exception: named === null ? undefined : lowerExpression(named),
          name: alias?.text,
          body: this.block(inner),
        });
      } else if (clause.type === 'else_clause') {
        otherwise = this.block(inner);
      } else if (clause.type === 'finally_clause') {
        finalizer = this.block(inner);
      }
    }
    return { kind: 'try', body, handlers, otherwise, finalizer, span };
  }

  #with(node: Node, span: Statement['span']): Statement {
    const items = node
      .descendantsOfType('with_item')
      .filter(item => item.parent?.parent?.id === node.id)
      .map(item => {
        const value = item.childForFieldName('value');
        const aliased = value?.type === 'as_pattern';
        const target = aliased ? value.childForFieldName('alias')?.namedChildren[0] : undefined;
        return {
          value: lowerExpression(aliased ? (value.namedChildren[0] ?? null) : value),
          target: target && lowerExpression(target),
        };
      });
    return { kind: 'with', items, body: this.block(node.childForFieldName('body')), span };
  }

  #match(node: Node, span: Statement['span']): Statement {
    const subjects = node.childrenForFieldName('subject').map(lowerExpression);
    const [only] = subjects;
    const cases = (node.childForFieldName('body')?.namedChildren ?? [])
      .filter(child => child.type === 'case_clause')
      .map((clause): MatchCase => {
        const patterns = clause.namedChildren.filter(child => child.type === 'case_pattern');
        const guard = clause.childForFieldName('guard')?.namedChildren[0];
        const [pattern] = patterns;
        const name = pattern?.text ?? '';
        const bare = patterns.length === 1 && /^[A-Za-z_]\w*$/.test(name) && !isLiteralName(name);
        return {
          values: patterns.length === 1 && !bare ? patternValues(pattern) : undefined,
          wildcard: bare,
          capture: bare && name !== '_' ? name : undefined,
          guard: guard && lowerExpression(guard),
          body: this.block(clause.childForFieldName('consequence')),
        };
      });
    return {
      kind: 'match',
      subject:
        only !== undefined && subjects.length === 1
          ? only
          : { kind: 'tuple', elements: subjects, span },
      cases,
      span,
    };
  }

  #decorated(node: Node, span: Statement['span']): Statement {
    const definition = node.childForFieldName('definition');
    const decorators = node.namedChildren
      .filter(child => child.type === 'decorator')
      .map(child => lowerExpression(significantChildren(child)[0] ?? null));
    if (definition?.type === 'function_definition') {
      return { kind: 'function', definition: this.#function(definition, decorators), span };
    }
    return definition?.type === 'class_definition'
      ? { kind: 'class', definition: this.#class(definition, decorators), span }
      : { kind: 'unsupported', span };
  }

  #qualified(name: string): string {
    return this.#outerName === '' ? name : `${this.#outerName}.${name}`;
  }

  #function(node: Node, decorators: readonly Expression[]): FunctionDefinition {
    return lowerFunction(node, decorators, this.#outerName, this.#bodies, this.#repaired);
  }

  #class(node: Node, decorators: readonly Expression[]): ClassDefinition {
    const nameNode = node.childForFieldName('name');
    const name = nameNode?.text ?? '';
    const qualifiedName = this.#qualified(name);
    const superclasses = node.childForFieldName('superclasses');
    const bases = superclasses === null ? [] : significantChildren(superclasses);
    const bodies = this.#bodies;
    const repaired = this.#repaired;
    let body: Block | undefined;
    return {
      name,
      qualifiedName,
      bases: bases.filter(base => base.type !== 'keyword_argument').map(lowerExpression),
      decorators,
      get body() {
        return (body ??= new StatementLowering(qualifiedName, bodies, repaired).definitions(
          node.childForFieldName('body'),
        ));
      },
      nameSpan: spanOf(nameNode ?? node),
      span: spanOf(node),
    };
  }
}

/** A function whose body is lowered when it is first asked for. */
function lowerFunction(
  node: Node,
  decorators: readonly Expression[],
  outerName: string,
  bodies?: LoweredBodies,
  repaired?: RepairedText,
): FunctionDefinition {
  const nameNode = node.childForFieldName('name');
  const name = nameNode?.text ?? '';
  const qualifiedName = outerName === '' ? name : `${outerName}.${name}`;
  const bodyNode = node.childForFieldName('body');
  const returnType = node.childForFieldName('return_type');
  const { startIndex, endIndex } = node;
  const mark = [...(repaired?.marks ?? [])].find(([at]) => startIndex <= at && at < endIndex);
  let body: Block | undefined;
  return {
    name,
    qualifiedName,
    parameters: lowerParameters(node.childForFieldName('parameters')),
    decorators,
    returns: returnType === null ? undefined : lowerExpression(returnType),
    get body() {
      const lower = (): Block =>
        hasBrokenHeader(node)
          ? [{ kind: 'broken', span: spanOf(node) }]
          : new StatementLowering(qualifiedName, undefined, repaired).block(bodyNode);
      const known = mark === undefined ? bodies : undefined;
      body ??= known?.bodyOf(qualifiedName, node, spanOf(node), lower) ?? lower();
      return body;
    },
    nameSpan: spanOf(nameNode ?? node),
    span: spanOf(node),
    text: mark === undefined ? node.text : (repaired?.source.slice(startIndex, mark[1]) ?? ''),
    isBroken: mark !== undefined || node.hasError,
  };
}

function lowerAssignment(node: Node, span: Statement['span']): Statement {
  const targets = [lowerExpression(node.childForFieldName('left'))];
  const [target] = targets;
  let right = node.childForFieldName('right');
  const type = node.childForFieldName('type');
  const annotation = type === null ? undefined : lowerExpression(type);
  if (right === null) {
    return target === undefined
      ? { kind: 'unsupported', span }
      : { kind: 'declare', target, annotation, span };
  }
  while (right?.type === 'assignment') {
    targets.push(lowerExpression(right.childForFieldName('left')));
    right = right.childForFieldName('right');
  }
  return { kind: 'assign', targets, annotation, value: lowerExpression(right), span };
}

function through(first: Span, { endRow, endColumn, end }: Span): Span {
  return { ...first, endRow, endColumn, end };
}
